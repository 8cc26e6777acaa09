/** The engine that signs in, with a server, an authorization server and a browser that answer as a test says: no sockets. */
import { createHash } from 'node:crypto';
import { createAuthEngine } from '../../src/authorization.js';
import type { AuthConfig, AuthPrompt, AuthStep, HttpFetch } from '../../src/mcp/index.js';
import type { AuthEngine, AuthEngineOptions, Outcome, TokenTask } from '../../src/mcp/auth/ports.js';
import type { TokenGrant } from '../../src/mcp/auth/grant.js';
import { MemoryTokens } from './memoryTokens.js';

export const serverUrl = 'https://mcp.example/mcp';
export const issuer = 'https://as.example';
/** The redirect URI for a client that a person has registered. */
export const redirectUri = 'http://127.0.0.1:7777/callback';
/** The redirect URI for a client that we register at `issuer`. */
export const ownRedirectUri = `${redirectUri}/${createHash('sha256').update(issuer).digest('hex').slice(0, 12)}`;

export interface Answer {
	readonly status?: number;
	readonly body?: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

export interface EngineBenchOptions extends Partial<Omit<AuthEngineOptions, 'prompt' | 'config'>> {
	readonly prompt?: Partial<AuthPrompt>;
	/** An error: it cannot be read. */
	readonly config?: AuthConfig | Error;
}

/** What is granted at first: renewable, by a registered client. */
export const kept: TokenGrant = {
	issuer,
	resource: serverUrl,
	accessToken: 'a0',
	tokenType: 'bearer',
	refreshToken: 'r0',
	asked: ['read'],
	scopes: ['read'],
	client: { way: 'registered', clientId: 'c0', redirectUri: ownRedirectUri },
	by: 'code',
};

export interface EngineBench {
	readonly engine: AuthEngine;
	/** What the two documents say besides the usual; undefined: there is none. */
	readonly documents: { resource: object | undefined; server: object };
	readonly answers: {
		token: (form: URLSearchParams) => Answer;
		register: (metadata: unknown) => Answer;
		revoke: () => Answer;
	};
	/** `POST https://…`, without those for metadata. */
	readonly asked: string[];
	readonly forms: Record<string, string>[];
	/** Of the same requests. */
	readonly headers: Readonly<Record<string, string>>[];
	readonly browser: {
		readonly visited: URL[];
		readonly preferred: (string | undefined)[];
		uri: string;
		/** How many redirects are open. */
		open: number;
		/** Where the browser comes back to, without `code` and `state`: the redirect URI. */
		back: (redirect: string) => string;
		/** What the browser comes back with; `code` and `state` are there already. */
		change: (answer: URLSearchParams) => void;
		follow: ((signal: AbortSignal) => Promise<URL>) | undefined;
	};
	readonly store: MemoryTokens;
	readonly steps: AuthStep[];
	readonly obtain: (task?: Partial<TokenTask>, signal?: AbortSignal) => Promise<Outcome>;
	readonly keep: (grant: TokenGrant) => Promise<void>;
	/** What is kept: the token, and the client of the authorization server. */
	readonly stored: () => Promise<readonly unknown[]>;
}

export function engineBench({ prompt, config, ...options }: EngineBenchOptions = {}): EngineBench {
	const documents: EngineBench['documents'] = { resource: {}, server: {} };
	const answers: EngineBench['answers'] = {
		token: () => ({ body: { access_token: 'a1', token_type: 'bearer' } }),
		register: () => ({ status: 201, body: { client_id: 'c1' } }),
		revoke: () => ({}),
	};
	const asked: string[] = [];
	const forms: Record<string, string>[] = [];
	const headers: Readonly<Record<string, string>>[] = [];
	const fetch: HttpFetch = ({ method, url, body = '', headers: sent }) => {
		const at = new URL(url).pathname;
		const server = /^(https:\/\/(?!mcp\.example)[^/]+)\/\.well-known\/oauth-authorization-server(.*)$/.exec(url);
		let answer: Answer = { status: 404 };
		if (url === 'https://mcp.example/.well-known/oauth-protected-resource/mcp') {
			const { resource } = documents;
			answer = resource
				? { body: { resource: serverUrl, authorization_servers: [issuer], ...resource } }
				: { status: 404 };
		} else if (server) {
			const [, origin = '', path = ''] = server;
			const endpoints = { authorization: 'authorize', token: 'token', registration: 'register', revocation: 'revoke' };
			const found = Object.entries(endpoints).map(([name, it]) => [`${name}_endpoint`, `${origin}/${it}`]);
			const pkce = { code_challenge_methods_supported: ['S256'] };
			answer = { body: { issuer: origin + path, ...Object.fromEntries(found), ...pkce, ...documents.server } };
		} else if (!url.includes('/.well-known/')) {
			asked.push(`${method} ${url}`);
			if (at === '/register') {
				answer = answers.register(JSON.parse(body));
			} else {
				const form = new URLSearchParams(body);
				forms.push(Object.fromEntries(form));
				headers.push(sent);
				answer = at === '/revoke' ? answers.revoke() : answers.token(form);
			}
		}
		const { status = 200, body: given = {}, headers: back = {} } = answer;
		const text = typeof given === 'string' ? given : JSON.stringify(given);
		return Promise.resolve({
			status,
			headers: back,
			read: onBytes => Promise.resolve(onBytes(new TextEncoder().encode(text))),
			discard: () => undefined,
		});
	};
	const browser: EngineBench['browser'] = {
		visited: [],
		preferred: [],
		uri: redirectUri,
		open: 0,
		back: redirect => redirect,
		change: () => undefined,
		follow: undefined,
	};
	const store = new MemoryTokens();
	const steps: AuthStep[] = [];
	const engine = createAuthEngine({
		server: new URL(serverUrl),
		client: { name: 'test' },
		fetch,
		store,
		secrecy: { hide: () => undefined, text: text => text },
		report: step => void steps.push(step),
		now: () => 1000,
		redirect: {
			open: (preferred, tail, _signal, fixed) => {
				browser.preferred.push(preferred);
				browser.open++;
				return Promise.resolve({
					uri: fixed ?? browser.uri + tail,
					kind: 'test',
					follow: (page, accept, signal) => {
						const url = new URL(page);
						browser.visited.push(url);
						if (browser.follow) {
							return browser.follow(signal);
						}
						const back = new URL(browser.back(url.searchParams.get('redirect_uri') ?? ''));
						back.searchParams.set('code', 'code');
						back.searchParams.set('state', url.searchParams.get('state') ?? '');
						browser.change(back.searchParams);
						return accept(back) ? Promise.resolve(back) : Promise.reject(new Error('refused'));
					},
					dispose: () => void browser.open--,
				});
			},
		},
		...options,
		prompt: {
			mayInteract: () => Promise.resolve(true),
			mayVisit: () => Promise.resolve(true),
			askClient: () => Promise.resolve(undefined),
			...prompt,
		},
		config: () => (config instanceof Error ? Promise.reject(config) : Promise.resolve(config ?? { kind: 'person' })),
	});
	return {
		engine,
		documents,
		answers,
		asked,
		forms,
		headers,
		browser,
		store,
		steps,
		obtain: (task = {}, signal = new AbortController().signal) =>
			engine.obtain(
				{ grant: undefined, wasSignedIn: false, demand: undefined, person: 'ask', mayRefresh: true, ...task },
				signal,
			),
		keep: grant => store.set({ kind: 'grant', server: serverUrl }, JSON.stringify(grant)),
		stored: async () => {
			const texts = await Promise.all([
				store.get({ kind: 'grant', server: serverUrl }),
				store.get({ kind: 'client', server: serverUrl, issuer }),
			]);
			const [grant, client] = texts.map(it => (it === undefined ? {} : (JSON.parse(it) as Record<string, unknown>)));
			return [grant?.['accessToken'], client?.['clientId']];
		},
	};
}
