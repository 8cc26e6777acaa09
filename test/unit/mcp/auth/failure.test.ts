// What is made of the failure of an authorization server that was only guessed.
import * as assert from 'node:assert/strict';
import { AuthError, type AuthFailure, withGuess } from '../../../../src/mcp/auth/failure.js';

const issuer = 'https://as.example';

describe('the failure of a guessed authorization server', () => {
	it('says that the guess was wrong if no client could be registered', () => {
		const failure: AuthFailure = { code: 'noEndpoint', request: 'registration', issuer };
		const error = withGuess(new AuthError(failure));
		assert.ok(error instanceof AuthError);
		assert.deepEqual([error.name, error.failure], ['AuthError', { code: 'guessFailed', failure }]);
	});

	it('is itself if another request failed, or none', () => {
		for (const error of [
			new AuthError({ code: 'noEndpoint', request: 'token', issuer }),
			new AuthError({ code: 'noClient', issuer }),
			new Error('registration'),
		]) {
			assert.equal(withGuess(error), error);
		}
	});
});
