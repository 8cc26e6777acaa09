// A secret belongs to an issuer: which authorization server gets a configured secret, key or token, and who confirms it.
import * as assert from 'node:assert/strict';
import type { AuthConfig, KnownClient } from '../../../../src/mcp/index.js';
import type { Outcome } from '../../../../src/mcp/auth/ports.js';
import type { SignInNeed } from '../../../../src/mcp/auth/failure.js';
import { type EngineBench, engineBench, issuer, kept, ownRedirectUri } from '../../../support/engineBench.js';

const evil = 'https://login.evil.example';
const failureOf = (outcome: Outcome): unknown => (outcome.kind === 'failed' ? outcome.failure : outcome.kind);
const codeOf = (outcome: Outcome): string => (outcome.kind === 'failed' ? outcome.failure.code : outcome.kind);

/** A server that names this authorization server; the person answers as told. */
function bench(config: AuthConfig, named: string, isAgreed = true): EngineBench & { readonly needs: SignInNeed[] } {
	const needs: SignInNeed[] = [];
	const mayInteract = (need: SignInNeed): Promise<boolean> => Promise.resolve(needs.push(need) > 0 && isAgreed);
	const made = engineBench({ config, prompt: { mayInteract } });
	made.documents.resource = { authorization_servers: [named] };
	return { ...made, needs };
}

describe('a secret of a client', () => {
	const bound = { clientId: 'corp', issuer, clientSecret: 'S3CRET' };
	const idp = { issuer: 'https://idp.example', clientId: 'there', subjectToken: () => Promise.resolve('id token') };
	const configs: readonly AuthConfig[] = [
		{ kind: 'person', client: bound },
		{ kind: 'clientCredentials', client: bound },
		{ kind: 'clientCredentials', client: { clientId: 'corp', issuer, privateKey: 'PEM', algorithm: 'ES256' } },
		{ kind: 'enterprise', client: bound, identityProvider: idp },
		{ kind: 'workload', issuer, assertion: () => Promise.resolve('JWT') },
	];

	it('has an issuer in its type', () => {
		// @ts-expect-error -- a secret without an issuer
		const secret: KnownClient = { clientId: 'corp', clientSecret: 's' };
		// @ts-expect-error -- a key without an issuer
		const key: KnownClient = { clientId: 'corp', privateKey: 'PEM' };
		// @ts-expect-error -- a token without an issuer
		const workload: AuthConfig = { kind: 'workload', assertion: () => Promise.resolve('JWT') };
		assert.ok([secret, key, workload].length > 0);
	});

	for (const config of configs) {
		it(`goes to no other authorization server, without a question: ${config.kind}`, async () => {
			for (const person of ['absent', 'ask', 'waiting'] as const) {
				const grant = { ...kept, by: config.kind === 'person' ? 'code' : config.kind } as const;
				for (const before of [undefined, grant, { ...grant, issuer: evil }]) {
					const { obtain, asked, needs, browser } = bench(config, evil);
					const failure = { code: 'otherIssuer', issuer: evil, configured: issuer };
					assert.deepEqual(failureOf(await obtain({ person, grant: before })), failure);
					assert.deepEqual([asked, needs, browser.visited], [[], [], []]);
				}
			}
		});
	}

	it('is not used for a sign-in without a browser if the settings name no issuer', async () => {
		for (const config of [
			{ kind: 'workload', issuer: '', assertion: () => assert.fail('read') },
			{ kind: 'clientCredentials', client: { clientId: 'corp' } },
			{ kind: 'enterprise', client: { clientId: 'corp' }, identityProvider: idp },
		] as const) {
			const { obtain, asked } = bench(config, evil);
			assert.deepEqual(failureOf(await obtain()), { code: 'badConfiguration', what: 'issuer' });
			assert.deepEqual(asked, []);
		}
	});

	for (const kind of ['person', 'clientCredentials'] as const) {
		it(`without an issuer is sent after the person has confirmed one, which is kept: ${kind}`, async () => {
			const confirmed: string[] = [];
			const bindSecret = (it: string) => Promise.resolve({ ...bound, issuer: it }).finally(() => confirmed.push(it));
			const config = { kind, client: { clientId: 'corp', bindSecret } };
			for (const [person, isAgreed] of [
				['absent', true],
				['ask', false],
			] as const) {
				const { obtain, asked, needs } = bench(config, evil, isAgreed);
				// Tokens of an earlier version aren't renewed with the secret, either.
				const failure = failureOf(await obtain({ person, grant: { ...kept, issuer: evil } }));
				const { code, need } = failure as { readonly code: string; readonly need: SignInNeed };
				assert.deepEqual([code, need.bindsSecret, need.issuer], ['signInNeeded', true, evil]);
				assert.equal(need.tokenEndpoint, `${evil}/token`);
				assert.equal(need.page, kind === 'person' ? `${evil}/authorize` : undefined);
				assert.deepEqual([asked, confirmed, needs.length], [[], [], person === 'absent' ? 0 : 1]);
			}
			const { obtain, asked, headers, needs } = bench(config, issuer);
			assert.equal(codeOf(await obtain()), 'granted');
			assert.deepEqual([asked, confirmed, needs.length], [[`POST ${issuer}/token`], [issuer], 1]);
			assert.equal(headers[0]?.['authorization'], `Basic ${btoa('corp:S3CRET')}`);
		});
	}

	it('is not sent to another authorization server to revoke a token', async () => {
		const { engine, asked } = bench({ kind: 'person', client: bound }, evil);
		await engine.revoke(
			{ ...kept, issuer: evil, client: { way: 'configured', clientId: 'corp' } },
			AbortSignal.any([]),
		);
		assert.deepEqual(asked, []);
	});
});

describe('the host that gets tokens and secrets', () => {
	const bound = { clientId: 'corp', issuer, clientSecret: 'S3CRET' };
	const elsewhere = { token_endpoint: `${evil}/token` };
	const bank = { token_endpoint: 'https://bank.example/token' };

	for (const config of [
		{ kind: 'person' },
		{ kind: 'person', client: bound },
		{ kind: 'clientCredentials', client: bound },
		{ kind: 'workload', issuer, assertion: () => Promise.resolve('JWT') },
	] as const) {
		const title = `${config.kind}${'client' in config ? ' with a secret' : ''}`;
		it(`is confirmed once before another host gets anything: ${title}`, async () => {
			for (const first of [{}, bank]) {
				const { obtain, asked, documents, needs, keep, stored } = bench(config, issuer);
				documents.server = first;
				const outcome = await obtain();
				assert.ok(outcome.kind === 'granted');
				const grant = { ...outcome.grant, refreshToken: 'r0' };
				const isAsked = config.kind === 'person' || first === bank;
				assert.equal(needs.length, isAsked ? 1 : 0);
				assert.equal(needs[0]?.bindsSecret ?? false, first === bank && title !== 'person', 'first');
				asked.length = 0;
				// Also the issuer's own host is another one.
				for (const server of first === bank ? [elsewhere, {}] : [elsewhere]) {
					await keep(grant);
					documents.server = server;
					const silent = await obtain({ grant, wasSignedIn: true, person: 'absent' });
					assert.equal(codeOf(silent), 'signInNeeded');
					assert.ok(silent.kind === 'failed' && silent.isForgotten);
					assert.deepEqual([asked, (await stored())[0]], [[], undefined]);
				}
				documents.server = elsewhere;
				needs.length = 0;
				assert.equal(codeOf(await obtain({ wasSignedIn: true })), 'granted');
				const shown = needs.map(it => [it.tokenEndpoint, it.bindsSecret]);
				assert.deepEqual(shown, [[`${evil}/token`, title !== 'person']]);
				const renewed = await obtain({ grant, wasSignedIn: true, person: 'absent' });
				assert.equal(codeOf(renewed), 'granted');
				assert.deepEqual([asked.at(-1), needs.length], [`POST ${evil}/token`, 1]);
			}
		});
	}

	it('is that of the issuer for tokens of an earlier version', async () => {
		for (const [server, code, sent] of [
			[{}, 'granted', [`POST ${issuer}/token`]],
			[bank, 'signInNeeded', []],
		] as const) {
			const { obtain, asked, documents } = bench({ kind: 'person' }, issuer);
			documents.server = server;
			assert.equal(codeOf(await obtain({ grant: kept, person: 'absent' })), code);
			assert.deepEqual(asked, sent);
		}
	});

	it('is confirmed again for a secret that was typed during a sign-in', async () => {
		const questions: unknown[] = [];
		const needs: SignInNeed[] = [];
		const { obtain, documents } = engineBench({
			prompt: {
				mayInteract: need => Promise.resolve(needs.push(need) > 0),
				askClient: it => Promise.resolve(questions.push(it)).then(() => ({ clientId: 'me', clientSecret: 's' })),
			},
		});
		for (const [server, bindsSecret] of [
			[{ ...bank, registration_endpoint: undefined }, false],
			[bank, false],
			[elsewhere, true],
		] as const) {
			documents.server = server;
			assert.equal(codeOf(await obtain()), 'granted');
			assert.equal(needs.at(-1)?.bindsSecret, bindsSecret);
		}
		const redirectUri = 'http://127.0.0.1:7777/callback';
		assert.deepEqual(questions, [{ issuer, tokenEndpoint: bank.token_endpoint, redirectUri }]);
	});

	it('is confirmed for each server separately', async () => {
		const { obtain, store, documents, asked } = bench({ kind: 'clientCredentials', client: bound }, issuer);
		await store.set({ kind: 'hosts', server: 'https://other.example', issuer }, '"page bank.example"');
		await store.set({ kind: 'hosts', issuer } as never, '"page bank.example"');
		documents.server = bank;
		assert.equal(codeOf(await obtain({ person: 'absent' })), 'signInNeeded');
		assert.deepEqual(asked, []);
	});

	it('is the only one that gets a token to revoke it', async () => {
		for (const [server, sent] of [
			[{}, [`POST ${issuer}/revoke`]],
			[{ revocation_endpoint: `${evil}/revoke` }, []],
			[{ ...elsewhere, revocation_endpoint: `${evil}/revoke` }, []],
			[{ revocation_endpoint: undefined }, []],
		] as const) {
			const { engine, asked, documents } = bench({ kind: 'person' }, issuer);
			documents.server = server;
			await engine.revoke(kept, AbortSignal.any([]));
			assert.deepEqual(asked, sent);
		}
	});
});

describe('the page of a sign-in, and the host that gets the code', () => {
	const github = 'https://github.com/login/oauth/authorize';

	it('need a second confirmation if they differ, unless responses name their issuer', async () => {
		for (const [server, isMixed] of [
			[{ authorization_endpoint: github }, true],
			[{ authorization_endpoint: github, authorization_response_iss_parameter_supported: true }, false],
			[{ authorization_endpoint: github, authorization_response_iss_parameter_supported: 'yes' }, true],
			[{ authorization_endpoint: `${evil}:8443/authorize` }, true],
			[{ authorization_endpoint: `${evil}/elsewhere/authorize` }, false],
		] as const) {
			const { obtain, documents, browser, needs } = bench({ kind: 'person' }, evil, false);
			documents.server = server;
			assert.equal(codeOf(await obtain()), 'signInNeeded');
			const { authorization_endpoint: page } = server;
			const shown = needs.map(it => [it.page, it.tokenEndpoint, it.isMixed]);
			assert.deepEqual([shown, browser.visited], [[[page, `${evil}/token`, isMixed]], []]);
		}
	});

	it('are asked about once for this issuer and these hosts', async () => {
		const { obtain, documents, needs } = bench({ kind: 'person' }, 'https://accounts.google.com');
		const google = { token_endpoint: 'https://oauth2.googleapis.com/token' };
		for (const [server, isMixed] of [
			[google, true],
			[google, false],
			[{ ...google, authorization_endpoint: github }, true],
			[{ token_endpoint: 'https://other.example/token' }, true],
		] as const) {
			documents.server = server;
			assert.equal(codeOf(await obtain()), 'granted');
			assert.equal(needs.at(-1)?.isMixed, isMixed, JSON.stringify(server));
		}
		documents.resource = { authorization_servers: [evil] };
		documents.server = { ...google, authorization_endpoint: github };
		await obtain();
		assert.equal(needs.at(-1)?.isMixed, true, 'another issuer with the same hosts');
	});

	it('are the same for Amazon Cognito, although the issuer is on another host', async () => {
		const pool = 'https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_x';
		const { obtain, documents, needs } = bench({ kind: 'person' }, pool);
		const domain = 'https://me.auth.eu-west-1.amazoncognito.com/oauth2';
		documents.server = { authorization_endpoint: `${domain}/authorize`, token_endpoint: `${domain}/token` };
		assert.equal(codeOf(await obtain()), 'granted');
		assert.deepEqual(
			needs.map(it => [it.issuer, it.isMixed]),
			[[pool, false]],
		);
	});

	it('are read from the metadata before the person is asked', async () => {
		const { obtain, documents, needs } = bench({ kind: 'person' }, issuer);
		documents.server = { token_endpoint: undefined };
		assert.deepEqual(failureOf(await obtain()), { code: 'noEndpoint', request: 'token', issuer });
		assert.deepEqual(needs, []);
	});
});

describe('the redirect of a sign-in', () => {
	it('has a path for each issuer if we register the client, and is the registered one otherwise', async () => {
		const uris = new Set<string>();
		for (const named of [issuer, evil]) {
			const { obtain, browser } = bench({ kind: 'person' }, named);
			await obtain();
			uris.add(browser.visited[0]?.searchParams.get('redirect_uri') ?? '');
		}
		assert.equal(uris.size, 2);
		assert.ok(
			[...uris].every(it => /^http:\/\/127\.0\.0\.1:7777\/callback\/[0-9a-f]{12}$/.test(it)),
			[...uris].join(' '),
		);
		const clientMetadataUrl = 'https://client.example/metadata.json';
		for (const [config, server] of [
			[{ kind: 'person', client: { clientId: 'mine' } }, {}],
			[{ kind: 'person', clientMetadataUrl }, { client_id_metadata_document_supported: true }],
		] as const) {
			const { obtain, browser, documents } = bench(config, issuer);
			documents.server = server;
			await obtain();
			assert.equal(browser.visited[0]?.searchParams.get('redirect_uri'), 'http://127.0.0.1:7777/callback');
		}
	});

	it('is the redirect URI of the settings only for a client that the person registered; a failure to open it names the URI', async () => {
		const fixed = 'http://localhost:3118/callback';
		for (const [client, expected] of [
			[{ clientId: 'mine' }, fixed],
			[undefined, ownRedirectUri],
		] as const) {
			const { obtain, browser } = bench({ kind: 'person', client, redirectUri: fixed }, issuer);
			await obtain();
			assert.equal(browser.visited[0]?.searchParams.get('redirect_uri'), expected);
		}
		const { obtain } = engineBench({
			config: { kind: 'person', client: { clientId: 'mine' }, redirectUri: fixed },
			redirect: { open: () => Promise.reject(new Error('EADDRINUSE')) },
		});
		assert.deepEqual(failureOf(await obtain()), { code: 'noRedirect', uri: fixed, why: 'EADDRINUSE' });
	});

	it('is ignored on the path of another issuer, although the state is right', async () => {
		const { obtain, browser } = bench({ kind: 'person' }, issuer);
		browser.back = () => `http://127.0.0.1:7777/callback/${'0'.repeat(12)}`;
		assert.deepEqual(failureOf(await obtain()), { code: 'badAnswer', request: 'token', why: 'refused' });
		assert.equal(browser.visited.length, 1);
	});
});
