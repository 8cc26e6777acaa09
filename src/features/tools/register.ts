/** The feature "tools": their group in the tree, their details, and running them. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../../base/lifecycle.js';
import { isObject, type Tool } from '../../mcp/index.js';
import type { Call, Calls } from '../../core/calls/calls.js';
import type { Server } from '../../core/servers/server.js';
import type { RunningCalls } from '../../core/calls/runningCalls.js';
import type { Questions } from '../../core/requests/questions.js';
import type { History } from '../../core/history/history.js';
import type { Accounts } from '../../core/servers/accounts.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isToolDisabled } from '../../core/calls/toolAccess.js';
import { displayName } from '../../core/approvals/toolNames.js';
import { registerCommand, registerCommands, reportErrors } from '../../editor/commands.js';
import { Commands, InternalCommands, TreeContexts } from '../../editor/contributions.js';
import type { ToolTokens } from '../../editor/languageModels/toolTokens.js';
import type { RunPageDeps } from '../../editor/pages/runPage.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import { onDidChangeSetting } from '../../editor/workspace/config.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { LeafNode, ServerNode } from '../../editor/tree/treeNodes.js';
import { chooseTool } from './chooseTool.js';
import { enableTool, tellDisabled } from './enableTool.js';
import { LastArguments } from './lastArguments.js';
import { currentTool, ToolRunner } from './runTool.js';
import { summarizeTools, toolRow } from './toolRow.js';
import { createToolPages } from './toolPages.js';

export interface ToolsDeps extends RunPageDeps {
	readonly tree: ServersTree;
	readonly calls: Calls;
	readonly running: RunningCalls;
	readonly pending: PendingRequests;
	readonly toolTokens: ToolTokens;
	/** State of the workspace. */
	readonly state: EditorState;
	readonly questions: Questions;
	readonly accounts: Accounts;
	readonly history: History;
	/** Which tools have changed since they were locked. */
	readonly changed: {
		readonly onDidChange: Event<void>;
		has(server: Server, tool: Tool): boolean;
		isAuthored(server: Server): boolean;
	};
}

const toolsGroup = 'tools';

/** Other features make their tool calls by these functions, so that all calls are decided in one place. */
export interface ToolsFeature extends Disposable {
	readonly callFor: ToolRunner['callFor'];
	readonly runAgain: ToolRunner['runAgain'];
	/** Shows the page of a tool with the arguments of an earlier call, which the person can change and run. */
	readonly editCall: (server: Server, call: Pick<Call, 'tool' | 'arguments'>) => Promise<void>;
}

export function registerTools(deps: ToolsDeps): ToolsFeature {
	const { registry, calls, pending, state } = deps;
	const { t } = vscode.l10n;
	const owned = new DisposableStore();
	const last = new LastArguments(state);
	// Also waits for tasks of an earlier session.
	const runner = owned.add(
		new ToolRunner({
			registry,
			last,
			calls,
			showOutcome: call => pages.showOutcome(call.tool, call),
			state,
			pending,
			isSilenceExpected: ({ definition }, sentAt) =>
				deps.questions.explainsSilence(definition, sentAt) || deps.accounts.of(definition)?.state.kind === 'working',
		}),
	);
	const pages = owned.add(createToolPages({ ...deps, last, run: (...run) => runner.runInPage(...run) }));
	owned.add(deps.changed.onDidChange(() => pages.refresh()));
	owned.add(deps.history.onDidChange(() => pages.refresh()));
	owned.add(deps.toolTokens.onDidCount(() => pages.refresh()));
	owned.add(onDidChangeSetting('tools', () => pages.refresh()));
	owned.add(registerToolsGroup(deps));
	owned.add(
		registerCommands({
			[Commands.toggleTool]: argument => toggleTool(registry, argument),
		}),
	);
	owned.add(
		registerCommand(Commands.runTool, async argument => {
			await registry.configured;
			const ofServer = serverOf(registry, argument);
			if (argument !== undefined && !ofServer && !(argument instanceof LeafNode)) {
				return runner.runForCaller(argument);
			}
			// The command comes from the tree, an editor or the Command Palette, so from the person.
			const chosen =
				argument instanceof LeafNode
					? fromNode(argument)
					: await chooseTool(registry, t('Select a tool to run'), ofServer);
			if (chosen) {
				pages.show(chosen.server, chosen.tool, true, argument instanceof LeafNode ? argument : undefined);
			}
			return undefined;
		}),
	);
	owned.add(
		registerCommand(InternalCommands.showTool, argument => {
			if (argument instanceof LeafNode) {
				const { server, tool } = fromNode(argument);
				pages.show(server, tool, false, argument);
			}
		}),
	);
	return {
		callFor: (call, follower) => runner.callFor(call, follower),
		runAgain: (...call) => runner.runAgain(...call),
		editCall: async (server, { tool, arguments: args }) =>
			pages.showArguments(server, await currentTool(server, tool), args),
		dispose: () => owned.dispose(),
	};
}

function registerToolsGroup({ tree, changed, running, toolTokens }: ToolsDeps): Disposable {
	const owned = new DisposableStore();
	owned.add(
		tree.registerGroup<Tool>({
			id: toolsGroup,
			order: 10,
			label: vscode.l10n.t('Tools'),
			icon: 'tools',
			context: TreeContexts.toolGroup,
			list: catalog => catalog.tools,
			summary: (server, tools) => summarizeTools(server, tools, toolTokens),
			open: InternalCommands.showTool,
			search: tool => ({ names: [displayName(tool), tool.name], description: tool.description }),
			describe: (tool, server) =>
				toolRow(tool, server, {
					isChanged: changed.has(server, tool),
					isAuthored: changed.isAuthored(server),
					isRunning: running.has(server, tool.name),
				}),
		}),
	);
	owned.add(running.onDidChange(({ server, tool }) => tree.redrawEntry(toolsGroup, server, tool)));
	owned.add(changed.onDidChange(() => tree.redraw(toolsGroup)));
	owned.add(onDidChangeSetting('tools', () => tree.redraw(toolsGroup)));
	owned.add(toolTokens.onDidCount(() => tree.redraw(toolsGroup)));
	return owned;
}

/** The server whose tools are offered: of a row in the tree, or of `{ server: name }` without a tool. */
function serverOf(registry: ServerRegistry, argument: unknown): Server[] | undefined {
	if (argument instanceof ServerNode) {
		return [argument.server];
	}
	const { server: named, tool } = isObject(argument) ? argument : {};
	const server = typeof named === 'string' && tool === undefined ? registry.find(named) : undefined;
	return server && [server];
}

/** @param argument a row of the tree, or anything else to ask for a tool */
async function toggleTool(registry: ServerRegistry, argument: unknown): Promise<void> {
	await registry.configured;
	const placeholder = vscode.l10n.t('Select a tool to enable or disable');
	const chosen = argument instanceof LeafNode ? fromNode(argument) : await chooseTool(registry, placeholder);
	if (chosen) {
		const { server, tool } = chosen;
		const wasDisabled = isToolDisabled(server, tool);
		const written = await enableTool(server, tool.name, wasDisabled);
		if (!wasDisabled) {
			void reportErrors(() => tellDisabled(tool.name, written));
		}
	}
}

function fromNode(node: LeafNode): { server: LeafNode['server']; tool: Tool } {
	// The rows of this group have the entries of its list.
	return { server: node.server, tool: node.entry as Tool };
}
