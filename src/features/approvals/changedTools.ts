/**
 * Compares the tools of running servers with their approved definitions, again after each change, and finds out which of the
 * servers the person writes.
 */
import { debounce } from '../../base/async.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Tool } from '../../mcp/index.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ApprovedTools } from './approvedTools.js';

/** Milliseconds by which a comparison is delayed, so that many changes cause one. */
const gatherMs = 50;

/** The result of comparing the tools of a running server. */
export interface ComparedTools {
	readonly server: Server;
	readonly tools: readonly Tool[];
	/** The names of the tools that differ from their approved definitions. */
	readonly changed: ReadonlySet<string>;
	/** Whether the person writes the server. */
	readonly isAuthored: boolean;
}

export class ChangedTools extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;
	private readonly _onDidCompare = this.own(new Emitter<ComparedTools>());
	readonly onDidCompare: Event<ComparedTools> = this._onDidCompare.event;

	private compared = new Map<Server, ComparedTools>();
	/** Number of the newest comparison; results of older ones are dropped. */
	private newest = 0;
	private readonly comparison = this.own(debounce(gatherMs, () => void this.compare()));

	constructor(
		private readonly registry: ServerRegistry,
		private readonly approved: Pick<ApprovedTools, 'listChanged' | 'onDidChange'>,
		private readonly askAuthored: (definition: ServerDefinition) => Promise<boolean>,
	) {
		super();
		this.own(registry.onDidChange(() => this.comparison.schedule()));
		this.own(approved.onDidChange(() => this.comparison.schedule()));
	}

	has(server: Server, { name }: Pick<Tool, 'name'>): boolean {
		return this.compared.get(server)?.changed.has(name) === true;
	}

	/** Whether the person writes a running server. */
	isAuthored(server: Server): boolean {
		return this.compared.get(server)?.isAuthored === true;
	}

	private async compare(): Promise<void> {
		const number = ++this.newest;
		const found = await Promise.all(this.registry.servers.map(it => this.compareTools(it)));
		if (number !== this.newest || this.owned.isDisposed) {
			return;
		}
		const next = new Map(found.flatMap(it => (it ? [[it.server, it] as const] : [])));
		const isSame = describe(next) === describe(this.compared);
		this.compared = next;
		if (!isSame) {
			this._onDidChange.fire();
		}
		next.forEach(it => this._onDidCompare.fire(it));
	}

	private async compareTools(server: Server): Promise<ComparedTools | undefined> {
		const { client, catalog, definition } = server;
		if (!client || catalog?.tools.kind !== 'loaded') {
			return undefined;
		}
		const tools = catalog.tools.items;
		const changed = new Set(await this.approved.listChanged(definition, tools, client.session.instructions));
		return { server, tools, changed, isAuthored: await this.askAuthored(definition) };
	}
}

function describe(compared: ReadonlyMap<Server, ComparedTools>): string {
	const changed = [...compared.values()].filter(it => it.changed.size > 0);
	return JSON.stringify(changed.map(it => [it.server.definition.id, it.isAuthored, ...it.changed]));
}
