/**
 * Resources that are open or were read, with their current and previous contents. A followed resource is subscribed to and
 * read again when it changes. Contents stay when the server ends.
 */
import { clock } from '../../base/clock.js';
import { type Disposable, DisposableStore, Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import { isAbort } from '../../base/errors.js';
import type { Caller } from '../approvals/approval.js';
import type { Interactions } from '../calls/interactions.js';
import { resourceKeyText, LiveEntry, type LiveResource, type ResourceKey, sizeOf } from './liveEntry.js';
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

/** Milliseconds. Servers announce changes in bursts. */
const burstMs = 100;
/** Milliseconds during which contents are used without another read: the editor asks for them several times. */
const freshMs = 3000;
/** Limits for resources that aren't followed. They are kept because the editor reads size and bytes separately. */
const maxKept = 20;
const maxKeptBytes = 50_000_000;
/** Larger contents are not kept once they have changed. */
const maxPreviousBytes = 20_000_000;

export interface ResourceChange {
	readonly resource: LiveResource;
	/** Whether the contents have changed, and not only their state. */
	readonly isContent: boolean;
}

export interface LiveResourcesDeps {
	readonly registry: Pick<ServerRegistry, 'servers' | 'serverOf' | 'onDidChange'>;
	/** Reads from servers. */
	readonly interactions: Pick<Interactions, 'read'>;
	/** The caller of a read: the person if they have opened the resource, because the editor doesn't say who reads a file. */
	readonly callerOf: (key: ResourceKey) => Caller;
	/** The id of a definition. Contents for the previous account are dropped. */
	readonly onDidChangeIdentity: Event<string>;
	/** Whether the resource is visible in an editor. */
	readonly isSeen: (key: ResourceKey) => boolean;
}

interface ReadOptions {
	readonly signal?: AbortSignal | undefined;
	/** Bytes, from the server's list. */
	readonly size?: number | undefined;
	/** Whether a server that doesn't run is started. */
	readonly mayStart?: boolean;
}

export class LiveResources extends Owner {
	private readonly _onDidChange = this.own(new Emitter<ResourceChange>());
	readonly onDidChange: Event<ResourceChange> = this._onDidChange.event;

	private readonly entries = new Map<string, LiveEntry>();

	constructor(private readonly deps: LiveResourcesDeps) {
		super();
		this.own(deps.registry.onDidChange(server => this.didChangeServers(server)));
		this.own(deps.onDidChangeIdentity(serverId => this.didChangeIdentity(serverId)));
		this.own(
			toDisposable(() => {
				for (const entry of this.entries.values()) {
					entry.dispose();
				}
			}),
		);
	}

	/** `undefined` if the resource was never read, or its contents are no longer kept. */
	find(key: ResourceKey): LiveResource | undefined {
		return this.entries.get(resourceKeyText(key));
	}

	/**
	 * Asks the server, also for a resource that was read before.
	 * @throws ReadDeniedError, NotRunningError, RpcError, McpError, ResourceError; AbortError once `signal` aborts
	 */
	async read(key: ResourceKey, { signal, size, mayStart }: ReadOptions = {}): Promise<LiveResource> {
		const server = this.serverOf(key);
		if (!server || !(server.client || mayStart)) {
			throw new NotRunningError(server?.state ?? { kind: 'stopped' });
		}
		const limit = server.options.messageBytes;
		if (size !== undefined && size > limit) {
			// Base64 makes it a third larger. Text of that size fails when it arrives.
			throw new ResourceError({ code: 'tooLarge', size: encodedSize(size), limit });
		}
		const { client } = server;
		const entry = this.entryOf(key);
		const turn = ++entry.asked;
		entry.reading++;
		try {
			let contents: readonly ReadContent[];
			let identity: number;
			do {
				({ identity } = entry);
				client?.forgetResource(key.uri);
				const request = { kind: 'resource', caller: this.deps.callerOf(key), server, uri: key.uri } as const;
				contents = toContents(await this.deps.interactions.read(request, signal));
				// The answer may be for the previous account.
			} while (identity !== entry.identity);
			this.adopt(entry, turn, contents);
			this.attach(entry);
			return entry;
		} catch (error) {
			this.failed(entry, turn, error);
			throw error;
		} finally {
			entry.reading--;
			this.prune(entry);
		}
	}

	/** Reads a resource again. A failure is stored as its `trouble`, and the contents stay. Never rejects. */
	async refresh(key: ResourceKey): Promise<void> {
		const entry = this.entries.get(resourceKeyText(key));
		if (!entry || this.owned.isDisposed) {
			return;
		}
		if (entry.isRefreshing) {
			entry.isStale = true;
			return;
		}
		entry.isRefreshing = true;
		entry.isStale = false;
		// `read` has stored a failure in `trouble`.
		await this.read(key).catch(() => undefined);
		entry.isRefreshing = false;
		if (entry.isStale) {
			this.schedule(entry);
		}
	}

	/** Keeps a resource up to date until disposed, if the server has subscriptions; otherwise only a person reads it again. */
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

	/** Whether the contents can be shown: the resource is followed, was read less than 3 s ago, or its server doesn't run. */
	isCurrent(key: ResourceKey): boolean {
		const entry = this.entries.get(resourceKeyText(key));
		return (
			entry?.contents !== undefined &&
			(entry.followers > 0 || clock.now() - entry.readAt < freshMs || !this.serverOf(key)?.client)
		);
	}

	/** Records that a person has seen the resource. */
	markSeen(key: ResourceKey): void {
		const entry = this.entries.get(resourceKeyText(key));
		if (entry?.isUnseen) {
			entry.isUnseen = false;
			this.tell(entry, false);
		}
	}

	private entryOf(key: ResourceKey): LiveEntry {
		const text = resourceKeyText(key);
		const entry = this.entries.get(text) ?? new LiveEntry(key);
		this.entries.set(text, entry);
		return entry;
	}

	private serverOf({ serverId }: ResourceKey): Server | undefined {
		return this.deps.registry.serverOf({ id: serverId });
	}

	private adopt(entry: LiveEntry, turn: number, contents: readonly ReadContent[]): void {
		// The answer to a later read is kept.
		if (turn < entry.answered || this.owned.isDisposed) {
			return;
		}
		entry.answered = turn;
		entry.readAt = clock.now();
		const before = entry.contents;
		const isSame = before !== undefined && sameContents(before, contents);
		const hadTrouble = entry.trouble !== undefined;
		// The last answer of a server can arrive after its end.
		entry.trouble = entry.isWaiting ? { kind: 'notRunning' } : undefined;
		if (!isSame) {
			if (before) {
				const isKept = sizeOf(before) <= maxPreviousBytes;
				entry.previous = isKept ? { contents: before, at: entry.changedAt } : undefined;
				entry.isUnseen = !this.deps.isSeen(entry);
			}
			entry.contents = contents;
			// Always a new number: the editor reads again only if the time of the change differs.
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
		// For a server that has ended, `notRunning` is shown instead of the failed request.
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

	private didChangeIdentity(serverId: string): void {
		for (const entry of Array.from(this.entries.values()).filter(it => it.serverId === serverId)) {
			entry.forget();
			this.tell(entry, true);
			if (entry.client) {
				this.schedule(entry);
			}
		}
		this.prune();
	}

	/** Subscribes at the current client of the server if the resource is followed. */
	private attach(entry: LiveEntry): void {
		const running = entry.followers > 0 && !this.owned.isDisposed ? this.serverOf(entry)?.client : undefined;
		const isWaiting = entry.followers > 0 && !running;
		// A subscription tells the server the URI, so it has to wait until a read was allowed.
		const client = entry.contents || this.deps.callerOf(entry).kind === 'person' ? running : undefined;
		if (client === entry.client) {
			// The server may have ended before the resource was followed, and after a read that failed.
			if (isWaiting && entry.trouble?.kind !== 'notRunning') {
				this.tellEnd(entry);
			}
			entry.isWaiting = isWaiting;
			return;
		}
		entry.client = client;
		if (client) {
			const store = new DisposableStore();
			store.add(client.subscribeResource(entry.uri));
			store.add(client.onDidUpdateResource(uri => this.didUpdate(entry, uri)));
			entry.attachment.value = store;
			if (entry.isWaiting || entry.trouble || (entry.contents && clock.now() - entry.readAt > freshMs)) {
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

	/** Spec, resources: the URI of an update "may be a sub-resource of the one that the client actually subscribed to". */
	private didUpdate(entry: LiveEntry, uri: string): void {
		const isPart = entry.contents?.some(it => it.uri === uri) ?? false;
		const isBelow = uri.startsWith(entry.uri.endsWith('/') ? entry.uri : `${entry.uri}/`);
		if (uri === entry.uri || isPart || isBelow) {
			this.schedule(entry);
		}
	}

	/** Further updates don't postpone the read: with a server that never stops sending them, it would never happen. */
	private schedule(entry: LiveEntry): void {
		if (entry.timer === undefined && !this.owned.isDisposed) {
			entry.timer = clock.setTimeout(() => {
				entry.timer = undefined;
				void this.refresh(entry);
			}, burstMs);
		}
	}

	/** @param newest is kept regardless of its size, because the editor reads it next */
	private prune(newest?: LiveEntry): void {
		if (newest) {
			// Moved to the end: the others are dropped first.
			this.entries.delete(resourceKeyText(newest));
			this.entries.set(resourceKeyText(newest), newest);
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
				this.entries.delete(resourceKeyText(entry));
			}
		}
	}
}
