/** The actions for one server in the list of *Server Options…*. Features add theirs, and the feature `options` shows them. */
import { type Disposable, toDisposable } from '../../base/lifecycle.js';
import type { Server } from '../../core/servers/server.js';

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
