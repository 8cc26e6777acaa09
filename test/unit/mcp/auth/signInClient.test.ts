// Which client a person signs in with: what is kept, registered, typed and forgotten of it.
import * as assert from 'node:assert/strict';
import type { AuthStep } from '../../../../src/mcp/index.js';
import type { PersonConfig } from '../../../../src/mcp/auth/config.js';
import type { Outcome } from '../../../../src/mcp/auth/ports.js';
import {
	type Answer,
	engineBench,
	issuer,
	ownRedirectUri,
	redirectUri,
	serverUrl,
} from '../../../support/engineBench.js';

const failureOf = (outcome: Outcome): unknown => (outcome.kind === 'failed' ? outcome.failure : outcome.kind);

describe('the client that a person signs in with', () => {
	type Reasons = Extract<AuthStep, { kind: 'client' }>['why'];
	const documentUrl = 'https://client.example/metadata.json';
	const key = { kind: 'client', server: serverUrl, issuer } as const;
	const understands = { client_id_metadata_document_supported: true };
	const old = { way: 'registered', clientId: 'old', redirectUri: ownRedirectUri } as const;

	const rows: readonly (readonly [
		what: string,
		given: { config?: Omit<PersonConfig, 'kind'>; server?: object; old?: object },
		client: string,
		why: Reasons,
	])[] = [
		[
			'an id that was typed earlier, before our document',
			{ config: { clientMetadataUrl: documentUrl }, server: understands, old: { ...old, way: 'asked' } },
			'remembered old',
			['notConfigured'],
		],
		[
			'our document, before one that was registered',
			{ config: { clientMetadataUrl: documentUrl }, server: understands, old },
			`metadataDocument ${documentUrl}`,
			['notConfigured'],
		],
		[
			'one that was registered, where no document is understood',
			{ config: { clientMetadataUrl: documentUrl }, old },
			'remembered old',
			['notConfigured', 'documentsUnsupported'],
		],
		[
			'one that was registered, where there is no document',
			{ server: understands, old },
			'remembered old',
			['notConfigured', 'noDocumentUrl'],
		],
		[
			'one whose secret holds for a moment',
			{ old: { ...old, secretExpiresAt: 1001 } },
			'remembered old',
			['notConfigured', 'noDocumentUrl'],
		],
		[
			'a new one, where the secret has just expired',
			{ old: { ...old, secretExpiresAt: 1000 } },
			'registered c1',
			['notConfigured', 'noDocumentUrl', 'expired'],
		],
		[
			'a new one, for another redirect',
			{ old: { ...old, redirectUri: 'http://127.0.0.1:1/' } },
			'registered c1',
			['notConfigured', 'noDocumentUrl', 'redirectChanged'],
		],
		[
			'a new one, where it was kept by 0.1.0, whose redirect was the same for each issuer',
			{ old: { ...old, redirectUri } },
			'registered c1',
			['notConfigured', 'noDocumentUrl', 'redirectChanged'],
		],
		[
			'a new one, where what is kept names no redirect',
			{ old: { way: 'registered', clientId: 'old' } },
			'registered c1',
			['notConfigured', 'noDocumentUrl', 'redirectChanged'],
		],
	];
	for (const [what, given, expected, why] of rows) {
		// covers: auth.clientOrder auth.clientDocument auth.redirectBound
		it(`is ${what}`, async () => {
			const { obtain, store, documents, steps, browser } = engineBench({ config: { kind: 'person', ...given.config } });
			documents.server = given.server ?? {};
			if (given.old) {
				await store.set(key, JSON.stringify(given.old));
			}
			await obtain();
			const step = steps.find(it => it.kind === 'client');
			assert.deepEqual([`${step?.way} ${step?.clientId}`, step?.why], [expected, why]);
			const redirect = given.old && 'redirectUri' in given.old ? given.old.redirectUri : undefined;
			assert.deepEqual(browser.preferred, [redirect]);
		});
	}

	// covers: auth.registration.metadata auth.registration.applicationType
	it('is registered with what is known of it, and kept with what was assigned', async () => {
		const answers: readonly (readonly [answer: object, kept: object])[] = [
			[{}, {}],
			[
				{ client_secret: 's', client_secret_expires_at: 5, token_endpoint_auth_method: 'client_secret_post' },
				{ clientSecret: 's', secretExpiresAt: 5000, method: 'client_secret_post' },
			],
			[{ client_secret: 's', client_secret_expires_at: 0 }, { clientSecret: 's' }],
			[{ client_secret: 's' }, { clientSecret: 's' }],
			[{ client_secret: '', client_secret_expires_at: -1, token_endpoint_auth_method: 5 }, {}],
			[{ client_secret: null, client_secret_expires_at: '9' }, {}],
			[{ client_secret: 's', client_secret_expires_at: -1 }, { clientSecret: 's' }],
			// More milliseconds than a number can count.
			[{ client_secret: 's', client_secret_expires_at: 1e14 }, { clientSecret: 's' }],
		];
		for (const [answer, expected] of answers) {
			const facts = { name: 'Us', softwareId: 'id', softwareVersion: '1' };
			const { obtain, answers, store } = engineBench({ client: facts });
			let registered: unknown;
			answers.register = metadata => {
				registered = metadata;
				return { status: 201, body: { client_id: 'c1', ...answer } };
			};
			await obtain();
			assert.deepEqual(registered, {
				client_name: 'Us',
				software_id: 'id',
				software_version: '1',
				redirect_uris: [ownRedirectUri],
				grant_types: ['authorization_code', 'refresh_token'],
				response_types: ['code'],
				token_endpoint_auth_method: 'none',
				application_type: 'native',
			});
			const record = JSON.parse((await store.get(key)) ?? 'null') as unknown;
			assert.deepEqual(record, { way: 'registered', clientId: 'c1', redirectUri: ownRedirectUri, ...expected });
		}
	});

	const wrong: readonly (readonly [what: string, answer: Answer])[] = [
		['a page', { status: 201, body: '<html>' }],
		['a page with another status', { status: 200, body: '<html>' }],
		['a list', { status: 201, body: [] }],
		['no id', { status: 201, body: {} }],
		['an id that is none', { status: 201, body: { client_id: 7 } }],
	];
	for (const [what, answer] of wrong) {
		it(`is none where the registration gives ${what}, which is said of the registration`, async () => {
			const { obtain, answers, browser, stored } = engineBench();
			answers.register = () => answer;
			const failure = failureOf(await obtain());
			const { code, request } = failure as Record<string, unknown>;
			assert.deepEqual([code, request], ['badAnswer', 'registration'], JSON.stringify(failure));
			assert.deepEqual([browser.visited, browser.open, await stored()], [[], 0, [undefined, undefined]]);
		});
	}

	it('is registered again with scopes only after a bad request, and only if scopes are known', async () => {
		for (const [status, server, expected] of [
			[400, { scopes_supported: ['a'] }, [undefined, 'a']],
			[400, {}, [undefined]],
			[403, { scopes_supported: ['a'] }, [undefined]],
			[500, { scopes_supported: ['a'] }, [undefined]],
		] as const) {
			for (const body of [{ error: 'invalid_request' }, 'no scope']) {
				const { obtain, documents, answers, browser } = engineBench();
				documents.server = server;
				const registered: unknown[] = [];
				answers.register = metadata => {
					registered.push((metadata as { readonly scope?: string }).scope);
					return { status, body };
				};
				assert.equal((await obtain()).kind, 'failed');
				assert.deepEqual([registered, browser.visited], [expected, []]);
			}
		}
	});

	it('is registered again with the scopes of a step-up if the page refuses them', async () => {
		const { obtain, store, browser, answers } = engineBench({ config: { kind: 'person', scopes: ['b'] } });
		await store.set(key, JSON.stringify({ ...old, scopes: ['a'] }));
		browser.change = answer => {
			answer.delete('code');
			answer.set('error', 'invalid_scope');
		};
		let registered: unknown;
		answers.register = metadata => {
			registered = metadata;
			return { status: 201, body: { client_id: 'c1' } };
		};
		await obtain();
		assert.equal((registered as { readonly scope: string }).scope, 'b');
		// The authorization server refuses the scopes themselves: nothing more can be done.
		await obtain();
		assert.equal(browser.visited.length, 3);
	});

	it('is asked for where there is no other way, and kept with its redirect', async () => {
		const typed = { clientId: 'typed', clientSecret: 's' };
		const { obtain, documents, store, steps } = engineBench({ prompt: { askClient: () => Promise.resolve(typed) } });
		documents.server = { registration_endpoint: undefined };
		await obtain();
		assert.equal(steps.find(it => it.kind === 'client')?.way, 'asked');
		const record = JSON.parse((await store.get(key)) ?? 'null') as unknown;
		assert.deepEqual(record, { ...typed, way: 'asked', redirectUri });
	});

	it('is the configured one at the authorization server that it is bound to', async () => {
		const config = { kind: 'person', client: { clientId: 'mine', issuer } } as const;
		const { obtain, steps, forms } = engineBench({ config });
		await obtain();
		assert.deepEqual(
			steps.filter(it => it.kind === 'client'),
			[{ kind: 'client', way: 'configured', why: [], clientId: 'mine', method: 'none' }],
		);
		assert.equal(forms[0]?.['client_id'], 'mine');
	});

	it('is forgotten where its authorization server does not know it any more, and only then', async () => {
		for (const [error, config, isKept] of [
			['invalid_client', {}, false],
			['invalid_grant', {}, true],
			['invalid_client', { client: { clientId: 'mine' } }, true],
		] as const) {
			const { obtain, answers, store, stored } = engineBench({ config: { kind: 'person', ...config } });
			await store.set(key, JSON.stringify(old));
			answers.token = () => ({ status: 400, body: { error } });
			const failure = failureOf(await obtain());
			const refusal = { error, description: undefined };
			assert.deepEqual(failure, { code: 'refused', request: 'token', status: 400, refusal });
			assert.deepEqual(await stored(), [undefined, isKept ? 'old' : undefined]);
		}
	});
});
