/**
 * The requests of the peer that are being answered. One that the peer cancels is left without an answer; one that was
 * sent for a request of ours ends with that, and is answered, because the peer still waits.
 */
import type { RequestId } from './messages.js';
import type { PendingRequest } from './pending.js';

export class InboundRequest {
	readonly controller = new AbortController();
	/** The peer wants no answer any more. */
	isCancelled = false;

	/**
	 * @param id as the peer has chosen it; some peers use one id for several requests at once
	 * @param cause the request of ours that it was sent for, as far as that is known
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

	/** The request of ours was given up, and with it whatever was asked because of it. */
	endBecauseOf(cause: PendingRequest): void {
		for (const request of this.requests) {
			if (request.cause === cause) {
				request.controller.abort();
			}
		}
	}
}
