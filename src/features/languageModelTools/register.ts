/** Registers the language-model tools, through which agents in the editor use all servers with approvals and history. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { abortOn } from '../../editor/cancellation.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands, type ModelToolName, ModelTools } from '../../editor/contributions.js';
import { imagePart, takesImages } from '../../editor/newerApi.js';
import type { ModelAnswer, SentModelRequest } from './modelRequest.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import type { AnsweredCall, Call } from '../../core/calls/calls.js';
import type { Interactions } from '../../core/calls/interactions.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { ModelActivity } from './activity.js';
import { type Budget, charsBudget } from './budget.js';
import { ModelActions } from './modelActions.js';
import { prepareCall, prepareRead } from './prepare.js';
import { ContinuationStore } from './continuationStore.js';
import { chooseVisible } from './visibleTools.js';

export interface ModelsDeps {
	readonly registry: ServerRegistry;
	/** The decision about a call as of now; asks the person nothing. */
	readonly evaluate: (call: Call) => Promise<ApprovalQuestion>;
	readonly callTool: (call: Call, signal: AbortSignal) => Promise<AnsweredCall>;
	/** Checks and records reads of resources. */
	readonly interactions: Interactions;
}

const continuationLimits = { maxEntries: 50, maxChars: 10_000_000 };

/** Gives the texts that the editor shows before it calls `invoke`. */
type Prepare = (input: unknown) => Promise<vscode.PreparedToolInvocation | undefined>;

type Run = (request: SentModelRequest) => Promise<ModelAnswer | string>;

export function registerLanguageModelTools({ registry, evaluate, callTool, interactions }: ModelsDeps): Disposable {
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
		async input => prepareRead(input),
	);
	register(ModelTools.readMore, it => actions.readMore(it));
	owned.add(registerCommand(Commands.toolsForModels, () => chooseVisible(registry)));
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
