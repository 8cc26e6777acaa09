// Sign-ins that are given up, fail or overlap: over an engine that does as it is told.
import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { AbortError } from '../../../../src/base/errors.js';
import { HttpAbort } from '../../../../src/mcp/index.js';
import type { Outcome } from '../../../../src/mcp/auth/ports.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { authorizerBench, type AuthorizerBench, granted, grantOf, issuer } from '../../../support/authorizerBench.js';
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
});

describe('what signing in takes', () => {
	const cleanup = leakCheck();

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

	it('take up nothing that is being signed out', async () => {
		const bench = authorizerBench(cleanup);
		const { auth, call, engine, keep, sent, store, revoked } = bench;
		await keep(grantOf('t0'));
		await call();
		const deleting = deferred<void>();
		const remove = store.delete.bind(store);
		store.delete = async key => {
			await deleting.promise;
			await remove(key);
		};
		engine.obtain = () => Promise.resolve(noAnswer);
		const signedOut = auth.signOut(signal);
		await settled();
		const during = authFailureOf(call());
		await settled();
		deleting.resolve();
		await Promise.all([signedOut, during]);
		await authFailureOf(call());
		const [, ...later] = sent;
		assert.ok(later.length > 0);
		assert.deepEqual(
			[revoked.map(it => it.accessToken), later],
			[['t0'], later.map(() => undefined)],
			'no request has the token that was given up',
		);
	});

	it('end when the person signs out, even if they wait for the person', async () => {
		const { auth, call, engine } = authorizerBench(cleanup);
		let given: AbortSignal | undefined;
		engine.obtain = (_, it) => {
			given = it;
			return new Promise((_resolve, reject) => {
				it.addEventListener('abort', () => reject(new AbortError()));
			});
		};
		const request = authFailureOf(call());
		await eventually(() => given !== undefined, 'the sign-in');
		await auth.signOut(signal);
		assert.equal(given?.aborted, true);
		await request;
	});
});
