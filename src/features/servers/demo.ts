/**
 * Adds the demo server, which comes with the extension and needs no network. Once added, it is treated as any server of the
 * person's settings (`configPlaces.ts`), but starts without consent because it runs our own program.
 */
import * as vscode from 'vscode';
import { Commands, trustCommand, Views } from '../../editor/contributions.js';
import type { ServersView } from '../../editor/tree/serversView.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { canStart } from '../../core/servers/serverState.js';
import { waitForServer } from './configPlaces.js';
import { demoName, type DemoState } from './demoState.js';

/** Adds the demo server, starts it, and selects its first tool. */
export async function tryDemo(registry: ServerRegistry, view: ServersView, demo: DemoState): Promise<void> {
	const { t } = vscode.l10n;
	const { entry } = demo;
	if (!entry) {
		throw new Error(t("The demo server can't run here because this environment doesn't support local processes."));
	}
	await vscode.commands.executeCommand(`${Views.servers}.focus`);
	if (!vscode.workspace.isTrusted) {
		const manage = t('Manage Workspace Trust');
		const message = t("Servers, including the demo server, can't start in Restricted Mode.");
		if ((await vscode.window.showInformationMessage(message, manage)) === manage) {
			await vscode.commands.executeCommand(trustCommand);
		}
		return;
	}
	await demo.setAdded(true);
	const server = await waitForServer(registry, ({ definition: { launch } }) => {
		return launch.kind === 'stdio' && launch.args[0] === entry.args[0];
	});
	if (!server) {
		throw new Error(t('Another server named "{0}" takes precedence over the demo server.', demoName));
	}
	// Completing a walkthrough step moves the focus away, so the focus is set again: now, because after a slow start the
	// person may be working elsewhere.
	void view.focusServer(server);
	await startAdded(server, view);
}

/** Starts a server that the person has just added, and selects its first tool. */
export async function startAdded(server: Server, view: Pick<ServersView, 'selectFirstTool'>): Promise<void> {
	if (canStart(server.state)) {
		await vscode.commands.executeCommand(Commands.startServer, new ServerNode(server));
	}
	await server.catalog?.currentTools();
	await view.selectFirstTool(server);
}
