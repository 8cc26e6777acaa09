/**
 * The commands that add and remove the demo server, which comes with the extension and needs no network. A setting enables
 * it (`configPlaces.ts`); otherwise it is treated as any server of the person's settings.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { reportErrors, registerCommand } from '../../editor/commands.js';
import { hasDemo, setDemo } from '../../editor/workspace/config.js';
import { Commands, Views } from '../../editor/contributions.js';
import type { ServersView } from '../../editor/tree/serversView.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStart } from '../../core/servers/serverState.js';
import type { DemoEntry } from '../../editor/platform.js';
import { demoName, waitForServer } from './configPlaces.js';
import { isDemo, offerUndo } from './removeServer.js';

export function registerDemo(registry: ServerRegistry, view: ServersView, demo: DemoEntry | undefined): Disposable {
	const owned = new DisposableStore();
	owned.add(registerCommand(Commands.tryDemo, () => tryDemo(registry, view, demo)));
	owned.add(registerCommand(Commands.removeDemo, () => removeDemo(registry, view)));
	return owned;
}

async function tryDemo(registry: ServerRegistry, view: ServersView, demo: DemoEntry | undefined): Promise<void> {
	const { t } = vscode.l10n;
	if (!demo) {
		throw new Error(t("The demo server can't run here because this environment doesn't support local processes."));
	}
	await vscode.commands.executeCommand(`${Views.servers}.focus`);
	if (!vscode.workspace.isTrusted) {
		const manage = t('Manage Workspace Trust');
		const message = t("Servers, including the demo server, can't start in Restricted Mode.");
		if ((await vscode.window.showInformationMessage(message, manage)) === manage) {
			await vscode.commands.executeCommand(Commands.manageTrust);
		}
		return;
	}
	await setDemo(true);
	const server = await waitForServer(registry, ({ definition: { launch } }) => {
		return launch.kind === 'stdio' && launch.args[0] === demo.args[0];
	});
	if (!server) {
		throw new Error(t('Another server named "{0}" takes precedence over the demo server.', demoName));
	}
	// Completing a walkthrough step moves the focus away, so the focus is set again: now, because after a slow start the
	// person may be working elsewhere.
	void view.focusServer(server);
	if (canStart(server.state)) {
		await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
	}
}

/** Removes the demo server and offers to undo that. The focus moves as for Remove Server. */
async function removeDemo(registry: ServerRegistry, view: ServersView): Promise<void> {
	const { t } = vscode.l10n;
	if (!hasDemo()) {
		void vscode.window.showInformationMessage(t("The demo server isn't configured."));
		return;
	}
	const server = registry.servers.find(it => isDemo(it.definition));
	const hasFocus = server !== undefined && view.mayHaveFocus(server);
	const next = server && view.neighborOf(server);
	await setDemo(false);
	if (hasFocus) {
		view.focusInsteadOf(next);
	}
	const place = t('User Settings');
	const message = t('Removed "{0}" from {1}.', demoName, place);
	void reportErrors(() => offerUndo(message, () => setDemo(true).then(() => true), place));
}
