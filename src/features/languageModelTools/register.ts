/** Language-model tools: any agent in the editor uses every server, through the same approvals, pins and history. */
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.js';
import { lazy } from '../../base/lazy.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { abortOn } from '../../editor/cancellation.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands, type ModelToolName, ModelTools } from '../../editor/contributions.js';
import { imagePart, takesImages } from '../../editor/newerApi.js';
import type { ModelAnswer, ModelDoors, ModelRequest } from '../../editor/languageModels/modelRequest.js';
import { LeafNode } from '../../editor/tree/treeNodes.js';
import type { Tool } from '../../mcp/index.js';
import type { ApprovalQuestion } from '../../core/approvals/approver.js';
import type { AnsweredCall, Call } from '../../core/calls/calls.js';
import type { Exchanges } from '../../core/calls/exchanges.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { ModelActivity } from './activity.js';
import { type Budget, charsBudget } from '../../editor/languageModels/budget.js';
import { ModelActions } from './modelTools.js';
import { prepareCall, prepareRead } from './prepare.js';
import { Rests } from './rests.js';
import { chooseVisible, setHidden } from './visibleTools.js';

export interface ModelsDeps {
	readonly registry: ServerRegistry;
	/** What would be decided now; nothing is asked. */
	readonly look: (call: Call) => Promise<ApprovalQuestion>;
	/** Decides, asks and calls. */
	readonly callTool: (call: Call, signal: AbortSignal) => Promise<AnsweredCall>;
	/** Remembers what is read. */
	readonly exchanges: Exchanges;
}

export interface ModelsFeature extends Disposable {
	/** What models can do, for who lets them. */
	readonly doors: () => ModelDoors;
}

const restLimits = { maxEntries: 50, maxChars: 10_000_000 };

/** What the editor shows of a call before it is made; it is not told to `invoke` what the person said to that. */
type Prepare = (input: unknown) => Promise<vscode.PreparedToolInvocation | undefined>;

type Run = (request: ModelRequest) => Promise<Omit<ModelAnswer, 'resources'> | string>;

export function registerModels({ registry, look, callTool, exchanges }: ModelsDeps): ModelsFeature {
	const owned = new DisposableStore();
	const actions = lazy(() => {
		const activity = owned.add(new ModelActivity());
		const rests = new Rests(restLimits, () => crypto.randomUUID());
		return new ModelActions({ registry, callTool, exchanges, activity, rests });
	});
	const register = (name: ModelToolName, run: Run, prepare?: Prepare): void => {
		owned.add(vscode.lm.registerTool(name, toTool(run, prepare)));
	};
	register(ModelTools.findTools, it => actions().findTools(it));
	register(
		ModelTools.callTool,
		it => actions().callTool(it),
		input => prepareCall(input, actions(), look),
	);
	register(ModelTools.listResources, it => actions().listResources(it));
	register(
		ModelTools.readResource,
		it => actions().readResource(it),
		async input => prepareRead(input),
	);
	register(ModelTools.readMore, it => actions().readMore(it));
	owned.add(registerCommand(Commands.hideFromModels, argument => setHiddenOf(argument, true)));
	owned.add(registerCommand(Commands.showToModels, argument => setHiddenOf(argument, false)));
	owned.add(registerCommand(Commands.toolsForModels, () => chooseVisible(registry)));
	return { doors: actions, dispose: () => owned.dispose() };
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
				const request = { budget, signal, through: 'tool', takesImages: takesImages() } as const;
				const answer = await run({ ...request, input: options.input });
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

/** Of a line of the tree. */
async function setHiddenOf(argument: unknown, isHidden: boolean): Promise<void> {
	if (argument instanceof LeafNode) {
		// Only lines of tools have these commands in their menu.
		await setHidden(argument.server, [(argument.entry as Tool).name], isHidden);
	}
}
