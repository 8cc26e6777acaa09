/**
 * The requests of the peer that its handlers are answering. A request that the peer cancels gets no response. A request
 * that was sent because of one of ours is aborted with it, but gets a response, because the peer still waits.
 */
import type { RequestId } from './messages.js';
import type { PendingRequest } from './pending.js';

/** One request of the peer. */
export class InboundRequest {
	/** Aborts the handler. */
	readonly controller = new AbortController();
	/** The peer no longer wants a response. */
	isCancelled = false;

	/**
	 * @param id the peer's; some peers use one id for several requests at once
	 * @param cause our request that it was sent because of; undefined if that isn't known
	 */
	constructor(
		readonly id: RequestId,
		readonly cause: PendingRequest | undefined,
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

	add(id: RequestId, cause: PendingRequest | undefined): InboundRequest {
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

	/** Aborts the requests that were sent because of a request of ours that was given up. */
	abortCausedBy(cause: PendingRequest): void {
		for (const request of this.requests) {
			if (request.cause === cause) {
				request.controller.abort();
			}
		}
	}
}
