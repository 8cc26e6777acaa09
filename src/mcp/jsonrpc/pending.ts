/**
 * The requests that wait for their answers. One timer serves all their deadlines: setting and clearing one for each
 * is a fifth of what a small request costs in Node, and nearly every one is answered in time.
 */
import type { Disposable } from '../../base/lifecycle.js';
import type { HttpAbort } from '../transport/httpFetch.js';
import type { Progress, RequestOptions } from './requestOptions.js';
import type { JsonObject, RequestId } from './messages.js';
import { isSameId } from './requestId.js';

/** One request in flight. */
export class PendingRequest {
	/** Ends what carries it over HTTP. */
	stream: HttpAbort | undefined;
	/** Listens to the caller's signal. */
	aborted: Disposable | undefined;
	/** When it is given up, in milliseconds of the clock. */
	deadline = Infinity;
	/** When it is given up whatever progress is made. */
	limit = Infinity;

	constructor(
		readonly id: number,
		readonly method: string,
		readonly options: RequestOptions,
		readonly resolve: (result: JsonObject) => void,
		readonly reject: (error: unknown) => void,
		/** The task that it is about. */
		readonly taskId?: unknown,
	) {}

	get onProgress(): ((progress: Progress) => void) | undefined {
		return this.options.onProgress;
	}
}

export class PendingRequests implements Disposable {
	/** By id; ours are numbers. Not a Map, for the reason told at HttpAborts. */
	private readonly requests: Record<number, PendingRequest> = {};
	private count = 0;
	private timer: ReturnType<typeof setTimeout> | undefined;
	/** When the timer goes off. */
	private wakesAt = Infinity;

	/**
	 * @param onDeadline told of a request that is given up; it waits no more by then
	 * @param heldUntil until when the silence of the peer meant nothing, on the clock of `performance`: time begins anew then;
	 * `Infinity` while it means nothing
	 */
	constructor(
		private readonly onDeadline: (request: PendingRequest, ms: number) => void,
		private readonly heldUntil: () => number,
	) {}

	get size(): number {
		return this.count;
	}

	add(request: PendingRequest): void {
		this.requests[request.id] = request;
		this.count++;
		const { maxTotalMs = 0 } = request.options;
		if (maxTotalMs > 0) {
			request.limit = performance.now() + maxTotalMs;
			this.wakeAt(request.limit);
		}
		this.restart(request);
	}

	/** The request that an id of the server names: all of ours are numbers, which some servers send back as strings. */
	get(id: RequestId): PendingRequest | undefined {
		// What a server sends as an id may be of any type, and too deep to be converted.
		const request = typeof id === 'number' || typeof id === 'string' ? this.requests[Number(id)] : undefined;
		return request && isSameId(request.id, id) ? request : undefined;
	}

	/** The request, which waits no more; `undefined` if it did not wait. */
	take(id: RequestId): PendingRequest | undefined {
		const request = this.get(id);
		if (request) {
			delete this.requests[request.id];
			this.count--;
			request.aborted?.dispose();
		}
		return request;
	}

	/** Whether a request of one of these methods waits. */
	hasAnyOf(methods: ReadonlySet<string>): boolean {
		return Object.values(this.requests).some(it => methods.has(it.method));
	}

	/** The pending request of these methods; undefined if there is none, or more than one. */
	onlyOf(methods: ReadonlySet<string>): PendingRequest | undefined {
		const found = Object.values(this.requests).filter(it => methods.has(it.method));
		return found.length === 1 ? found[0] : undefined;
	}

	/** The request that waits for the result of a task. */
	resultOf(taskId: string): PendingRequest | undefined {
		return Object.values(this.requests).find(it => it.method === 'tasks/result' && it.taskId === taskId);
	}

	/** There was progress: its time begins anew. */
	restart(request: PendingRequest): void {
		const { timeoutMs } = request.options;
		if (timeoutMs > 0) {
			request.deadline = performance.now() + timeoutMs;
			this.wakeAt(request.deadline);
		}
	}

	/** All that wait, which wait no more: the end of the connection. */
	takeAll(): PendingRequest[] {
		this.dispose();
		return Object.values(this.requests).filter(it => this.take(it.id) !== undefined);
	}

	dispose(): void {
		clearTimeout(this.timer);
		this.wakesAt = Infinity;
	}

	private wakeAt(time: number): void {
		if (time < this.wakesAt) {
			clearTimeout(this.timer);
			this.wakesAt = time;
			this.timer = setTimeout(() => this.wake(), Math.max(0, time - performance.now()));
		}
	}

	private wake(): void {
		this.wakesAt = Infinity;
		const now = performance.now();
		const heldUntil = Math.min(this.heldUntil(), now);
		let next = Infinity;
		for (const request of Object.values(this.requests)) {
			const { timeoutMs, maxTotalMs = 0 } = request.options;
			if (request.deadline <= now) {
				request.deadline = Math.max(request.deadline, heldUntil + timeoutMs);
			}
			if (request.limit <= now) {
				this.take(request.id);
				this.onDeadline(request, maxTotalMs);
			} else if (request.deadline <= now) {
				this.take(request.id);
				this.onDeadline(request, timeoutMs);
			} else {
				next = Math.min(next, request.deadline, request.limit);
			}
		}
		// Giving up a request can end the connection, and with it all other requests.
		if (next !== Infinity && this.count > 0) {
			this.wakeAt(next);
		}
	}
}
