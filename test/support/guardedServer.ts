// A server behind an authorization server, both on 127.0.0.1, and a person with a browser: everything that a test of
// authorization needs on the other side. Each does what is right until a test says otherwise.
import { createHash } from 'node:crypto';
import type * as http from 'node:http';
import { Authorizer, type AuthorizerOptions, type AuthPrompt, type AuthStep } from '../../src/mcp/index.js';
import type { HttpFetch, Redirect, RedirectTarget, TokenStore } from '../../src/mcp/index.js';
import { Redactor } from '../../src/core/text/redactor.js';
import { HttpAbort, type HttpResponse } from '../../src/mcp/transport/httpFetch.js';
import { HttpEndpoint } from '../../src/mcp/transport/httpEndpoint.js';
import { createHttpFetch } from '../../src/node/http/httpFetch.js';
import type { Cleanup } from './leakCheck.js';
import { type Asked, json, ScriptedServer } from './httpServer.js';
import { MemoryTokens } from './memoryTokens.js';
import { TestLogger } from './testLogger.js';

type Json = Record<string, unknown>;

/** A test's own answer to a request; returns true if it answered. */
type Instead = (asked: Asked, response: http.ServerResponse) => unknown;

/** What an authorization server answers to a request that it doesn't like. */
export interface Refusal {
	/** 400 if left out. */
	readonly status?: number;
	readonly body: Json;
	/** Of the sign-in page: the browser comes back with the error. Otherwise it stays on a page that shows the error. */
	readonly redirects?: boolean;
}

export class GuardedServer {
	resource!: ScriptedServer;
	as!: ScriptedServer;
	/** What both were asked, in order: `POST /mcp t1`, `as POST /token refresh_token`. */
	readonly lines: string[] = [];
	/** Bodies of requests to the token endpoint. */
	readonly forms: URLSearchParams[] = [];
	readonly registrations: Json[] = [];
	/** Queries of the pages that were opened. */
	readonly pages: URLSearchParams[] = [];
	/** Access tokens that are good. */
	readonly good = new Set<string>();
	readonly refreshTokens = new Set<string>();
	/** Seconds. */
	expiresIn: number | undefined = 3600;
	givesRefreshTokens = true;
	rotates = true;
	/** Scopes that a token must have. */
	needs: readonly string[] = [];
	challenge: string | undefined;
	prm: Json = {};
	metadata: Json = {};
	/** Why the authorization server refuses a request with these parameters. */
	refuse: (path: string, parameters: Readonly<Json>) => Refusal | undefined = () => undefined;
	/** By path. */
	readonly instead = new Map<string, Instead>();
	private issued = 0;
	private readonly scopes = new Map<string, string>();
	private readonly challenges = new Map<string, string>();

	static async start(): Promise<GuardedServer> {
		const it = new GuardedServer();
		it.resource = await ScriptedServer.start((asked, response) => it.answer(asked, response, ''));
		it.as = await ScriptedServer.start((asked, response) => it.answer(asked, response, 'as '));
		return it;
	}

	get url(): string {
		return this.resource.url;
	}

	get issuer(): string {
		return this.as.origin;
	}

	/** The metadata of the authorization server. */
	get serverMetadata(): Json {
		return {
			issuer: this.issuer,
			authorization_endpoint: `${this.issuer}/authorize`,
			token_endpoint: `${this.issuer}/token`,
			registration_endpoint: `${this.issuer}/register`,
			code_challenge_methods_supported: ['S256'],
			token_endpoint_auth_methods_supported: ['none'],
			...this.metadata,
		};
	}

	/** Lines since the last time. */
	take(): string[] {
		return this.lines.splice(0);
	}

	async close(): Promise<void> {
		await this.resource.close();
		await this.as.close();
	}

	/** A token that was granted somewhere else. */
	issue(scope = ''): string {
		const token = `t${++this.issued}`;
		this.good.add(token);
		this.scopes.set(token, scope);
		return token;
	}

	private async answer(asked: Asked, response: http.ServerResponse, who: string): Promise<void> {
		const { pathname, searchParams } = new URL(asked.path, 'http://h');
		const form = pathname === '/token' ? new URLSearchParams(asked.body) : undefined;
		const token = asked.headers.authorization?.split(' ')[1];
		const detail = form?.get('grant_type')?.split(':').at(-1) ?? (who === '' ? token : undefined);
		this.lines.push([`${who}${asked.method} ${pathname}`, detail].filter(Boolean).join(' '));
		const instead = this.instead.get(`${who}${pathname}`);
		if (instead) {
			await instead(asked, response);
		} else if (who === '') {
			this.answerResource(pathname, token, response);
		} else {
			const parameters = pathname === '/register' ? (JSON.parse(asked.body) as Json) : undefined;
			const refusal = this.refuse(pathname, parameters ?? Object.fromEntries(form ?? searchParams));
			if (refusal) {
				this.answerRefusal(refusal, searchParams, response);
			} else {
				this.answerAuthorization(pathname, searchParams, form, asked, response);
			}
		}
	}

	private answerRefusal(
		{ status = 400, body, redirects }: Refusal,
		query: URLSearchParams,
		response: http.ServerResponse,
	) {
		if (!redirects) {
			json(response, body, status);
			return;
		}
		const to = new URL(query.get('redirect_uri') ?? '');
		to.searchParams.set('error', String(body['error']));
		to.searchParams.set('state', query.get('state') ?? '');
		response.writeHead(302, { location: to.href }).end();
	}

	private answerResource(path: string, token: string | undefined, response: http.ServerResponse): void {
		if (path === '/.well-known/oauth-protected-resource/mcp') {
			json(response, { resource: this.url, authorization_servers: [this.issuer], ...this.prm });
		} else if (path !== '/mcp') {
			json(response, {}, 404);
		} else if (token === undefined || !this.good.has(token)) {
			const metadata = `${this.resource.origin}/.well-known/oauth-protected-resource/mcp`;
			json(response, {}, 401, { 'www-authenticate': this.challenge ?? `Bearer resource_metadata="${metadata}"` });
		} else if (!this.needs.every(it => this.scopes.get(token)?.split(' ').includes(it))) {
			const challenge = `Bearer error="insufficient_scope", scope="${this.needs.join(' ')}"`;
			json(response, {}, 403, { 'www-authenticate': challenge });
		} else {
			json(response, { ok: true });
		}
	}

	private answerAuthorization(
		path: string,
		query: URLSearchParams,
		form: URLSearchParams | undefined,
		{ body }: Asked,
		response: http.ServerResponse,
	): void {
		switch (path) {
			case '/.well-known/oauth-authorization-server':
				json(response, this.serverMetadata);
				return;
			case '/register':
				this.registrations.push(JSON.parse(body) as Json);
				json(response, { client_id: `client${this.registrations.length}` }, 201);
				return;
			case '/authorize': {
				this.pages.push(query);
				const code = `code${this.pages.length}`;
				this.challenges.set(code, query.get('code_challenge') ?? '');
				const to = new URL(query.get('redirect_uri') ?? '');
				to.searchParams.set('code', code);
				to.searchParams.set('state', query.get('state') ?? '');
				response.writeHead(302, { location: to.href }).end();
				return;
			}
			case '/token':
				this.answerToken(form ?? new URLSearchParams(), response);
				return;
			default:
				json(response, {}, 404);
		}
	}

	private answerToken(form: URLSearchParams, response: http.ServerResponse): void {
		this.forms.push(form);
		const refresh = form.get('refresh_token');
		const code = form.get('code');
		const verifier = createHash('sha256')
			.update(form.get('code_verifier') ?? '')
			.digest('base64url');
		const isBad =
			(refresh !== null && !this.refreshTokens.has(refresh)) ||
			(code !== null && this.challenges.get(code) !== verifier);
		if (isBad) {
			json(response, { error: 'invalid_grant', error_description: 'no longer' }, 400);
			return;
		}
		if (refresh !== null && this.rotates) {
			this.refreshTokens.delete(refresh);
		}
		const scope = code === null ? (form.get('scope') ?? '') : (this.pages.at(-1)?.get('scope') ?? '');
		const token = this.issue(scope);
		const next = this.givesRefreshTokens && (refresh === null || this.rotates) ? `r${this.issued}` : undefined;
		if (next) {
			this.refreshTokens.add(next);
		}
		json(response, {
			access_token: token,
			token_type: 'Bearer',
			...(this.expiresIn === undefined ? {} : { expires_in: this.expiresIn }),
			...(next ? { refresh_token: next } : {}),
			...(scope === '' ? {} : { scope }),
		});
	}
}

/** Opens pages and comes back at once. */
export class TestBrowser implements Redirect {
	uri = 'http://127.0.0.1:7777/callback';
	/** URLs that it was sent to. */
	readonly visited: string[] = [];
	/** Redirects that were offered as known already. */
	readonly preferred: (string | undefined)[] = [];
	private opened = 0;
	/** What comes back instead of where the page leads; several come one after another. */
	answers: ((location: URL) => readonly (URL | string)[]) | undefined;
	/** Waited for before anything comes back. */
	thinking: Promise<void> | undefined;

	constructor(private readonly fetch: HttpFetch) {}

	/** How many are open. */
	get openCount(): number {
		return this.opened;
	}

	open(...[preferred, , , fixed]: Parameters<Redirect['open']>): Promise<RedirectTarget> {
		this.preferred.push(preferred);
		this.opened++;
		return Promise.resolve({
			uri: fixed ?? this.uri,
			kind: 'test',
			follow: (url, accept, signal) => this.follow(url, accept, signal),
			dispose: () => {
				this.opened--;
			},
		});
	}

	private async follow(url: string, accept: (returned: URL) => boolean, signal: AbortSignal): Promise<URL> {
		this.visited.push(url);
		const page = await this.fetch({ method: 'GET', url, headers: {}, abort: new HttpAbort() });
		page.discard();
		await this.thinking;
		const location = new URL(page.headers['location'] ?? 'about:blank');
		for (const it of this.answers?.(location) ?? [location]) {
			const returned = new URL(it);
			if (accept(returned)) {
				return returned;
			}
		}
		return new Promise((_resolve, reject) => {
			signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')), { once: true });
		});
	}
}

export interface Signing {
	readonly server: GuardedServer;
	readonly auth: Authorizer;
	readonly fetch: HttpFetch;
	readonly endpoint: HttpEndpoint;
	readonly browser: TestBrowser;
	readonly store: MemoryTokens;
	readonly steps: AuthStep[];
	/** What the person was asked, and answers with true unless it is changed. */
	readonly asked: string[];
	readonly answers: { interact: boolean; visit: boolean };
	/** The clock, in milliseconds. */
	readonly clock: { now: number };
	/** Closes its connections: to be called before another's server is closed. */
	readonly disconnect: () => void;
	/** One request to the server. @returns its status */
	readonly call: (abort?: HttpAbort) => Promise<number>;
}

export interface SigningOptions extends Partial<AuthorizerOptions> {
	readonly server?: GuardedServer;
	readonly store?: TokenStore;
	/** Where a request really goes, by what its URL begins with. */
	readonly hosts?: (server: GuardedServer) => Readonly<Record<string, string>>;
}

/** One client of a guarded server. */
export async function sign({ own, later }: Cleanup, options: SigningOptions = {}): Promise<Signing> {
	const server = options.server ?? (await GuardedServer.start());
	const real = own(createHttpFetch());
	if (!options.server) {
		later(() => {
			real.dispose();
			return server.close();
		});
	} else {
		later(() => Promise.resolve(real.dispose()));
	}
	const hosts = Object.entries(options.hosts?.(server) ?? {});
	const fetch: HttpFetch = request => {
		const host = hosts.find(([it]) => request.url.startsWith(it));
		return real(host ? { ...request, url: host[1] + request.url.slice(host[0].length) } : request);
	};
	const browser = new TestBrowser(fetch);
	const memory = options.store instanceof MemoryTokens ? options.store : new MemoryTokens();
	const asked: string[] = [];
	const answers = { interact: true, visit: true };
	const clock = { now: 1_000_000 };
	const prompt: AuthPrompt = {
		mayInteract: need => {
			asked.push(`${need.why} ${need.scopes.join(' ')}`.trim());
			return Promise.resolve(answers.interact);
		},
		mayVisit: ({ url }) => {
			asked.push(`visit ${url}`);
			return Promise.resolve(answers.visit);
		},
		askClient: () => Promise.resolve(undefined),
	};
	const url = options.url ?? server.url;
	const auth = own(
		new Authorizer({
			url,
			client: { name: 'MCP Workbench' },
			fetch,
			log: new TestLogger(),
			load: () => import('../../src/authorization.js'),
			secrecy: new Redactor(),
			redirect: browser,
			prompt,
			config: () => Promise.resolve({ kind: 'person' }),
			isInteractive: () => true,
			now: () => clock.now,
			...options,
			store: options.store ?? memory,
		}),
	);
	const steps: AuthStep[] = [];
	own(auth.onDidStep(it => steps.push(it)));
	const endpoint = own(new HttpEndpoint({ url, fetch, log: new TestLogger(), auth }));
	const call = async (abort = new HttpAbort()): Promise<number> => {
		const headers = { 'content-type': 'application/json' };
		const response: HttpResponse = await endpoint.call({ method: 'POST', headers, body: '{}', abort });
		response.discard();
		return response.status;
	};
	return {
		disconnect: () => real.closeIdle(),
		server,
		auth,
		fetch,
		endpoint,
		browser,
		store: memory,
		steps,
		asked,
		answers,
		clock,
		call,
	};
}
