// Which client we are, and how it proves itself.
import * as assert from 'node:assert/strict';
import { chooseMethod, methodToRegister } from '../../../../src/mcp/auth/clientAuth.js';
import type { AuthPrompt, AuthStep } from '../../../../src/mcp/index.js';
import type { PersonConfig } from '../../../../src/mcp/auth/config.js';
import { parseClient } from '../../../../src/mcp/auth/grant.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { sign, type Signing, type SigningOptions } from '../../../support/guardedServer.js';
import { json } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';

type ClientStep = Extract<AuthStep, { kind: 'client' }>;

describe('the client', () => {
	const cleanup = leakCheck();
	const documentUrl = 'https://client.example/metadata.json';

	function person(config: Omit<PersonConfig, 'kind'>): SigningOptions {
		return { config: () => Promise.resolve({ kind: 'person', ...config }) };
	}

	function clientOf({ steps }: Signing): Partial<ClientStep> {
		const { kind: _, ...rest } = steps.findLast(it => it.kind === 'client') ?? { kind: 'client' };
		return rest;
	}

	// covers: auth.clientOrder
	it('is the one that the person configured, whatever else there is', async () => {
		const signing = await sign(cleanup, person({ client: { clientId: 'mine' }, clientMetadataUrl: documentUrl }));
		signing.server.metadata = { client_id_metadata_document_supported: true };
		await signing.call();
		assert.deepEqual(clientOf(signing), { way: 'configured', why: [], clientId: 'mine', method: 'none' });
		assert.deepEqual([signing.server.pages[0]?.get('client_id'), signing.server.registrations], ['mine', []]);
	});

	// covers: auth.clientDocument
	it('is our document, where both sides have a use for it', async () => {
		const signing = await sign(cleanup, person({ clientMetadataUrl: documentUrl }));
		signing.server.metadata = { client_id_metadata_document_supported: true };
		await signing.call();
		const why = ['notConfigured'];
		assert.deepEqual(clientOf(signing), { way: 'metadataDocument', why, clientId: documentUrl, method: 'none' });
		assert.deepEqual(signing.server.registrations, []);
	});

	it('is registered where the document is not understood, and remembered', async () => {
		const options = person({ clientMetadataUrl: documentUrl });
		const signing = await sign(cleanup, options);
		const { server, store } = signing;
		await signing.call();
		const why = ['notConfigured', 'documentsUnsupported'];
		assert.deepEqual(clientOf(signing), { way: 'registered', why, clientId: 'client1', method: 'none' });
		await signing.auth.signOut(new AbortController().signal);
		const later = await sign(cleanup, { ...options, server, store });
		await later.call();
		assert.deepEqual(clientOf(later), { way: 'remembered', why, clientId: 'client1', method: 'none' });
		assert.deepEqual([server.registrations.length, later.browser.preferred], [1, [later.browser.uri]]);
	});

	// covers: auth.redirectBound
	it('is registered again for another redirect', async () => {
		const signing = await sign(cleanup);
		await signing.call();
		await signing.auth.signOut(new AbortController().signal);
		signing.browser.uri = 'http://127.0.0.1:8888/callback';
		await signing.call();
		const why = ['notConfigured', 'noDocumentUrl', 'redirectChanged'];
		assert.deepEqual(clientOf(signing), { way: 'registered', why, clientId: 'client2', method: 'none' });
		assert.deepEqual(
			signing.server.registrations.map(it => it['redirect_uris']),
			[['http://127.0.0.1:7777/callback'], ['http://127.0.0.1:8888/callback']],
		);
	});

	it('is registered again when its secret has expired, or its authorization server has forgotten it', async () => {
		const signing = await sign(cleanup);
		const { server, clock, auth } = signing;
		const signal = new AbortController().signal;
		server.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
		let count = 0;
		server.instead.set('as /register', (_asked, response) => {
			const secret = { client_secret: 's', client_secret_expires_at: clock.now / 1000 + 60 };
			json(response, { client_id: `c${++count}`, ...secret }, 201);
		});
		await signing.call();
		clock.now += 61_000;
		await auth.signOut(signal);
		await signing.call();
		assert.deepEqual(clientOf(signing).why, ['notConfigured', 'noDocumentUrl', 'expired']);
		await auth.signOut(signal);
		server.instead.set('as /token', (_asked, response) => {
			server.instead.delete('as /token');
			json(response, { error: 'invalid_client' }, 401, { 'www-authenticate': 'Basic' });
		});
		const refused = await authFailureOf(signing.call());
		assert.deepEqual(
			typeof refused === 'object' && refused.code === 'refused' && refused.refusal.error,
			'invalid_client',
		);
		await signing.call();
		assert.deepEqual([clientOf(signing).clientId, count], ['c3', 3]);
	});

	it('is a web site only where the redirect is one', async () => {
		const signing = await sign(cleanup);
		signing.browser.uri = 'https://vscode.dev/redirect';
		await signing.call();
		assert.deepEqual(signing.server.registrations[0]?.['application_type'], 'web');
	});

	it('is registered for no scopes: a step-up may ask for more later', async () => {
		const signing = await sign(cleanup);
		signing.server.prm = { scopes_supported: ['read'] };
		await signing.call();
		assert.equal(signing.server.pages[0]?.get('scope'), 'read');
		assert.equal(signing.server.registrations[0]?.['scope'], undefined);
	});

	it('is asked for where nothing else is left; what the person types is remembered', async () => {
		const questions: object[] = [];
		const prompt: AuthPrompt = {
			mayInteract: () => Promise.resolve(true),
			mayVisit: () => Promise.resolve(true),
			askClient: question => {
				questions.push(question);
				return Promise.resolve(questions.length === 1 ? undefined : { clientId: 'typed' });
			},
		};
		const signing = await sign(cleanup, { prompt });
		const { server, browser, auth } = signing;
		server.metadata = { registration_endpoint: undefined };
		assert.deepEqual(await authFailureOf(signing.call()), { code: 'noClient', issuer: server.issuer });
		assert.deepEqual(questions, [{ issuer: server.issuer, server: server.url, redirectUri: browser.uri }]);
		await signing.call();
		assert.equal(clientOf(signing).way, 'asked');
		await auth.signOut(new AbortController().signal);
		await signing.call();
		assert.deepEqual([clientOf(signing).way, clientOf(signing).clientId, questions.length], ['remembered', 'typed', 2]);
		await auth.forgetRegistration(server.issuer);
		await auth.signOut(new AbortController().signal);
		await signing.call();
		assert.equal(questions.length, 3);
	});

	it('that is refused says why', async () => {
		const signing = await sign(cleanup);
		signing.server.instead.set('as /register', (_asked, response) =>
			json(response, { error: 'invalid_redirect_uri', error_description: 'https only' }, 400),
		);
		assert.deepEqual(await authFailureOf(signing.call()), {
			code: 'refused',
			request: 'registration',
			status: 400,
			refusal: { error: 'invalid_redirect_uri', description: 'https only' },
		});
		assert.deepEqual(signing.browser.visited, []);
	});

	// covers: auth.clientMethods
	describe('proves itself', () => {
		const as = (...methods: string[]): { issuer: string; token_endpoint_auth_methods_supported: string[] } => ({
			issuer: 'i',
			token_endpoint_auth_methods_supported: methods,
		});
		const secret = { way: 'registered', clientId: 'c', clientSecret: 's' } as const;
		const open = { way: 'registered', clientId: 'c' } as const;
		const key = { clientId: 'c', privateKey: 'k' };

		it('as was assigned, or else as it can and as is accepted', () => {
			assert.deepEqual(
				[
					chooseMethod({ ...secret, method: 'client_secret_post' }, undefined, as('client_secret_basic')),
					chooseMethod({ ...secret, method: 'none' }, undefined, as('client_secret_basic')),
					chooseMethod(secret, undefined, as('none', 'client_secret_post')),
					chooseMethod(secret, undefined, as('client_secret_post', 'client_secret_basic')),
					chooseMethod(secret, undefined, as('none')),
					chooseMethod(secret, undefined, { issuer: 'i' }),
					chooseMethod(open, undefined, as('client_secret_basic')),
					chooseMethod(open, key, as('private_key_jwt')),
					chooseMethod(secret, key, as('client_secret_basic')),
				],
				[
					'client_secret_post',
					'none',
					'client_secret_post',
					'client_secret_basic',
					'none',
					'client_secret_basic',
					'none',
					'private_key_jwt',
					'client_secret_basic',
				],
			);
			assert.throws(() => chooseMethod(secret, undefined, as('tls_client_auth')), { message: /noClientMethod/ });
			const asked = [
				as('none', 'client_secret_basic'),
				as('client_secret_post'),
				as('private_key_jwt'),
				{ issuer: 'i' },
			];
			assert.deepEqual(asked.map(methodToRegister), ['none', 'client_secret_post', 'none', 'none']);
		});

		for (const method of ['client_secret_basic', 'client_secret_post'] as const) {
			it(`with ${method}, to the letter`, async () => {
				const client = { clientId: 'my-client_1', clientSecret: 'a:b c%é' };
				const { server, call } = await sign(cleanup, person({ client }));
				server.metadata = { token_endpoint_auth_methods_supported: [method] };
				assert.equal(await call(), 200);
				const request = server.as.asked.find(it => it.path === '/token');
				const [, basic = ''] = request?.headers.authorization?.split(' ') ?? [];
				const form = server.forms[0];
				const sent = [Buffer.from(basic, 'base64').toString(), form?.get('client_id'), form?.get('client_secret')];
				const expected =
					method === 'client_secret_basic'
						? ['my-client_1:a%3Ab+c%25%C3%A9', null, null]
						: ['', 'my-client_1', 'a:b c%é'];
				assert.deepEqual(sent, expected);
			});
		}
	});

	// What common servers do otherwise than the RFCs want it.
	describe('of servers that do it their way', () => {
		const answers: readonly (readonly [string, number, object, object?])[] = [
			['no type of token', 200, {}],
			['201', 201, { token_type: 'Bearer' }],
			['a type in capitals', 200, { token_type: 'BEARER' }],
			['JSON called text', 200, { token_type: 'bearer' }, { 'content-type': 'text/plain' }],
			['an expiry in text', 200, { token_type: 'bearer', expires_in: '60' }],
			['an ID token that nobody can check', 200, { token_type: 'bearer', id_token: 'x' }],
		];
		for (const [what, status, answer, headers = {}] of answers) {
			it(`${what} with a token`, async () => {
				const { server, call } = await sign(cleanup);
				server.instead.set('as /token', (_asked, response) =>
					json(response, { access_token: server.issue(), ...answer }, status, headers),
				);
				assert.equal(await call(), 200);
			});
		}

		it('an error with 200 is an error', async () => {
			const { server, call } = await sign(cleanup);
			server.instead.set('as /token', (_asked, response) => json(response, { error: 'bad_verification_code' }));
			const failure = await authFailureOf(call());
			assert.deepEqual(
				typeof failure === 'object' && failure.code === 'refused' && failure.refusal.error,
				'bad_verification_code',
			);
		});

		it('a registration with 200 and a secret that never expires', async () => {
			const { server, call } = await sign(cleanup);
			server.instead.set('as /register', (_asked, response) => json(response, { client_id: 'c', client_secret: 's' }));
			assert.equal(await call(), 200);
		});

		it('a secret that expires later than any date', async () => {
			const { server, call, store } = await sign(cleanup);
			server.instead.set('as /register', (_asked, response) =>
				json(response, { client_id: 'c', client_secret: 's', client_secret_expires_at: 1e308 }),
			);
			assert.equal(await call(), 200);
			const kept = [...store.texts].filter(([key]) => key.includes('"client"')).map(([, text]) => parseClient(text));
			assert.deepEqual(
				kept.map(it => it?.secretExpiresAt),
				[undefined],
			);
		});

		it('an answer that is none', async () => {
			const { server, call } = await sign(cleanup);
			server.instead.set('as /token', (_asked, response) => json(response, { ok: true }));
			const failure = await authFailureOf(call());
			assert.deepEqual(typeof failure === 'object' && [failure.code, 'request' in failure && failure.request], [
				'badAnswer',
				'token',
			]);
		});
	});
});
