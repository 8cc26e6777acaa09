/** Tools: their group in the tree, their details, and running them. */
import * as vscode from 'vscode';
import { lazy } from '../../base/lazy.js';
import { type Disposable, DisposableStore, type Event } from '../../base/lifecycle.js';
import { isObject, type JsonObject, type SchemaValidator, type Tool } from '../../mcp/index.js';
import type { Calls } from '../../core/calls/calls.js';
import type { ShowOutcome } from '../../core/calls/callOutcome.js';
import type { Server } from '../../core/servers/server.js';
import type { RunningCalls } from '../../core/calls/runningCalls.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { displayName } from '../../core/approvals/toolNames.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import type { KeptState } from '../../editor/storage/keptState.js';
import { titleText } from '../../editor/ui/plainText.js';
import { onDidChangeServerOptions } from '../../editor/workspace/serverOptions.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import { LeafNode, ServerNode } from '../../editor/tree/treeNodes.js';
import { ArgumentsDocuments } from './argumentsDocument.js';
import { ArgumentsInput } from './argumentsInput.js';
import { chooseTool } from './chooseTool.js';
import { enableTool } from './enableTool.js';
import { LastArguments } from './lastArguments.js';
import { ToolRunner } from './runTool.js';
import type { ToolCallsDeps } from './toolCalls.js';
import { lookOf } from './toolLook.js';
import { describeTool } from './toolText.js';

export interface ToolsDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
	readonly documents: Documents;
	readonly validator: SchemaValidator;
	readonly calls: Calls;
	readonly running: RunningCalls;
	readonly pending: PendingRequests;
	readonly showOutcome: ShowOutcome;
	/** Of the workspace. */
	readonly state: KeptState;
	readonly isSilenceExpected: ToolCallsDeps['isSilenceExpected'];
	/** Which tools have changed since they were pinned. */
	readonly changed: { readonly onDidChange: Event<void>; has(server: Server, tool: Tool): boolean };
}

const toolsGroup = 'tools';

/** Also makes the calls of others, who have to go through the same door. */
export interface ToolsFeature extends Disposable {
	readonly callFor: ToolRunner['callFor'];
	readonly runAgain: ToolRunner['runAgain'];
	readonly editArguments: (
		whose: string,
		tool: Tool,
		args: JsonObject,
		signal: AbortSignal,
	) => Promise<JsonObject | undefined>;
}

export function registerTools(deps: ToolsDeps): ToolsFeature {
	const { registry, documents, validator, calls, pending, showOutcome, state, isSilenceExpected } = deps;
	const owned = new DisposableStore();
	const argumentsDocuments = owned.add(new ArgumentsDocuments(registry));
	const last = lazy(() => new LastArguments(state));
	const input = lazy(() => new ArgumentsInput({ registry, documents, argumentsDocuments, last: last(), validator }));
	const runner = lazy(() =>
		owned.add(
			new ToolRunner({
				registry,
				input: input(),
				last: last(),
				calls,
				validator,
				showOutcome,
				state,
				pending,
				isSilenceExpected,
			}),
		),
	);
	owned.add(registry.withServers(() => registerToolsGroup(deps)));
	// The runner, which `owned` disposes, follows the tasks that an earlier session has left.
	owned.add(
		registry.withServers(() => {
			runner();
			return new DisposableStore();
		}),
	);
	owned.add(
		registerCommand(Commands.runArguments, async it => runner().runDocument(await argumentsDocuments.read(it))),
	);
	owned.add(
		registerCommand(Commands.argumentsToForm, async it => runner().backToForm(await argumentsDocuments.read(it))),
	);
	owned.add(
		registerCommand(Commands.runTool, async argument => {
			await registry.configured;
			const ofServer = serverOf(registry, argument);
			if (argument !== undefined && !ofServer && !(argument instanceof LeafNode)) {
				return runner().runForCaller(argument);
			}
			// From the tree, an editor or the palette: a person is here.
			const chosen = argument instanceof LeafNode ? fromNode(argument) : await chooseTool(registry, ofServer);
			await (chosen && runner().runByPerson(chosen.server, chosen.tool));
			return undefined;
		}),
	);
	owned.add(registerCommand(Commands.enableTool, argument => setEnabled(argument, true)));
	owned.add(registerCommand(Commands.disableTool, argument => setEnabled(argument, false)));
	owned.add(
		registerCommand(Commands.showTool, async argument => {
			await registry.configured;
			const chosen = argument instanceof LeafNode ? fromNode(argument) : await chooseTool(registry);
			if (chosen) {
				const { server, tool } = chosen;
				const title = titleText(vscode.l10n.t('{0} (details)', tool.name), registry.label(server));
				await documents.show(title, describeTool(registry.label(server), tool));
			}
		}),
	);
	return {
		callFor: (call, follower) => runner().callFor(call, follower),
		runAgain: (...call) => runner().runAgain(...call),
		editArguments: (...edited) => input().edit(...edited),
		dispose: () => owned.dispose(),
	};
}

function registerToolsGroup({ tree, changed, running }: ToolsDeps): Disposable {
	const owned = new DisposableStore();
	owned.add(
		tree.registerGroup<Tool>({
			id: toolsGroup,
			order: 10,
			label: vscode.l10n.t('Tools'),
			icon: 'tools',
			list: catalog => catalog.tools,
			open: Commands.showTool,
			search: tool => ({ names: [displayName(tool), tool.name], description: tool.description }),
			describe: (tool, server) =>
				lookOf(tool, server, {
					isChanged: changed.has(server, tool),
					isRunning: running.has(server, tool.name),
				}),
		}),
	);
	owned.add(running.onDidChange(({ server, tool }) => tree.redrawEntry(toolsGroup, server, tool)));
	owned.add(changed.onDidChange(() => tree.redraw(toolsGroup)));
	owned.add(onDidChangeServerOptions(() => tree.redraw(toolsGroup)));
	return owned;
}

/** Of a line of the tree, or of `{ server }` alone: its tools are listed, and the person chooses one. */
function serverOf(registry: ServerRegistry, argument: unknown): Server[] | undefined {
	if (argument instanceof ServerNode) {
		return [argument.server];
	}
	const { server: named, tool } = isObject(argument) ? argument : {};
	const server = typeof named === 'string' && tool === undefined ? registry.find(named) : undefined;
	return server && [server];
}

/** Of a line of the tree. */
async function setEnabled(argument: unknown, isEnabled: boolean): Promise<void> {
	if (argument instanceof LeafNode) {
		const { server, tool } = fromNode(argument);
		await enableTool(server, tool.name, isEnabled);
	}
}

function fromNode(node: LeafNode): { server: LeafNode['server']; tool: Tool } {
	// Lines of our group hold what our group's list holds.
	return { server: node.server, tool: node.entry as Tool };
}
