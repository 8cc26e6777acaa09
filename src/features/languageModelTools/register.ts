/**
 * Registers the language-model tools, through which agents in the editor use all servers with approvals and history.
 *
 * The editor asks the person to confirm some of them. It doesn't tell us the answer, so that never counts as an approval.
 * The confirmation is left out where our own decision doesn't need the person.
 */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { abortOn } from '../../editor/cancellation.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands, type ModelToolName, ModelTools } from '../../editor/contributions.js';
import { imagePart, takesImages } from '../../editor/newerApi.js';
import { ModelActions, type ModelAnswer, readCall, readUri, type SentModelRequest } from './modelActions.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import type { AnsweredCall, Call } from '../../core/calls/calls.js';
import type { Interactions } from '../../core/calls/interactions.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ToolTokens } from '../../editor/languageModels/toolTokens.js';
import { ModelActivity } from './activity.js';
import { chooseTools } from './chooseTools.js';
import { type Budget, charsBudget, ContinuationStore } from './untrustedContent.js';
import { jsonText, markdownText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';

const { t } = vscode.l10n;

interface ModelsDeps {
	readonly registry: ServerRegistry;
	/** The decision about a call as of now; asks the person nothing. */
	readonly evaluate: (call: Call) => Promise<ApprovalQuestion>;
	readonly callTool: (call: Call, signal: AbortSignal) => Promise<AnsweredCall>;
	/** Checks and records reads of resources. */
	readonly interactions: Interactions;
	readonly toolTokens: ToolTokens;
}

const continuationLimits = { maxEntries: 50, maxChars: 10_000_000 };

/** Gives the texts that the editor shows before it calls `invoke`. */
type Prepare = (input: unknown) => Promise<vscode.PreparedToolInvocation | undefined>;

type Run = (request: SentModelRequest) => Promise<ModelAnswer | string>;

export function registerLanguageModelTools(deps: ModelsDeps): Disposable {
	const { registry, evaluate, callTool, interactions, toolTokens } = deps;
	const owned = new DisposableStore();
	const activity = owned.add(new ModelActivity());
	const continuations = new ContinuationStore(continuationLimits, () => crypto.randomUUID());
	const actions = new ModelActions({ registry, callTool, interactions, activity, continuations });
	const register = (name: ModelToolName, run: Run, prepare?: Prepare): void => {
		owned.add(vscode.lm.registerTool(name, toTool(run, prepare)));
	};
	register(ModelTools.findTools, it => actions.findTools(it));
	register(
		ModelTools.callTool,
		it => actions.callTool(it),
		input => prepareCall(input, actions, evaluate),
	);
	register(ModelTools.listResources, it => actions.listResources(it));
	register(
		ModelTools.readResource,
		it => actions.readResource(it),
		input => prepareRead(input, actions),
	);
	register(ModelTools.readMore, it => actions.readMore(it));
	owned.add(registerCommand(Commands.chooseTools, it => chooseTools(registry, toolTokens, it)));
	return owned;
}

function toTool(run: Run, prepare: Prepare | undefined): vscode.LanguageModelTool<unknown> {
	return {
		...(prepare && { prepareInvocation: ({ input }) => prepare(input) }),
		async invoke(options, token) {
			const controller = new AbortController();
			const cancellation = abortOn(token, controller);
			try {
				const budget = budgetOf(options.tokenizationOptions, token);
				const { signal } = controller;
				const answer = await run({ input: options.input, budget, signal, takesImages: takesImages() });
				const { text, images } = typeof answer === 'string' ? { text: answer, images: [] } : answer;
				const parts = images.map(it => imagePart(it.bytes, it.mimeType));
				return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text), ...parts]);
			} catch (error) {
				throw isAbort(error) ? new vscode.CancellationError() : error;
			} finally {
				cancellation.dispose();
			}
		},
	};
}

function budgetOf(
	options: vscode.LanguageModelToolTokenizationOptions | undefined,
	token: vscode.CancellationToken,
): Budget {
	return options && options.tokenBudget > 0
		? { max: options.tokenBudget, count: text => options.countTokens(text, token) }
		: charsBudget;
}

/** Arguments are cut to this length, in UTF-16 units. Our own sheet shows them in full. */
const maxShown = 1000;

/** @returns `undefined` for invalid input: the call itself reports the mistake */
async function prepareCall(
	input: unknown,
	actions: Pick<ModelActions, 'find' | 'label'>,
	evaluate: (call: Call) => Promise<ApprovalQuestion>,
): Promise<vscode.PreparedToolInvocation | undefined> {
	try {
		const { server: name, tool, args } = readCall(input);
		const server = await actions.find(name);
		const serverLabel = markdownText(actions.label(server));
		const invocationMessage = markdown(t('Calling {0} on {1}', markdownText(toolName(tool)), serverLabel));
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
						t('Tool: {0}', markdownText(toolName(tool))),
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
async function prepareRead(
	input: unknown,
	actions: Pick<ModelActions, 'find' | 'label'>,
): Promise<vscode.PreparedToolInvocation | undefined> {
	try {
		const { server, uri } = readUri(input);
		const serverLabel = markdownText(actions.label(await actions.find(server)));
		const what = markdownText(uri, 200);
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
