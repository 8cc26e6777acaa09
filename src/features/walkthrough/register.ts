/** The first steps of a new person, as the editor shows them; their words and pictures are in package.json. */
import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.js';
import { registerCommand } from '../../host/commands.js';
import { Commands, Walkthroughs } from '../../host/contributions.js';

/** @param extensionId publisher and name: what the editor knows the walkthrough by */
export function registerWalkthrough(extensionId: string): Disposable {
	return registerCommand(Commands.openWalkthrough, () =>
		vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extensionId}#${Walkthroughs.firstSteps}`),
	);
}
