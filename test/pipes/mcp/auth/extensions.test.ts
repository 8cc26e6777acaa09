// The extensions of authorization: clients that need no browser, and tokens that are bound to a key.
import * as assert from 'node:assert/strict';
import { createHash, createPublicKey, generateKeyPairSync, type JsonWebKey, verify } from 'node:crypto';
import type { AuthConfig } from '../../../../src/mcp/index.js';
import type { WorkloadConfig } from '../../../../src/mcp/auth/config.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { sign, type Signing, type SigningOptions } from '../../../support/guardedServer.js';
import { json } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';

interface Jwt {
	readonly header: Record<string, unknown>;
	readonly payload: Record<string, unknown>;
}

/** Reads a JWT and checks its signature. */
function readJwt(text: string, key?: JsonWebKey): Jwt {
	const [head = '', body = '', signature = ''] = text.split('.');
	const parse = (part: string): Record<string, unknown> =>
		JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
	const header = parse(head);
	const publicKey = createPublicKey({ key: (key ?? header['jwk']) as JsonWebKey, format: 'jwk' });
	const dsa = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
	assert.ok(verify('sha256', Buffer.from(`${head}.${body}`), dsa, Buffer.from(signature, 'base64url')));
	return { header, payload: parse(body) };
}

describe('without a browser', () => {
	const cleanup = leakCheck();

	async function machine(config: AuthConfig): Promise<Signing> {
		const signing = await sign(cleanup, { config: () => Promise.resolve(config), isInteractive: () => false });
		signing.server.givesRefreshTokens = false;
		signing.server.prm = { scopes_supported: ['read'] };
		return signing;
	}

	// covers: auth.clientCredentials
	it('client credentials with a secret: an expired token is replaced, and nobody is asked', async () => {
		const signing = await machine({ kind: 'clientCredentials', client: { clientId: 'c', clientSecret: 's' } });
		const { server, call, clock, asked } = signing;
		server.metadata = {
			token_endpoint_auth_methods_supported: ['client_secret_basic'],
			code_challenge_methods_supported: undefined,
		};
		assert.equal(await call(), 200);
		clock.now += 3600_000;
		server.take();
		assert.equal(await call(), 200);
		assert.deepEqual(server.take().slice(-2), ['as POST /token client_credentials', 'POST /mcp t2']);
		assert.deepEqual(
			[server.forms.map(it => Object.fromEntries(it))[0], asked],
			[{ grant_type: 'client_credentials', resource: server.url, scope: 'read' }, []],
		);
		assert.equal(server.as.asked.find(it => it.path === '/token')?.headers.authorization, `Basic ${btoa('c:s')}`);
		assert.doesNotMatch([...signing.store.texts.values()].join(), /clientSecret/);
	});

	// covers: auth.privateKeyJwt
	it('client credentials with a key', async () => {
		const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
		const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
		const client = { clientId: 'c', privateKey: pem, algorithm: 'ES256', keyId: 'k1' };
		const { server, call } = await machine({ kind: 'clientCredentials', client });
		server.metadata = { token_endpoint_auth_methods_supported: ['private_key_jwt'] };
		assert.equal(await call(), 200);
		const form = server.forms[0];
		assert.equal(form?.get('client_assertion_type'), 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
		const { header, payload } = readJwt(form?.get('client_assertion') ?? '', publicKey.export({ format: 'jwk' }));
		const { iss, sub, aud, exp, iat, jti } = payload;
		assert.deepEqual([header['alg'], header['kid'], iss, sub, aud], ['ES256', 'k1', 'c', 'c', server.issuer]);
		assert.deepEqual([Number(exp) - Number(iat), typeof jti], [60, 'string']);
	});

	it('names a key that is not a key', async () => {
		const bad = { code: 'badConfiguration', what: 'privateKey' };
		for (const [privateKey, algorithm] of [
			['nonsense', 'ES256'],
			['-----BEGIN PRIVATE KEY-----\nYWJj\n-----END PRIVATE KEY-----', 'ES256'],
			['-----BEGIN PRIVATE KEY-----\nYWJj\n-----END PRIVATE KEY-----', 'HS256'],
		] as const) {
			const { call } = await machine({ kind: 'clientCredentials', client: { clientId: 'c', privateKey, algorithm } });
			assert.deepEqual(await authFailureOf(call()), bad);
		}
	});

	describe('a workload', () => {
		const workload: WorkloadConfig = { kind: 'workload', assertion: () => Promise.resolve(' jwt\n') };

		// covers: auth.workload
		it('sends the JWT of its platform, and needs no client id', async () => {
			const { server, call } = await machine(workload);
			assert.equal(await call(), 200);
			assert.deepEqual(
				server.forms.map(it => Object.fromEntries(it)),
				[
					{
						grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
						assertion: 'jwt',
						resource: server.url,
						scope: 'read',
					},
				],
			);
		});

		it('does not repeat a refused request, and tries nothing else', async () => {
			const { server, call } = await machine({ ...workload, clientId: 'c' });
			server.instead.set('as /token', (_asked, response) => json(response, { error: 'invalid_scope' }, 400));
			const failure = await authFailureOf(call());
			assert.deepEqual(
				typeof failure === 'object' && failure.code === 'refused' && failure.refusal.error,
				'invalid_scope',
			);
			assert.equal(server.lines.filter(it => it.startsWith('as POST')).length, 1);
		});

		it('fails if its JWT cannot be read, or is empty', async () => {
			const bad = { code: 'badConfiguration', what: 'assertion' };
			for (const [assertion, why] of [
				[() => Promise.reject(new Error('ENOENT')), 'ENOENT'],
				[() => Promise.resolve(' \n'), 'empty'],
			] as const) {
				const { server, call } = await machine({ kind: 'workload', assertion });
				assert.deepEqual([await authFailureOf(call()), server.forms], [{ ...bad, why }, []]);
			}
		});
	});

	// covers: auth.enterprise
	it("exchanges the organization's token twice to sign the person in", async () => {
		const idp = (await sign(cleanup)).server;
		idp.instead.set('as /token', (asked, response) => {
			idp.forms.push(new URLSearchParams(asked.body));
			const type = 'urn:ietf:params:oauth:token-type:id-jag';
			json(response, { access_token: 'jag', issued_token_type: type, token_type: 'N_A' });
		});
		const client = { clientId: 'here', clientSecret: 's' };
		const { server, call } = await machine({
			kind: 'enterprise',
			client,
			identityProvider: {
				issuer: idp.issuer,
				client: { clientId: 'there' },
				subjectToken: () => Promise.resolve('id token'),
			},
		});
		server.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
		assert.equal(await call(), 200);
		assert.deepEqual(
			idp.forms.map(it => Object.fromEntries(it)),
			[
				{
					grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
					requested_token_type: 'urn:ietf:params:oauth:token-type:id-jag',
					audience: server.issuer,
					resource: server.url,
					scope: 'read',
					subject_token: 'id token',
					subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
					client_id: 'there',
				},
			],
		);
		assert.deepEqual(
			server.forms.map(it => Object.fromEntries(it)),
			[
				{
					grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
					assertion: 'jag',
					resource: server.url,
					scope: 'read',
					client_id: 'here',
					client_secret: 's',
				},
			],
		);
	});
});

describe('tokens bound to a key', () => {
	const cleanup = leakCheck();

	/** @param nonces what the two servers insist on */
	async function bound(
		nonces: { readonly as?: string; readonly rs?: string } = {},
	): Promise<Signing & { proofs: Jwt[] }> {
		const signing = await sign(cleanup);
		const { server } = signing;
		const proofs: Jwt[] = [];
		const read = (headers: Record<string, unknown>): Jwt | undefined => {
			const proof = typeof headers['dpop'] === 'string' ? readJwt(headers['dpop']) : undefined;
			if (proof) {
				proofs.push(proof);
			}
			return proof;
		};
		server.instead.set('as /token', ({ headers, body }, response) => {
			server.forms.push(new URLSearchParams(body));
			if (nonces.as && read(headers)?.payload['nonce'] !== nonces.as) {
				json(response, { error: 'use_dpop_nonce' }, 400, { 'dpop-nonce': nonces.as });
			} else {
				if (!nonces.as) {
					read(headers);
				}
				const token = { access_token: server.issue(), token_type: 'DPoP', expires_in: 3600, refresh_token: 'r' };
				json(response, token);
			}
		});
		server.instead.set('/mcp', ({ headers }, response) => {
			if (!headers.authorization?.startsWith('DPoP t')) {
				json(response, {}, 401, { 'www-authenticate': 'DPoP algs="ES256"' });
			} else if (read(headers)?.payload['nonce'] !== nonces.rs) {
				const challenge = { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': nonces.rs };
				json(response, {}, 401, challenge);
			} else {
				json(response, {});
			}
		});
		return { ...signing, proofs };
	}

	// covers: auth.dpop
	it('every request has its own proof of the key, for this one message', async () => {
		const { server, call, proofs, browser } = await bound();
		assert.deepEqual([await call(), await call()], [200, 200]);
		const [token, first, second] = proofs;
		assert.deepEqual(
			proofs.map(({ payload }) => [payload['htm'], payload['htu']]),
			[
				['POST', `${server.issuer}/token`],
				['POST', server.url],
				['POST', server.url],
			],
		);
		const keys = new Set(proofs.map(({ header }) => JSON.stringify(header['jwk'])));
		assert.deepEqual([keys.size, [...keys].join().includes('"d"')], [1, false]);
		assert.notEqual(first?.payload['jti'], second?.payload['jti']);
		assert.equal(first?.payload['ath'], createHash('sha256').update('t1').digest('base64url'));
		const digest = createHash('sha256').update('{}').digest('base64');
		assert.equal(first?.payload['content_digest'], `sha-256=:${digest}:`);
		assert.deepEqual(['content_digest' in (token?.payload ?? {}), 'ath' in (token?.payload ?? {})], [false, false]);
		assert.match(new URL(browser.visited[0] ?? '').searchParams.get('dpop_jkt') ?? '', /^[\w-]{43}$/);
	});

	// covers: auth.dpopNonce
	it('uses a nonce as soon as a server asks for one, another for each server', async () => {
		const { call, proofs, asked } = await bound({ as: 'n1', rs: 'n2' });
		assert.deepEqual([await call(), await call(), asked], [200, 200, ['first']]);
		assert.deepEqual(
			proofs.map(({ payload }) => payload['nonce']),
			[undefined, 'n1', undefined, 'n2', 'n2'],
		);
	});

	it('fails if a server asks for another nonce each time', async () => {
		const { server, call } = await bound();
		let count = 0;
		server.instead.set('/mcp', ({ headers }, response) => {
			const challenge = headers.authorization ? 'DPoP error="use_dpop_nonce"' : 'DPoP';
			json(response, {}, 401, { 'www-authenticate': challenge, 'dpop-nonce': `n${++count}` });
		});
		assert.deepEqual([await call(), count], [401, 7]);
	});

	it('keeps the key over a restart and a refresh', async () => {
		const { server, call, proofs, store } = await bound();
		await call();
		const later = await sign(cleanup, { server, store, isInteractive: () => false });
		assert.equal(await later.call(), 200);
		later.clock.now += 3600_000;
		assert.equal(await later.call(), 200);
		const keys = proofs.map(({ header }) => JSON.stringify(header['jwk']));
		assert.deepEqual(
			[keys.length, new Set(keys).size, server.forms.at(-1)?.get('grant_type')],
			[5, 1, 'refresh_token'],
		);
	});

	it('keeps the token if the bundle cannot be loaded', async () => {
		const { server, call, store, asked } = await bound();
		await call();
		let loads = 0;
		const load: SigningOptions['load'] = () =>
			++loads === 1 ? Promise.reject(new Error('gone')) : import('../../../../src/authorization.js');
		const later = await sign(cleanup, { server, store, load });
		assert.deepEqual(await authFailureOf(later.call()), { code: 'unavailable', why: 'gone' });
		assert.deepEqual([await later.call(), asked, later.asked], [200, ['first'], []]);
	});

	it('forgets the token if its key is lost', async () => {
		const { server, call, store } = await bound();
		await call();
		const [key = ''] = [...store.texts.keys()].filter(it => it.includes('grant'));
		store.texts.set(key, (store.texts.get(key) ?? '').replace('"kty":"EC"', '"kty":"XX"'));
		const later = await sign(cleanup, { server, store });
		server.take();
		assert.equal(await later.call(), 200);
		assert.equal(server.take()[0], 'POST /mcp');
	});

	it('are never used if the setting says so; always if it says that, and then no other token is accepted', async () => {
		const modes = ['never', 'always'] as const;
		const proofs = await Promise.all(
			modes.map(async dpop => {
				const { server, call } = await sign(cleanup, { config: () => Promise.resolve({ kind: 'person', dpop }) });
				server.prm = { dpop_bound_access_tokens_required: dpop === 'never' };
				const failure = await authFailureOf(call());
				assert.equal(typeof failure === 'object' && failure.code === 'badAnswer', dpop === 'always');
				return server.as.asked.find(it => it.path === '/token')?.headers['dpop'] !== undefined;
			}),
		);
		assert.deepEqual(proofs, [false, true]);
	});
});
