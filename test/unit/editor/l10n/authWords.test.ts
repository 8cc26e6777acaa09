import * as assert from 'node:assert/strict';
import { adviseOn, describeAuthFailure, describeRisk } from '../../../../src/editor/l10n/authWords.js';
import type { AuthFailure } from '../../../../src/mcp/index.js';

describe('words for a sign-in that failed', () => {
	const failed = (why: string): AuthFailure => ({ code: 'noAnswer', request: 'registration', url: 'https://a', why });

	it('a status is an answer, and an error of the network is none', () => {
		assert.equal(describeAuthFailure(failed('404')), 'Client registration failed with HTTP status 404');
		assert.match(describeAuthFailure(failed('ECONNREFUSED')), /^Client registration got no response from /);
	});

	it('if an exception helps, the advice is one line, and the question names the hosts unchanged, and the risk', () => {
		const hosts = { issuer: 'https://as.example/', named: 'https://as.example' };
		for (const failure of [
			{ code: 'issuerMismatch', ...hosts } as const,
			{ code: 'noPkce', issuer: hosts.issuer } as const,
		]) {
			assert.equal(adviseOn(failure), 'No secrets were sent. You can make an exception for this server.');
		}
		assert.match(
			describeRisk({ what: 'issuer', ...hosts }),
			/https:\/\/as\.example\/ and https:\/\/as\.example belong to/,
		);
		// A Cyrillic letter that looks like a Latin one.
		assert.match(
			describeRisk({ what: 'issuer', ...hosts, named: 'https://\u0430s.example' }),
			/ and https:\/\/\\u\{0430\}s\.example belong/,
		);
		assert.match(describeRisk({ what: 'pkce', issuer: hosts.issuer }), /if as\.example ignores it, someone who/);
	});

	it('of an authorization server that the server does not name, the advice is about a key', () => {
		const failure: AuthFailure = { code: 'guessFailed', failure: failed('404') };
		assert.equal(describeAuthFailure(failure), 'Client registration failed with HTTP status 404');
		assert.match(adviseOn(failure), /^The server names no authorization server\. .*"headers"/);
	});
});
