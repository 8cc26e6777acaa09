/** The first steps of a new person, as the editor shows them; their words and pictures are in package.json. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, type Event } from '../../base/lifecycle.js';
import { ManagedContextKey, registerCommand } from '../../host/commands.js';
import { Commands, ContextKeys, Walkthroughs } from '../../host/contributions.js';
import type { EndedCall } from '../../model/calls.js';

/**
 * @param extensionId publisher and name: what the editor knows the walkthrough by
 * @param onDidCall whether or not a history is kept, a tool that was run is a step that was done
 */
export function registerWalkthrough(extensionId: string, onDidCall: Event<Pick<EndedCall, 'end'>>): Disposable {
	const owned = new DisposableStore();
	const hasRunTool = new ManagedContextKey(ContextKeys.hasRunTool);
	owned.add(
		onDidCall(({ end }) => {
			if (end.kind !== 'denied') {
				hasRunTool.value = true;
			}
		}),
	);
	owned.add(
		registerCommand(Commands.openWalkthrough, () =>
			vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#${Walkthroughs.firstSteps}`),
		),
	);
	return owned;
}
