/** What goes with a request, and what may be told before its answer. */
import { isObject, type RequestId, type RequestMessage } from './messages.js';

/** What a server says about work that goes on. `progress` grows; `total` is in the same unit. */
export interface Progress {
	readonly progress: number;
	readonly total?: number;
	/** Since 2025-03-26. Server-provided text. */
	readonly message?: string;
}

export interface RequestOptions {
	/** Aborting it tells the peer and rejects with AbortError. */
	readonly signal?: AbortSignal | undefined;
	/** Milliseconds without an answer or progress before `timeout`; 0 for no such limit. Required, so that none is forgotten. */
	readonly timeoutMs: number;
	/** Asks for progress notifications. */
	readonly onProgress?: (progress: Progress) => void;
	/** The answer may be only the beginning: progress is told after it too, until `endProgress`. */
	readonly followsProgress?: boolean;
	/** Milliseconds after which it is given up whatever progress is made; 0 for no such limit. */
	readonly maxTotalMs?: number;
	/** Told the id before the request is sent: what comes for it may name it. */
	readonly onId?: (id: RequestId) => void;
	/** HTTP headers for this request alone. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** `initialize` must never be cancelled on the wire (spec, "cancellation"). */
	readonly uncancellable?: boolean;
}

/** The id doubles as the progress token: unique among the requests in flight, as the spec asks. */
export function withProgressToken(request: RequestMessage, options: RequestOptions): RequestMessage {
	if (!options.onProgress) {
		return request;
	}
	const meta = request.params?.['_meta'];
	const _meta = { ...(isObject(meta) ? meta : {}), progressToken: request.id };
	return { ...request, params: { ...request.params, _meta } };
}
