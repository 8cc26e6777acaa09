/**
 * The port to HTTP: one request, one response, no redirects, no retries, no opinion about statuses. The
 * desktop has it on Node's modules (`node/http/httpFetch.ts`), a browser can have it on the global `fetch`.
 */

/** One HTTP request. */
export interface HttpRequest {
	readonly method: 'GET' | 'POST' | 'DELETE';
	/** `http:` or `https:`; the desktop also knows `unix:///path.sock#/sub` and `pipe:///pipe/name#/sub`. */
	readonly url: string;
	/** Names in lower case. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | undefined;
	/** Ends the request, and the body of its response, at whatever point they are. */
	readonly abort: HttpAbort;
}

/**
 * Ends what goes on, once; one thing goes on at a time. An AbortController would do, were making one and
 * listening to it not a third of the cost of a small request in Node (measured: 10 to 15 µs of 31).
 */
export class HttpAbort {
	/** Belongs to HttpAborts. */
	slot = 0;
	/** Gives up the connection, and takes up what went on over another, where that is possible. */
	refresh: (() => void) | undefined;
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

	/** How to end what goes on from now; called at once if it is too late already. */
	setStop(stop: () => void): void {
		this.stop = stop;
		if (this.aborted) {
			this.abort();
		}
	}
}

/**
 * All that goes on, to be ended together. Not a Set: when entries come and go, V8 makes a new table now and then and
 * links the old one to it, so that what has ended is kept until a full collection (measured: a quarter of the CPU
 * time of small requests).
 */
export class HttpAborts {
	private readonly items: HttpAbort[] = [];

	/** To one of these only. */
	add(abort: HttpAbort): void {
		abort.slot = this.items.length;
		this.items.push(abort);
	}

	delete(abort: HttpAbort): void {
		const { slot } = abort;
		if (this.items[slot] === abort) {
			const last = this.items.pop();
			if (last && last !== abort) {
				this.items[slot] = last;
				last.slot = slot;
			}
		}
	}

	refreshAll(): void {
		for (const it of this.items.slice()) {
			it.refresh?.();
		}
	}

	/** Ends all, and forgets them. */
	abortAll(): void {
		for (const it of this.items.splice(0)) {
			it.abort();
		}
	}
}

/** What came back. The body must be read or discarded: it holds a socket. */
export interface HttpResponse {
	readonly status: number;
	/** Names in lower case; fields that came more than once are joined with a comma. */
	readonly headers: Readonly<Record<string, string>>;
	/**
	 * Hands over the body as it comes, decoded from its transfer and content codings; resolves at its end. To be
	 * called once, soon after the head.
	 * @throws what breaks the transfer, and what `onBytes` throws, which gives up the rest
	 */
	read(onBytes: (bytes: Uint8Array) => void): Promise<void>;
	/** Nobody will read the body, or its rest. */
	discard(): void;
}

/** Resolves when the head of the response has come. @throws any error when it could not be had */
export type HttpFetch = (request: HttpRequest) => Promise<HttpResponse>;
