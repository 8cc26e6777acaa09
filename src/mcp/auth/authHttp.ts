/**
 * Requests to authorization servers and for metadata, with a `fetch` for the OAuth library. Every URL is untrusted: it is
 * checked before it is requested, and answers are bounded in size, time and redirects.
 */
import { onAbort, within } from '../../base/async.js';
import { isAbort, toCode } from '../../base/errors.js';
import { parseJson } from '../../base/parseJson.js';
import { tryParseUrl } from '../uri/parseUrl.js';
import { readText } from '../transport/httpBody.js';
import { HttpAbort, type HttpFetch, type HttpResponse } from '../transport/httpFetch.js';
import { nearnessOf, findUrlProblem, withoutQuery } from './addresses.js';
import { isObject } from '../jsonrpc/messages.js';
import { AuthError, type AuthRequest } from './failure.js';
import type { Secrecy } from './ports.js';
import type { ReportStep } from './signInSteps.js';

/** Bytes of one answer. */
const maxBytes = 1024 * 1024;
/** Redirects that a request for metadata follows. Requests with secrets follow none. */
const maxRedirects = 3;

export interface AuthHttpOptions {
	/** The MCP server. Addresses that are as near as the server are requested without asking the person. */
	readonly server: URL;
	readonly fetch: HttpFetch;
	readonly report: ReportStep;
	readonly secrecy: Secrecy;
	/** See AuthEngineOptions.requestMs. */
	readonly requestMs?: number | undefined;
	/** See AuthPrompt.mayVisit. */
	readonly mayVisit: (url: string, signal: AbortSignal) => Promise<boolean>;
}

/** The options that the OAuth library passes to `fetch`. */
export interface AuthInit {
	readonly method: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string | URLSearchParams | undefined;
}

/** The requests of one sign-in: it remembers which hosts the person has allowed. */
export class AuthHttp {
	/** Hosts that the person allowed for this sign-in. */
	private readonly allowed = new Set<string>();

	constructor(private readonly options: AuthHttpOptions) {}

	/**
	 * Refuses unsafe URLs, and asks the person about URLs that are nearer than the server.
	 * @throws AuthError `unsafeUrl`, `privateAddress`
	 * @throws AbortError
	 */
	async check(request: AuthRequest, url: string, signal: AbortSignal): Promise<void> {
		const why = findUrlProblem(url);
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
	 * A `fetch` for the library. Secrets that the request or an earlier answer contained are removed from refusals before
	 * these are shortened or shown.
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
	 * Sends one request and reads the whole answer, whatever its status.
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
		const { requestMs = 15_000 } = this.options;
		const abort = new HttpAbort();
		const stopped = onAbort(signal, () => abort.abort());
		try {
			const answer = await within(this.exchange(request, url, init, abort, signal), requestMs);
			if (!answer) {
				throw this.failed(request, url, `no answer within ${requestMs} ms`);
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
		const { report } = this.options;
		const method = init.method === 'GET' ? 'GET' : 'POST';
		// The library would name itself instead of us.
		const { 'user-agent': _, ...headers } = init.headers;
		let url = first;
		const orFailed = async <T>(run: () => Promise<T>): Promise<T> => {
			try {
				return await run();
			} catch (error) {
				throw signal.aborted && isAbort(error) ? error : this.failed(request, url, toCode(error));
			}
		};
		for (let hops = 0; ; hops++) {
			const sent = { method, url, headers, body: init.body?.toString(), abort } as const;
			const response = await orFailed(() => this.options.fetch(sent));
			const { status } = response;
			report({ kind: 'requested', request, url: withoutQuery(url), outcome: status });
			const next = method === 'GET' ? redirected(response, url) : undefined;
			if (next === undefined) {
				return { status, headers: { ...response.headers }, text: await orFailed(() => readText(response, maxBytes)) };
			}
			response.discard();
			if (hops >= maxRedirects) {
				throw this.failed(request, url, `more than ${maxRedirects} redirects`);
			}
			url = next;
		}
	}

	private failed(request: AuthRequest, url: string, why: string): AuthError {
		this.options.report({ kind: 'requested', request, url: withoutQuery(url), outcome: why });
		return new AuthError({ code: 'noAnswer', request, url: withoutQuery(url), why });
	}
}

/** Names of secrets in forms and answers. An authorization code counts too: it is valid until it is used. */
const secretParameter =
	/^(?:(?:access_|refresh_|id_|subject_|registration_access_)?token|client_secret|code|code_verifier|(?:client_)?assertion)$/;

function secretsSent({ headers, body }: AuthInit): string[] {
	const proof = new Headers(headers).get('authorization')?.split(' ')[1];
	return [...secretsIn(new URLSearchParams(body)), ...(proof === undefined ? [] : [proof])];
}

function secretsGiven(text: string): string[] {
	const json = parseJson(text);
	return isObject(json) ? secretsIn(Object.entries(json)) : [];
}

function secretsIn(entries: Iterable<readonly [string, unknown]>): string[] {
	return Array.from(entries, ([name, value]) => (secretParameter.test(name) && typeof value === 'string' ? value : ''));
}

/** The target of a redirect. Only the same origin counts, because metadata is trusted for its own origin alone. */
function redirected({ status, headers }: HttpResponse, base: string): string | undefined {
	const { location } = headers;
	if (![301, 302, 303, 307, 308].includes(status) || location === undefined) {
		return undefined;
	}
	const next = tryParseUrl(location, base);
	return next?.origin === new URL(base).origin ? next.href : undefined;
}
