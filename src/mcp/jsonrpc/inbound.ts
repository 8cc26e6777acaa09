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

	/** @param cause the request of ours that it was sent for, as far as that is known */
	constructor(readonly cause: PendingRequest | undefined) {}

	cancel(): void {
		this.isCancelled = true;
		this.controller.abort();
	}
}

export class InboundRequests {
	private readonly requests = new Map<RequestId, InboundRequest>();

	get size(): number {
		return this.requests.size;
	}

	add(id: RequestId, cause: PendingRequest | undefined): InboundRequest {
		const request = new InboundRequest(cause);
		this.requests.set(id, request);
		return request;
	}

	remove(id: RequestId, request: InboundRequest): void {
		// A server that reuses an id too early has replaced ours.
		if (this.requests.get(id) === request) {
			this.requests.delete(id);
		}
	}

	cancel(id: RequestId): void {
		this.requests.get(id)?.cancel();
	}

	cancelAll(): void {
		for (const request of this.requests.values()) {
			request.cancel();
		}
	}

	/** The request of ours was given up, and with it whatever was asked because of it. */
	endBecauseOf(cause: PendingRequest): void {
		for (const request of this.requests.values()) {
			if (request.cause === cause) {
				request.controller.abort();
			}
		}
	}
}
