// One client of a guarded server, from the first 401 to signing out.
import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { HttpAbort } from '../../../../src/mcp/index.js';
import { authFailureOf } from '../../../support/authFailure.js';
import {
	GuardedServer,
	MemoryTokens,
	sign,
	type Signing,
	type SigningOptions,
} from '../../../support/guardedServer.js';
import { json } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually, settled } from '../../../support/waiting.js';

const discovery = [
	'GET /.well-known/oauth-protected-resource/mcp',
	'as GET /.well-known/oauth-authorization-server',
] as const;
const signingIn = [
	...discovery,
	'as POST /register',
	'as GET /authorize',
	'as POST /token authorization_code',
] as const;

describe('Authorizer', () => {
	const cleanup = leakCheck();

	// covers: auth.challenge auth.everyRequest
	it('signs in when the server asks, once, and goes on', async () => {
		const { server, call, asked, browser } = await sign(cleanup);
		assert.deepEqual([await call(), await call()], [200, 200]);
		assert.deepEqual(server.take(), ['POST /mcp', ...signingIn, 'POST /mcp t1', 'POST /mcp t1']);
		assert.deepEqual(asked, ['first']);
		assert.equal(browser.openCount, 0);
	});

	// covers: auth.resourceIndicator auth.pkce auth.state
	it('the authorization request says everything that the specification wants, and the token request repeats it', async () => {
		const { server, call, browser } = await sign(cleanup);
		server.prm = { scopes_supported: ['read', 'write'] };
		await call();
		const [{ code_challenge: challenge, state, ...page } = {}] = server.pages.map(it => Object.fromEntries(it));
		const common = { client_id: 'client1', redirect_uri: browser.uri, resource: server.url };
		assert.deepEqual(page, {
			...common,
			response_type: 'code',
			code_challenge_method: 'S256',
			scope: 'read write',
		});
		assert.match(challenge ?? '', /^[\w-]{43}$/);
		assert.match(state ?? '', /^[\w-]{43}$/);
		const [{ code_verifier: verifier, ...form } = {}] = server.forms.map(it => Object.fromEntries(it));
		assert.deepEqual(form, { ...common, grant_type: 'authorization_code', code: 'code1' });
		assert.match(verifier ?? '', /^[\w-]{43}$/);
	});

	// covers: auth.registration.metadata auth.registration.applicationType
	it('registers as what it is', async () => {
		const { server, call, browser } = await sign(cleanup);
		await call();
		assert.deepEqual(server.registrations, [
			{
				client_name: 'MCP Workbench',
				redirect_uris: [browser.uri],
				grant_types: ['authorization_code', 'refresh_token'],
				response_types: ['code'],
				token_endpoint_auth_method: 'none',
				application_type: 'native',
			},
		]);
	});

	describe('a token that ends', () => {
		async function signedIn(expiresIn = 3600, options: SigningOptions = {}): Promise<Signing> {
			const signing = await sign(cleanup, options);
			signing.server.expiresIn = expiresIn;
			await signing.call();
			signing.server.take();
			return signing;
		}

		// covers: auth.refresh.before
		it('is renewed shortly before, and not earlier', async () => {
			const { server, call, clock } = await signedIn();
			clock.now += 3600_000 - 31_000;
			await call();
			assert.deepEqual(server.take(), ['POST /mcp t1']);
			clock.now += 1000;
			await call();
			assert.deepEqual(server.take(), [...discovery, 'as POST /token refresh_token', 'POST /mcp t2']);
			assert.deepEqual(
				server.forms.slice(1).map(it => Object.fromEntries(it)),
				[{ grant_type: 'refresh_token', refresh_token: 'r1', client_id: 'client1', resource: server.url }],
			);
		});

		it('that lives for seconds is used for half of its life', async () => {
			const { server, call, clock } = await signedIn(10);
			clock.now += 4900;
			await call();
			assert.deepEqual(server.take(), ['POST /mcp t1']);
			clock.now += 200;
			await call();
			assert.deepEqual(server.take().slice(-1), ['POST /mcp t2']);
		});

		// covers: auth.refresh.on401
		it('earlier than it should is renewed when the server says so', async () => {
			const { server, call, asked } = await signedIn();
			server.good.clear();
			assert.equal(await call(), 200);
			assert.deepEqual(server.take(), ['POST /mcp t1', ...discovery, 'as POST /token refresh_token', 'POST /mcp t2']);
			assert.deepEqual(asked, ['first']);
		});

		// covers: auth.refresh.oneFlight
		it('50 requests at once cause one refresh', async () => {
			const { server, call, clock } = await signedIn();
			clock.now += 3600_000;
			server.good.clear();
			const statuses = await Promise.all(Array.from({ length: 50 }, () => call()));
			assert.deepEqual(new Set(statuses), new Set([200]));
			const lines = server.take();
			assert.deepEqual(
				lines.filter(it => it.startsWith('as ')),
				['as GET /.well-known/oauth-authorization-server', 'as POST /token refresh_token'],
			);
			assert.equal(lines.filter(it => it === 'POST /mcp t2').length, 50);
		});

		it('50 requests that are refused at once cause one refresh as well', async () => {
			const { server, call } = await signedIn();
			server.good.clear();
			const statuses = await Promise.all(Array.from({ length: 50 }, () => call()));
			assert.deepEqual(new Set(statuses), new Set([200]));
			assert.equal(server.take().filter(it => it === 'as POST /token refresh_token').length, 1);
		});

		it('a refusal that comes late finds that it has been renewed', async () => {
			const { server, call } = await signedIn();
			server.good.clear();
			const late = deferred<void>();
			server.instead.set('/mcp', async (_asked, response) => {
				server.instead.delete('/mcp');
				await late.promise;
				json(response, {}, 401);
			});
			const first = call();
			await eventually(() => server.lines.length === 1, 'the first request');
			assert.equal(await call(), 200);
			server.take();
			late.resolve();
			assert.deepEqual([await first, server.take()], [200, ['POST /mcp t2']]);
		});

		it('a call that comes while something goes on by itself asks, and is not lost', async () => {
			let isSomebodyThere = true;
			const { server, call, asked } = await signedIn(3600, { isInteractive: () => isSomebodyThere });
			server.good.clear();
			server.refreshTokens.clear();
			isSomebodyThere = false;
			const ping = call();
			await eventually(() => server.lines.includes('as POST /token refresh_token'), 'the refresh');
			isSomebodyThere = true;
			const called = call();
			assert.match(JSON.stringify(await authFailureOf(ping)), /signInNeeded/);
			assert.equal(await called, 200);
			assert.deepEqual(asked, ['first', 'expired']);
		});

		// covers: auth.refresh.refused
		it('and whose refresh token is worth nothing is forgotten: somebody has to sign in', async () => {
			const { server, call, asked, answers, store, auth } = await signedIn();
			server.good.clear();
			server.refreshTokens.clear();
			answers.interact = false;
			const need = { server: server.url, issuer: server.issuer, isGuess: false, scopes: [], why: 'expired' };
			assert.deepEqual(await authFailureOf(call()), { code: 'signInNeeded', need });
			assert.deepEqual(auth.state, { kind: 'needed', need });
			assert.deepEqual(
				[...store.texts.keys()].map(it => (JSON.parse(it) as { kind: string }).kind),
				['client'],
			);
			answers.interact = true;
			assert.equal(await call(), 200);
			assert.deepEqual(asked, ['first', 'expired', 'expired']);
			assert.equal(server.registrations.length, 1);
		});

		// covers: auth.refresh.network
		it('is kept with its refresh token while the authorization server cannot be reached', async () => {
			const { server, call, clock, store, steps } = await signedIn();
			clock.now += 3600_000 - 20_000;
			server.instead.set('as /token', (_asked, response) => response.writeHead(503).end());
			assert.equal(await call(), 200);
			assert.deepEqual(server.take().slice(-1), ['POST /mcp t1']);
			assert.match([...store.texts.values()].join(), /"refreshToken":"r1"/);
			const failed = steps.find(it => it.kind === 'notRefreshed');
			assert.deepEqual(failed?.isKept, true);
			// It still holds: nobody tries at every request.
			await call();
			assert.deepEqual(server.take(), ['POST /mcp t1']);
			clock.now += 20_000;
			const failure = await authFailureOf(call());
			assert.deepEqual(typeof failure === 'object' && failure.code, 'noAnswer');
			server.instead.clear();
			assert.equal(await call(), 200);
			assert.deepEqual(server.take().slice(-2), ['as POST /token refresh_token', 'POST /mcp t2']);
		});

		it('another window was faster: its tokens are used', async () => {
			const first = await sign(cleanup);
			const { server, store } = first;
			await first.call();
			const second = await sign(cleanup, { server, store });
			await second.call();
			server.good.clear();
			server.take();
			assert.equal(await first.call(), 200);
			assert.equal(await second.call(), 200);
			assert.equal(server.take().filter(it => it === 'as POST /token refresh_token').length, 1);
		});

		it('another window was faster by a moment: its tokens are used', async () => {
			const { server, store, call, asked } = await signedIn();
			server.good.clear();
			server.instead.set('as /token', (_asked, response) => {
				const [key = ''] = [...store.texts.keys()].filter(it => it.includes('grant'));
				const kept = JSON.parse(store.texts.get(key) ?? '') as object;
				store.texts.set(key, JSON.stringify({ ...kept, accessToken: server.issue(), refreshToken: 'r9' }));
				json(response, { error: 'invalid_grant' }, 400);
			});
			assert.equal(await call(), 200);
			assert.deepEqual(asked, ['first']);
			assert.match([...store.texts.values()].join(), /"r9"/);
		});
	});

	describe('nobody to ask', () => {
		// covers: auth.neverUnasked
		it('no browser, no registration: what would be asked is said, and a click goes on', async () => {
			const { server, call, auth, browser, asked } = await sign(cleanup, { isInteractive: () => false });
			server.challenge = 'Bearer scope="read"';
			const need = { server: server.url, issuer: server.issuer, isGuess: false, scopes: ['read'], why: 'first' };
			assert.deepEqual(await authFailureOf(call()), { code: 'signInNeeded', need });
			assert.deepEqual(server.take(), ['POST /mcp', ...discovery]);
			assert.deepEqual([auth.state, asked], [{ kind: 'needed', need }, []]);
			await auth.signIn(new AbortController().signal);
			assert.deepEqual([asked, browser.visited.length, auth.state.kind], [['first read'], 1, 'signedIn']);
			assert.equal(await call(), 200);
		});

		it('tokens of an earlier time are used, and renewed, without anybody', async () => {
			const { server, call, store } = await sign(cleanup);
			await call();
			server.take();
			const later = await sign(cleanup, { server, store, isInteractive: () => false });
			assert.equal(await later.call(), 200);
			assert.deepEqual(server.take(), ['POST /mcp t1']);
			later.clock.now += 3600_000;
			assert.equal(await later.call(), 200);
			assert.deepEqual(server.take().slice(-2), ['as POST /token refresh_token', 'POST /mcp t2']);
		});
	});

	describe('more is wanted', () => {
		// covers: auth.stepUp
		it('it is asked for together with what there is', async () => {
			const { server, call, asked, auth } = await sign(cleanup);
			server.challenge = 'Bearer scope="read"';
			await call();
			server.needs = ['write'];
			assert.equal(await call(), 200);
			assert.deepEqual(asked, ['first read', 'moreScopes read write']);
			assert.deepEqual(auth.state.kind === 'signedIn' && auth.state.scopes, ['read', 'write']);
		});

		// covers: auth.stepUp.limit
		it('three sign-ins, and no more: a server that is never satisfied is told from one that asks', async () => {
			const { server, call, asked } = await sign(cleanup);
			server.needs = ['admin'];
			server.instead.set('as /token', (_asked, response) =>
				json(response, { access_token: server.issue(), token_type: 'bearer' }),
			);
			const limit = { code: 'stepUpLimit', scopes: ['admin'], limit: 2 };
			assert.deepEqual(await authFailureOf(call()), limit);
			assert.deepEqual(asked, ['first', 'moreScopes admin', 'moreScopes admin']);
			assert.deepEqual(await authFailureOf(call()), limit);
			assert.equal(asked.length, 3);
		});

		it('the same for one that refuses what it has just had issued', async () => {
			const { server, call, asked } = await sign(cleanup);
			server.instead.set('/mcp', (_asked, response) => json(response, {}, 401));
			assert.deepEqual(await authFailureOf(call()), { code: 'grantRefused', issuer: server.issuer });
			assert.deepEqual(asked, ['first', 'expired']);
		});

		it('a plain 403 is nobody to sign in for', async () => {
			const { server, call, asked } = await sign(cleanup);
			await call();
			server.instead.set('/mcp', (_asked, response) => json(response, {}, 403));
			assert.deepEqual([await call(), asked], [403, ['first']]);
		});
	});

	describe('giving up', () => {
		// covers: auth.cancel
		it('the last request that waits takes the sign-in with it; the next begins another', async () => {
			const { server, call, browser, auth } = await sign(cleanup);
			browser.answers = () => [];
			const aborts = [new HttpAbort(), new HttpAbort()];
			const waiting = aborts.map(it => authFailureOf(call(it)));
			await eventually(() => browser.visited.length === 1, 'the browser is open');
			await eventually(() => server.lines.filter(it => it === 'POST /mcp').length === 2, 'both are there');
			await settled();
			aborts[0]?.abort();
			assert.equal(await waiting[0], 'AbortError');
			assert.deepEqual([browser.openCount, auth.state.kind], [1, 'working']);
			aborts[1]?.abort();
			assert.equal(await waiting[1], 'AbortError');
			await eventually(() => browser.openCount === 0, 'the redirect is closed');
			assert.equal(auth.state.kind, 'unasked');
			browser.answers = undefined;
			assert.equal(await call(), 200);
			assert.equal(server.forms.length, 1);
		});

		it('a person who closes the page has not signed in', async () => {
			const { server, call, browser } = await sign(cleanup);
			browser.answers = () => {
				throw new DOMException('closed', 'AbortError');
			};
			const need = { server: server.url, issuer: server.issuer, isGuess: false, scopes: [], why: 'first' };
			assert.deepEqual(await authFailureOf(call()), { code: 'signInNeeded', need });
			assert.equal(browser.openCount, 0);
		});

		it('a browser that cannot be opened, or come back, and settings that cannot be read are told as that', async () => {
			const redirect = { open: () => Promise.reject(new Error('EADDRINUSE')) };
			const { call } = await sign(cleanup, { redirect });
			assert.deepEqual(await authFailureOf(call()), { code: 'noBrowser', why: 'EADDRINUSE' });
			const locked = await sign(cleanup, { config: () => Promise.reject(new Error('locked')) });
			assert.deepEqual(await authFailureOf(locked.call()), { code: 'badConfiguration', what: 'settings' });
		});

		it('disposing ends it', async () => {
			const { call, browser, auth } = await sign(cleanup);
			browser.answers = () => [];
			const waiting = authFailureOf(call());
			await eventually(() => browser.visited.length === 1, 'the browser is open');
			auth.dispose();
			assert.equal(await waiting, 'AbortError');
			await eventually(() => browser.openCount === 0, 'the redirect is closed');
		});

		for (const [what, expire] of [
			['before the token ends', ({ clock }) => void (clock.now += 3600_000)],
			['after the server has refused it', ({ server }) => server.good.clear()],
		] as readonly (readonly [string, (signing: Signing) => void])[]) {
			it(`a refresh ${what} is never given up half-way, nor begun twice: what was issued is used`, async () => {
				const signing = await sign(cleanup);
				const { server, call } = signing;
				await call();
				expire(signing);
				const answer = deferred<void>();
				server.instead.set('as /token', async (_asked, response) => {
					await answer.promise;
					const isFirst = server.refreshTokens.delete('r1');
					const tokens = { access_token: server.issue(), token_type: 'bearer', refresh_token: 'r9' };
					json(response, isFirst ? tokens : { error: 'invalid_grant' }, isFirst ? 200 : 400);
				});
				const abort = new HttpAbort();
				const waiting = authFailureOf(call(abort));
				const refreshes = (): number => server.lines.filter(it => it === 'as POST /token refresh_token').length;
				await eventually(() => refreshes() === 1, 'the refresh');
				abort.abort();
				assert.equal(await waiting, 'AbortError');
				const later = call();
				await settled();
				answer.resolve();
				assert.deepEqual([await later, refreshes(), server.take().at(-1)], [200, 1, 'POST /mcp t2']);
			});
		}
	});

	// covers: auth.signOut
	it('signing out forgets here and there', async () => {
		const { server, call, auth, store, steps } = await sign(cleanup);
		server.metadata = { revocation_endpoint: `${server.issuer}/revoke` };
		server.instead.set('as /revoke', (asked, response) => {
			assert.equal(new URLSearchParams(asked.body).get('token'), 'r1');
			response.writeHead(200).end();
		});
		await call();
		let changes = 0;
		cleanup.own(auth.onDidChangeIdentity(() => changes++));
		await auth.signOut(new AbortController().signal);
		assert.deepEqual([auth.state, changes], [{ kind: 'unasked' }, 1]);
		assert.ok(server.lines.includes('as POST /revoke'));
		assert.deepEqual(
			[...store.texts.keys()].filter(it => it.includes('grant')),
			[],
		);
		assert.deepEqual(
			steps.filter(it => it.kind === 'forgotten'),
			[{ kind: 'forgotten', why: 'signedOut' }],
		);
		server.take();
		await call();
		assert.equal(server.take()[0], 'POST /mcp');
		assert.equal(server.registrations.length, 1);
	});

	// covers: auth.noMixing
	it('two servers that sign in at once do not mix', async () => {
		const store = new MemoryTokens();
		const [one, two] = [await sign(cleanup, { store }), await sign(cleanup, { store })];
		const thinking = deferred<void>();
		one.browser.thinking = thinking.promise;
		const first = one.call();
		await eventually(() => one.browser.visited.length === 1, 'the first browser is open');
		assert.equal(await two.call(), 200);
		thinking.resolve();
		assert.equal(await first, 200);
		assert.deepEqual([one.server.forms.length, two.server.forms.length], [1, 1]);
		const grants = [...store.texts].filter(([key]) => key.includes('grant'));
		assert.deepEqual(
			grants.map(([key, text]) => [
				(JSON.parse(key) as { server: string }).server,
				(JSON.parse(text) as { issuer: string }).issuer,
			]),
			[
				[two.server.url, two.server.issuer],
				[one.server.url, one.server.issuer],
			],
		);
	});

	it('a store that fails only costs the memory', async () => {
		const store = {
			get: () => Promise.reject(new Error('locked')),
			set: () => Promise.reject(new Error('locked')),
			delete: () => Promise.reject(new Error('locked')),
		};
		const { call } = await sign(cleanup, { store });
		assert.deepEqual([await call(), await call()], [200, 200]);
	});

	it('what is kept and is none of ours is no token', async () => {
		const store = new MemoryTokens();
		const { server, call, auth } = await sign(cleanup, { store });
		await store.set({ kind: 'grant', server: server.url }, '{"accessToken":7}');
		assert.equal(await call(), 200);
		assert.equal(server.take()[0], 'POST /mcp');
		assert.equal(auth.state.kind, 'signedIn');
	});

	it('a bundle that cannot be loaded is said, and tried again', async () => {
		let loads = 0;
		const { call } = await sign(cleanup, {
			load: () => {
				loads++;
				return loads === 1 ? Promise.reject(new Error('gone')) : import('../../../../src/authorization.js');
			},
		});
		assert.deepEqual(await authFailureOf(call()), { code: 'unavailable', why: 'gone' });
		assert.equal(await call(), 200);
	});

	// covers: auth.report
	it('the report has every step, and no secret', async () => {
		const { server, call, steps, browser, clock } = await sign(cleanup);
		await call();
		clock.now += 3600_000;
		await call();
		const text = JSON.stringify(steps);
		const secrets = [
			...server.good,
			'r1',
			'r2',
			'code1',
			...server.pages.flatMap(it => [it.get('state'), it.get('code_challenge')]),
			server.forms[0]?.get('code_verifier'),
		];
		assert.deepEqual(
			secrets.filter(it => it && text.includes(`"${it}"`)),
			[],
		);
		const requested = (request: string, url: string, outcome = 200): object => ({
			kind: 'requested',
			request,
			url,
			outcome,
		});
		const { origin } = server.resource;
		const found = [
			requested('resourceMetadata', `${origin}/.well-known/oauth-protected-resource/mcp`),
			{ kind: 'resource', from: 'challenge', resource: server.url, issuers: [server.issuer] },
			requested('serverMetadata', `${server.issuer}/.well-known/oauth-authorization-server`),
			{ kind: 'authorizationServer', issuer: server.issuer, from: 'metadata' },
		];
		const granted = { kind: 'granted', refreshable: true, isBound: false };
		assert.deepEqual(JSON.parse(text), [
			{
				kind: 'challenged',
				status: 401,
				scopes: [],
				resourceMetadata: `${origin}/.well-known/oauth-protected-resource/mcp`,
			},
			...found,
			{ kind: 'scopes', scopes: [], from: 'nothing' },
			{ kind: 'redirect', way: 'test', uri: browser.uri },
			requested('registration', `${server.issuer}/register`, 201),
			{
				kind: 'client',
				way: 'registered',
				why: ['notConfigured', 'noDocumentUrl'],
				clientId: 'client1',
				method: 'none',
			},
			{ kind: 'browser', url: `${server.issuer}/authorize` },
			{ kind: 'returned', outcome: 'code' },
			requested('token', `${server.issuer}/token`),
			{ ...granted, by: 'code', expiresAt: 4_600_000 },
			...found,
			requested('token', `${server.issuer}/token`),
			{ ...granted, by: 'refresh', expiresAt: 8_200_000 },
		]);
	});

	it('a server is asked for its DELETE by whoever is signed in, or by nobody', async () => {
		const { endpoint, asked, server } = await sign(cleanup);
		const response = await endpoint.call({ method: 'DELETE', headers: {}, abort: new HttpAbort() });
		response.discard();
		assert.deepEqual([response.status, asked, server.take()], [401, [], ['DELETE /mcp']]);
	});

	it('no two of them share a server that nobody guards', async () => {
		const server = await GuardedServer.start();
		cleanup.later(() => server.close());
		server.good.add('undefined');
		server.instead.set('/mcp', (_asked, response) => json(response, {}));
		const { call, auth } = await sign(cleanup, { server });
		assert.deepEqual([await call(), auth.state], [200, { kind: 'unasked' }]);
		assert.deepEqual(server.take(), ['POST /mcp']);
	});
});
