/** Which server a command is meant for. */
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ServerState } from '../../core/servers/serverState.js';
import { Commands } from '../contributions.js';
import { notificationText, quickPickText } from './plainText.js';
import { describeServer } from '../l10n/stateWords.js';
import { chooseLine, closeHeldInput } from './quickInput.js';
import { LeafNode, ServerNode } from '../tree/treeNodes.js';

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
	if (argument === undefined || argument instanceof ServerNode || argument instanceof LeafNode) {
		return true;
	}
	closeHeldInput();
	return (await vscode.window.showWarningMessage(message, { modal: true }, action)) === action;
}

export interface ServerChoice {
	/** Title of the quick pick: the command's title without '…'. */
	readonly title: string;
	/** Of those in the right state, which to offer. */
	readonly suits?: (server: Server) => boolean;
	/** The choice also confirms what is destroyed (`confirmedByPerson`): it is asked for even where there is only one. */
	readonly isConfirmation?: boolean;
}

/** From the tree, from a caller's `{ server: name }`, the only one there is, or by asking. */
export async function chooseServer(
	registry: ServerRegistry,
	argument: unknown,
	accept: StateFilter,
	{ title, suits = () => true, isConfirmation = false }: ServerChoice,
): Promise<Server | undefined> {
	if (argument instanceof ServerNode || argument instanceof LeafNode) {
		return argument.server;
	}
	await registry.configured;
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
	const [only] = servers;
	if (servers.length === 1 && !isConfirmation) {
		return only;
	}
	const items = servers.map(server => ({
		label: quickPickText(registry.label(server)),
		description: quickPickText(describeServer(server)),
		server,
	}));
	return (await chooseLine(items, vscode.l10n.t('Choose a server'), title))?.server;
}
