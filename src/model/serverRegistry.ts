/** Which servers exist: keeps the set of servers equal to what is configured. */
import { Emitter, type Event, Owner } from '../base/lifecycle.js';
import { Server, type ServerDeps } from './server.js';
import { isSameLaunch, type ServerDefinition } from './serverConfig.js';

interface Entry {
	readonly server: Server;
	readonly subscription: { dispose(): void };
}

export class ServerRegistry extends Owner {
	private readonly _onDidChange = this.own(new Emitter<Server | undefined>());
	/** A server changed, or (`undefined`) the set of servers did. */
	readonly onDidChange: Event<Server | undefined> = this._onDidChange.event;

	private readonly entries = new Map<string, Entry>();
	/** Servers that are no longer configured and still on their way out. */
	private readonly leaving = new Set<Promise<void>>();

	constructor(private readonly deps: ServerDeps) {
		super();
	}

	get servers(): readonly Server[] {
		return Array.from(this.entries.values(), it => it.server);
	}

	/** By name; if several files define one of that name, the first. */
	find(name: string): Server | undefined {
		return this.servers.find(it => it.name === name);
	}

	/** Takes what is configured now. Servers whose definition did not change are not touched. */
	update(definitions: readonly ServerDefinition[]): void {
		if (this.owned.isDisposed) {
			return;
		}
		const before = new Map(this.entries);
		this.entries.clear();
		for (const definition of definitions) {
			const entry = before.get(definition.id);
			if (entry && isSameLaunch(entry.server.definition.launch, definition.launch)) {
				this.entries.set(definition.id, entry);
				before.delete(definition.id);
			} else {
				this.entries.set(definition.id, this.create(definition));
			}
		}
		for (const entry of before.values()) {
			this.retire(entry);
		}
		this._onDidChange.fire(undefined);
	}

	/** Resolves when no server process is left. */
	async stopAll(): Promise<void> {
		await Promise.all([...this.servers.map(it => it.stop()), ...this.leaving]);
	}

	override dispose(): void {
		for (const { server, subscription } of this.entries.values()) {
			subscription.dispose();
			server.dispose();
		}
		this.entries.clear();
		super.dispose();
	}

	private create(definition: ServerDefinition): Entry {
		const server = new Server(definition, this.deps);
		return { server, subscription: server.onDidChange(() => this._onDidChange.fire(server)) };
	}

	private retire({ server, subscription }: Entry): void {
		subscription.dispose();
		const left = server.stop().finally(() => {
			server.dispose();
			this.leaving.delete(left);
		});
		this.leaving.add(left);
	}
}
