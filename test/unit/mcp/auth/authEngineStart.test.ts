// What an attempt to get tokens begins with: settings, an authorization server, and a client that may need no browser.
import * as assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import type { AuthConfig } from '../../../../src/mcp/index.js';
import { engineBench, issuer, kept } from '../../../support/engineBench.js';

describe('without a browser', () => {
	const assertion = (): Promise<string> => Promise.resolve('jwt');
	const known = { clientId: 'mine', clientSecret: 's', issuer };
	const rows: readonly (readonly [AuthConfig, client: object, stepped: object, formId: string | undefined])[] = [
		[
			{ kind: 'workload', issuer, assertion },
			{ way: 'none', clientId: '' },
			{ way: 'none', clientId: undefined, method: 'none' },
			undefined,
		],
		[
			{ kind: 'workload', issuer, assertion, clientId: 'w' },
			{ way: 'configured', clientId: 'w' },
			{ way: 'configured', clientId: 'w', method: 'none' },
			'w',
		],
		[
			{ kind: 'clientCredentials', client: known },
			{ way: 'configured', clientId: 'mine' },
			{ way: 'configured', clientId: 'mine', method: 'client_secret_basic' },
			undefined,
		],
	];
	for (const [config, client, stepped, formId] of rows) {
		// covers: auth.clientCredentials auth.workload
		it(`${config.kind} as ${JSON.stringify(client)}: what is granted says how, and keeps no secret`, async () => {
			const { obtain, steps, browser, stored, documents, forms } = engineBench({
				config: { ...config, scopes: ['x'] },
			});
			documents.server = { scopes_supported: ['offline_access'] };
			const outcome = await obtain({ person: 'absent' });
			assert.ok(outcome.kind === 'granted');
			const { by, asked } = outcome.grant;
			assert.deepEqual([by, outcome.grant.client, asked, outcome.isSamePerson], [config.kind, client, ['x'], false]);
			assert.equal(forms[0]?.['client_id'], formId);
			assert.deepEqual(
				steps.flatMap(it => (it.kind === 'requested' ? [it.request] : [])),
				['resourceMetadata', 'serverMetadata', 'token'],
			);
			assert.deepEqual(
				steps.filter(it => it.kind === 'scopes' || it.kind === 'client' || it.kind === 'granted'),
				[
					{ kind: 'scopes', scopes: ['x'], from: 'configuration' },
					{ kind: 'client', why: [], ...stepped },
					{
						kind: 'granted',
						by: config.kind,
						scopes: undefined,
						expiresAt: undefined,
						refreshable: false,
						isBound: false,
					},
				],
			);
			assert.deepEqual([browser.preferred, await stored()], [[], ['a1', undefined]]);
		});
	}

	it('a client that is bound to another authorization server is not shown to this one', async () => {
		const client = { ...known, issuer: 'https://b.example' };
		const { obtain, asked } = engineBench({ config: { kind: 'clientCredentials', client } });
		const failure = { code: 'otherIssuer', issuer, configured: 'https://b.example' };
		assert.deepEqual(await obtain(), { kind: 'failed', failure, isForgotten: false });
		assert.deepEqual(asked, []);
	});
});

describe('what an attempt begins with', () => {
	it('of several authorization servers the configured one is taken, or else the one that the tokens are from', async () => {
		const client = { clientId: 'mine', issuer };
		for (const [config, grant] of [
			[{ kind: 'person' }, kept],
			[{ kind: 'person', client }, undefined],
			[
				{ kind: 'person', client },
				{ ...kept, issuer: 'https://b.example' },
			],
		] as const) {
			const { obtain, documents, steps } = engineBench({ config });
			documents.resource = { authorization_servers: ['https://b.example', issuer] };
			const outcome = await obtain({ grant });
			assert.equal(outcome.kind === 'granted' && outcome.grant.issuer, issuer);
			assert.ok(steps.every(it => it.kind !== 'requested' || !it.url.startsWith('https://b.example')));
		}
	});

	it('an address of the own network is visited only if the person, who is there, agrees', async () => {
		for (const [person, isAgreed, expected] of [
			['absent', true, []],
			['ask', false, ['https://10.0.0.1/token']],
			['ask', true, ['https://10.0.0.1/token']],
			['waiting', false, ['https://10.0.0.1/token']],
		] as const) {
			const questions: string[] = [];
			const { obtain, documents, asked } = engineBench({
				prompt: {
					mayVisit: ({ url, server }) => {
						assert.equal(server, 'https://mcp.example/mcp');
						questions.push(url);
						return Promise.resolve(isAgreed);
					},
				},
			});
			documents.server = { token_endpoint: 'https://10.0.0.1/token' };
			await obtain({ grant: kept, person });
			assert.deepEqual([...new Set(questions)], expected);
			assert.equal(asked.includes('POST https://10.0.0.1/token'), isAgreed && person !== 'absent');
		}
	});

	it('endpoints on this machine may do without encryption', async () => {
		const { obtain, documents, asked } = engineBench();
		documents.server = { token_endpoint: 'http://127.0.0.1:9/token' };
		assert.equal((await obtain({ grant: kept })).kind, 'granted');
		assert.equal(asked.at(-1), 'POST http://127.0.0.1:9/token');
	});

	// covers: auth.privateKeyJwt
	it('a key that is configured proves the configured client, and no other', async () => {
		const privateKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
			.privateKey.export({ type: 'pkcs8', format: 'pem' })
			.toString();
		for (const way of ['configured', 'registered'] as const) {
			const config: AuthConfig = { kind: 'person', client: { clientId: 'mine', issuer, privateKey } };
			const { obtain, forms } = engineBench({ config });
			await obtain({ grant: { ...kept, client: { way, clientId: 'mine' } } });
			assert.deepEqual([forms.length, 'client_assertion' in (forms[0] ?? {})], [1, way === 'configured']);
		}
	});
});
