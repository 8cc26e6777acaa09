import * as assert from 'node:assert/strict';
import { SharedSignIn } from '../../../../src/mcp/auth/authorizer.js';
import { settled } from '../../../support/waiting.js';

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
});
