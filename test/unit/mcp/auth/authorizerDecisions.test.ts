// What an authorizer decides about tokens: when one is renewed, and what a refusal leads to.
import * as assert from 'node:assert/strict';
import { HttpAbort, type SignInNeed } from '../../../../src/mcp/index.js';
import type { Outcome } from '../../../../src/mcp/auth/ports.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { authorizerBench, grantOf, issuer, serverUrl } from '../../../support/authorizerBench.js';
import { leakCheck } from '../../../support/leakCheck.js';

const need: SignInNeed = { server: serverUrl, issuer, isGuess: false, scopes: ['read'], why: 'expired' };
const signInNeeded: Outcome = { kind: 'failed', failure: { code: 'signInNeeded', need }, isForgotten: false };
const away = { code: 'noAnswer', request: 'token', url: issuer, why: 'away' } as const;
const noAnswer: Outcome = { kind: 'failed', failure: away, isForgotten: false };
const insufficient = { status: 403, challenge: 'Bearer error="insufficient_scope", scope="admin"' };

describe('tokens of a server', () => {
	const cleanup = leakCheck();

	describe('kept from an earlier window', () => {
		it('are known before the first request, with what they are good for', async () => {
			for (const [more, scopes, refreshable] of [
				[{}, ['read'], true],
				[{ scopes: ['granted'], refreshToken: undefined }, ['granted'], false],
			] as const) {
				const { auth, keep, sent, tasks, identities } = authorizerBench(cleanup);
				await keep(grantOf('kept', more));
				const state = { kind: 'signedIn', issuer, scopes, expiresAt: 3_600_000, refreshable };
				assert.deepEqual(await auth.known(), state);
				assert.deepEqual([auth.state, sent, tasks, identities.count], [state, [], [], 0]);
			}
			assert.deepEqual(await authorizerBench(cleanup).auth.known(), { kind: 'unasked' });
		});

		it('are not read for a server that must not be sent any', async () => {
			for (const url of ['http://mcp.example/mcp', 'https://me@mcp.example/mcp']) {
				const { auth, keep, call, server, sent } = authorizerBench(cleanup, { url });
				await keep(grantOf('kept'));
				server.answer = () => ({ status: 200 });
				assert.deepEqual([await auth.known(), await call(), sent], [{ kind: 'unasked' }, 200, [undefined]]);
			}
		});

		it('whose key is lost are removed from the store, and the request is sent without a token', async () => {
			const { keep, kept, call, server, sent, auth } = authorizerBench(cleanup);
			await keep(grantOf('kept', { tokenType: 'dpop', key: { kty: 'EC' } }));
			server.answer = () => ({ status: 200 });
			assert.equal(await call(), 200);
			assert.deepEqual([await kept(), sent, auth.state], [undefined, [undefined], { kind: 'unasked' }]);
		});

		it('that another window got a moment ago are used, and nobody is asked', async () => {
			const { auth, store, call, tasks, steps, identities, sent } = authorizerBench(cleanup);
			await auth.known();
			// It has not said so yet.
			store.texts.set(JSON.stringify({ kind: 'grant', server: serverUrl }), JSON.stringify(grantOf('other')));
			assert.deepEqual([await call(), tasks, sent], [200, [], [undefined, 'Bearer other']]);
			assert.deepEqual([steps.map(it => it.kind), identities.count], [['challenged', 'taken'], 1]);
		});

		it('that have ended are what a sign-in starts from', async () => {
			const bench = authorizerBench(cleanup);
			await bench.auth.known();
			// Written by another window, which has not said so yet.
			const key = JSON.stringify({ kind: 'grant', server: serverUrl });
			bench.store.texts.set(key, JSON.stringify(grantOf('kept', { renewAt: 5, expiresAt: 6 })));
			bench.clock.now = 5;
			assert.equal(await bench.call(), 200);
			assert.deepEqual(
				bench.tasks.map(it => it.grant?.accessToken),
				['kept'],
			);
			assert.deepEqual(bench.sent, [undefined, 'Bearer t1']);
		});
	});

	it('a request without any is sent as it is', async () => {
		const { auth } = authorizerBench(cleanup);
		const request = { method: 'POST', url: new URL(serverUrl), body: '{}', abort: new HttpAbort() } as const;
		assert.deepEqual((await auth.prove(request)).headers, {});
	});

	describe('that end', () => {
		it('are used while they hold, where a renewal has failed; it is tried again after five seconds', async () => {
			const { auth, keep, call, clock, tasks, engine, sent } = authorizerBench(cleanup);
			await keep(grantOf('kept'));
			engine.obtain = () => Promise.resolve(noAnswer);
			const tries: number[] = [];
			for (const now of [3_569_999, 3_570_000, 3_574_999, 3_575_000, 3_599_999]) {
				clock.now = now;
				assert.equal(await call(), 200);
				tries.push(tasks.length);
			}
			assert.deepEqual([tries, new Set(sent)], [[0, 1, 1, 2, 3], new Set(['Bearer kept'])]);
			clock.now = 3_600_000;
			assert.deepEqual([await authFailureOf(call()), tasks.length, sent.length], [away, 4, 5]);
			assert.deepEqual(auth.state, { kind: 'failed', failure: away });
			assert.deepEqual(
				tasks.map(it => [it.person, it.demand, it.mayRefresh]),
				tasks.map(() => ['absent', undefined, true]),
			);
		});

		it('and cannot be renewed are sent: the server says what it wants', async () => {
			const { keep, call, clock, tasks, sent } = authorizerBench(cleanup);
			await keep(grantOf('kept', { refreshToken: undefined }));
			clock.now = 3_700_000;
			assert.deepEqual([await call(), sent, tasks], [200, ['Bearer kept'], []]);
		});

		it('and are forgotten by their authorization server: the request asks the server without one', async () => {
			const bench = authorizerBench(cleanup, { isInteractive: () => false });
			const { keep, call, clock, tasks, engine, sent, auth, store } = bench;
			await keep(grantOf('kept'));
			clock.now = 3_700_000;
			engine.obtain = async () => {
				await store.delete({ kind: 'grant', server: serverUrl });
				return { ...signInNeeded, isForgotten: true };
			};
			assert.deepEqual(await authFailureOf(call()), { code: 'signInNeeded', need });
			assert.deepEqual([sent, auth.state], [[undefined], { kind: 'needed', need }]);
			assert.deepEqual(
				tasks.map(it => [it.grant?.accessToken, it.wasSignedIn, it.mayRefresh]),
				[
					['kept', false, true],
					[undefined, true, true],
				],
			);
		});
	});

	describe('that are not enough', () => {
		it('are asked for more twice in a row; requests that need nothing more do not make that more', async () => {
			const { call, server, tasks, auth, steps } = authorizerBench(cleanup);
			let isStrict = false;
			server.answer = authorization =>
				authorization === undefined ? { status: 401 } : isStrict ? insufficient : { status: 200 };
			await call();
			const limit = { code: 'stepUpLimit', scopes: ['admin'], limit: 2 };
			for (const expected of [4, 4]) {
				tasks.length = Math.min(tasks.length, 3);
				isStrict = true;
				const failure = await authFailureOf(call());
				assert.deepEqual(failure, limit);
				assert.ok(tasks.length < expected);
				assert.deepEqual(
					[auth.state, steps.at(-1)],
					[
						{ kind: 'failed', failure: limit },
						{ kind: 'failed', failure: limit },
					],
				);
				// A ping.
				isStrict = false;
				await call();
			}
		});
	});

	it('what a server says when it refuses is reported without secrets that it repeats', async () => {
		const { call, server, steps } = authorizerBench(cleanup, {
			secrecy: { hide: () => undefined, text: text => text.replaceAll('t0', '***') },
		});
		const challenge = 'Bearer error="no t0", scope="a b", resource_metadata="https://mcp.example/m"';
		server.answer = authorization => (authorization === undefined ? { status: 401, challenge } : { status: 200 });
		await call();
		const resourceMetadata = 'https://mcp.example/m';
		assert.deepEqual(steps, [
			{ kind: 'challenged', status: 401, error: 'no ***', scopes: ['a', 'b'], resourceMetadata },
		]);
	});

	it('a bound token that is refused is renewed, whatever nonce comes with the refusal', async () => {
		const { call, keep, server, tasks, engine } = authorizerBench(cleanup);
		await keep(grantOf('kept', { tokenType: 'dpop', key: { kty: 'EC' } }));
		engine.prover = () =>
			Promise.resolve({ headers: () => Promise.resolve({ authorization: 'DPoP kept' }), learn: () => true });
		const challenge = 'DPoP error="invalid_token"';
		server.answer = it => (it === 'Bearer t1' ? { status: 200 } : { status: 401, challenge });
		assert.deepEqual([await call(), tasks.map(it => it.grant?.accessToken)], [200, ['kept']]);
	});

	it('a bound token is sent again with a new nonce, and not where it is the one that it was sent with', async () => {
		const { call, keep, server, tasks, engine, sent } = authorizerBench(cleanup);
		await keep(grantOf('kept', { tokenType: 'dpop', key: { kty: 'EC' } }));
		let nonce = 'none';
		engine.prover = () =>
			Promise.resolve({
				headers: () => Promise.resolve({ authorization: `DPoP kept ${nonce}` }),
				learn: headers => {
					const isNew = headers['dpop-nonce'] !== nonce;
					nonce = headers['dpop-nonce'] ?? nonce;
					return isNew;
				},
			});
		const refusal = { status: 401, challenge: 'DPoP error="use_dpop_nonce"', headers: { 'dpop-nonce': 'n1' } };
		server.answer = it => (it === 'DPoP kept n1' ? { status: 200 } : refusal);
		assert.equal(await call(), 200);
		server.answer = () => refusal;
		assert.equal(await call(), 401);
		assert.deepEqual([sent, tasks], [['DPoP kept none', 'DPoP kept n1', 'DPoP kept n1'], []]);
	});

	it('a server that forbids something, and does not say that more would help, asks nobody to sign in', async () => {
		const { call, server, tasks } = authorizerBench(cleanup);
		for (const challenge of [undefined, 'Bearer error="invalid_token"']) {
			server.answer = () => ({ status: 403, ...(challenge !== undefined && { challenge }) });
			assert.deepEqual([await call(), tasks], [403, []]);
		}
	});

	it('a server over an open line is not signed in to', async () => {
		const url = 'http://mcp.example/mcp';
		const { call, tasks } = authorizerBench(cleanup, { url });
		const failure = { code: 'unsafeUrl', request: 'authorization', url, why: 'insecure' };
		assert.deepEqual([await authFailureOf(call()), tasks], [failure, []]);
	});
});
