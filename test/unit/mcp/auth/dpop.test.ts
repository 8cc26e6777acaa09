import * as assert from 'node:assert/strict';
import { createKey, createProver, dpopAlgorithm, importKey } from '../../../../src/mcp/auth/dpop.js';

describe('tokens that are bound to a key', () => {
	it('take an algorithm that is accepted', () => {
		assert.deepEqual([undefined, ['RS256', 'ES256'], ['RS256', 'PS256'], ['HS256'], []].map(dpopAlgorithm), [
			'ES256',
			'ES256',
			'PS256',
			undefined,
			undefined,
		]);
	});

	it('have a private key that stays here, and a public one for each proof', async () => {
		const { privateKey, publicKey } = await importKey(await createKey('ES256'));
		assert.deepEqual(
			[privateKey, publicKey].map(({ type, extractable, usages }) => [type, extractable, usages]),
			[
				['private', false, ['sign']],
				['public', true, ['verify']],
			],
		);
		await assert.rejects(importKey({ alg: 'HS256' }), { message: 'unknown algorithm' });
	});

	// covers: auth.dpop auth.dpopNonce
	it('prove a body by its digest, and with the last nonce', async () => {
		const prover = await createProver({
			issuer: 'https://as.example',
			accessToken: 'a',
			tokenType: 'dpop',
			asked: [],
			client: { way: 'registered', clientId: 'c' },
			by: 'code',
			key: await createKey('ES256'),
		});
		const claims = async (body?: string): Promise<Record<string, unknown>> => {
			const url = new URL('https://mcp.example/mcp');
			const headers = new Headers(await prover.headers({ method: 'POST', url, body }));
			assert.equal(headers.get('authorization'), 'DPoP a');
			const [, payload = ''] = headers.get('dpop')?.split('.') ?? [];
			return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
		};
		const first = await claims();
		assert.deepEqual([first['content_digest'], first['nonce'], first['htm']], [undefined, undefined, 'POST']);
		// RFC 9530, 2: of the empty text.
		assert.equal((await claims(''))['content_digest'], 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:');
		assert.deepEqual(
			[{}, { 'dpop-nonce': '' }, { 'dpop-nonce': 'n' }, { 'dpop-nonce': 'n' }, {}].map(it => prover.learn(it)),
			[false, false, true, false, false],
		);
		assert.equal((await claims())['nonce'], 'n');
	});
});
