// Signing in by a click, signing out, and what other windows do meanwhile: over an engine that does as it is told.
import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { HttpAbort, type SignInNeed } from '../../../../src/mcp/index.js';
import type { Outcome } from '../../../../src/mcp/auth/ports.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { authorizerBench, granted, grantOf, issuer, serverUrl } from '../../../support/authorizerBench.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually, settled } from '../../../support/waiting.js';

const need: SignInNeed = { server: serverUrl, issuer, isGuess: false, scopes: ['read'], why: 'expired' };
const signInNeeded: Outcome = { kind: 'failed', failure: { code: 'signInNeeded', need }, isForgotten: false };
const away = { code: 'noAnswer', request: 'token', url: issuer, why: 'away' } as const;
const noAnswer: Outcome = { kind: 'failed', failure: away, isForgotten: false };
const { signal } = new AbortController();

describe('signing in and out of a server', () => {
	const cleanup = leakCheck();

	describe('signing in by a click', () => {
		it('waits for a token renewal that is already running, and does not disturb it', async () => {
			const { auth, keep, call, clock, tasks, engine } = authorizerBench(cleanup, { isInteractive: () => false });
			await keep(grantOf('kept'));
			clock.now = 3_700_000;
			const answer = deferred<Outcome>();
			engine.obtain = () => answer.promise;
			const waiting = authFailureOf(call());
			await eventually(() => tasks.length === 1, 'the renewal');
			const clicked = auth.signIn(signal);
			const given = new AbortController();
			const other = authFailureOf(auth.signIn(given.signal));
			await settled();
			given.abort();
			assert.deepEqual([await other, tasks.length], ['AbortError', 1]);
			engine.obtain = () => Promise.resolve(granted('new'));
			answer.resolve({ ...signInNeeded, isForgotten: true });
			await Promise.all([waiting, clicked]);
			assert.deepEqual(
				tasks.map(it => it.person).filter(it => it !== 'absent'),
				['waiting'],
			);
			assert.equal(auth.state.kind, 'signedIn');
		});

		it("asks for the scope that the server wants, and fails with the person's decision", async () => {
			const { auth, call, tasks, engine, server } = authorizerBench(cleanup, { isInteractive: () => false });
			engine.obtain = () => Promise.resolve(signInNeeded);
			server.answer = () => ({ status: 401, challenge: 'Bearer scope="a"' });
			await authFailureOf(call());
			assert.deepEqual(await authFailureOf(auth.signIn(signal)), { code: 'signInNeeded', need });
			assert.deepEqual(
				tasks.map(it => [it.person, it.demand?.scopes]),
				[
					['absent', ['a']],
					['waiting', ['a']],
				],
			);
		});
	});

	describe('a request of a person while another request runs in the background', () => {
		async function joined(outcome: Outcome, isSomebodyThere = true) {
			const presence = { isThere: false };
			const bench = authorizerBench(cleanup, { isInteractive: () => presence.isThere });
			const { engine, tasks, sent, call } = bench;
			const answer = deferred<Outcome>();
			engine.obtain = () => answer.promise;
			const ping = authFailureOf(call());
			await eventually(() => tasks.length === 1, 'the ping');
			presence.isThere = isSomebodyThere;
			const abort = new HttpAbort();
			const called = authFailureOf(call(abort));
			await eventually(() => sent.length === 2, 'the call');
			const second = deferred<Outcome>();
			engine.obtain = () => second.promise;
			answer.resolve(outcome);
			// There is nobody any more for what has asked first.
			const first = isSomebodyThere ? undefined : await ping;
			return { ...bench, abort, called, second, first };
		}

		it('asks the person if the background request needs a person', async () => {
			const { tasks, called, second } = await joined(signInNeeded);
			await eventually(() => tasks.length === 2, 'the question');
			second.resolve(granted('t'));
			assert.deepEqual([await called, tasks.map(it => it.person)], ['no failure: 200', ['absent', 'ask']]);
		});
	});

	it('a cancelled sign-in that still succeeds serves the next request', async () => {
		const { call, tasks, engine, sent } = authorizerBench(cleanup);
		const answer = deferred<Outcome>();
		engine.obtain = () => answer.promise;
		const abort = new HttpAbort();
		const waiting = authFailureOf(call(abort));
		await eventually(() => tasks.length === 1, 'the sign-in');
		abort.abort();
		assert.equal(await waiting, 'AbortError');
		const next = call();
		await settled();
		answer.resolve(granted('late'));
		assert.deepEqual([await next, tasks.length, sent], [200, 1, [undefined, undefined, 'Bearer late']]);
	});

	it('a sign-in as another person is reported, a renewal is not', async () => {
		const { call, engine, identities, server } = authorizerBench(cleanup);
		await call();
		assert.equal(identities.count, 1);
		engine.obtain = () => Promise.resolve({ kind: 'granted', grant: grantOf('t2'), isSamePerson: true });
		server.answer = authorization => ({ status: authorization === 'Bearer t2' ? 200 : 401 });
		assert.deepEqual([await call(), identities.count], [200, 1]);
	});

	describe('signing out', () => {
		it('drops tokens that a renewal brings meanwhile, and never sends them', async () => {
			const { auth, keep, kept, call, clock, tasks, engine, sent, store, revoked } = authorizerBench(cleanup);
			await keep(grantOf('kept'));
			clock.now = 3_700_000;
			const answer = deferred<void>();
			engine.obtain = async () => {
				await answer.promise;
				// As the engine does: what was issued is kept before it is handed on.
				await keep(grantOf('renewed'));
				return granted('renewed');
			};
			const waiting = authFailureOf(call());
			await eventually(() => tasks.length === 1, 'the renewal');
			const out = auth.signOut(signal);
			await settled();
			engine.obtain = () => Promise.resolve(signInNeeded);
			answer.resolve();
			await Promise.all([out, waiting]);
			assert.equal(await kept(), undefined);
			assert.deepEqual(
				revoked.map(it => it.accessToken),
				['renewed'],
			);
			sent.length = 0;
			await authFailureOf(call());
			assert.deepEqual([sent, store.texts.size], [[undefined], 0]);
		});

		it('succeeds if the sign-in that it ends fails, and fails if it is cancelled itself', async () => {
			const { auth, call, tasks, engine, keep, kept, server } = authorizerBench(cleanup);
			await keep(grantOf('kept'));
			server.answer = () => ({ status: 401 });
			const answers = [deferred<Outcome>(), deferred<Outcome>()];
			engine.obtain = () => answers[tasks.length - 1]?.promise ?? Promise.resolve(noAnswer);
			const first = authFailureOf(call());
			await eventually(() => tasks.length === 1, 'the sign-in');
			const given = new AbortController();
			const out = authFailureOf(auth.signOut(given.signal));
			await settled();
			given.abort();
			assert.deepEqual([await out, await kept()], ['AbortError', 'kept']);
			const done = auth.signOut(signal);
			answers[0]?.reject(new Error('broken'));
			await done;
			assert.equal(await first, 'Error: broken');
			assert.equal(await kept(), undefined);
		});
	});

	describe('changes by another window', () => {
		it('renewed tokens are used if their key is there; a failure to read the key is logged', async () => {
			const { auth, keep, call, sent, engine, log, identities } = authorizerBench(cleanup);
			await keep(grantOf('kept'));
			await call();
			engine.load = () => Promise.reject(new Error('gone'));
			await keep(grantOf('bound', { tokenType: 'dpop', key: { kty: 'EC' } }));
			await eventually(() => log.lines.length > 0, 'the log');
			assert.deepEqual(log.lines.length, 1);
			assert.match(log.lines[0] ?? '', /^warn: Another window's sign-in: .*/);
			await keep(grantOf('other'));
			await eventually(() => identities.count === 1, 'the news');
			await call();
			assert.deepEqual([sent, auth.state.kind], [['Bearer kept', 'Bearer other'], 'signedIn']);
		});

		it('a sign-out: the next sign-in knows that somebody was signed in', async () => {
			const { auth, keep, call, tasks, store, sent } = authorizerBench(cleanup);
			await keep(grantOf('kept'));
			await call();
			await store.delete({ kind: 'grant', server: serverUrl });
			await eventually(() => auth.state.kind === 'needed', 'the news');
			assert.deepEqual(auth.state, { kind: 'needed', need });
			await call();
			assert.deepEqual([tasks.map(it => [it.grant, it.wasSignedIn]), sent[1]], [[[undefined, true]], undefined]);
		});
	});
});
