import * as assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import type { AuthorizationServer } from 'oauth4webapi';
import { chooseMethod, clientAuth } from '../../../../src/mcp/auth/clientAuth.js';
import { AuthError } from '../../../../src/mcp/auth/failure.js';
import type { ClientRecord } from '../../../../src/mcp/auth/grant.js';

const client: ClientRecord = { way: 'configured', clientId: 'me' };
const secret: ClientRecord = { ...client, clientSecret: 's' };
const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
	.privateKey.export({ type: 'pkcs8', format: 'pem' })
	.toString();
const withKey = { privateKey };
const offering = (...methods: string[]): AuthorizationServer => ({
	issuer: 'https://as.example',
	token_endpoint_auth_methods_supported: methods,
});
const silent: AuthorizationServer = { issuer: 'https://as.example' };

// covers: auth.clientMethods
describe('how a client proves itself', () => {
	it('by a key where it has one, and that is accepted or all it has', () => {
		for (const [record, as, expected] of [
			[client, silent, 'private_key_jwt'],
			[client, offering('none'), 'private_key_jwt'],
			[secret, silent, 'private_key_jwt'],
			[secret, offering('private_key_jwt'), 'private_key_jwt'],
			[secret, offering('client_secret_post'), 'client_secret_post'],
		] as const) {
			assert.equal(chooseMethod({ ...record, ...withKey }, as), expected);
		}
	});

	it('by its secret, in a way that is accepted', () => {
		assert.equal(chooseMethod(secret, silent), 'client_secret_basic');
		assert.equal(chooseMethod(secret, offering('none')), 'none');
		assert.equal(chooseMethod({ ...secret, method: 'client_secret_post' }, silent), 'client_secret_post');
		const many = Array.from({ length: 30 }, (_, index) => `method ${index}`);
		assert.throws(
			() => chooseMethod(secret, offering(...many)),
			(error: AuthError) => {
				assert.deepEqual(error.failure, {
					code: 'noClientMethod',
					issuer: 'https://as.example',
					offered: many.slice(0, 20),
				});
				return true;
			},
		);
	});

	it('with a key that can be read, which it names where it has a name', async () => {
		for (const keyId of [undefined, 'k']) {
			const auth = await clientAuth('private_key_jwt', { ...client, ...withKey, keyId });
			const body = new URLSearchParams();
			await auth(silent, { client_id: 'me' }, body, new Headers());
			const [header = ''] = body.get('client_assertion')?.split('.') ?? [];
			const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as Record<string, unknown>;
			assert.deepEqual([alg, kid], ['ES256', keyId]);
		}
		for (const wrong of [{ ...client, privateKey: 'x' }, client]) {
			await assert.rejects(clientAuth('private_key_jwt', wrong), (error: AuthError) => {
				assert.deepEqual(error.failure, { code: 'badConfiguration', what: 'privateKey' });
				return error instanceof AuthError;
			});
		}
	});
});
