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
import { describeUrl, originOf, redirectTarget, type RedirectTarget } from './httpUrl.js';
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
	 * The response to a request, whatever its status, after following redirects on the server's origin. A redirect to a
	 * server that isn't followed is an error that names its target.
	 * @throws McpError `network`, `tooManyRedirects` or `redirected`
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
			const hasSecrets = this.configured !== undefined || Object.keys(proof?.headers ?? {}).length > 0;
			if (next.kind === 'otherOrigin' || next.kind === 'otherMethod' || (next.kind === 'upgrade' && hasSecrets)) {
				throw new McpError({ code: 'redirected', to: describeUrl(next.url) });
			}
			if (hops === this.maxRedirects) {
				throw new McpError({ code: 'tooManyRedirects', limit: this.maxRedirects, to: describeUrl(next.url) });
			}
			hops++;
			this.options.log.debug(`Redirected to ${describeUrl(next.url)}`);
			({ url } = next);
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
		// Elsewhere is the same host over TLS, where there were no secrets to send.
		return this.isOurs(url) && (proof || this.configured) ? { ...this.configured, ...proof, ...headers } : headers;
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

/** Anything that a fetch threw, as ours. */
export function networkError(error: unknown): McpError {
	if (error instanceof McpError) {
		return error;
	}
	// The code of a system error says more than its text, and says it in every language.
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return new McpError({ code: 'network', why: typeof code === 'string' ? code : toMessage(error) });
}

/**
 * Where a request is sent instead. Its body and the trust in its answer are for the origin that the person named, so
 * another one is refused; the same host over TLS is the same server, but has to be named where there are secrets to send.
 * A status that would turn a POST into a GET is not followed either.
 */
function redirect(
	{ status, headers }: HttpResponse,
	method: HttpRequest['method'],
	from: URL,
): RedirectTarget | { readonly kind: 'otherMethod'; readonly url: URL } | undefined {
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
