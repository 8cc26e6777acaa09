/** Which server a command is meant for. */
import * as vscode from 'vscode';
import { isObject } from '../mcp/index.js';
import type { Server } from '../model/server.js';
import type { ServerRegistry } from '../model/serverRegistry.js';
import type { ServerState } from '../model/serverState.js';
import { Commands } from './contributions.js';
import { describeState } from './messages.js';
import { notificationText, quickPickText } from './plainText.js';
import { chooseLine } from './quickInput.js';
import { LeafNode, ServerNode } from './treeNodes.js';

/** Which servers to offer. */
export type StateFilter = (state: ServerState) => boolean;

/**
 * Says why there is nothing to choose, and leads on where no server is configured at all. Waits for no answer.
 * @param why where there are servers
 */
export function tellNothing({ servers }: ServerRegistry, why: string): void {
	if (servers.length > 0) {
		void vscode.window.showInformationMessage(why);
		return;
	}
	const { t } = vscode.l10n;
	const add = t('Add Server…');
	const message = t('No MCP server is configured here.');
	void vscode.window.showInformationMessage(message, add).then(chosen => {
		return chosen === add ? vscode.commands.executeCommand(Commands.addServer) : undefined;
	});
}

/**
 * Whether a command may go on that destroys something: chosen in our own interface, or confirmed now. Nodes of the tree are
 * ours; what else is given to a command may come from another extension.
 * @param message a question that names what is destroyed
 */
export async function confirmedByPerson(argument: unknown, message: string, action: string): Promise<boolean> {
	return (
		argument === undefined ||
		argument instanceof ServerNode ||
		argument instanceof LeafNode ||
		(await vscode.window.showWarningMessage(message, { modal: true }, action)) === action
	);
}

/**
 * From the tree, from a caller's `{ server: name }`, or by asking.
 * @param suits of those, which to offer besides
 */
export async function chooseServer(
	registry: ServerRegistry,
	argument: unknown,
	accept: StateFilter,
	suits: (server: Server) => boolean = () => true,
): Promise<Server | undefined> {
	if (argument instanceof ServerNode || argument instanceof LeafNode) {
		return argument.server;
	}
	if (isObject(argument) && typeof argument['server'] === 'string') {
		const server = registry.find(argument['server']);
		if (!server) {
			throw new Error(vscode.l10n.t('There is no server "{0}".', notificationText(argument['server'])));
		}
		return server;
	}
	const servers = registry.servers.filter(it => accept(it.state) && suits(it));
	if (servers.length === 0) {
		tellNothing(registry, vscode.l10n.t('No server is in a state for this.'));
		return undefined;
	}
	const items = servers.map(server => ({
		label: quickPickText(registry.label(server)),
		description: quickPickText(describeState(server.state)),
		server,
	}));
	return (await chooseLine(items, vscode.l10n.t('Choose a server')))?.server;
}
