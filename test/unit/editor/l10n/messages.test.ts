import * as assert from 'node:assert/strict';
import { describeError, describeFailure } from '../../../../src/editor/l10n/messages.js';
import { McpError, type McpFailure } from '../../../../src/mcp/index.js';

describe('words for a limit', () => {
	it('name it, and the setting that has it, if one does', () => {
		const method = 'tools/list';
		const cases: readonly (readonly [McpFailure, words: RegExp])[] = [
			[{ code: 'tooLarge', limit: 1 }, /1.* \(setting "mcpWorkbench\.limits\.messageSize"\)/],
			[{ code: 'tooLarge', limit: 1, isDecoded: true }, /larger than 1/],
			[{ code: 'tooManyRedirects', limit: 1, to: 'https://example.test/' }, /more than 1 times/],
			[{ code: 'tooManyPages', method, limit: 1 }, /more than 1 pages/],
			[{ code: 'tooManyItems', method, limit: 1 }, /more than 1 entries/],
			[{ code: 'tooManyRequests', limit: 1 }, /1 requests/],
		];
		for (const [failure, words] of cases) {
			assert.match(describeError(new McpError(failure)), words);
		}
	});
});

describe('words for a server that cannot be reached', () => {
	// What a person reads between "could not be reached" and the shrug: what it is, and what to look at.
	const cases: readonly (readonly [codes: readonly string[], problem: RegExp, advice: RegExp])[] = [
		[
			[
				'DEPTH_ZERO_SELF_SIGNED_CERT',
				'SELF_SIGNED_CERT_IN_CHAIN',
				'UNABLE_TO_GET_ISSUER_CERT',
				'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
				'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			],
			/^its certificate is of an authority that is not trusted here/,
			/operating system, and check the setting "http\.systemCertificates"$/,
		],
		[['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'], /^its certificate is out of date/, /renewed, or the clock/],
		[['ERR_TLS_CERT_ALTNAME_INVALID'], /^its certificate is for another host/, /check its "url"$/],
		[['EPROTO', 'ERR_SSL_WRONG_VERSION_NUMBER'], /^it could not agree on encryption/, /begin with "http:"$/],
		[['ECONNREFUSED'], /^nothing listens at its address/, /check that it runs/],
		[['ENOTFOUND', 'EAI_AGAIN'], /^its host is not known/, /the setting "http\.proxy"$/],
		[['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'], /^its host does not answer/, /the setting "http\.proxy"$/],
		[['ECONNRESET', 'EPIPE'], /^the connection broke/, /try again/],
	];

	for (const [codes, problem, advice] of cases) {
		it(codes.join(', '), () => {
			for (const why of codes) {
				const words = describeFailure({ kind: 'protocol', failure: { code: 'network', why } });
				assert.match(words, problem);
				assert.match(words, advice);
				// For whoever searches, or asks an administrator.
				assert.ok(words.includes(`(${why})`), words);
			}
		});
	}

	it('a proxy in the way', () => {
		const failure = (why: string): string => describeError(new McpError({ code: 'network', why }));
		assert.equal(
			failure('PROXY_ENOTFOUND'),
			'The request failed: the proxy could not be reached (ENOTFOUND): check the setting "http.proxy".',
		);
		assert.match(failure('PROXY_502'), /the proxy refused the connection \(HTTP status 502\)/);
		assert.match(failure('PROXY_407'), /the proxy wants to know who you are \(HTTP status 407\): sign in/);
		const error = { code: 'http', status: 407, error: undefined, challenge: undefined } as const;
		assert.equal(describeError(new McpError(error)), failure('PROXY_407'));
	});

	it('anything else is quoted as plain text', () => {
		const words = describeFailure({ kind: 'protocol', failure: { code: 'network', why: '[a](command:b)' } });
		assert.doesNotMatch(words, /\]\(command:/);
	});
});
