/** The first steps of a new person, as the editor shows them; their words and pictures are in package.json. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../../base/lifecycle.js';
import { ManagedContextKey, registerCommand } from '../../host/commands.js';
import { Commands, ContextKeys, Walkthroughs } from '../../host/contributions.js';
import type { EndedCall } from '../../model/calls.js';
import type { EndedQuestion } from '../../model/questions.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';

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
	const hasSeenServers = new ManagedContextKey(ContextKeys.hasSeenServers);
	const hasConfigured = new ManagedContextKey(ContextKeys.hasConfigured);
	const hasStarted = new ManagedContextKey(ContextKeys.hasStarted);
	const hasAnswered = new ManagedContextKey(ContextKeys.hasAnswered);
	owned.add(
		onDidEndQuestion(({ end, isAutomatic }) => {
			if (end && !isAutomatic) {
				hasAnswered.value = true;
			}
		}),
	);
	const hasRunTool = new ManagedContextKey(ContextKeys.hasRunTool);
	owned.add(
		onDidCall(({ end }) => {
			if (end.kind !== 'denied') {
				hasRunTool.value = true;
			}
		}),
	);
	owned.add(
		registerCommand(Commands.openWalkthrough, async () => {
			const id = `${extensionId}#${Walkthroughs.firstSteps}`;
			await vscode.commands.executeCommand('workbench.action.openWalkthrough', id);
			// The editor completes a step on an event, and may not have listened when it happened.
			const done = [
				[hasSeenServers, isViewVisible()],
				[hasConfigured, registry.servers.length > 0],
				[hasStarted, registry.servers.some(it => it.state.kind === 'running')],
			] as const;
			for (const [key] of done.filter(([, isDone]) => isDone)) {
				key.value = true;
			}
		}),
	);
	return owned;
}
