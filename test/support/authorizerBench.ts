/** An authorizer over a server and an engine that do as a test says: what it decides, without any network. */
import { Authorizer, type AuthorizerOptions, type AuthState, type AuthStep } from '../../src/mcp/index.js';
import type { AuthEngine, Outcome, TokenTask } from '../../src/mcp/auth/ports.js';
import type { TokenGrant } from '../../src/mcp/auth/grant.js';
import { HttpEndpoint } from '../../src/mcp/transport/httpEndpoint.js';
import { HttpAbort, type HttpRequest } from '../../src/mcp/transport/httpFetch.js';
import type { Cleanup } from './leakCheck.js';
import { MemoryTokens } from './memoryTokens.js';
import { TestLogger } from './testLogger.js';

export const serverUrl = 'https://mcp.example/mcp';
export const issuer = 'https://as.example';

/** A token of the authorization server: good for an hour, and renewable. */
export function grantOf(accessToken: string, more: Partial<TokenGrant> = {}): TokenGrant {
	return {
		issuer,
		accessToken,
		tokenType: 'bearer',
		expiresAt: 3_600_000,
		renewAt: 3_570_000,
		refreshToken: `refresh ${accessToken}`,
		asked: ['read'],
		client: { way: 'registered', clientId: 'c' },
		by: 'code',
		...more,
	};
}

export function granted(accessToken: string, more: Partial<TokenGrant> = {}): Outcome {
	return { kind: 'granted', grant: grantOf(accessToken, more), isSamePerson: false };
}

/** What the server answers to a request with this `authorization` header. */
type Answer = (authorization: string | undefined) => {
	readonly status: number;
	readonly challenge?: string;
	readonly headers?: Readonly<Record<string, string>>;
};

export interface AuthorizerBench {
	readonly auth: Authorizer;
	readonly store: MemoryTokens;
	readonly log: TestLogger;
	readonly clock: { now: number };
	/** What the engine was told to obtain. */
	readonly tasks: TokenTask[];
	readonly revoked: TokenGrant[];
	readonly steps: AuthStep[];
	readonly states: AuthState[];
	/** How often requests have become those of another person. */
	readonly identities: { count: number };
	/** `authorization` headers that the server was sent. */
	readonly sent: (string | undefined)[];
	readonly server: { answer: Answer };
	readonly engine: { obtain: AuthEngine['obtain']; prover: AuthEngine['prover']; load: () => Promise<void> };
	/** One request. @returns its last status */
	readonly call: (abort?: HttpAbort, method?: HttpRequest['method']) => Promise<number>;
	/** Keeps a token as if an earlier window had. */
	readonly keep: (grant: TokenGrant) => Promise<void>;
	/** The access token that is kept. */
	readonly kept: () => Promise<string | undefined>;
}

/** A server that lets in whoever has a token, and an engine that gives `t1`, `t2`, … */
export function authorizerBench({ own }: Cleanup, options: Partial<AuthorizerOptions> = {}): AuthorizerBench {
	const url = options.url ?? serverUrl;
	const key = { kind: 'grant', server: url } as const;
	const store = new MemoryTokens();
	const log = new TestLogger();
	const clock = { now: 0 };
	const tasks: TokenTask[] = [];
	const revoked: TokenGrant[] = [];
	const sent: (string | undefined)[] = [];
	const server: AuthorizerBench['server'] = {
		answer: authorization => ({ status: authorization === undefined ? 401 : 200 }),
	};
	const engine: AuthorizerBench['engine'] = {
		obtain: () => Promise.resolve(granted(`t${tasks.length}`)),
		prover: () => Promise.resolve(undefined),
		load: () => Promise.resolve(),
	};
	const auth = own(
		new Authorizer({
			url,
			log,
			store,
			client: { name: 'test' },
			fetch: () => Promise.reject(new Error('no network')),
			secrecy: { hide: () => undefined, text: text => text.trim() },
			redirect: { open: () => Promise.reject(new Error('no browser')) },
			prompt: {
				mayInteract: () => Promise.resolve(false),
				mayVisit: () => Promise.resolve(false),
				askClient: () => Promise.resolve(undefined),
			},
			config: () => Promise.resolve({ kind: 'person' }),
			isInteractive: () => true,
			now: () => clock.now,
			load: async () => {
				await engine.load();
				return {
					createAuthEngine: () => ({
						obtain: (task, signal) => {
							tasks.push(task);
							return engine.obtain(task, signal);
						},
						prover: grant => engine.prover(grant),
						revoke: grant => {
							revoked.push(grant);
							return Promise.resolve();
						},
					}),
				};
			},
			...options,
		}),
	);
	const steps: AuthStep[] = [];
	own(auth.onDidStep(it => steps.push(it)));
	const states: AuthState[] = [];
	own(auth.onDidChange(it => states.push(it)));
	const identities = { count: 0 };
	own(auth.onDidChangeIdentity(() => identities.count++));
	const fetch: AuthorizerOptions['fetch'] = ({ headers }) => {
		const { authorization } = headers;
		sent.push(authorization);
		const { status, challenge, headers: more } = server.answer(authorization);
		return Promise.resolve({
			status,
			headers: { ...more, ...(challenge !== undefined && { 'www-authenticate': challenge }) },
			read: () => Promise.resolve(),
			discard: () => undefined,
		});
	};
	const endpoint = own(new HttpEndpoint({ url, fetch, log, auth }));
	return {
		auth,
		store,
		log,
		clock,
		tasks,
		revoked,
		steps,
		states,
		identities,
		sent,
		server,
		engine,
		call: async (abort = new HttpAbort(), method = 'POST') =>
			(await endpoint.call({ method, headers: {}, ...(method === 'POST' && { body: '{}' }), abort })).status,
		keep: grant => store.set(key, JSON.stringify(grant)),
		kept: async () => {
			const text = await store.get(key);
			return text === undefined ? undefined : (JSON.parse(text) as TokenGrant).accessToken;
		},
	};
}
