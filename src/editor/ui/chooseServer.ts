/** Finds the server that a command is for, or asks for one. */
import * as vscode from 'vscode';
import { isObject } from '../../mcp/index.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ServerState } from '../../core/servers/serverState.js';
import { Commands } from '../contributions.js';
import { notificationText, quickPickText } from './plainText.js';
import { describeServer } from '../l10n/stateWords.js';
import { chooseLine, confirmAction } from './quickInput.js';
import { LeafNode, ServerNode } from '../tree/treeNodes.js';

export type StateFilter = (state: ServerState) => boolean;

/**
 * Says that there is nothing to choose. If no server is configured, the message offers to add one. Doesn't wait.
 * @param why the message if servers are configured
 */
export function showNoMatch({ servers }: ServerRegistry, why: string): void {
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
 * Whether a command may delete something. The person must confirm it if the command has an argument other than a tree
 * node, because that argument can come from another extension.
 * @param message a question that names what is deleted
 */
export async function confirmedByPerson(argument: unknown, message: string, action: string): Promise<boolean> {
	if (argument === undefined || argument instanceof ServerNode || argument instanceof LeafNode) {
		return true;
	}
	return confirmAction(message, action);
}

export interface ServerChoice {
	/** Title of the quick pick: the command's title without '…'. */
	readonly title: string;
	/** Which servers of those in an accepted state to offer. */
	readonly suits?: (server: Server) => boolean;
	/** The choice also confirms a deletion (`confirmedByPerson`), so it is needed even with only one server. */
	readonly isConfirmation?: boolean;
}

/**
 * Takes the server from a tree node or from a caller's `{ server: name }`, or asks if there are several.
 * @param accept the states of servers to offer
 * @returns `undefined` if the person chose none, or if there is none, which a message says
 * @throws Error with a message for the person if the named server doesn't exist
 */
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
			throw new Error(vscode.l10n.t('Server "{0}" not found.', notificationText(argument['server'])));
		}
		return server;
	}
	const servers = registry.servers.filter(it => accept(it.state) && suits(it));
	if (servers.length === 0) {
		showNoMatch(registry, vscode.l10n.t('No server can do this right now.'));
		return undefined;
	}
	const [only] = servers;
	if (servers.length === 1 && !isConfirmation) {
		return only;
	}
	const items = servers.map(server => ({
		label: registry.label(server),
		description: quickPickText(describeServer(server)),
		server,
	}));
	return (await chooseLine(items, vscode.l10n.t('Select a server'), title))?.server;
}
