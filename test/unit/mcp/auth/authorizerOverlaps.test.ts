// Sign-ins that are given up, fail or overlap: over an engine that does as it is told.
import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { AbortError } from '../../../../src/base/errors.js';
import { HttpAbort } from '../../../../src/mcp/index.js';
import type { Outcome } from '../../../../src/mcp/auth/engine.js';
import { authFailureOf } from '../../../support/authFailure.js';
import {
	authorizerBench,
	type AuthorizerBench,
	granted,
	grantOf,
	issuer,
	serverUrl,
} from '../../../support/authorizerBench.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually, settled } from '../../../support/waiting.js';

const away = { code: 'noAnswer', request: 'token', url: issuer, why: 'away' } as const;
const noAnswer: Outcome = { kind: 'failed', failure: away, isForgotten: false };
const { signal } = new AbortController();

describe('sign-ins that overlap', () => {
	const cleanup = leakCheck();

	/** A first sign-in that was given up, and of which the engine takes no notice. */
	async function givenUp(bench: AuthorizerBench): Promise<(outcome: Outcome) => void> {
		const { call, engine, tasks } = bench;
		const answer = deferred<Outcome>();
		engine.obtain = () => answer.promise;
		const abort = new HttpAbort();
		const waiting = authFailureOf(call(abort));
		await eventually(() => tasks.length === 1, 'the first sign-in');
		abort.abort();
		assert.equal(await waiting, 'AbortError');
		return outcome => answer.resolve(outcome);
	}

	it('are never two at once, and requests join the last one', async () => {
		const bench = authorizerBench(cleanup);
		const { call, engine, tasks, sent } = bench;
		const end = await givenUp(bench);
		const second = call();
		await eventually(() => sent.length === 2, 'the second request');
		await settled();
		assert.equal(tasks.length, 1);
		const answer = deferred<Outcome>();
		engine.obtain = () => answer.promise;
		end(noAnswer);
		await eventually(() => tasks.length === 2, 'the second sign-in');
		const third = call();
		await eventually(() => sent.length === 3, 'the third request');
		await settled();
		answer.resolve(granted('t'));
		assert.deepEqual([await second, await third, tasks.length], [200, 200, 2]);
	});

	it('and were given up before they began are never begun', async () => {
		const bench = authorizerBench(cleanup);
		const { call, tasks, sent } = bench;
		const end = await givenUp(bench);
		const abort = new HttpAbort();
		const second = authFailureOf(call(abort));
		await eventually(() => sent.length === 2, 'the second request');
		await settled();
		abort.abort();
		assert.equal(await second, 'AbortError');
		end(noAnswer);
		await settled();
		assert.equal(tasks.length, 1);
	});

	it('with the closing of the server end, and leave the state as it was', async () => {
		for (const isClosed of [true, false]) {
			const { auth, keep, call, engine, tasks, server } = authorizerBench(cleanup);
			await keep(grantOf('kept'));
			server.answer = () => ({ status: 401 });
			engine.obtain = (_task, stop) =>
				new Promise((_resolve, reject) => {
					stop.addEventListener('abort', () => reject(new AbortError()));
				});
			const abort = new HttpAbort();
			const waiting = authFailureOf(call(abort));
			await eventually(() => tasks.length === 1, 'the sign-in');
			assert.equal(auth.state.kind, 'working');
			if (isClosed) {
				auth.dispose();
			} else {
				abort.abort();
			}
			assert.equal(await waiting, 'AbortError');
			await settled();
			assert.equal(auth.state.kind, 'signedIn');
		}
	});

	it('with the sign-in of another window are served by that, if they fail', async () => {
		const { auth, call, keep, engine, tasks, steps, sent } = authorizerBench(cleanup);
		const answer = deferred<Outcome>();
		engine.obtain = () => answer.promise;
		const waiting = authFailureOf(call());
		await eventually(() => tasks.length === 1, 'the sign-in');
		await keep(grantOf('other'));
		answer.resolve(noAnswer);
		assert.deepEqual(await waiting, away);
		await eventually(() => auth.state.kind === 'signedIn', 'the news');
		assert.deepEqual(steps.at(-1), { kind: 'taken' });
		await call();
		assert.equal(sent.at(-1), 'Bearer other');
	});
});

describe('what signing in takes', () => {
	const cleanup = leakCheck();

	it('is loaded again after it could not be', async () => {
		for (const key of [undefined, { kty: 'EC' }]) {
			const { auth, keep, call, engine } = authorizerBench(cleanup);
			if (key) {
				await keep(grantOf('kept', { tokenType: 'dpop', key }));
			}
			engine.load = () => Promise.reject(new Error('gone'));
			assert.deepEqual(await authFailureOf(call()), { code: 'unavailable', why: 'gone' });
			engine.load = () => Promise.resolve();
			assert.equal(await call(), 200);
			assert.equal(auth.state.kind, 'signedIn');
		}
	});

	it('reports what it does', async () => {
		const { auth, steps } = authorizerBench(cleanup, {
			load: () =>
				Promise.resolve({
					createAuthEngine: ({ report }) => ({
						obtain: () => {
							report({ kind: 'strayReturn' });
							return Promise.resolve(granted('t'));
						},
						prover: () => Promise.resolve(undefined),
						revoke: () => Promise.resolve(),
					}),
				}),
		});
		await auth.signIn(signal);
		assert.deepEqual(steps, [{ kind: 'strayReturn' }]);
	});

	it('forgets tokens and registrations when it is told to, and says so', async () => {
		const { auth, call, keep, kept, store, steps } = authorizerBench(cleanup);
		const key = { kind: 'client', server: serverUrl, issuer } as const;
		await store.set(key, 'a client');
		await auth.forgetRegistration('https://b.example');
		assert.equal(await store.get(key), 'a client');
		await auth.forgetRegistration(issuer);
		assert.equal(await store.get(key), undefined);
		await keep(grantOf('kept'));
		await call();
		await auth.signOut(signal);
		assert.deepEqual(
			[await kept(), auth.state, steps],
			[undefined, { kind: 'unasked' }, [{ kind: 'forgotten', why: 'signedOut' }]],
		);
	});
});
