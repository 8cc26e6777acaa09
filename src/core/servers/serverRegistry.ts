/** Which servers exist: keeps the set of servers equal to what is configured. */
import { deferred } from '../../base/async.js';
import { type Disposable, DisposableStore, Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { redact, type Redactor } from '../text/redactor.js';
import { Server } from './server.js';
import type { ServerDeps } from './serverPorts.js';
import { canStop } from './serverState.js';
import { serverLabels } from './serverLabels.js';
import { isSameLaunch, type ServerDefinition } from '../config/serverDefinition.js';

interface Entry {
	readonly server: Server;
	readonly subscription: { dispose(): void };
}

export class ServerRegistry extends Owner {
	private readonly _onDidChange = this.own(new Emitter<Server | undefined>());
	/** A server changed, or (`undefined`) the set of servers did. */
	readonly onDidChange: Event<Server | undefined> = this._onDidChange.event;

	/** The set of servers has changed, and is not empty. */
	private readonly _onDidHaveServers = this.own(new Emitter<void>());

	private readonly _onDidInterrupt = this.own(new Emitter<Server>());
	/** A server was stopped because its definition changed; this one has the new definition. */
	readonly onDidInterrupt: Event<Server> = this._onDidInterrupt.event;

	private readonly _onDidOverload = this.own(new Emitter<Server>());
	/** A server keeps the processor busy with messages. Fires at most once in each of its runs. */
	readonly onDidOverload: Event<Server> = this._onDidOverload.event;

	private readonly entries = new Map<string, Entry>();
	/** By the ids of definitions; made when they are asked for. */
	private labels: ReadonlyMap<string, string> | undefined;
	private readonly firstUpdate = deferred<void>();
	private readonly windowCloses = new AbortController();
	/** By id: resolves when nothing is left of the servers that had it and are no longer configured. */
	private readonly leaving = new Map<string, Promise<void>>();
	/**
	 * Of servers that ran, and were removed or replaced: calls and requests of theirs may still be recorded. One that comes
	 * back has the same redactor.
	 */
	private readonly formers = new Set<Redactor>();

	constructor(private readonly deps: ServerDeps) {
		super();
	}

	/**
	 * Resolves once the configuration has been read, or when the window closes. Until then there are no servers, and what
	 * looks for one by its name waits.
	 */
	get configured(): Promise<void> {
		return this.firstUpdate.promise;
	}

	get servers(): readonly Server[] {
		return Array.from(this.entries.values(), it => it.server);
	}

	/**
	 * Makes something before `onDidChange` tells of the first server, and disposes it with the result: what only servers
	 * need costs nothing where there are none. Call it before the first update.
	 */
	withServers(make: () => Disposable): Disposable {
		const owned = new DisposableStore();
		const waiting = this._onDidHaveServers.event(() => {
			owned.add(make());
			// Not before: what failed to load is tried again.
			waiting.dispose();
		});
		owned.add(waiting);
		return owned;
	}

	/** By label, id or name; if several have the name, the first that runs, or else the first. */
	find(name: string): Server | undefined {
		const known = this.labelled(name) ?? this.entries.get(name)?.server;
		if (known) {
			return known;
		}
		const named = this.servers.filter(it => it.name === name);
		return named.find(it => it.state.kind === 'running') ?? named[0];
	}

	/** The server that is configured now with the id of this one: itself, unless its definition has changed. */
	current(server: Server): Server | undefined {
		return this.entries.get(server.definition.id)?.server;
	}

	/** What people and models know it by, with its place where another has a name like it: no two servers look the same. */
	label({ name, definition }: Pick<Server, 'name' | 'definition'>): string {
		this.labels ??= serverLabels(this.servers.map(it => it.definition));
		return this.labels.get(definition.id) ?? name;
	}

	/** The one server of that label. */
	labelled(label: string): Server | undefined {
		return this.servers.find(it => this.label(it) === label);
	}

	/**
	 * Takes out the secrets of every server, also of those that were removed or replaced: what one has said may be told to
	 * another.
	 * @param server that the value is about: what only it was given as a secret is taken out as well
	 */
	redact<T>(value: T, server?: Pick<Server, 'redactor'>): T {
		const own = server?.redactor;
		const all = [...(own?.both ?? []), ...this.servers.map(it => it.redactor), ...this.formers];
		return redact(
			value,
			[...new Set(all)].filter(it => it !== undefined),
		);
	}

	/** Takes what is configured now. Servers whose definition did not change are not touched; without a change, no event is fired. */
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
		const interrupted = [...before.values()].filter(it => canStop(it.server.state));
		for (const [id, entry] of before) {
			this.entries.delete(id);
			this.retire(entry);
		}
		this.entries.clear();
		for (const definition of definitions) {
			const entry = kept.get(definition.id) ?? this.create(definition);
			entry.server.definition = definition;
			this.entries.set(definition.id, entry);
		}
		// Labels that were read during the update are incomplete.
		this.labels = undefined;
		if (this.entries.size > 0) {
			this._onDidHaveServers.fire();
		}
		this._onDidChange.fire(undefined);
		this.firstUpdate.resolve();
		for (const { server } of interrupted) {
			const successor = this.current(server);
			if (successor) {
				server.log.info('Its definition has changed.');
				this._onDidInterrupt.fire(successor);
			}
		}
	}

	/** Of a definition that may have been replaced, or be gone. */
	serverOf({ id }: Pick<ServerDefinition, 'id'>): Server | undefined {
		return this.entries.get(id)?.server;
	}

	/** What people know the server of a definition by. Of a server that is no longer configured, its name or else its id. */
	labelOf({ id, name = id }: { readonly id: string; readonly name?: string }): string {
		const server = this.serverOf({ id });
		return server ? this.label(server) : name;
	}

	/** Whether the window is closing: nothing is to begin any more. */
	get isClosing(): boolean {
		return this.windowCloses.signal.aborted;
	}

	/** Aborts when the window closes: the editor answers nothing from then on. */
	get closingSignal(): AbortSignal {
		return this.windowCloses.signal;
	}

	/** For the end of the window: resolves when no server process is left. No configuration is taken from now on. */
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

	private create(definition: ServerDefinition): Entry {
		const server = new Server(definition, this.deps, this.leaving.get(definition.id));
		const subscriptions = new DisposableStore();
		subscriptions.add(server.onDidChange(() => this._onDidChange.fire(server)));
		subscriptions.add(server.onDidOverload(() => this._onDidOverload.fire(server)));
		return { server, subscription: subscriptions };
	}

	private keepRedactor({ redactor }: Server): void {
		if (redactor) {
			this.formers.add(redactor);
		}
	}

	private retire({ server, subscription }: Entry): void {
		subscription.dispose();
		// Before it stops: calls that this interrupts are recorded. A server without a redactor was never started.
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

/** Files are read again for many reasons, most of which change nothing. */
function isSame(a: readonly ServerDefinition[], b: readonly ServerDefinition[]): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
