import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import type { AuthFailure } from '../../../../src/mcp/auth/failure.js';
import { SharedSignIn } from '../../../../src/mcp/auth/sharedSignIn.js';
import { settled } from '../../../support/waiting.js';

const failed: AuthFailure = { code: 'noBrowser', why: 'none' };

describe('what goes on to get a token', () => {
	it('ends with the last who waits, unless nobody is asked anything', async () => {
		for (const [person, isEnded] of [
			['ask', true],
			['waiting', true],
			['absent', false],
		] as const) {
			const signIn = new SharedSignIn(person, undefined, () => new Promise(() => undefined));
			const [first, second] = [new AbortController(), new AbortController()];
			const joined = [signIn.join(first.signal), signIn.join(second.signal)];
			const rejected = Promise.all(joined.map(it => assert.rejects(it, { name: 'AbortError' })));
			first.abort();
			await settled();
			assert.equal(signIn.isAborted, false, person);
			second.abort();
			await rejected;
			assert.equal(signIn.isAborted, isEnded, person);
			signIn.abort();
			assert.equal(signIn.isAborted, true, person);
		}
	});

	it('begins when the one before it has ended, however it ended', async () => {
		for (const isBroken of [false, true]) {
			const end = deferred<AuthFailure>();
			const before = new SharedSignIn('ask', undefined, () => end.promise);
			let begun = false;
			const signIn = new SharedSignIn('ask', before, async () => {
				begun = true;
				return failed;
			});
			await settled();
			assert.equal(begun, false);
			if (isBroken) {
				end.reject(new Error('broken'));
			} else {
				end.resolve(failed);
			}
			assert.equal(await signIn.join(new AbortController().signal), failed);
		}
	});

	it('may fail with nobody waiting', async () => {
		const unhandled: unknown[] = [];
		const listener = (error: unknown): void => void unhandled.push(error);
		process.on('unhandledRejection', listener);
		try {
			assert.ok(new SharedSignIn('absent', undefined, () => Promise.reject(new Error('nobody hears of it'))));
			await settled();
			assert.deepEqual(unhandled, []);
		} finally {
			process.off('unhandledRejection', listener);
		}
	});
});
