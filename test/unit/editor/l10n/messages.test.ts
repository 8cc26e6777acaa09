import * as assert from 'node:assert/strict';
import { describeError, describeFailure } from '../../../../src/editor/l10n/messages.js';
import { McpError, type McpFailure } from '../../../../src/mcp/index.js';

describe('words for a limit', () => {
	it('name it, and the setting that has it, if one does', () => {
		const method = 'tools/list';
		const cases: readonly (readonly [McpFailure, words: RegExp])[] = [
			[{ code: 'tooLarge', limit: 1 }, /1.* \("messageSize" in the setting mcpWorkbench\.serverOptions\)/],
			[{ code: 'tooManyRedirects', limit: 1, to: 'https://example.test/' }, /more than 1 times/],
			[{ code: 'tooManyPages', method, limit: 1 }, /more than 1 pages/],
			[{ code: 'tooManyItems', method, limit: 1 }, /more than 1 entries/],
		];
		for (const [failure, words] of cases) {
			assert.match(describeError(new McpError(failure)), words);
		}
	});
});

describe('words for a server that cannot be reached', () => {
	// The details after "could not be reached": the cause, and what to check.
	const cases: readonly (readonly [codes: readonly string[], problem: RegExp, advice: RegExp])[] = [
		[
			[
				'DEPTH_ZERO_SELF_SIGNED_CERT',
				'SELF_SIGNED_CERT_IN_CHAIN',
				'UNABLE_TO_GET_ISSUER_CERT',
				'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
				'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			],
			/^The server's certificate authority isn't trusted/,
			/certificates and check the setting "http\.systemCertificates"$/,
		],
		[
			['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
			/^The server's certificate isn't currently valid/,
			/correct the clock/,
		],
		[['ERR_TLS_CERT_ALTNAME_INVALID'], /^The server's certificate is for another host/, /Check the "url"$/],
		[['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'], /^The encrypted connection failed/, /begin with "http:"$/],
		[['ECONNREFUSED'], /^The connection was refused/, /Check that the server is running/],
		[['ENOTFOUND', 'EAI_AGAIN'], /^The host is unknown/, /the setting "http\.proxy"$/],
		[['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'], /^The host doesn't respond/, /the setting "http\.proxy"$/],
		[['ECONNRESET', 'EPIPE'], /^The connection was interrupted/, /Try again/],
	];

	for (const [codes, problem, advice] of cases) {
		it(codes.join(', '), () => {
			for (const why of codes) {
				const words = describeFailure({ kind: 'protocol', failure: { code: 'network', why } });
				assert.match(words, problem);
				assert.match(words, advice);
				// The code is useful for a search, or for an administrator.
				assert.ok(words.includes(`(${why})`), words);
			}
		});
	}

	it('a proxy in the way', () => {
		const failure = (why: string): string => describeError(new McpError({ code: 'network', why }));
		assert.equal(
			failure('PROXY_ENOTFOUND'),
			'The request failed: The proxy can\'t be reached (ENOTFOUND). Check the setting "http.proxy".',
		);
		assert.match(failure('PROXY_502'), /The proxy refused the connection \(HTTP 502\)/);
		assert.match(failure('PROXY_407'), /The proxy requires authentication \(HTTP 407\)\. Sign in/);
		const error = { code: 'http', status: 407, error: undefined, challenge: undefined } as const;
		assert.equal(describeError(new McpError(error)), failure('PROXY_407'));
	});

	it('anything else is quoted as plain text', () => {
		const words = describeFailure({ kind: 'protocol', failure: { code: 'network', why: '[a](command:b)' } });
		assert.doesNotMatch(words, /\]\(command:/);
	});
});
