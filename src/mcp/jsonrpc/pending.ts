/**
 * The requests that wait for their answers. One timer serves all their deadlines: setting and clearing one for each
 * is a fifth of what a small request costs in Node, and nearly every one is answered in time.
 */
import type { Disposable } from '../../base/lifecycle.js';
import type { Progress, RequestOptions } from './connection.js';
import type { JsonObject, RequestId } from './messages.js';

/** One request in flight. */
export class PendingRequest {
	/** Ends the response stream, where that is how the peer learns that nobody waits. */
	stream: AbortController | undefined;
	/** Listens to the caller's signal. */
	aborted: Disposable | undefined;
	/** When it is given up, in milliseconds of the clock. */
	deadline = Infinity;
	/** When it is given up whatever progress is made. */
	limit = Infinity;

	constructor(
		readonly id: RequestId,
		readonly method: string,
		readonly options: RequestOptions,
		readonly resolve: (result: JsonObject) => void,
		readonly reject: (error: unknown) => void,
	) {}

	get onProgress(): ((progress: Progress) => void) | undefined {
		return this.options.onProgress;
	}
}

export class PendingRequests implements Disposable {
	private readonly requests = new Map<RequestId, PendingRequest>();
	private timer: ReturnType<typeof setTimeout> | undefined;
	/** When the timer goes off. */
	private wakesAt = Infinity;

	/** @param onDeadline told of a request that is given up; it waits no more by then */
	constructor(private readonly onDeadline: (request: PendingRequest, ms: number) => void) {}

	get size(): number {
		return this.requests.size;
	}

	add(request: PendingRequest): void {
		this.requests.set(request.id, request);
		const { maxTotalMs = 0 } = request.options;
		if (maxTotalMs > 0) {
			request.limit = performance.now() + maxTotalMs;
			this.wakeAt(request.limit);
		}
		this.restart(request);
	}

	get(id: RequestId): PendingRequest | undefined {
		return this.requests.get(id);
	}

	/** The request, which waits no more; `undefined` if it did not wait. */
	take(id: RequestId): PendingRequest | undefined {
		const request = this.requests.get(id);
		if (request) {
			this.requests.delete(id);
			request.aborted?.dispose();
		}
		return request;
	}

	/** There was progress: its time begins anew. */
	restart(request: PendingRequest): void {
		const { timeoutMs = 0 } = request.options;
		if (timeoutMs > 0) {
			request.deadline = performance.now() + timeoutMs;
			this.wakeAt(request.deadline);
		}
	}

	/** All that wait, which wait no more. */
	takeAll(): PendingRequest[] {
		return Array.from(this.requests.keys(), id => this.take(id)).filter(it => it !== undefined);
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
		let next = Infinity;
		for (const request of this.requests.values()) {
			const { timeoutMs = 0, maxTotalMs = 0 } = request.options;
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
		if (next !== Infinity) {
			this.wakeAt(next);
		}
	}
}
