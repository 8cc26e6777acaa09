import * as assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { importPem, keyParams } from '../../../../src/mcp/auth/keys.js';

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('private keys', () => {
	const rsa = { name: 'RSASSA-PKCS1-v1_5' };
	const pss = { name: 'RSA-PSS' };
	const edwards = { name: 'Ed25519', namedCurve: 'Ed25519' };
	const table: Readonly<Record<string, object>> = {
		ES256: { name: 'ECDSA', namedCurve: 'P-256' },
		ES384: { name: 'ECDSA', namedCurve: 'P-384' },
		ES512: { name: 'ECDSA', namedCurve: 'P-521' },
		RS256: { ...rsa, hash: 'SHA-256' },
		RS384: { ...rsa, hash: 'SHA-384' },
		RS512: { ...rsa, hash: 'SHA-512' },
		PS256: { ...pss, hash: 'SHA-256' },
		PS384: { ...pss, hash: 'SHA-384' },
		PS512: { ...pss, hash: 'SHA-512' },
		EdDSA: edwards,
		Ed25519: edwards,
	};
	for (const [algorithm, expected] of Object.entries(table)) {
		it(`of ${algorithm}`, () => assert.deepEqual(keyParams(algorithm), expected));
	}

	it('of no other algorithm', () => {
		for (const algorithm of ['none', 'HS256', '', 'toString', ['ES256'], undefined]) {
			assert.throws(() => keyParams(algorithm), { name: 'TypeError', message: 'unknown algorithm' });
		}
	});

	it('are read from PEM, for signing alone', async () => {
		const curve = pemOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey);
		for (const [pem, algorithm] of [
			[curve, 'ES384'],
			[pemOf(generateKeyPairSync('ed25519').privateKey), 'EdDSA'],
			[pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey), 'PS256'],
		] as const) {
			const { type, extractable, usages } = await importPem(`text before\n${pem}`, algorithm);
			assert.deepEqual([type, extractable, usages], ['private', false, ['sign']]);
		}
		await assert.rejects(importPem(curve, 'ES256'));
		for (const text of ['', 'x', curve.replaceAll('PRIVATE', 'PUBLIC')]) {
			assert.throws(() => importPem(text, 'ES256'), { name: 'TypeError', message: 'no PKCS #8' });
		}
	});
});
