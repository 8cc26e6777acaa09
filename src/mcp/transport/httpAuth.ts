/**
 * The port by which HTTP requests prove who sends them. The transports know no more of authorization than this:
 * headers before a request, and a look at its response that may want the same request sent again.
 */
import type { HttpAbort, HttpRequest } from './httpFetch.js';

/** One request to the server's own origin. */
export interface AuthorizedRequest {
	readonly method: HttpRequest['method'];
	readonly url: URL;
	readonly body: string | undefined;
	/** Aborted when nobody waits any more. */
	readonly abort: HttpAbort;
}

/** What a request was sent with: `reviewResponse` is given it back. */
export interface HttpProof {
	/** Names in lower case; stronger than what was configured. */
	readonly headers: Readonly<Record<string, string>>;
}

export interface HttpAuth {
	/**
	 * Called before every request to the server's own origin, and before no other.
	 * @returns a promise only where something has to be waited for: this is the way of every message
	 * @throws McpError `authorization` where it is certain that the server would refuse
	 */
	prove(request: AuthorizedRequest): Promise<HttpProof> | HttpProof;
	/**
	 * Called with the head of every response to such a request.
	 * @param tries how often the request has been sent again already
	 * @returns true if it is to be sent again, with another proof
	 * @throws McpError `authorization` if it would be in vain until a person does something
	 */
	reviewResponse(
		request: AuthorizedRequest,
		response: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
		proof: HttpProof,
		tries: number,
	): Promise<boolean> | boolean;
}
