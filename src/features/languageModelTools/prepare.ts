/**
 * The texts of the editor's own confirmation of a tool. The editor doesn't tell us the answer, so it never counts as an
 * approval. The confirmation is left out where our own decision doesn't need the person.
 */
import * as vscode from 'vscode';
import { jsonText, markdownText } from '../../editor/ui/plainText.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import type { Call } from '../../core/calls/calls.js';
import { readCall, readUri } from './modelInput.js';
import type { ModelActions } from './modelActions.js';

/** Arguments are cut to this length, in UTF-16 units. Our own sheet shows them in full. */
const maxShown = 1000;

/** @returns `undefined` for invalid input: the call itself reports the mistake */
export async function prepareCall(
	input: unknown,
	actions: Pick<ModelActions, 'find' | 'label'>,
	evaluate: (call: Call) => Promise<ApprovalQuestion>,
): Promise<vscode.PreparedToolInvocation | undefined> {
	const { t } = vscode.l10n;
	try {
		const { server: name, tool, args } = readCall(input);
		const server = await actions.find(name);
		const serverLabel = markdownText(actions.label(server), 60);
		const invocationMessage = markdown(t('Calling {0} on {1}', markdownText(tool, 80), serverLabel));
		const call: Call = { caller: { kind: 'model' }, server, tool, arguments: args };
		// A stopped server isn't started only to find out the decision.
		const decision = server.client ? (await evaluate(call)).decision.kind : 'ask';
		if (decision !== 'ask') {
			return { invocationMessage };
		}
		return {
			invocationMessage,
			confirmationMessages: {
				// Some editors show the title as text, others as Markdown, so it has no text of a server.
				title: t('Call a tool of an MCP server?'),
				message: markdown(
					[
						t('Server: {0}', serverLabel),
						t('Tool: {0}', markdownText(tool, 80)),
						t('Arguments: {0}', markdownText(jsonText(args), maxShown)),
						t("MCP Workbench asks for your approval unless you've already given it."),
					].join('\n\n'),
				),
			},
		};
	} catch {
		return undefined;
	}
}

/** @returns `undefined` for invalid input: the call itself reports the mistake */
export function prepareRead(input: unknown): vscode.PreparedToolInvocation | undefined {
	const { t } = vscode.l10n;
	try {
		const { server, uri } = readUri(input);
		const [serverLabel, what] = [markdownText(server, 60), markdownText(uri, 200)];
		return {
			invocationMessage: markdown(t('Reading {0} from {1}', what, serverLabel)),
			confirmationMessages: {
				title: t('Read a resource of an MCP server?'),
				message: markdown([t('Server: {0}', serverLabel), t('Resource: {0}', what)].join('\n\n')),
			},
		};
	} catch {
		return undefined;
	}
}

/** @param text made of parts that are cleaned for Markdown */
function markdown(text: string): vscode.MarkdownString {
	return new vscode.MarkdownString(text);
}
