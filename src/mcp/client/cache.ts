/**
 * Answers that a modern server says may be used again for a while (`ttlMs`, `cacheScope`). One cache a
 * client, so private answers never leave their authorization. Spec 2026-07-28, server/utilities/caching.
 */
import type { JsonObject } from '../jsonrpc/messages.js';
import type { ListKind } from '../wire/types.js';

interface Entry {
	readonly result: JsonObject;
	/** Milliseconds of the clock. */
	readonly freshUntil: number;
}

/** Milliseconds. A server must not decide that it is never asked again. */
const maxTtlMs = 24 * 60 * 60 * 1000;

/** More than this, and the oldest goes. */
const maxEntries = 500;

/** What a changed list makes stale. */
const methodsOf: Readonly<Record<ListKind, readonly string[]>> = {
	tools: ['tools/list'],
	prompts: ['prompts/list'],
	resources: ['resources/list', 'resources/templates/list'],
};

export class ResultCache {
	private readonly entries = new Map<string, Entry>();
	private changes = 0;

	constructor(private readonly now: () => number) {}

	/** To be read before a request is sent, and given back with its answer. */
	get epoch(): number {
		return this.changes;
	}

	get(method: string, params: JsonObject): JsonObject | undefined {
		// Most servers allow nothing to be kept: then no key is made for every page of a long list.
		if (this.entries.size === 0) {
			return undefined;
		}
		const key = keyOf(method, params);
		const entry = this.entries.get(key);
		if (entry && entry.freshUntil > this.now()) {
			return entry.result;
		}
		this.entries.delete(key);
		return undefined;
	}

	/**
	 * Keeps the result if the server allows it: an absent or negative time is none.
	 * @param epoch of before it was asked for: what changed since may not be in it
	 */
	put(method: string, params: JsonObject, result: JsonObject, epoch: number): void {
		const { ttlMs } = result;
		if (typeof ttlMs !== 'number' || !(ttlMs > 0) || epoch !== this.changes) {
			return;
		}
		const key = keyOf(method, params);
		this.entries.delete(key);
		this.entries.set(key, { result, freshUntil: this.now() + Math.min(ttlMs, maxTtlMs) });
		if (this.entries.size > maxEntries) {
			const [oldest = ''] = this.entries.keys();
			this.entries.delete(oldest);
		}
	}

	/** The server said that a list changed. */
	forgetList(kind: ListKind): void {
		this.changes++;
		for (const method of methodsOf[kind]) {
			this.forget(method);
		}
	}

	forgetResource(uri: string): void {
		this.changes++;
		this.entries.delete(keyOf('resources/read', { uri }));
	}

	/** Another session: nothing of the one before holds. */
	clear(): void {
		this.changes++;
		this.entries.clear();
	}

	/** Nothing kept of this method holds any more. */
	forget(method: string): void {
		this.changes++;
		for (const key of this.entries.keys()) {
			if (key.startsWith(`${method}\n`)) {
				this.entries.delete(key);
			}
		}
	}
}

function keyOf(method: string, params: JsonObject): string {
	return `${method}\n${JSON.stringify(params)}`;
}
