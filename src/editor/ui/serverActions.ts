/** The actions for one server in the list of *Server Options…*. Features add theirs, and the feature `options` shows them. */
import * as vscode from 'vscode';
import { type Disposable, toDisposable } from '../../base/lifecycle.js';
import type { Server } from '../../core/servers/server.js';
import { canStop } from '../../core/servers/serverState.js';
import { Commands } from '../contributions.js';
import { ServerNode } from '../tree/treeNodes.js';

export interface ServerAction {
	/** Id of a codicon. */
	readonly icon: string;
	readonly label: (server: Server) => string;
	/** The current value, shown beside the label. It may contain text of the server's configuration. */
	readonly value?: (server: Server) => string;
	/** Whether the action is listed for the server; without it, for every server. */
	readonly suits?: (server: Server) => boolean;
	readonly run: (server: Server) => unknown;
}

export class ServerActions {
	private readonly actions = new Set<ServerAction>();

	register(action: ServerAction): Disposable {
		this.actions.add(action);
		return toDisposable(() => this.actions.delete(action));
	}

	/** In the order of their registration. */
	of(server: Server): readonly ServerAction[] {
		return [...this.actions].filter(it => it.suits?.(server) ?? true);
	}
}

/** Offers to restart running servers, which still have old values. @param message names them; cleaned for a notification */
export async function offerRestart(servers: readonly Server[], message: string): Promise<void> {
	const restart = vscode.l10n.t('Restart');
	if (servers.length > 0 && (await vscode.window.showInformationMessage(message, restart)) === restart) {
		const running = servers.filter(it => canStop(it.state));
		await Promise.all(running.map(it => vscode.commands.executeCommand(Commands.restartServer, new ServerNode(it))));
	}
}
