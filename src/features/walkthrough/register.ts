/** The feature `walkthrough`: completes its steps. Their texts and pictures are in `package.json`. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { ManagedContextKey, registerCommand } from '../../editor/commands.js';
import { Commands, ContextKeys, Walkthroughs } from '../../editor/contributions.js';
import type { Calls } from '../../core/calls/calls.js';
import type { ServersView } from '../../editor/tree/serversView.js';
import type { Questions } from '../../core/requests/questions.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

export interface WalkthroughDeps {
	readonly context: { readonly extension: Pick<vscode.Extension<unknown>, 'id'> };
	readonly registry: ServerRegistry;
	readonly view: Pick<ServersView, 'isVisible'>;
	/** Running a tool completes a step, whether or not a history is kept. */
	readonly calls: Pick<Calls, 'onDidCall'>;
	readonly questions: Pick<Questions, 'onDidEnd'>;
}

export function registerWalkthrough(deps: WalkthroughDeps): Disposable {
	const { context, registry, view, calls, questions } = deps;
	const owned = new DisposableStore();
	const hasAnswered = new ManagedContextKey(ContextKeys.hasAnswered);
	const hasRunTool = new ManagedContextKey(ContextKeys.hasRunTool);
	const done = { answer: false, tool: false };
	owned.add(
		questions.onDidEnd(({ end, isAutomatic }) => {
			if (end && !isAutomatic) {
				done.answer = hasAnswered.value = true;
			}
		}),
	);
	owned.add(
		calls.onDidCall(({ end }) => {
			if (end.kind !== 'denied') {
				done.tool = hasRunTool.value = true;
			}
		}),
	);
	owned.add(
		registerCommand(Commands.openWalkthrough, async () => {
			const id = `${context.extension.id}#${Walkthroughs.firstSteps}`;
			await vscode.commands.executeCommand('workbench.action.openWalkthrough', id);
			// The editor completes a step when a context key becomes true, but may not have listened at that time. So other keys,
			// which are set only here, complete the steps that are already done.
			const keys = [
				[ContextKeys.hasSeenServers, view.isVisible],
				[ContextKeys.hasConfigured, registry.servers.length > 0],
				[ContextKeys.hasStarted, registry.servers.some(it => it.state.kind === 'running')],
				[ContextKeys.hasRunToolBefore, done.tool],
				[ContextKeys.hasAnsweredBefore, done.answer],
			] as const;
			for (const [key] of keys.filter(([, isDone]) => isDone)) {
				void vscode.commands.executeCommand('setContext', key, true);
			}
		}),
	);
	return owned;
}
