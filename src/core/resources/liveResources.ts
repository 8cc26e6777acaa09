/**
 * Resources that somebody looks at: what was last read of each, what it was before, and whether it still is so. A
 * resource that is followed is subscribed to, and read again when it changed; a server that ends takes nothing away.
 */
import { type Disposable, DisposableStore, Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import { isAbort } from '../../base/errors.js';
import type { Client } from '../../mcp/index.js';
import { keyOf, LiveEntry, type LiveResource, type ResourceKey, sizeOf } from './liveEntry.js';
import {
	encodedSize,
	isVanished,
	type ReadContent,
	ResourceError,
	sameContents,
	toContents,
} from './resourceContents.js';
import type { Server } from '../servers/server.js';
import type { ServerRegistry } from '../servers/serverRegistry.js';
import { NotRunningError } from '../servers/serverState.js';

/** Servers announce changes in bursts. */
const burstMs = 100;
/** A read answers what the editor asks right after it. */
const freshMs = 3000;
/** What is not followed is kept as long as there is room: the editor asks for size and bytes one after the other. */
const maxKept = 20;
const maxKeptBytes = 50_000_000;
/** Larger contents are not kept once they have changed. */
const maxPreviousBytes = 20_000_000;

export interface ResourceChange {
	readonly resource: LiveResource;
	/** Its contents are others; otherwise only what is known about them. */
	readonly isContent: boolean;
}

export interface LiveResourcesDeps {
	readonly registry: Pick<ServerRegistry, 'servers' | 'serverOf' | 'onDidChange'>;
	/** Bytes that one message may have. */
	readonly maxMessageBytes: () => number;
	/** Whether a person can see it now. */
	readonly isSeen: (key: ResourceKey) => boolean;
}

interface ReadOptions {
	readonly signal?: AbortSignal | undefined;
	/** Bytes, as the server lists it. */
	readonly size?: number | undefined;
}

export class LiveResources extends Owner {
	private readonly _onDidChange = this.own(new Emitter<ResourceChange>());
	readonly onDidChange: Event<ResourceChange> = this._onDidChange.event;

	private readonly entries = new Map<string, LiveEntry>();

	constructor(private readonly deps: LiveResourcesDeps) {
		super();
		this.own(deps.registry.onDidChange(server => this.didChangeServers(server)));
		this.own(
			toDisposable(() => {
				for (const entry of this.entries.values()) {
					entry.dispose();
				}
			}),
		);
	}

	/** What is known of it; `undefined` if it was never read, or not for long. */
	find(key: ResourceKey): LiveResource | undefined {
		return this.entries.get(keyOf(key));
	}

	/**
	 * Asks the server, whatever was read before.
	 * @throws NotRunningError, RpcError, McpError, ResourceError; AbortError once `signal` aborts
	 */
	async read(key: ResourceKey, { signal, size }: ReadOptions = {}): Promise<LiveResource> {
		const server = this.serverOf(key);
		if (!server?.client) {
			throw new NotRunningError(server?.state ?? { kind: 'stopped' });
		}
		const limit = this.deps.maxMessageBytes();
		if (size !== undefined && size > limit) {
			// In base64 it would be a third more; text of that size fails when it comes.
			throw new ResourceError({ code: 'tooLarge', size: encodedSize(size), limit });
		}
		const { client } = server;
		const entry = this.entryOf(key);
		const turn = ++entry.asked;
		const isSubscribed = hasSubscription(entry, client);
		entry.reading++;
		try {
			client.forgetResource(key.uri);
			const contents = toContents(await client.readResource(key.uri, signal));
			// Checked before and after: an update before the acknowledgement isn't sent.
			this.adopt(entry, turn, contents, isSubscribed && hasSubscription(entry, client));
			return entry;
		} catch (error) {
			this.failed(entry, turn, error);
			throw error;
		} finally {
			entry.reading--;
			this.prune(entry);
		}
	}

	/** Reads it again; a failure is said of the resource, and what was read before stays. Never rejects. */
	async refresh(key: ResourceKey): Promise<void> {
		const entry = this.entries.get(keyOf(key));
		if (!entry || this.owned.isDisposed) {
			return;
		}
		if (entry.isRefreshing) {
			entry.isStale = true;
			return;
		}
		entry.isRefreshing = true;
		entry.isStale = false;
		// What it failed with is its trouble by now.
		await this.read(key).catch(() => undefined);
		entry.isRefreshing = false;
		if (entry.isStale) {
			this.schedule(entry);
		}
	}

	/** Keeps it up to date until disposed, by a subscription; where the server has none, only a person reads it again. */
	follow(key: ResourceKey): Disposable {
		const entry = this.entryOf(key);
		entry.followers++;
		this.attach(entry);
		return toDisposable(() => {
			entry.followers--;
			this.attach(entry);
			this.prune();
		});
	}

	/** Whether what was read last can be shown: it is followed, was read a moment ago, or the server doesn't run. */
	isCurrent(key: ResourceKey): boolean {
		const entry = this.entries.get(keyOf(key));
		return (
			entry?.contents !== undefined &&
			(entry.followers > 0 || Date.now() - entry.readAt < freshMs || !this.serverOf(key)?.client)
		);
	}

	/**
	 * Whether the contents can be used without another read: no update has come since they were read under a subscription,
	 * they were read less than 3 s ago, or the server doesn't run. Stricter than `isCurrent`, as following a resource isn't
	 * enough where the server sends no updates.
	 */
	isFresh(key: ResourceKey): boolean {
		const entry = this.entries.get(keyOf(key));
		const client = this.serverOf(key)?.client;
		if (!entry?.contents || !client) {
			return entry?.contents !== undefined;
		}
		const hasNews = entry.timer !== undefined || entry.isRefreshing || entry.trouble !== undefined;
		return !hasNews && ((entry.isSubscribed && hasSubscription(entry, client)) || Date.now() - entry.readAt < freshMs);
	}

	/** A person looks at it. */
	markSeen(key: ResourceKey): void {
		const entry = this.entries.get(keyOf(key));
		if (entry?.isUnseen) {
			entry.isUnseen = false;
			this.tell(entry, false);
		}
	}

	private entryOf({ serverId, uri }: ResourceKey): LiveEntry {
		const key = keyOf({ serverId, uri });
		let entry = this.entries.get(key);
		if (!entry) {
			entry = new LiveEntry({ serverId, uri });
			this.entries.set(key, entry);
		}
		return entry;
	}

	private serverOf({ serverId }: ResourceKey): Server | undefined {
		return this.deps.registry.serverOf({ id: serverId });
	}

	private adopt(entry: LiveEntry, turn: number, contents: readonly ReadContent[], isSubscribed: boolean): void {
		// An answer that a later one has overtaken is old news.
		if (turn < entry.answered || this.owned.isDisposed) {
			return;
		}
		entry.answered = turn;
		entry.readAt = Date.now();
		entry.isSubscribed = isSubscribed;
		const before = entry.contents;
		const isSame = before !== undefined && sameContents(before, contents);
		const hadTrouble = entry.trouble !== undefined;
		// The answer of a server that is ending can come after its end was told.
		entry.trouble = entry.isWaiting ? { kind: 'notRunning' } : undefined;
		if (!isSame) {
			if (before) {
				const isKept = sizeOf(before) <= maxPreviousBytes;
				entry.previous = isKept ? { contents: before, at: entry.changedAt } : undefined;
				entry.isUnseen = !this.deps.isSeen(entry);
			}
			entry.contents = contents;
			// Never the same as before: by it the editor knows that it has to read.
			entry.changedAt = Math.max(entry.readAt, entry.changedAt + 1);
		}
		if (!isSame || (hadTrouble && !entry.trouble)) {
			this.tell(entry, !isSame);
		}
	}

	private failed(entry: LiveEntry, turn: number, error: unknown): void {
		if (isAbort(error) || turn < entry.answered || this.owned.isDisposed) {
			return;
		}
		entry.answered = turn;
		// Of a server that has ended, its end says more than the request that it left behind.
		if (this.serverOf(entry)?.client) {
			entry.trouble = { kind: isVanished(error) ? 'vanished' : 'failed', error };
			this.tell(entry, false);
		}
	}

	private tell(resource: LiveEntry, isContent: boolean): void {
		this._onDidChange.fire({ resource, isContent });
	}

	private didChangeServers(server: Server | undefined): void {
		for (const entry of Array.from(this.entries.values())) {
			if (entry.followers > 0 && (!server || server.definition.id === entry.serverId)) {
				this.attach(entry);
			}
		}
	}

	/** Follows it at the server as it is now, if anybody does here. */
	private attach(entry: LiveEntry): void {
		const client = entry.followers > 0 && !this.owned.isDisposed ? this.serverOf(entry)?.client : undefined;
		const isWaiting = entry.followers > 0 && !client;
		if (client === entry.client) {
			// Its server may have ended before the resource was followed, and after a read that failed.
			if (isWaiting && entry.trouble?.kind !== 'notRunning') {
				this.tellEnd(entry);
			}
			entry.isWaiting = isWaiting;
			return;
		}
		entry.client = client;
		entry.isSubscribed = false;
		if (client) {
			const store = new DisposableStore();
			store.add(client.subscribeResource(entry.uri));
			store.add(client.onDidUpdateResource(uri => this.didUpdate(entry, uri)));
			entry.attachment.value = store;
			if (entry.isWaiting || entry.trouble || (entry.contents && Date.now() - entry.readAt > freshMs)) {
				this.schedule(entry);
			}
		} else {
			entry.attachment.value = undefined;
			this.tellEnd(entry);
		}
		entry.isWaiting = isWaiting;
	}

	private tellEnd(entry: LiveEntry): void {
		if (entry.followers > 0 && entry.contents) {
			entry.trouble = { kind: 'notRunning' };
			this.tell(entry, false);
		}
	}

	/** Spec, resources: what is told of "may be a sub-resource of the one that the client actually subscribed to". */
	private didUpdate(entry: LiveEntry, uri: string): void {
		const isPart = entry.contents?.some(it => it.uri === uri) ?? false;
		const isBelow = uri.startsWith(entry.uri.endsWith('/') ? entry.uri : `${entry.uri}/`);
		if (uri === entry.uri || isPart || isBelow) {
			this.schedule(entry);
		}
	}

	/** Not put off by more news: a server that never stops telling would never be heard. */
	private schedule(entry: LiveEntry): void {
		if (entry.timer === undefined && !this.owned.isDisposed) {
			entry.timer = setTimeout(() => {
				entry.timer = undefined;
				void this.refresh(entry);
			}, burstMs);
		}
	}

	/** @param newest stays, however large: it is about to be asked for */
	private prune(newest?: LiveEntry): void {
		if (newest) {
			// The last that goes.
			this.entries.delete(keyOf(newest));
			this.entries.set(keyOf(newest), newest);
		}
		const loose = Array.from(this.entries.values()).filter(it => it.followers === 0 && it.reading === 0);
		let count = loose.length;
		let bytes = loose.reduce((sum, it) => sum + it.bytes, 0);
		for (const entry of loose) {
			const isTooMuch = count > maxKept || bytes > maxKeptBytes;
			if (!entry.contents || (isTooMuch && entry !== newest)) {
				count--;
				bytes -= entry.bytes;
				entry.dispose();
				this.entries.delete(keyOf(entry));
			}
		}
	}
}

/** Whether the server sends every further update of the resource, and the entry listens to them. */
function hasSubscription(entry: LiveEntry, client: Client): boolean {
	return entry.client === client && client.isSubscribed(entry.uri);
}
