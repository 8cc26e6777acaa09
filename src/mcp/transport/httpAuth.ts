/**
 * The port for authorization of HTTP requests. This is all that the transports know of authorization: headers for a
 * request, and a review of its response, which may ask to send the request again.
 */
import type { HttpAbort, HttpRequest } from './httpFetch.js';

/** One request to the server's own origin. */
export interface AuthorizedRequest {
	readonly method: HttpRequest['method'];
	readonly url: URL;
	readonly body: string | undefined;
	/** Aborted when the response is no longer needed. */
	readonly abort: HttpAbort;
}

/** The proof that a request was sent with; `reviewResponse` receives it again. */
export interface HttpProof {
	/** Names in lower case. They override configured headers. */
	readonly headers: Readonly<Record<string, string>>;
}

export interface HttpAuth {
	/**
	 * Called before every request to the server's own origin, and for no other request.
	 * @returns a promise only if it has to wait: this function runs for every message
	 * @throws McpError `authorization` if the server would certainly refuse the request
	 */
	prove(request: AuthorizedRequest): Promise<HttpProof> | HttpProof;
	/**
	 * Called with the status and headers of every response to such a request.
	 * @param tries how often the request has been repeated
	 * @returns whether to send the request again, with a new proof
	 * @throws McpError `authorization` if only a person can help
	 */
	reviewResponse(
		request: AuthorizedRequest,
		response: { readonly status: number; readonly headers: Readonly<Record<string, string>> },
		proof: HttpProof,
		tries: number,
	): Promise<boolean> | boolean;
}
