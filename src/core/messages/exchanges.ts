/**
 * Pairs requests with their answers, and puts beneath a request what belongs to it: progress, log messages, HTTP
 * exchanges, requests of the server while it works, retries, rounds of input, and polls of its task.
 */
import { type RequestId, workMethods } from '../../mcp/index.js';
import type { Outcome, WireRecord } from './wireRecord.js';

export class Exchange {
	/** The answer to `first`, or the record of kind `lost` that ended the wait for it. */
	end: WireRecord | undefined;
	/** An answer that arrived after the wait had ended. */
	late: WireRecord | undefined;
	/** In order of arrival. */
	readonly children: Exchange[] = [];

	/** @param first a request, or a message that is no answer to a known request */
	constructor(
		readonly first: WireRecord,
		readonly parent: Exchange | undefined,
	) {}

	/** The last message of the operation: of its last request, if there were several. */
	private get last(): WireRecord | undefined {
		return this.children.findLast(it => it.isRetry && it.end)?.end ?? this.end;
	}

	/** Whether a request waits for its answer. */
	get isPending(): boolean {
		return this.first.facts.kind === 'request' && (!this.end || this.children.some(it => it.isRetry && it.isPending));
	}

	/** The outcome of a request that has ended, of an answer without its request, or of an HTTP exchange. */
	get outcome(): Outcome | undefined {
		const { outcome } = (this.last ?? this.first).facts;
		// A ping only asks whether the server responds, so an error counts as success.
		const isAlive = this.first.facts.method === 'ping' && outcome?.kind === 'error';
		return this.isPending ? undefined : isAlive ? { kind: 'ok' } : outcome;
	}

	/** Milliseconds from the request to the end of its operation. */
	get durationMs(): number | undefined {
		const { last } = this;
		return this.isPending || !last ? undefined : last.time - this.first.time;
	}

	/** Bytes of the request and its answer. */
	get size(): number {
		return this.first.size + (this.end?.facts.kind === 'answer' ? this.end.size : 0);
	}

	/** Whether this is a further request of the operation that its parent began. */
	get isRetry(): boolean {
		const { origin } = this.first;
		return origin !== undefined && origin === this.parent?.first.origin;
	}
}

export class Exchanges {
	/** The exchanges without a parent, oldest first. */
	readonly all: Exchange[] = [];
	/** By connection, direction and id. */
	private readonly requests = new Map<string, Exchange>();
	/** The first request of each operation. */
	private readonly byOrigin = new Map<object, Exchange>();
	/** The exchange that has begun a task, by connection and id of the task. */
	private readonly byTask = new Map<string, Exchange>();
	/** Our requests in flight that a server works on, by connection. */
	private readonly working = new Map<number, Set<Exchange>>();

	constructor(records: Iterable<WireRecord> = []) {
		for (const record of records) {
			this.add(record);
		}
	}

	add(record: WireRecord): void {
		const { kind, id, task } = record.facts;
		const { connection, direction } = record.channel;
		if (kind === 'answer' || kind === 'lost') {
			const asked = this.requests.get(keyOf(connection, direction === 'received' ? 'sent' : 'received', id));
			if (asked?.end?.facts.kind === 'lost' && kind === 'answer') {
				asked.late ??= record;
			} else if (asked && !asked.end) {
				asked.end = record;
				this.working.get(connection)?.delete(asked);
				if (task !== undefined) {
					this.byTask.set(`${connection} ${task}`, asked.parent ?? asked);
				}
			}
			if (asked?.end === record || asked?.late === record || kind === 'lost') {
				return;
			}
		}
		const parent = this.parentOf(record);
		const exchange = new Exchange(record, parent);
		(parent?.children ?? this.all).push(exchange);
		if (kind === 'request') {
			this.open(exchange);
		}
	}

	private open(exchange: Exchange): void {
		const { channel, facts, origin } = exchange.first;
		const { connection, direction } = channel;
		this.requests.set(keyOf(connection, direction, facts.id), exchange);
		if (origin && !this.byOrigin.has(origin)) {
			this.byOrigin.set(origin, exchange);
		}
		if (direction === 'sent' && workMethods.has(facts.method)) {
			this.working.set(connection, (this.working.get(connection) ?? new Set()).add(exchange));
		}
	}

	private parentOf({ facts, channel, origin }: WireRecord): Exchange | undefined {
		const { kind, method, about, task } = facts;
		const { connection, direction } = channel;
		const first = origin && this.byOrigin.get(origin);
		if (first) {
			return first;
		}
		// A cancellation refers to a request of its own sender.
		const owner = method === 'notifications/cancelled' ? direction : 'sent';
		const named = about === undefined ? undefined : this.requests.get(keyOf(connection, owner, about));
		if (named) {
			// A stream of subscriptions stays open, so its notifications aren't put beneath the request.
			return named.first.facts.method === 'subscriptions/listen' && kind !== 'exchange' ? undefined : named;
		}
		if (direction === 'sent') {
			return undefined;
		}
		if (task !== undefined) {
			return this.byTask.get(`${connection} ${task}`);
		}
		const working = this.working.get(connection);
		const isOfWork = kind === 'request' || method === 'notifications/message';
		return isOfWork && working?.size === 1 ? [...working][0] : undefined;
	}
}

/** The key of a request. Ids are compared as text, because some servers return our numeric ids as strings. */
function keyOf(connection: number, direction: string, id: RequestId | undefined): string {
	return `${connection} ${direction} ${id ?? ''}`;
}
