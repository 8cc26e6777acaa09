/**
 * Requests to authorization servers and for metadata, for a library that thinks in `fetch`. Every URL is a
 * stranger's: it is judged before it is visited, and what comes back is bounded in size, time and redirects.
 */
import { tryParseUrl } from '../uri/parseUrl.js';
import { isAbort, toMessage } from '../../base/errors.js';
import { onAbort, within } from '../../base/async.js';
import { readText } from '../transport/httpBody.js';
import { HttpAbort, type HttpFetch, type HttpResponse } from '../transport/httpFetch.js';
import { nearnessOf, problemOf, withoutQuery } from './addresses.js';
import { isObject } from '../jsonrpc/messages.js';
import { AuthError, type AuthRequest } from './failure.js';
import type { Secrecy } from './ports.js';
import type { ReportStep } from './steps.js';

export interface AuthHttpLimits {
	/** Bytes of one answer. */
	readonly bytes: number;
	/** Milliseconds for one request, its answer and all its redirects. */
	readonly ms: number;
	/** How many redirects a request for metadata follows; one that carries a secret follows none. */
	readonly redirects: number;
}

export const authHttpLimits: AuthHttpLimits = { bytes: 1024 * 1024, ms: 15_000, redirects: 3 };

export interface AuthHttpOptions {
	/** Of the MCP server: what lies as near as it does needs no question. */
	readonly server: URL;
	readonly fetch: HttpFetch;
	readonly report: ReportStep;
	readonly secrecy: Secrecy;
	readonly limits?: Partial<AuthHttpLimits> | undefined;
	/** See AuthPrompt.mayVisit. */
	readonly mayVisit: (url: string, signal: AbortSignal) => Promise<boolean>;
}

/** What a library gives to `fetch`. */
export interface AuthInit {
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | URLSearchParams | undefined;
}

export class AuthHttp {
	private readonly limits: AuthHttpLimits;
	/** Hosts that the person agreed to, for as long as this lives. */
	private readonly allowed = new Set<string>();

	constructor(private readonly options: AuthHttpOptions) {
		this.limits = { ...authHttpLimits, ...options.limits };
	}

	/**
	 * @throws AuthError `unsafeUrl`, `privateAddress`
	 * @throws AbortError
	 */
	async check(request: AuthRequest, url: string, signal: AbortSignal): Promise<void> {
		const why = problemOf(url);
		if (why) {
			throw new AuthError({ code: 'unsafeUrl', request, url: withoutQuery(url), why });
		}
		const target = new URL(url);
		if (nearnessOf(target) <= nearnessOf(this.options.server) || this.allowed.has(target.host)) {
			return;
		}
		if (!(await this.options.mayVisit(url, signal))) {
			throw new AuthError({ code: 'privateAddress', request, url: withoutQuery(url) });
		}
		this.allowed.add(target.host);
	}

	/**
	 * For the library: a `fetch` for one kind of request. It gives what came, whatever its status; what a refusal
	 * repeats of what was sent, or given before, is taken out of it before anybody cuts or shows it.
	 */
	fetcher(request: AuthRequest, signal: AbortSignal): (url: string, init: AuthInit) => Promise<Response> {
		const { secrecy } = this.options;
		return async (url, init) => {
			secrecy.hide(secretsSent(init));
			const { status, headers, text } = await this.send(request, url, init, signal);
			const given = secretsGiven(text);
			secrecy.hide(given);
			const body = given.some(Boolean) ? text : secrecy.text(text);
			const challenge = headers['www-authenticate'];
			return new Response(status === 204 || status === 304 ? null : body, {
				status,
				headers: { ...headers, ...(challenge !== undefined && { 'www-authenticate': secrecy.text(challenge) }) },
			});
		};
	}

	/**
	 * One request to its end.
	 * @throws AuthError `unsafeUrl`, `privateAddress`, `noAnswer`
	 * @throws AbortError
	 */
	async send(
		request: AuthRequest,
		url: string,
		init: AuthInit,
		signal: AbortSignal,
	): Promise<{ readonly status: number; readonly headers: Record<string, string>; readonly text: string }> {
		await this.check(request, url, signal);
		const abort = new HttpAbort();
		const stopped = onAbort(signal, () => abort.abort());
		try {
			const answer = await within(this.exchange(request, url, init, abort, signal), this.limits.ms);
			if (!answer) {
				throw this.failed(request, url, `no answer within ${this.limits.ms} ms`);
			}
			if (answer.status < 200 || answer.status > 599) {
				throw this.failed(request, url, `status ${answer.status}`);
			}
			return answer;
		} catch (error) {
			abort.abort();
			throw error;
		} finally {
			stopped.dispose();
		}
	}

	private async exchange(
		request: AuthRequest,
		first: string,
		init: AuthInit,
		abort: HttpAbort,
		signal: AbortSignal,
	): Promise<{ status: number; headers: Record<string, string>; text: string }> {
		let url = first;
		for (let hops = 0; ; hops++) {
			const response = await this.head(request, url, init, abort, signal);
			this.options.report({ kind: 'requested', request, url: withoutQuery(url), outcome: response.status });
			const next = init.method === 'GET' ? redirected(response, url) : undefined;
			if (next === undefined) {
				return {
					status: response.status,
					headers: { ...response.headers },
					text: await this.body(request, url, response, signal),
				};
			}
			response.discard();
			if (hops >= this.limits.redirects) {
				throw this.failed(request, url, `more than ${this.limits.redirects} redirects`);
			}
			url = next;
		}
	}

	private async head(
		request: AuthRequest,
		url: string,
		{ method, headers, body }: AuthInit,
		abort: HttpAbort,
		signal: AbortSignal,
	): Promise<HttpResponse> {
		try {
			return await this.options.fetch({
				method: method === 'GET' ? 'GET' : 'POST',
				url,
				headers: { ...headers },
				body: body?.toString(),
				abort,
			});
		} catch (error) {
			throw signal.aborted && isAbort(error) ? error : this.failed(request, url, codeOf(error));
		}
	}

	private async body(request: AuthRequest, url: string, response: HttpResponse, signal: AbortSignal): Promise<string> {
		try {
			return await readText(response, this.limits.bytes);
		} catch (error) {
			throw signal.aborted && isAbort(error) ? error : this.failed(request, url, codeOf(error));
		}
	}

	private failed(request: AuthRequest, url: string, why: string): AuthError {
		this.options.report({ kind: 'requested', request, url: withoutQuery(url), outcome: why });
		return new AuthError({ code: 'noAnswer', request, url: withoutQuery(url), why });
	}
}

/** By their names in forms and in answers. A code is worth something until it was used, and nobody says whether it was. */
const secretParameter =
	/^(?:(?:access_|refresh_|id_|subject_|registration_access_)?token|client_secret|code|code_verifier|(?:client_)?assertion)$/;

function secretsSent({ headers, body }: AuthInit): string[] {
	const proof = new Headers(headers).get('authorization')?.split(' ')[1];
	return [...secretsIn(new URLSearchParams(body)), ...(proof === undefined ? [] : [proof])];
}

function secretsGiven(text: string): string[] {
	try {
		const json: unknown = JSON.parse(text);
		return isObject(json) ? secretsIn(Object.entries(json)) : [];
	} catch {
		return [];
	}
}

function secretsIn(entries: Iterable<readonly [string, unknown]>): string[] {
	return Array.from(entries, ([name, value]) => (secretParameter.test(name) && typeof value === 'string' ? value : ''));
}

/** Metadata are what their own origin says: nobody else is believed because of a `Location`. */
function redirected({ status, headers }: HttpResponse, base: string): string | undefined {
	const { location } = headers;
	if (![301, 302, 303, 307, 308].includes(status) || location === undefined) {
		return undefined;
	}
	const next = tryParseUrl(location, base);
	return next?.origin === new URL(base).origin ? next.href : undefined;
}

function codeOf(error: unknown): string {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : toMessage(error);
}
