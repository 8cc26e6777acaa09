/** Knows which tools of running servers differ from their kept definitions. Compares again when either changes. */
import { debounce } from '../../base/async.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Tool } from '../../mcp/index.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ApprovedTools } from './approvedTools.js';

/** Milliseconds by which a comparison is delayed, so that many changes cause one. */
const gatherMs = 50;

export class ChangedTools extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private changed = new Map<Server, ReadonlySet<string>>();
	/** Number of the newest comparison; results of older ones are dropped. */
	private newest = 0;
	private readonly comparison = this.own(debounce(gatherMs, () => void this.compare()));

	constructor(
		private readonly registry: ServerRegistry,
		private readonly approved: Pick<ApprovedTools, 'listChanged' | 'onDidChange'>,
	) {
		super();
		this.own(registry.onDidChange(() => this.comparison.schedule()));
		this.own(approved.onDidChange(() => this.comparison.schedule()));
	}

	has(server: Server, { name }: Pick<Tool, 'name'>): boolean {
		return this.changed.get(server)?.has(name) === true;
	}

	private async compare(): Promise<void> {
		const number = ++this.newest;
		const found = await Promise.all(
			this.registry.servers.map(async server => [server, await this.changedOf(server)] as const),
		);
		if (number !== this.newest || this.owned.isDisposed) {
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
		return new Set(await this.approved.listChanged(definition, catalog.tools.items, client.session.instructions));
	}
}

function describe(changed: ReadonlyMap<Server, ReadonlySet<string>>): string {
	return JSON.stringify(Array.from(changed, ([server, names]) => [server.definition.id, ...names]));
}
