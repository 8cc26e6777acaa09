/**
 * The facts of a call, for the editor's own question. Its answer is not told to us and allows nothing: where our own
 * decision is made already, it is not asked at all.
 */
import * as vscode from 'vscode';
import { jsonText, markdownText } from '../../editor/ui/plainText.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import type { Call } from '../../core/calls/calls.js';
import { readCall, readUri } from './modelInput.js';
import type { ModelActions } from './modelTools.js';

/** Longest part of arguments that is shown here; our own sheet has the rest. */
const maxShown = 1000;

export async function prepareCall(
	input: unknown,
	actions: Pick<ModelActions, 'find' | 'label'>,
	look: (call: Call) => Promise<ApprovalQuestion>,
): Promise<vscode.PreparedToolInvocation | undefined> {
	const { t } = vscode.l10n;
	try {
		const { server: name, tool, args } = readCall(input);
		const server = await actions.find(name);
		const whose = markdownText(actions.label(server), 60);
		const invocationMessage = markdown(t('Calling {0} of {1}', markdownText(tool, 80), whose));
		const call: Call = { caller: { kind: 'model', through: 'tool' }, server, tool, arguments: args };
		// Nothing is started to find out what would be decided.
		const decision = server.client ? (await look(call)).decision.kind : 'ask';
		if (decision !== 'ask') {
			return { invocationMessage };
		}
		return {
			invocationMessage,
			confirmationMessages: {
				// Some editors show it as text, others as Markdown: nothing of a server is in it.
				title: t('Call a tool of an MCP server?'),
				message: markdown(
					[
						t('Server: {0}', whose),
						t('Tool: {0}', markdownText(tool, 80)),
						t('Arguments: {0}', markdownText(jsonText(args), maxShown)),
						t('MCP Workbench will ask you for your approval, unless you have given it already.'),
					].join('\n\n'),
				),
			},
		};
	} catch {
		// What is wrong with it is told by the call itself.
		return undefined;
	}
}

export function prepareRead(input: unknown): vscode.PreparedToolInvocation | undefined {
	const { t } = vscode.l10n;
	try {
		const { server, uri } = readUri(input);
		const [whose, what] = [markdownText(server, 60), markdownText(uri, 200)];
		return {
			invocationMessage: markdown(t('Reading {0} of {1}', what, whose)),
			confirmationMessages: {
				title: t('Read a resource of an MCP server?'),
				message: markdown([t('Server: {0}', whose), t('Resource: {0}', what)].join('\n\n')),
			},
		};
	} catch {
		return undefined;
	}
}

/** Of parts that have been cleaned for it. */
function markdown(text: string): vscode.MarkdownString {
	return new vscode.MarkdownString(text);
}
