/** The options of a request. */
import { type RequestId, type RequestMessage, toObject } from './messages.js';

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
	/** HTTP headers for this request only. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** For `initialize`, which must not be cancelled on the wire (spec, "cancellation"). */
	readonly uncancellable?: boolean;
}

/** Uses the id as the progress token: it is unique among the requests in flight, as the spec requires. */
export function withProgressToken(request: RequestMessage, options: RequestOptions): RequestMessage {
	if (!options.onProgress) {
		return request;
	}
	const _meta = { ...toObject(request.params?.['_meta']), progressToken: request.id };
	return { ...request, params: { ...request.params, _meta } };
}
