/**
 * Results that a modern server allows to reuse for a while (`ttlMs`, `cacheScope`). Each client has a cache of its
 * own, so that a private result is used with one authorization only. Spec 2026-07-28, server/utilities/caching.
 */
import type { JsonObject } from '../jsonrpc/messages.js';
import type { ListKind } from '../wire/types.js';

interface Entry {
	readonly result: JsonObject;
	/** On the clock of `now`, in milliseconds. */
	readonly freshUntil: number;
}

/** In milliseconds, so that a server cannot prevent all later requests. */
const maxTtlMs = 24 * 60 * 60 * 1000;

/** The oldest entry is dropped above this number. */
const maxEntries = 500;

/** The methods whose results become stale when a list changes. */
const listMethods: Readonly<Record<ListKind, readonly string[]>> = {
	tools: ['tools/list'],
	prompts: ['prompts/list'],
	resources: ['resources/list', 'resources/templates/list'],
};

export class ResultCache {
	private readonly entries = new Map<string, Entry>();
	private changes = 0;

	constructor(private readonly now: () => number) {}

	/** Changes with every invalidation. Read it before a request, and pass it to `put` with the result. */
	get epoch(): number {
		return this.changes;
	}

	get(method: string, params: JsonObject): JsonObject | undefined {
		// Most servers allow no caching. Without entries, no key is built for each page of a long list.
		if (this.entries.size === 0) {
			return undefined;
		}
		const key = cacheKey(method, params);
		const entry = this.entries.get(key);
		if (entry && entry.freshUntil > this.now()) {
			return entry.result;
		}
		this.entries.delete(key);
		return undefined;
	}

	/**
	 * Keeps the result if the server allows it with a positive `ttlMs`.
	 * @param epoch read before the request was sent; the result may be stale if it has changed since then
	 */
	put(method: string, params: JsonObject, result: JsonObject, epoch: number): void {
		const { ttlMs } = result;
		if (typeof ttlMs !== 'number' || !(ttlMs > 0) || epoch !== this.changes) {
			return;
		}
		const key = cacheKey(method, params);
		this.entries.delete(key);
		this.entries.set(key, { result, freshUntil: this.now() + Math.min(ttlMs, maxTtlMs) });
		if (this.entries.size > maxEntries) {
			const [oldest = ''] = this.entries.keys();
			this.entries.delete(oldest);
		}
	}

	/** Drops the results that a change of the list makes stale. */
	forgetList(kind: ListKind): void {
		this.changes++;
		for (const method of listMethods[kind]) {
			this.forget(method);
		}
	}

	forgetResource(uri: string): void {
		this.changes++;
		// A subscription can report many thousands of updates.
		if (this.entries.size > 0) {
			this.entries.delete(cacheKey('resources/read', { uri }));
		}
	}

	/** Drops all results, because the session or the authorization has changed. */
	clear(): void {
		this.changes++;
		this.entries.clear();
	}

	/** Drops all results of a method. */
	forget(method: string): void {
		this.changes++;
		for (const key of this.entries.keys()) {
			if (key.startsWith(`${method}\n`)) {
				this.entries.delete(key);
			}
		}
	}
}

function cacheKey(method: string, params: JsonObject): string {
	return `${method}\n${JSON.stringify(params)}`;
}
