// What is made of answers of token endpoints, and of what the library says to them.
import * as assert from 'node:assert/strict';
import {
	AuthorizationResponseError,
	OperationProcessingError,
	ResponseBodyError,
	UnsupportedOperationError,
	WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { AuthError } from '../../../../src/mcp/auth/failure.js';
import { normalizeResponse, toAuthError } from '../../../../src/mcp/auth/tokenRequest.js';

const issuer = 'https://as.example';

/** `status content-type www-authenticate body` */
async function tidiedText(body: unknown, status = 200, success?: number): Promise<string> {
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const headers = { 'content-type': 'text/plain', 'www-authenticate': 'Bearer', 'x-other': 'y' };
	const response = await normalizeResponse(new Response(text, { status, headers }), success);
	const { headers: given } = response;
	assert.equal(given.get('x-other'), 'y');
	return [response.status, given.get('content-type'), given.get('www-authenticate'), await response.text()].join(' ');
}

describe('answers of token endpoints', () => {
	it('are made what the RFCs want', async () => {
		const token = { access_token: 'a', token_type: 'x' };
		const rows: readonly (readonly [given: string, expected: string])[] = [
			[await tidiedText(token), '200 application/json Bearer {"access_token":"a","token_type":"x"}'],
			[await tidiedText(token, 201), '200 application/json Bearer {"access_token":"a","token_type":"x"}'],
			[await tidiedText(token, 200, 201), '201 application/json Bearer {"access_token":"a","token_type":"x"}'],
			[await tidiedText(token, 202), '202 application/json Bearer {"access_token":"a","token_type":"x"}'],
			[
				await tidiedText({ access_token: 'a', id_token: 'i' }),
				'200 application/json Bearer {"access_token":"a","token_type":"bearer"}',
			],
			[
				await tidiedText({ ...token, refresh_token: null, scope: null, expires_in: null, token_type: null }),
				'200 application/json Bearer {"access_token":"a","token_type":"bearer"}',
			],
			[await tidiedText({ client_id: 'c' }), '200 application/json Bearer {"client_id":"c"}'],
			[await tidiedText({ error: 'no' }), '400 application/json  {"error":"no"}'],
			[await tidiedText({ error: 'no' }, 401), '401 application/json  {"error":"no"}'],
			[await tidiedText({ error: 5 }), '200 application/json Bearer {"error":5}'],
			[
				await tidiedText({ ...token, error: 'no' }),
				'200 application/json Bearer {"access_token":"a","token_type":"x","error":"no"}',
			],
			[await tidiedText({ client_id: 'c', error: 'no' }), '200 application/json Bearer {"client_id":"c","error":"no"}'],
			[await tidiedText('<html>', 500), '500 text/plain Bearer <html>'],
			[await tidiedText('[1]', 201), '201 text/plain Bearer [1]'],
			[await tidiedText('"x"', 201), '201 text/plain Bearer "x"'],
		];
		assert.deepEqual(
			rows.map(([given]) => given),
			rows.map(([, expected]) => expected),
		);
	});

	const response = (status: number): Response => new Response('', { status });
	const refused = (status: number | undefined, error: string, description?: string): object => ({
		code: 'refused',
		request: 'token',
		status,
		refusal: { error, description },
	});
	const challenge = (parameters: Record<string, string>): WWWAuthenticateChallengeError =>
		new WWWAuthenticateChallengeError('x', { cause: [{ scheme: 'bearer', parameters }], response: response(401) });
	const processing = (code: string | undefined, cause?: unknown): OperationProcessingError =>
		new OperationProcessingError('what is wrong', { ...(code !== undefined && { code }), cause });
	const bad = { code: 'badAnswer', request: 'token', why: 'what is wrong' };
	const long = 'x'.repeat(600);
	const cut = 'x'.repeat(500);
	const rows: readonly (readonly [what: string, error: unknown, failure: object])[] = [
		[
			'a refusal',
			new ResponseBodyError('x', { cause: { error: 'a', error_description: 'b' }, response: response(400) }),
			refused(400, 'a', 'b'),
		],
		[
			'a long refusal',
			new ResponseBodyError('x', { cause: { error: long, error_description: long }, response: response(400) }),
			refused(400, cut, cut),
		],
		[
			'a refusal without a description',
			new ResponseBodyError('x', { cause: { error: 'a' }, response: response(400) }),
			refused(400, 'a'),
		],
		[
			'a refusal whose description is no text',
			new ResponseBodyError('x', {
				cause: { error: 'a', error_description: { en: 'b' } as never },
				response: response(400),
			}),
			refused(400, 'a'),
		],
		[
			'a refusal that the browser brings',
			new AuthorizationResponseError('x', { cause: new URLSearchParams({ error: 'a', error_description: 'b' }) }),
			refused(undefined, 'a', 'b'),
		],
		['a challenge', challenge({ error: 'a', error_description: 'b' }), refused(401, 'a', 'b')],
		['a challenge that says nothing', challenge({}), refused(401, 'unauthorized')],
		[
			'no challenge at all',
			new WWWAuthenticateChallengeError('x', { cause: [], response: response(401) }),
			refused(401, 'unauthorized'),
		],
		['no endpoint', processing('OAUTH_MISSING_SERVER_METADATA'), { code: 'noEndpoint', request: 'token', issuer }],
		['a bad endpoint', processing('OAUTH_INVALID_SERVER_METADATA'), { code: 'noEndpoint', request: 'token', issuer }],
		['a status', processing(undefined, response(400)), { code: 'noAnswer', request: 'token', url: issuer, why: '400' }],
		['an answer that is wrong', processing(undefined, response(399)), bad],
		['anything that is wrong', processing('OAUTH_INVALID_RESPONSE', { status: 500 }), bad],
		['what is not supported', new UnsupportedOperationError('what is wrong'), bad],
	];
	for (const [what, error, failure] of rows) {
		it(`${what} is a failure`, () => {
			const found = toAuthError(error, 'token', issuer);
			assert.ok(found instanceof AuthError);
			assert.deepEqual(found.failure, failure);
		});
	}

	it('what is none of the library’s is left as it is', () => {
		for (const error of [new Error('x'), new AuthError({ code: 'noBrowser', why: 'x' }), 5]) {
			assert.equal(toAuthError(error, 'token', issuer), error);
		}
	});
});
