/**
 * What other extensions get: the model's servers as plain data, and connections that act for a named caller. Callers are
 * JavaScript: what they pass is checked, what they get is theirs, and what their listeners throw stays with them.
 */
import { type Disposable, Emitter, Owner, toDisposable } from '../../base/lifecycle.js';
import type { ListState } from '../../core/servers/catalog.js';
import type { Exchanges } from '../../core/calls/exchanges.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { describeState } from '../../editor/l10n/messages.js';
import type { ExtensionApi, ServerSnapshot } from '../../api.js';
import { createApiError } from './apiErrors.js';
import { assertText, guardedListener } from './arguments.js';
import { type CallTool, ServerConnection } from './serverConnection.js';

export interface ApiDeps {
	readonly registry: ServerRegistry;
	/** Decides, asks and calls. */
	readonly callTool: CallTool;
	/** Remembers what is read. */
	readonly exchanges: Exchanges;
}

/** Owns what callers have subscribed to. */
export class Api extends Owner implements ExtensionApi {
	readonly version = 1;
	private readonly changed = this.own(new Emitter<void>());
	/** What callers have not ended yet. */
	private readonly kept = new Set<Disposable>();

	constructor(private readonly deps: ApiDeps) {
		super();
		this.own(deps.registry.onDidChange(() => this.changed.fire()));
		this.own(toDisposable(() => this.kept.forEach(it => it.dispose())));
	}

	servers(): readonly ServerSnapshot[] {
		return this.deps.registry.servers.map(snapshot);
	}

	onDidChangeServers(listener: () => void): { dispose(): void } {
		return this.changed.event(guardedListener(listener));
	}

	connect(server: string, caller: string): ServerConnection {
		assertText(server, 'server');
		assertText(caller, 'caller');
		const { registry, callTool, exchanges } = this.deps;
		const found = registry.serverOf({ id: server }) ?? registry.find(server);
		if (!found) {
			throw createApiError({ code: 'notFound', server });
		}
		return new ServerConnection(found.definition.id, caller, {
			registry,
			callTool,
			exchanges,
			keep: subscription => this.keep(subscription),
		});
	}

	private keep(subscription: Disposable): Disposable {
		this.kept.add(subscription);
		return toDisposable(() => {
			this.kept.delete(subscription);
			subscription.dispose();
		});
	}
}

function snapshot({ name, state, catalog, definition }: Server): ServerSnapshot {
	const session = state.kind === 'running' ? state.session : undefined;
	return {
		id: definition.id,
		name,
		state: state.kind,
		description: describeState(state),
		transport: definition.launch.kind,
		protocolVersion: session?.protocolVersion,
		era: session?.era,
		counts: {
			tools: count(catalog?.tools),
			resources: count(catalog?.resources),
			resourceTemplates: count(catalog?.resourceTemplates),
			prompts: count(catalog?.prompts),
		},
	};
}

function count(list: ListState<unknown> | undefined): number | undefined {
	return list?.kind === 'loaded' ? list.items.length : undefined;
}
