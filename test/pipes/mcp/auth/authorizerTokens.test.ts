// Tokens that have expired or lack scopes, while the person can't be asked.
import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import type { AuthState, SecretKey } from '../../../../src/mcp/index.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { sign, type Signing, type SigningOptions } from '../../../support/guardedServer.js';
import { json } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery } from '../../../support/authSteps.js';
import { eventually, settled } from '../../../support/waiting.js';

describe('Authorizer', () => {
	const cleanup = leakCheck();

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

		// covers: auth.refresh.shared
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
			// The ping looks for somebody when it begins to renew, and when that has failed.
			let looksInVain = 0;
			const isInteractive = (): boolean => looksInVain === 0 || looksInVain-- === 0;
			const { server, call, asked } = await signedIn(3600, { isInteractive });
			server.good.clear();
			server.refreshTokens.clear();
			looksInVain = 2;
			const ping = call();
			await eventually(() => server.lines.includes('as POST /token refresh_token'), 'the refresh');
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
			const { issuer } = server;
			const [page, tokenEndpoint] = [`${issuer}/authorize`, `${issuer}/token`];
			const where = { page, tokenEndpoint, isMixed: false, bindsSecret: false };
			const need = { server: server.url, issuer, isGuess: false, scopes: [], why: 'expired', ...where };
			assert.deepEqual(await authFailureOf(call()), { code: 'signInNeeded', need });
			assert.deepEqual(auth.state, { kind: 'needed', need });
			assert.deepEqual(
				[...store.texts.keys()].map(it => (JSON.parse(it) as { kind: string }).kind),
				['hosts', 'client'],
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

	describe('another window', () => {
		async function two(): Promise<readonly [Signing, Signing]> {
			const first = await sign(cleanup);
			await first.call();
			const second = await sign(cleanup, { server: first.server, store: first.store });
			await second.call();
			first.server.take();
			return [first, second];
		}

		it('signs out: this one says at once that somebody must sign in, and sends the token no more', async () => {
			const [first, second] = await two();
			let changes = 0;
			cleanup.own(second.auth.onDidChangeIdentity(() => changes++));
			await first.auth.signOut(new AbortController().signal);
			const { server, issuer } = { server: first.server.url, issuer: first.server.issuer };
			const need = { server, issuer, isGuess: false, scopes: [], why: 'expired' };
			await eventually(() => second.auth.state.kind === 'needed', 'the news');
			assert.deepEqual([second.auth.state, changes, first.auth.state.kind], [{ kind: 'needed', need }, 1, 'unasked']);
			assert.deepEqual(second.steps.at(-1), { kind: 'forgotten', why: 'elsewhere' });
			first.server.take();
			second.answers.interact = false;
			await authFailureOf(second.call());
			assert.deepEqual([first.server.take()[0], second.asked], ['POST /mcp', ['expired']]);
		});

		it('signs in: this one needs nobody any more, and uses what it got', async () => {
			const [first, second] = await two();
			await first.auth.signOut(new AbortController().signal);
			await eventually(() => second.auth.state.kind === 'needed', 'the news');
			await first.call();
			await eventually(() => second.auth.state.kind === 'signedIn', 'the next news');
			first.server.take();
			assert.equal(await second.call(), 200);
			assert.deepEqual([first.server.take(), second.asked], [['POST /mcp t2'], []]);
			assert.deepEqual(second.steps.at(-1), { kind: 'taken' });
		});

		it('renews the tokens: this one never sends those that have ended', async () => {
			const [first, second] = await two();
			first.server.good.clear();
			await first.call();
			await eventually(() => second.steps.some(it => it.kind === 'taken'), 'the news');
			first.server.take();
			assert.equal(await second.call(), 200);
			assert.deepEqual(first.server.take(), ['POST /mcp t2']);
		});

		it('is not heard of a storage that fails, nor of this window itself', async () => {
			const [first, second] = await two();
			const read = first.store.get.bind(first.store);
			first.store.get = () => Promise.reject(new Error('locked'));
			const [key = ''] = [...first.store.texts.keys()].filter(it => it.includes('grant'));
			await first.store.set(JSON.parse(key) as SecretKey, '{"of":"a newer version"}');
			first.store.get = read;
			await first.store.set(JSON.parse(key) as SecretKey, '{"of":"a newer version"}');
			await settled();
			assert.deepEqual([first.auth.state.kind, second.auth.state.kind], ['signedIn', 'signedIn']);
			assert.ok([...first.steps, ...second.steps].every(it => it.kind !== 'taken' && it.kind !== 'forgotten'));
		});
	});

	describe('nobody to ask', () => {
		// covers: auth.neverUnasked
		it('no browser, no registration: what would be asked is said, and a click goes on', async () => {
			const { server, call, auth, browser, asked } = await sign(cleanup, { isInteractive: () => false });
			server.challenge = 'Bearer scope="read"';
			const { issuer } = server;
			const [page, tokenEndpoint] = [`${issuer}/authorize`, `${issuer}/token`];
			const where = { page, tokenEndpoint, isMixed: false, bindsSecret: false };
			const need = { server: server.url, issuer, isGuess: false, scopes: ['read'], why: 'first', ...where };
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

		it('as long as the person is asked and at it, the state says what for', async () => {
			const asked: AuthState[] = [];
			const signing: Signing = await sign(cleanup, {
				prompt: {
					mayInteract: () => Promise.resolve(asked.push(signing.auth.state) < 3),
					mayVisit: () => Promise.resolve(true),
					askClient: () => Promise.resolve(undefined),
				},
			});
			const { server, auth, call } = signing;
			const states: AuthState[] = [];
			cleanup.own(auth.onDidChange(it => states.push(it)));
			await call();
			server.needs = ['write'];
			await call();
			server.needs = ['write', 'admin'];
			await authFailureOf(call());
			const needs = asked.map(it => it.kind === 'working' && it.need?.why);
			assert.deepEqual(needs, ['first', 'moreScopes', 'moreScopes']);
			assert.deepEqual(
				states.map(it => [it.kind, 'need' in it]),
				[
					['working', false],
					['working', true],
					['signedIn', false],
					['working', false],
					['working', true],
					['signedIn', false],
					['working', false],
					['working', true],
					['needed', true],
				],
			);
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
});
