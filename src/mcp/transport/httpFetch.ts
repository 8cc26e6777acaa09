/**
 * The port to HTTP: one request and one response, without redirects or retries, whatever the status. On the desktop,
 * `node/http/httpFetch.ts` implements it; a browser can use the global `fetch`.
 */

export interface HttpRequest {
	readonly method: 'GET' | 'POST' | 'DELETE';
	/** `http:` or `https:`. The desktop also supports `unix:///path.sock#/sub` and `pipe:///pipe/name#/sub`. */
	readonly url: string;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | undefined;
	/** Ends the request, or the body of its response, at any point. */
	readonly abort: HttpAbort;
}

/**
 * Cancels one activity at a time, like an AbortController. Making an AbortController and listening to it would be a
 * third of the cost of a small request in Node (measured: 10 to 15 µs of 31).
 */
export class HttpAbort {
	private aborted = false;
	private stop: (() => void) | undefined;

	get isAborted(): boolean {
		return this.aborted;
	}

	abort(): void {
		this.aborted = true;
		const { stop } = this;
		this.stop = undefined;
		stop?.();
	}

	/** Sets how to stop the current activity. Calls `stop` at once if it has been aborted already. */
	setStop(stop: () => void): void {
		this.stop = stop;
		if (this.aborted) {
			this.abort();
		}
	}

	/** A signal for the current activity, as with `setStop`. */
	toSignal(): AbortSignal {
		const controller = new AbortController();
		this.setStop(() => controller.abort());
		return controller.signal;
	}
}

/**
 * A set of HttpAborts. Not a Set: as entries come and go, V8 makes new tables and links the old ones to them, so that
 * removed entries are kept until a full collection (measured: a quarter of the CPU time of small requests).
 */
export class HttpAborts {
	private readonly items: HttpAbort[] = [];

	add(abort: HttpAbort): void {
		this.items.push(abort);
	}

	delete(abort: HttpAbort): void {
		const index = this.items.indexOf(abort);
		if (index !== -1) {
			this.items.splice(index, 1);
		}
	}

	abortAll(): void {
		for (const it of this.items.splice(0)) {
			it.abort();
		}
	}
}

/** A response. Its body must be read or discarded, because it holds a socket. */
export interface HttpResponse {
	readonly status: number;
	/** Names in lower case. Repeated fields are joined with commas. */
	readonly headers: Readonly<Record<string, string>>;
	/**
	 * Reads the body, decoded from its transfer and content codings; resolves at its end. To be called once, soon
	 * after the response was received.
	 * @throws what breaks the transfer, and what `onBytes` throws, which discards the rest
	 */
	read(onBytes: (bytes: Uint8Array) => void): Promise<void>;
	/** Discards the rest of the body. */
	discard(): void;
}

/** Resolves when the headers of the response were received. @throws any error if that fails */
export type HttpFetch = (request: HttpRequest) => Promise<HttpResponse>;
