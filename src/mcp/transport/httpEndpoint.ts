/**
 * The URL of a server, for the HTTP transports: adds credentials, follows redirects, and shows every exchange to the
 * tap. Knows nothing of JSON-RPC but the id for the tap.
 */
import { clock } from '../../base/clock.js';
import { AbortError, toCode } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { McpError } from '../jsonrpc/errors.js';
import type { RequestId } from '../jsonrpc/messages.js';
import type { AuthorizedRequest, HttpAuth, HttpProof } from './httpAuth.js';
import type { HttpAbort, HttpFetch, HttpRequest, HttpResponse } from './httpFetch.js';
import { describeUrl, originOf, redirectTarget, type HttpRedirect } from './httpUrl.js';

export interface HttpEndpointOptions {
	readonly url: string;
	readonly fetch: HttpFetch;
	readonly log: Logger;
	/** Configured headers. Sent only to the server's own origin. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Authorizes requests to the server's own origin. Not used if `headers` contain `Authorization`. */
	readonly auth?: HttpAuth | undefined;
}

export interface HttpCall {
	readonly method: HttpRequest['method'];
	/** Default: the URL of the server. */
	readonly url?: URL;
	/** Names in lower case. They override configured headers. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly abort: HttpAbort;
	/** The id of the JSON-RPC request in the body, for the tap. */
	readonly id?: RequestId | undefined;
}

/** A request and its response for the tap, with secrets redacted. */
export interface HttpExchange {
	readonly method: HttpRequest['method'];
	/** Without user, password and query. */
	readonly url: string;
	readonly requestHeaders: Readonly<Record<string, string>>;
	readonly status: number;
	/** The headers of the response. */
	readonly headers: Readonly<Record<string, string>>;
	/** The JSON-RPC request that the HTTP request carried. */
	readonly id: RequestId | undefined;
	/** Milliseconds until the headers of the response were received. */
	readonly ms: number;
}

/** The number of redirects that one request follows. */
const maxRedirects = 5;

const redacted = '<redacted>';
const secretName = /auth|dpop|cookie|token|secret|session|key|password|credential|signature/;
/** Matches `secretName`, but contains what the server asks for and no secret. */
const knownPublic: ReadonlySet<string> = new Set(['www-authenticate', 'dpop-nonce']);

export class HttpEndpoint extends Owner {
	readonly url: URL;

	private readonly _onDidExchange = this.own(new Emitter<HttpExchange>());
	readonly onDidExchange: Event<HttpExchange> = this._onDidExchange.event;

	private readonly origin: string;
	private readonly configured: Readonly<Record<string, string>> | undefined;
	private readonly auth: HttpAuth | undefined;
	/** The number of requests that wait for the authorization. */
	private authorizing = 0;
	/** When the last of those requests continued, on the clock of `performance`. */
	private authorizedAt = -Infinity;

	/** @throws TypeError if the URL is invalid */
	constructor(private readonly options: HttpEndpointOptions) {
		super();
		this.url = new URL(options.url);
		this.origin = originOf(this.url);
		const { headers = {} } = options;
		this.configured = Object.keys(headers).length > 0 ? lowerCased(headers) : undefined;
		this.auth = this.configured?.['authorization'] === undefined ? options.auth : undefined;
	}

	/** See `Transport.heldUntil`. */
	get heldUntil(): number {
		return this.authorizing > 0 ? Infinity : this.authorizedAt;
	}

	/**
	 * Sends a request and returns its response, whatever its status. Follows redirects within the server's origin.
	 * @throws McpError `network`, `tooManyRedirects`, or `redirected` for a redirect that must not be followed;
	 * whatever `HttpAuth` throws
	 * @throws AbortError if it is aborted
	 */
	async call(call: HttpCall): Promise<HttpResponse> {
		const { method, body, abort } = call;
		let url = call.url ?? this.url;
		let tries = 0;
		for (let hops = 0; ;) {
			// This runs for every message, so nothing is awaited, copied or reported without need.
			const auth = this.auth && this.isOurs(url) ? this.auth : undefined;
			const request = { method, url, body, abort };
			const proving = auth?.prove(request);
			const proof = proving instanceof Promise ? await this.whileAuthorizing(proving) : proving;
			const headers = this.headersFor(call, url, proof?.headers);
			const began = this._onDidExchange.hasListeners ? clock.now() : 0;
			let response: HttpResponse;
			try {
				if (abort.isAborted) {
					throw new AbortError();
				}
				response = await this.options.fetch({ method, url: url.href, headers, body, abort });
			} catch (error) {
				throw abort.isAborted ? new AbortError() : networkError(error);
			}
			if (abort.isAborted) {
				response.discard();
				throw new AbortError();
			}
			if (this._onDidExchange.hasListeners) {
				this.reportExchange(call, url, headers, response, clock.now() - began);
			}
			if (auth && proof) {
				const review = this.review(auth, request, response, proof, tries);
				if (review instanceof Promise ? await review : review) {
					tries++;
					continue;
				}
			}
			const next = redirect(response, method, url);
			if (next === undefined) {
				return response;
			}
			response.discard();
			const hasSecrets = this.configured !== undefined || Object.keys(proof?.headers ?? {}).length > 0;
			if (next.kind === 'otherOrigin' || next.kind === 'otherMethod' || (next.kind === 'upgrade' && hasSecrets)) {
				throw new McpError({ code: 'redirected', to: describeUrl(next.url) });
			}
			if (hops === maxRedirects) {
				throw new McpError({ code: 'tooManyRedirects', limit: maxRedirects, to: describeUrl(next.url) });
			}
			hops++;
			this.options.log.debug(`Redirected to ${describeUrl(next.url)}`);
			({ url } = next);
		}
	}

	/** @returns whether to send the request again; the response is discarded then */
	private review(
		auth: HttpAuth,
		request: AuthorizedRequest,
		response: HttpResponse,
		proof: HttpProof,
		tries: number,
	): Promise<boolean> | boolean {
		const review = auth.reviewResponse(request, response, proof, tries);
		if (review === false) {
			return false;
		}
		return this.whileAuthorizing(Promise.resolve(review)).then(
			isToRepeat => {
				if (isToRepeat) {
					response.discard();
				}
				return isToRepeat;
			},
			(error: unknown) => {
				response.discard();
				throw error;
			},
		);
	}

	private async whileAuthorizing<T>(authorization: Promise<T>): Promise<T> {
		this.authorizing++;
		try {
			return await authorization;
		} finally {
			this.authorizing--;
			this.authorizedAt = clock.elapsed();
		}
	}

	private headersFor(
		{ headers }: HttpCall,
		url: URL,
		proof?: Readonly<Record<string, string>>,
	): Readonly<Record<string, string>> {
		// Another origin can only be the same host over TLS, which was redirected to without secrets.
		return this.isOurs(url) && (proof || this.configured) ? { ...this.configured, ...proof, ...headers } : headers;
	}

	private isOurs(url: URL): boolean {
		return url === this.url || originOf(url) === this.origin;
	}

	private reportExchange(
		{ method, id }: HttpCall,
		url: URL,
		requestHeaders: Readonly<Record<string, string>>,
		response: HttpResponse,
		ms: number,
	): void {
		this._onDidExchange.fire({
			method,
			url: describeUrl(url),
			requestHeaders: this.withoutSecrets(requestHeaders),
			status: response.status,
			headers: this.withoutSecrets(response.headers),
			id,
			ms,
		});
	}

	private withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
		return Object.fromEntries(
			Object.entries(headers).map(([name, value]) => {
				const isConfigured = this.configured !== undefined && name in this.configured;
				const isSecret = isConfigured || (secretName.test(name) && !knownPublic.has(name));
				return [name, isSecret ? redacted : value];
			}),
		);
	}
}

/** Converts what `fetch` threw into an McpError. */
export function networkError(error: unknown): McpError {
	return error instanceof McpError ? error : new McpError({ code: 'network', why: toCode(error) });
}

/**
 * The target of a redirect, and whether it may be followed. The body, and the trust in the response, are for the
 * configured origin, so another origin is refused. The same host over TLS is the same server, but has to be
 * configured if there are secrets to send. A status that would turn a POST into a GET is refused too.
 */
function redirect(
	{ status, headers }: HttpResponse,
	method: HttpRequest['method'],
	from: URL,
): HttpRedirect | { readonly kind: 'otherMethod'; readonly url: URL } | undefined {
	const { location } = headers;
	if (![301, 302, 303, 307, 308].includes(status) || location === undefined) {
		return undefined;
	}
	const target = redirectTarget(from, location);
	if (status === 307 || status === 308 || method === 'GET') {
		return target;
	}
	return target && { kind: 'otherMethod', url: target.url };
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
