/**
 * The requests of the peer that our handlers are answering. A request that the peer cancels gets no response. A
 * request that was caused by one of ours is aborted with ours, but gets a response, because the peer still waits for
 * one.
 */
import type { RequestId } from './messages.js';
import type { RequestInFlight } from './pending.js';

class InboundRequest {
	readonly controller = new AbortController();
	/** The peer has cancelled the request, so it gets no response. */
	isCancelled = false;

	/**
	 * @param id the peer's; some peers use one id for several requests at once
	 * @param cause our request that caused this one; undefined if that isn't known
	 */
	constructor(
		readonly id: RequestId,
		readonly cause: RequestInFlight | undefined,
	) {}

	cancel(): void {
		this.isCancelled = true;
		this.controller.abort();
	}
}

export class InboundRequests {
	private readonly requests = new Set<InboundRequest>();

	/** The number of unanswered requests. */
	get size(): number {
		return this.requests.size;
	}

	add(id: RequestId, cause: RequestInFlight | undefined): InboundRequest {
		const request = new InboundRequest(id, cause);
		this.requests.add(request);
		return request;
	}

	remove(request: InboundRequest): void {
		this.requests.delete(request);
	}

	cancel(id: RequestId): void {
		for (const request of this.requests) {
			if (request.id === id) {
				request.cancel();
			}
		}
	}

	cancelAll(): void {
		for (const request of this.requests) {
			request.cancel();
		}
	}

	/** Aborts the requests that were caused by a request of ours, which has been given up. */
	abortCausedBy(cause: RequestInFlight): void {
		for (const request of this.requests) {
			if (request.cause === cause) {
				request.controller.abort();
			}
		}
	}
}
