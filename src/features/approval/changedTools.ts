/** Which tools of running servers are not what was approved; looked at whenever lists or locks change. */
import { debounce } from '../../base/async.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Locks } from '../../host/locks.js';
import type { Tool } from '../../mcp/index.js';
import { changesOfPin } from '../../model/pins.js';
import type { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';

/** Milliseconds in which changes are gathered. */
const gatherMs = 50;

export class ChangedTools extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private changed = new Map<Server, ReadonlySet<string>>();
	private looks = 0;
	private readonly looking = this.own(debounce(gatherMs, () => void this.look()));

	constructor(
		private readonly registry: ServerRegistry,
		private readonly locks: Locks,
	) {
		super();
		this.own(registry.onDidChange(() => this.looking.schedule()));
		this.own(locks.onDidChange(() => this.looking.schedule()));
	}

	has(server: Server, { name }: Pick<Tool, 'name'>): boolean {
		return this.changed.get(server)?.has(name) === true;
	}

	private async look(): Promise<void> {
		const look = ++this.looks;
		const found = await Promise.all(
			this.registry.servers.map(async server => [server, await this.changedOf(server)] as const),
		);
		if (look !== this.looks || this.owned.isDisposed) {
			return;
		}
		const next = new Map(found.filter(([, names]) => names.size > 0));
		if (describe(next) !== describe(this.changed)) {
			this.changed = next;
			this._onDidChange.fire();
		}
	}

	private async changedOf(server: Server): Promise<ReadonlySet<string>> {
		const { client, catalog, definition } = server;
		if (!client || catalog?.tools.kind !== 'loaded') {
			return new Set();
		}
		const { items } = catalog.tools;
		const { instructions } = client.session;
		const lock = await this.locks.read(definition);
		const isChanged = (tool: Tool): boolean =>
			lock.kind === 'read' && !!changesOfPin(lock.lock, { server: definition.name, tool, instructions })?.length;
		return new Set(items.filter(isChanged).map(it => it.name));
	}
}

function describe(changed: ReadonlyMap<Server, ReadonlySet<string>>): string {
	return JSON.stringify(Array.from(changed, ([server, names]) => [server.definition.id, ...names]));
}
