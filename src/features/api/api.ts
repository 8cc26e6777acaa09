/**
 * The API that `activate` returns to other extensions. Callers may be plain JavaScript, so their arguments are checked, results
 * are copies, and an error of a caller's listener is logged and stops nothing else.
 */
import { type Disposable, Emitter, Owner, toDisposable } from '../../base/lifecycle.js';
import type { ListState } from '../../core/servers/catalog.js';
import type { Interactions } from '../../core/calls/interactions.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { describeState } from '../../editor/l10n/messages.js';
import type { ExtensionApi, ServerSnapshot } from '../../api.js';
import { notFoundError } from './apiErrors.js';
import { assertText, guardedListener } from './arguments.js';
import { type CallTool, ServerConnection } from './serverConnection.js';

export interface ApiDeps {
	readonly registry: ServerRegistry;
	readonly callTool: CallTool;
	/** Checks and records reads of resources and prompts. */
	readonly interactions: Interactions;
}

/** Owns the subscriptions of all callers. */
export class Api extends Owner implements ExtensionApi {
	readonly version = 1;
	private readonly changed = this.own(new Emitter<void>());
	/** Subscriptions that their callers have not disposed yet. */
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
		const { registry, callTool, interactions } = this.deps;
		const found = registry.serverOf({ id: server }) ?? registry.find(server);
		if (!found) {
			throw notFoundError(server);
		}
		const keep = (subscription: Disposable): Disposable => this.keep(subscription);
		const deps = { registry, callTool, interactions, keep };
		return new ServerConnection(found.definition.id, { kind: 'extension', id: caller }, deps);
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
