/**
 * One server's URL as the HTTP transports use it: adds its credentials, follows redirects, and lets the tap
 * see every exchange. Knows no JSON-RPC but the id that the tap is told.
 */
import { AbortError, toMessage } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { McpError } from '../jsonrpc/errors.js';
import type { RequestId } from '../jsonrpc/messages.js';
import { defaultLimits } from '../limits.js';
import type { AuthorizedRequest, HttpAuth, HttpProof } from './httpAuth.js';
import type { HttpAbort, HttpFetch, HttpRequest, HttpResponse } from './httpFetch.js';
import { describeUrl, originOf, resolveReference } from './httpUrl.js';
import type { HttpFacts } from './transport.js';

export interface HttpEndpointOptions {
	readonly url: string;
	readonly fetch: HttpFetch;
	readonly log: Logger;
	/** Headers that the person configured for this server: sent to its origin and to no other. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Proves who we are, to the server's origin and to no other; not asked where `headers` have an `Authorization`. */
	readonly auth?: HttpAuth | undefined;
	/** How many redirects one request follows. */
	readonly maxRedirects?: number;
}

/** One request to the server. */
export interface HttpCall {
	readonly method: HttpRequest['method'];
	/** Default: the URL of the server. */
	readonly url?: URL;
	/** Names in lower case; stronger than what was configured. */
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
	readonly abort: HttpAbort;
	/** The JSON-RPC request that this carries, for the tap. */
	readonly id?: RequestId | undefined;
}

/** One request and its response, as the tap sees them; secrets are already redacted. */
export interface HttpExchange extends HttpFacts {
	readonly method: HttpRequest['method'];
	/** Without user, password and query. */
	readonly url: string;
	readonly requestHeaders: Readonly<Record<string, string>>;
	/** The JSON-RPC request that it carried. */
	readonly id: RequestId | undefined;
	/** Milliseconds until the head of the response had come. */
	readonly ms: number;
}

const redacted = '<redacted>';
const secretName = /auth|dpop|cookie|token|secret|session|key|password|credential|signature/;
/** Looks like a secret, and tells people what the server wants. */
const knownPublic: ReadonlySet<string> = new Set(['www-authenticate', 'dpop-nonce']);

export class HttpEndpoint extends Owner {
	readonly url: URL;

	private readonly _onDidExchange = this.own(new Emitter<HttpExchange>());
	readonly onDidExchange: Event<HttpExchange> = this._onDidExchange.event;

	private readonly maxRedirects: number;
	private readonly origin: string;
	private readonly configured: Readonly<Record<string, string>> | undefined;
	private readonly auth: HttpAuth | undefined;
	/** How many requests wait until it is settled who asks. */
	private unsettled = 0;
	/** When the last of them went on. */
	private settledAt = -Infinity;

	/** @throws TypeError if the URL is none */
	constructor(private readonly options: HttpEndpointOptions) {
		super();
		this.url = new URL(options.url);
		this.maxRedirects = options.maxRedirects ?? defaultLimits.redirects;
		this.origin = originOf(this.url);
		const { headers = {} } = options;
		this.configured = Object.keys(headers).length > 0 ? lowerCased(headers) : undefined;
		this.auth = this.configured?.['authorization'] === undefined ? options.auth : undefined;
	}

	/** See Transport. */
	get heldUntil(): number {
		return this.unsettled > 0 ? Infinity : this.settledAt;
	}

	/**
	 * The response to a request, whatever its status, after following redirects.
	 * @throws McpError `network` or `tooManyRedirects`
	 * @throws AbortError if it is aborted
	 */
	async call(call: HttpCall): Promise<HttpResponse> {
		const { method, body, abort } = call;
		let url = call.url ?? this.url;
		let tries = 0;
		for (let hops = 0; ;) {
			// Nothing is awaited, copied or told where that can be seen to be useless: this is the way of every message.
			const auth = this.auth && this.isOurs(url) ? this.auth : undefined;
			const request = { method, url, body, abort };
			const proving = auth?.prove(request);
			const proof = proving instanceof Promise ? await this.held(proving) : proving;
			const headers = this.headersFor(call, url, proof?.headers);
			const began = this._onDidExchange.hasListeners ? Date.now() : 0;
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
				this.tell(call, url, headers, response, Date.now() - began);
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
			if (hops === this.maxRedirects) {
				throw new McpError({ code: 'tooManyRedirects', limit: this.maxRedirects });
			}
			hops++;
			this.options.log.debug(`Redirected to ${describeUrl(next)}`);
			url = next;
		}
	}

	/** @returns whether the request is to be sent again; then the response is discarded */
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
		return this.held(Promise.resolve(review)).then(
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

	private async held<T>(settling: Promise<T>): Promise<T> {
		this.unsettled++;
		try {
			return await settling;
		} finally {
			this.unsettled--;
			this.settledAt = performance.now();
		}
	}

	private headersFor(
		{ headers }: HttpCall,
		url: URL,
		proof?: Readonly<Record<string, string>>,
	): Readonly<Record<string, string>> {
		if (!this.isOurs(url)) {
			return withoutProof(headers);
		}
		return proof || this.configured ? { ...this.configured, ...proof, ...headers } : headers;
	}

	private isOurs(url: URL): boolean {
		return url === this.url || originOf(url) === this.origin;
	}

	private tell(
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

/** Another origin is told nothing that was meant for this one. */
function withoutProof(headers: Readonly<Record<string, string>>): Record<string, string> {
	const { authorization: _a, cookie: _c, 'mcp-session-id': _s, ...rest } = headers;
	return rest;
}

/** Anything that a fetch threw, as ours. */
export function networkError(error: unknown): McpError {
	if (error instanceof McpError) {
		return error;
	}
	// The code of a system error says more than its text, and says it in every language.
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return new McpError({ code: 'network', why: typeof code === 'string' ? code : toMessage(error) });
}

/** Where the same request must be sent instead. A status that would turn a POST into a GET is not followed. */
function redirect(response: HttpResponse, method: HttpRequest['method'], base: URL): URL | undefined {
	const { status, headers } = response;
	const keepsMethod = status === 307 || status === 308;
	if (!keepsMethod && !(method === 'GET' && (status === 301 || status === 302 || status === 303))) {
		return undefined;
	}
	return headers['location'] === undefined ? undefined : resolveReference(base, headers['location']);
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
