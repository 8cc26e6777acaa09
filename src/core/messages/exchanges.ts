/**
 * Pairs requests with their answers, and puts beneath a request what belongs to it: progress, log messages, HTTP
 * exchanges, requests of the server while it works, retries, rounds of input, and polls of its task.
 */
import { type RequestId, workMethods } from '../../mcp/index.js';
import type { Channel, Outcome, WireRecord } from './wireRecord.js';

export class Exchange {
	/** The answer to `first`, or the record that no answer will come. */
	end: WireRecord | undefined;
	/** In order of arrival. */
	readonly children: Exchange[] = [];

	/** @param first a request, or a message that is no answer to a known request */
	constructor(
		readonly first: WireRecord,
		readonly parent: Exchange | undefined,
	) {}

	/** Identifies the exchange among those of the same ring. */
	get number(): number {
		return this.first.number;
	}

	/** The last message of the operation: of its last request, if there were several. */
	get last(): WireRecord | undefined {
		const { origin } = this.first;
		return origin ? (this.children.findLast(it => it.first.origin === origin && it.end)?.end ?? this.end) : this.end;
	}

	/** Whether a request waits for its answer. */
	get isPending(): boolean {
		return this.first.kind === 'request' && (!this.end || this.children.some(it => it.isRetry && it.isPending));
	}

	/** The outcome of a request that has ended, of an answer without its request, or of an HTTP exchange. */
	get outcome(): Outcome | undefined {
		return this.isPending ? undefined : (this.last?.outcome ?? this.first.outcome);
	}

	/** Milliseconds from the request to the end of its operation. */
	get durationMs(): number | undefined {
		const { last } = this;
		return this.isPending || !last ? undefined : last.time - this.first.time;
	}

	/** Characters of the request and its answer. */
	get length(): number {
		return this.first.length + (this.end?.length ?? 0);
	}

	/** Whether this is a further request of the operation that its parent began. */
	get isRetry(): boolean {
		return this.first.origin !== undefined && this.first.origin === this.parent?.first.origin;
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

	/** Returns the outermost exchange that the record has changed or begun; `undefined` if it changes nothing. */
	add(record: WireRecord): Exchange | undefined {
		const { kind, id } = record;
		const { connection, direction } = record.channel;
		if (kind === 'answer' || kind === 'lost') {
			const asked = this.requestOf(connection, kind === 'lost' || direction === 'received' ? 'sent' : 'received', id);
			if (asked && (!asked.end || asked.end.kind === 'lost')) {
				asked.end = record;
				this.working.get(connection)?.delete(asked);
				if (record.task !== undefined) {
					this.byTask.set(`${connection} ${record.task}`, rootOf(asked));
				}
				return rootOf(asked);
			}
			if (kind === 'lost') {
				return undefined;
			}
		}
		const parent = this.parentOf(record);
		const exchange = new Exchange(record, parent);
		(parent?.children ?? this.all).push(exchange);
		if (kind === 'request') {
			this.open(exchange);
		}
		return rootOf(exchange);
	}

	private open(exchange: Exchange): void {
		const { channel, id, origin, method } = exchange.first;
		const { connection, direction } = channel;
		this.requests.set(keyOf(connection, direction, id), exchange);
		if (origin && !this.byOrigin.has(origin)) {
			this.byOrigin.set(origin, exchange);
		}
		if (direction === 'sent' && workMethods.has(method)) {
			const working = this.working.get(connection) ?? new Set();
			this.working.set(connection, working.add(exchange));
		}
	}

	private parentOf(record: WireRecord): Exchange | undefined {
		const { kind, channel, origin, about, task } = record;
		const { connection, direction } = channel;
		if (origin && this.byOrigin.has(origin)) {
			return this.byOrigin.get(origin);
		}
		const named = about === undefined ? undefined : this.requestOf(connection, senderOfRequest(record), about);
		if (named) {
			// A stream of subscriptions stays open, so its notifications aren't put beneath the request.
			return named.first.method === 'subscriptions/listen' && kind !== 'exchange' ? undefined : named;
		}
		if (direction === 'sent') {
			return undefined;
		}
		if (task !== undefined) {
			return this.byTask.get(`${connection} ${task}`);
		}
		const [only, ...others] = this.working.get(connection) ?? [];
		const isOfWork = kind === 'request' || record.method === 'notifications/message';
		return isOfWork && others.length === 0 ? only : undefined;
	}

	private requestOf(
		connection: number,
		direction: Channel['direction'],
		id: RequestId | undefined,
	): Exchange | undefined {
		return this.requests.get(keyOf(connection, direction, id));
	}
}

/** The direction of the request that a message refers to. A cancellation refers to a request of its own sender. */
function senderOfRequest({ kind, method, channel: { direction } }: WireRecord): Channel['direction'] {
	return kind === 'notification' && method === 'notifications/cancelled' ? direction : 'sent';
}

/** The key of a request. Ids are compared as text, because some servers return our numeric ids as strings. */
function keyOf(connection: number, direction: string, id: RequestId | undefined): string {
	return `${connection} ${direction} ${id ?? ''}`;
}

function rootOf(exchange: Exchange): Exchange {
	return exchange.parent ? rootOf(exchange.parent) : exchange;
}
