/** The first steps of a new person, as the editor shows them; their words and pictures are in package.json. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../../base/lifecycle.js';
import { ManagedContextKey, registerCommand } from '../../editor/commands.js';
import { Commands, ContextKeys, Walkthroughs } from '../../editor/contributions.js';
import type { EndedCall } from '../../core/calls/calls.js';
import type { EndedQuestion } from '../../core/requests/questions.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

export interface WalkthroughDeps {
	/** Publisher and name: what the editor knows the walkthrough by. */
	readonly extensionId: string;
	/** Running a tool completes a step, whether or not a history is kept. */
	readonly onDidCall: Event<Pick<EndedCall, 'end'>>;
	readonly registry: ServerRegistry;
	/** Whether the servers view is visible. */
	readonly isViewVisible: () => boolean;
	readonly onDidEndQuestion: Event<Pick<EndedQuestion, 'end' | 'isAutomatic'>>;
}

export function registerWalkthrough(deps: WalkthroughDeps): Disposable {
	const { extensionId, registry, onDidCall, isViewVisible, onDidEndQuestion } = deps;
	const owned = new DisposableStore();
	const hasAnswered = new ManagedContextKey(ContextKeys.hasAnswered);
	const hasRunTool = new ManagedContextKey(ContextKeys.hasRunTool);
	const done = { answer: false, tool: false };
	owned.add(
		onDidEndQuestion(({ end, isAutomatic }) => {
			if (end && !isAutomatic) {
				done.answer = hasAnswered.value = true;
			}
		}),
	);
	owned.add(
		onDidCall(({ end }) => {
			if (end.kind !== 'denied') {
				done.tool = hasRunTool.value = true;
			}
		}),
	);
	owned.add(
		registerCommand(Commands.openWalkthrough, async () => {
			const id = `${extensionId}#${Walkthroughs.firstSteps}`;
			await vscode.commands.executeCommand('workbench.action.openWalkthrough', id);
			// The editor completes a step when a context key becomes true for the first time, and may not have listened then:
			// these keys are set only here.
			const keys = [
				[ContextKeys.hasSeenServers, isViewVisible()],
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
