/**
 * Our requests in flight and their options. One timer serves all deadlines: a timer for each request would be a fifth of the cost of a
 * small request in Node, and nearly all are answered in time.
 */
import { clock, type Timer } from '../../base/clock.js';
import type { Disposable } from '../../base/lifecycle.js';
import type { HttpAbort } from '../transport/httpFetch.js';
import { isSameId, type JsonObject, type RequestId } from './messages.js';

/** A server's report on its progress. `progress` grows; `total` has the same unit. */
export interface Progress {
	readonly progress: number;
	readonly total?: number;
	/** Since 2025-03-26. Text of the server. */
	readonly message?: string;
}

export interface RequestOptions {
	/** An abort cancels the request at the peer and rejects it with AbortError. */
	readonly signal?: AbortSignal | undefined;
	/**
	 * Milliseconds without a response or progress before `timeout`; 0 for no limit. Required, so that no caller
	 * forgets it.
	 */
	readonly timeoutMs: number;
	/** If given, the server is asked for progress notifications. */
	readonly onProgress?: (progress: Progress) => void;
	/** Progress is reported after the response too, until `endProgress`. */
	readonly followsProgress?: boolean;
	/** Called with the id of the request before it is sent. */
	readonly onId?: (id: RequestId) => void;
	/** Called with the message that answers the request, as received; with an empty text if it was in a batch. */
	readonly onAnswer?: (text: string) => void;
	/**
	 * Identifies the operation for the tap: all requests of one operation (retries, rounds of input, polls of its task) have
	 * the same object.
	 */
	readonly origin?: object | undefined;
	/** HTTP headers for this request only. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** For `initialize`, which must not be cancelled on the wire (spec, "cancellation"). */
	readonly uncancellable?: boolean;
}

export class RequestInFlight {
	/** Ends the HTTP exchange that carries the request. */
	stream: HttpAbort | undefined;
	/** The subscription to the caller's signal. */
	aborted: Disposable | undefined;
	/** When the request times out, on the clock of `performance`. */
	deadline = Infinity;

	constructor(
		readonly id: number,
		readonly method: string,
		readonly options: RequestOptions,
		readonly resolve: (result: JsonObject) => void,
		readonly reject: (error: unknown) => void,
		/** The id of the task that the request concerns. */
		readonly taskId?: unknown,
	) {}
}

export class RequestsInFlight implements Disposable {
	/** By id. Not a Map, for the reason given at HttpAborts. */
	private readonly requests: Record<number, RequestInFlight> = {};
	private timer: Timer | undefined;
	/** When the timer fires. */
	private wakesAt = Infinity;

	/**
	 * @param onDeadline called with a request that has timed out and been removed
	 * @param heldUntil the time on the clock of `performance` until which the peer's silence has another reason, so
	 * that time-outs count from then; `Infinity` while the reason lasts
	 */
	constructor(
		private readonly onDeadline: (request: RequestInFlight, ms: number) => void,
		private readonly heldUntil: () => number,
	) {}

	add(request: RequestInFlight): void {
		this.requests[request.id] = request;
		this.restart(request);
	}

	/** The request with an id of the peer. Our ids are numbers; some servers send them back as strings. */
	get(id: RequestId): RequestInFlight | undefined {
		// At run time, an id may have any type, and be nested too deeply to be converted.
		const request = typeof id === 'number' || typeof id === 'string' ? this.requests[Number(id)] : undefined;
		return request && isSameId(request.id, id) ? request : undefined;
	}

	/** Removes a request and returns it; undefined if there is none. */
	take(id: RequestId): RequestInFlight | undefined {
		const request = this.get(id);
		if (request) {
			delete this.requests[request.id];
			request.aborted?.dispose();
		}
		return request;
	}

	/** Whether a request with one of these methods is in flight. */
	hasAnyOf(methods: ReadonlySet<string>): boolean {
		return Object.values(this.requests).some(it => methods.has(it.method));
	}

	/** The only request in flight with one of these methods; undefined if there are none or several. */
	onlyOf(methods: ReadonlySet<string>): RequestInFlight | undefined {
		const found = Object.values(this.requests).filter(it => methods.has(it.method));
		return found.length === 1 ? found[0] : undefined;
	}

	/** The request for the result of a task. */
	resultOf(taskId: string): RequestInFlight | undefined {
		return Object.values(this.requests).find(it => it.method === 'tasks/result' && it.taskId === taskId);
	}

	/** Restarts the time-out of a request, because there was progress. */
	restart(request: RequestInFlight): void {
		const { timeoutMs } = request.options;
		if (timeoutMs > 0) {
			request.deadline = clock.elapsed() + timeoutMs;
			this.wakeAt(request.deadline);
		}
	}

	/** Removes all requests and returns them. */
	takeAll(): RequestInFlight[] {
		this.dispose();
		return Object.values(this.requests).filter(it => this.take(it.id) !== undefined);
	}

	dispose(): void {
		clock.clearTimeout(this.timer);
		this.wakesAt = Infinity;
	}

	private wakeAt(time: number): void {
		if (time < this.wakesAt) {
			clock.clearTimeout(this.timer);
			this.wakesAt = time;
			this.timer = clock.setTimeout(() => this.wake(), Math.max(0, time - clock.elapsed()));
		}
	}

	private wake(): void {
		this.wakesAt = Infinity;
		const now = clock.elapsed();
		const heldUntil = Math.min(this.heldUntil(), now);
		let next = Infinity;
		for (const request of Object.values(this.requests)) {
			const { timeoutMs } = request.options;
			if (request.deadline <= now) {
				request.deadline = Math.max(request.deadline, heldUntil + timeoutMs);
			}
			if (request.deadline <= now) {
				this.take(request.id);
				this.onDeadline(request, timeoutMs);
			} else {
				next = Math.min(next, request.deadline);
			}
		}
		// `onDeadline` may end the connection, which removes all other requests.
		if (next !== Infinity && Object.keys(this.requests).length > 0) {
			this.wakeAt(next);
		}
	}
}
