/** The set of servers, which is kept equal to the configuration. */
import { deferred } from '../../base/async.js';
import { type Disposable, Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { redact, type Redactor } from '../text/redactor.js';
import { Server } from './server.js';
import type { ServerDeps } from './serverPorts.js';
import { canStop, type ServerState } from './serverState.js';
import { labelOfName, serverLabels } from './serverLabels.js';
import { isSameLaunch, type ServerDefinition } from '../config/serverDefinition.js';

interface Entry {
	readonly server: Server;
	readonly subscription: Disposable;
}

/** A server that was stopped because its definition changed; `server` has the new one. */
export interface Interruption {
	readonly server: Server;
	readonly before: ServerDefinition;
}

export class ServerRegistry extends Owner {
	private readonly _onDidChange = this.own(new Emitter<Server | undefined>());
	/** A server changed, or (`undefined`) the set of servers did. */
	readonly onDidChange: Event<Server | undefined> = this._onDidChange.event;

	private readonly _onDidInterrupt = this.own(new Emitter<Interruption>());
	/** A server was stopped because its definition changed. */
	readonly onDidInterrupt: Event<Interruption> = this._onDidInterrupt.event;

	private readonly entries = new Map<string, Entry>();
	/** The labels by the ids of definitions; created on first use after an update. */
	private labels: ReadonlyMap<string, string> | undefined;
	private readonly firstUpdate = deferred<void>();
	private readonly windowCloses = new AbortController();
	/** By id: resolves when all earlier servers with the id, which are no longer configured, have ended. */
	private readonly leaving = new Map<string, Promise<void>>();
	/**
	 * Redactors of servers that were removed or replaced, as their calls and requests may still be recorded. A server that
	 * comes back has the same redactor.
	 */
	private readonly formers = new Set<Redactor>();

	constructor(private readonly deps: ServerDeps) {
		super();
	}

	/** Resolves once the configuration has been read, or when the window closes. Wait for it before a search for a server. */
	get configured(): Promise<void> {
		return this.firstUpdate.promise;
	}

	get servers(): readonly Server[] {
		return Array.from(this.entries.values(), it => it.server);
	}

	/** Finds a server by label, id or name. Of several with the name, the first that runs, or else the first. */
	find(name: string): Server | undefined {
		const known = this.labelled(name) ?? this.entries.get(name)?.server;
		if (known) {
			return known;
		}
		const named = this.servers.filter(it => it.name === name);
		return named.find(it => it.state.kind === 'running') ?? named[0];
	}

	/** The server that now has the id of this one: the same object, unless its definition has changed. */
	current(server: Server): Server | undefined {
		return this.serverOf(server.definition);
	}

	/** How people and models see the name of a server, in every view: see `serverLabels.ts`. */
	label({ name, definition }: Pick<Server, 'name' | 'definition'>): string {
		this.labels ??= serverLabels(this.servers.map(it => it.definition));
		return this.labels.get(definition.id) ?? labelOfName(name);
	}

	/** The server with this label. */
	labelled(label: string): Server | undefined {
		return this.servers.find(it => this.label(it) === label);
	}

	/**
	 * Removes the secrets of all servers, including removed and replaced ones, as a call can pass a secret to another server.
	 * @param server the server that the value is about: secrets that only it was given are removed as well
	 */
	redact<T>(value: T, server?: Pick<Server, 'redactor'>): T {
		const own = server?.redactor;
		const all = [...(own?.both ?? []), ...this.servers.map(it => it.redactor), ...this.formers];
		return redact(
			value,
			[...new Set(all)].filter(it => it !== undefined),
		);
	}

	/** Applies the configuration. Servers with an unchanged launch keep running. Without a change, no event fires. */
	update(definitions: readonly ServerDefinition[]): void {
		const known = this.servers.map(it => it.definition);
		if (this.isClosing || this.owned.isDisposed) {
			return;
		}
		if (isSame(known, definitions)) {
			this.firstUpdate.resolve();
			return;
		}
		const before = new Map(this.entries);
		const kept = new Map<string, Entry>();
		for (const { id, launch } of definitions) {
			const entry = before.get(id);
			if (entry && isSameLaunch(entry.server.definition.launch, launch)) {
				kept.set(id, entry);
				before.delete(id);
			}
		}
		const replaced = [...before.values()].map(it => it.server);
		const interrupted = replaced.filter(it => canStop(it.state));
		// A server that an earlier change stopped stays marked as changed.
		const changed = replaced.filter(it => canStop(it.state) || hasChanged(it.state)).map(it => it.definition.id);
		for (const [id, entry] of before) {
			this.entries.delete(id);
			this.retire(entry);
		}
		// In the order of the configuration.
		this.entries.clear();
		for (const definition of definitions) {
			const entry = kept.get(definition.id) ?? this.create(definition, changed.includes(definition.id));
			entry.server.definition = definition;
			this.entries.set(definition.id, entry);
		}
		// Labels that were read during the update are incomplete.
		this.labels = undefined;
		this._onDidChange.fire(undefined);
		this.firstUpdate.resolve();
		for (const server of interrupted) {
			const successor = this.current(server);
			if (successor) {
				server.log.info('Its definition has changed.');
				this._onDidInterrupt.fire({ server: successor, before: server.definition });
			}
		}
	}

	/** The server that now has the id of a definition. */
	serverOf({ id }: Pick<ServerDefinition, 'id'>): Server | undefined {
		return this.entries.get(id)?.server;
	}

	/** Like `label`, also for a server that is no longer configured. */
	labelOf({ id, name = id.slice(id.indexOf('#') + 1) }: { readonly id: string; readonly name?: string }): string {
		const server = this.serverOf({ id });
		return server ? this.label(server) : labelOfName(name);
	}

	/** Whether the window is closing. Nothing may be started then. */
	get isClosing(): boolean {
		return this.windowCloses.signal.aborted;
	}

	/** Aborts when the window closes, after which the editor answers no requests. */
	get closingSignal(): AbortSignal {
		return this.windowCloses.signal;
	}

	/** Stops all servers because the window closes. Resolves when no process is left. Later updates are ignored. */
	async stopAll(): Promise<void> {
		this.windowCloses.abort();
		this.firstUpdate.resolve();
		await Promise.all([...this.servers.map(it => it.stop()), ...this.leaving.values()]);
	}

	override dispose(): void {
		this.firstUpdate.resolve();
		for (const { server, subscription } of this.entries.values()) {
			subscription.dispose();
			this.keepRedactor(server);
			server.dispose();
		}
		this.entries.clear();
		super.dispose();
	}

	private create(definition: ServerDefinition, hasChanged: boolean): Entry {
		const server = new Server(definition, this.deps, this.leaving.get(definition.id), hasChanged);
		return { server, subscription: server.onDidChange(() => this._onDidChange.fire(server)) };
	}

	private keepRedactor({ redactor }: Server): void {
		if (redactor) {
			this.formers.add(redactor);
		}
	}

	private retire({ server, subscription }: Entry): void {
		subscription.dispose();
		// Before the stop, which interrupts calls that are then recorded.
		this.keepRedactor(server);
		const { id } = server.definition;
		const stopped = server.stop().finally(() => server.dispose());
		const left = Promise.allSettled([this.leaving.get(id), stopped]).then(() => {
			if (this.leaving.get(id) === left) {
				this.leaving.delete(id);
				if (!this.entries.has(id)) {
					this.deps.accounts?.close(id);
				}
			}
		});
		this.leaving.set(id, left);
	}
}

function hasChanged(state: ServerState): boolean {
	return state.kind === 'stopped' && state.hasChanged === true;
}

function isSame(a: readonly ServerDefinition[], b: readonly ServerDefinition[]): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
