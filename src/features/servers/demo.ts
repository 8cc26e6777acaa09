/**
 * The demo server: comes with the extension, so that a first tool can be run without a network. It is one of the person's
 * own servers, switched on by a setting (`configPlaces.ts`), and everything else about it is as with any server.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { guarded, registerCommand } from '../../editor/commands.js';
import { hasDemo, setDemo } from '../../editor/workspace/config.js';
import { Commands, Views } from '../../editor/contributions.js';
import type { ServersView } from '../../editor/tree/serversView.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStart } from '../../core/servers/serverState.js';
import type { DemoEntry } from '../../editor/platform.js';
import { demoName } from './configPlaces.js';
import { isDemo, offerUndo } from './removeServer.js';
import { untilThere } from './untilThere.js';

export function registerDemo(registry: ServerRegistry, view: ServersView, demo: DemoEntry | undefined): Disposable {
	const owned = new DisposableStore();
	owned.add(registerCommand(Commands.tryDemo, () => tryDemo(registry, view, demo)));
	owned.add(registerCommand(Commands.removeDemo, () => removeDemo(registry, view)));
	return owned;
}

async function tryDemo(registry: ServerRegistry, view: ServersView, demo: DemoEntry | undefined): Promise<void> {
	const { t } = vscode.l10n;
	if (!demo) {
		throw new Error(t('No server can be started as a program in this editor, and the demo server is one.'));
	}
	await vscode.commands.executeCommand(`${Views.servers}.focus`);
	if (!vscode.workspace.isTrusted) {
		const manage = t('Manage Workspace Trust');
		const message = t('No server is started in a workspace that you have not said you trust, nor is the demo server.');
		if ((await vscode.window.showInformationMessage(message, manage)) === manage) {
			await vscode.commands.executeCommand(Commands.manageTrust);
		}
		return;
	}
	await setDemo(true);
	const server = await untilThere(registry, ({ definition: { launch } }) => {
		return launch.kind === 'stdio' && launch.args[0] === demo.args[0];
	});
	if (!server) {
		throw new Error(t('Another server is called "{0}" here, and stands before the demo server.', demoName));
	}
	// Completing a walkthrough step moves the focus away. The focus is set before the start, because the person may have
	// moved on when a slow start ends; the start doesn't wait for it.
	void view.focusServer(server);
	if (canStart(server.state)) {
		await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
	}
}

/** Offers to undo the removal. The focus goes where it goes when a server is removed from the menu of its row. */
async function removeDemo(registry: ServerRegistry, view: ServersView): Promise<void> {
	const { t } = vscode.l10n;
	if (!hasDemo()) {
		void vscode.window.showInformationMessage(t('The demo server is not among your servers.'));
		return;
	}
	const server = registry.servers.find(it => isDemo(it.definition));
	const hasFocus = server !== undefined && view.mayHaveFocus(server);
	const next = server && view.neighborOf(server);
	await setDemo(false);
	if (hasFocus) {
		view.focusInsteadOf(next);
	}
	const place = t('your settings');
	void guarded(() => offerUndo(t('Removed "{0}" from {1}.', demoName, place), restoreDemo, place));
}

async function restoreDemo(): Promise<boolean> {
	await setDemo(true);
	return true;
}
