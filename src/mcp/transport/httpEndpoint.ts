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
import type { HttpAbort, HttpFetch, HttpRequest, HttpResponse } from './httpFetch.js';
import { describeUrl, originOf, resolveReference } from './httpUrl.js';
import type { HttpFacts } from './transport.js';

export interface HttpEndpointOptions {
	readonly url: string;
	readonly fetch: HttpFetch;
	readonly log: Logger;
	/** Headers that the person configured for this server: sent to its origin and to no other. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
	/** Asked before every request for headers that prove who we are; like `headers`, and stronger. */
	readonly authorize?: (() => Promise<Readonly<Record<string, string>>>) | undefined;
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
const secretName = /auth|cookie|token|secret|session|key|password|credential|signature/;
/** Looks like a secret, and tells people what the server wants. */
const knownPublic: ReadonlySet<string> = new Set(['www-authenticate']);

export class HttpEndpoint extends Owner {
	readonly url: URL;

	private readonly _onDidExchange = this.own(new Emitter<HttpExchange>());
	readonly onDidExchange: Event<HttpExchange> = this._onDidExchange.event;

	private readonly maxRedirects: number;
	private readonly origin: string;
	private readonly configured: Readonly<Record<string, string>>;

	/** @throws TypeError if the URL is none */
	constructor(private readonly options: HttpEndpointOptions) {
		super();
		this.url = new URL(options.url);
		this.maxRedirects = options.maxRedirects ?? defaultLimits.redirects;
		this.origin = originOf(this.url);
		this.configured = lowerCased(options.headers ?? {});
	}

	/**
	 * The response to a request, whatever its status, after following redirects.
	 * @throws McpError `network`
	 * @throws AbortError if it is aborted
	 */
	async call(call: HttpCall): Promise<HttpResponse> {
		const { method, body } = call;
		let url = call.url ?? this.url;
		for (let hops = 0; ; hops++) {
			const response = await this.exchange(call, method, url, body);
			const next = redirect(response, method, url);
			if (next === undefined) {
				return response;
			}
			if (hops === this.maxRedirects) {
				response.discard();
				throw new McpError({ code: 'network', why: `more than ${this.maxRedirects} redirects` });
			}
			response.discard();
			this.options.log.debug(`Redirected to ${describeUrl(next)}`);
			url = next;
		}
	}

	private async exchange(
		call: HttpCall,
		method: HttpRequest['method'],
		url: URL,
		body: string | undefined,
	): Promise<HttpResponse> {
		const isOurs = url === this.url || originOf(url) === this.origin;
		// Not awaited where nobody is asked: the way of every small request leads through here.
		const proof = isOurs && this.options.authorize ? lowerCased(await this.options.authorize()) : undefined;
		const headers = isOurs ? { ...this.configured, ...proof, ...call.headers } : withoutProof(call.headers);
		const began = this._onDidExchange.hasListeners ? Date.now() : 0;
		let response: HttpResponse;
		try {
			if (call.abort.isAborted) {
				throw new AbortError();
			}
			response = await this.options.fetch({ method, url: url.href, headers, body, abort: call.abort });
		} catch (error) {
			throw call.abort.isAborted ? new AbortError() : networkError(error);
		}
		if (call.abort.isAborted) {
			response.discard();
			throw new AbortError();
		}
		if (this._onDidExchange.hasListeners) {
			this._onDidExchange.fire({
				method,
				url: describeUrl(url),
				requestHeaders: this.withoutSecrets(headers),
				status: response.status,
				headers: this.withoutSecrets(response.headers),
				id: call.id,
				ms: Date.now() - began,
			});
		}
		return response;
	}

	private withoutSecrets(headers: Readonly<Record<string, string>>): Record<string, string> {
		return Object.fromEntries(
			Object.entries(headers).map(([name, value]) => {
				const isSecret = name in this.configured || (secretName.test(name) && !knownPublic.has(name));
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
