// How tokens are renewed, revoked and bound to a key, and what is kept of them: over servers that answer as they are told.
import * as assert from 'node:assert/strict';
import type { AuthConfig } from '../../../../src/mcp/index.js';
import type { Demand } from '../../../../src/mcp/auth/challenges.js';
import { createKey } from '../../../../src/mcp/auth/dpop.js';
import type { Outcome } from '../../../../src/mcp/auth/ports.js';
import {
	type Answer,
	engineBench,
	type EngineBenchOptions,
	issuer,
	kept,
	serverUrl,
} from '../../../support/engineBench.js';

const demandOf = (more: Partial<Demand> = {}): Demand => ({
	isDpop: false,
	error: undefined,
	scopes: undefined,
	resourceMetadata: undefined,
	...more,
});
const { signal } = new AbortController();
const codeOf = (outcome: Outcome): string => (outcome.kind === 'failed' ? outcome.failure.code : outcome.kind);

describe('renewing tokens', () => {
	it('gives the same grant with what is new, keeps it, and reports it', async () => {
		const { obtain, answers, forms, steps, stored, browser, keep } = engineBench();
		await keep(kept);
		answers.token = () => ({ body: { access_token: 'a1', token_type: 'bearer', expires_in: 60 } });
		const outcome = await obtain({ grant: { ...kept, resourceMetadataUrl: 'https://mcp.example/.well-known/gone' } });
		assert.deepEqual(outcome, {
			kind: 'granted',
			isSamePerson: true,
			grant: {
				...kept,
				resourceMetadataUrl: 'https://mcp.example/.well-known/gone',
				accessToken: 'a1',
				expiresAt: 61_000,
				renewAt: 31_000,
				key: undefined,
			},
		});
		assert.deepEqual(forms, [
			{ grant_type: 'refresh_token', refresh_token: 'r0', client_id: 'c0', resource: serverUrl, scope: 'read' },
		]);
		assert.deepEqual(steps.at(-1), {
			kind: 'granted',
			by: 'refresh',
			scopes: ['read'],
			expiresAt: 61_000,
			refreshable: true,
			isBound: false,
		});
		assert.deepEqual([await stored(), browser.visited], [['a1', undefined], []]);
	});

	it('takes what the answer says of the refresh token and of scopes; no resource is named that none published', async () => {
		const { obtain, answers, forms, documents } = engineBench();
		documents.resource = undefined;
		documents.server = { issuer: 'https://mcp.example', token_endpoint: `${issuer}/token` };
		answers.token = () => ({ body: { access_token: 'a1', token_type: 'bearer', refresh_token: 'r1', scope: 'b a' } });
		const outcome = await obtain({ grant: { ...kept, issuer: 'https://mcp.example', by: 'enterprise' } });
		assert.ok(outcome.kind === 'granted');
		const { refreshToken, scopes, asked, by, resource } = outcome.grant;
		assert.deepEqual(
			[refreshToken, scopes, asked, by, resource],
			['r1', ['b', 'a'], ['read', 'b', 'a'], 'enterprise', undefined],
		);
		assert.deepEqual(forms, [{ grant_type: 'refresh_token', refresh_token: 'r0', client_id: 'c0', scope: 'read' }]);
	});

	it('names the scopes that were granted, or those that were requested, if there are any', async () => {
		for (const [scopes, asked, scope] of [
			[['a'], ['a', 'b'], 'a'],
			[undefined, ['a', 'b'], 'a b'],
			[undefined, [], undefined],
		] as const) {
			const { obtain, forms } = engineBench();
			await obtain({ grant: { ...kept, scopes, asked } });
			assert.equal(forms[0]?.['scope'], scope);
		}
	});

	const doubtful: readonly (readonly [string, Answer])[] = [
		['invalid_request', { status: 400, body: { error: 'invalid_request' } }],
		['an error in its own format', { status: 400, body: { error_code: 'refresh_token_not_found' } }],
		['a page', { status: 401, body: '<html>' }],
		['a challenge', { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } }],
	];
	for (const [what, answer] of doubtful) {
		it(`that is answered with ${what} asks the person, and keeps the tokens`, async () => {
			for (const isGiven of [true, false]) {
				const { obtain, answers, stored, keep, steps } = engineBench({
					prompt: { mayInteract: () => Promise.resolve(isGiven) },
				});
				await keep(kept);
				const usual = answers.token;
				answers.token = form => (form.get('grant_type') === 'refresh_token' ? answer : usual(form));
				const outcome = await obtain({ grant: kept });
				assert.equal(codeOf(outcome), isGiven ? 'granted' : 'signInNeeded');
				assert.ok(outcome.kind === 'granted' || !outcome.isForgotten);
				assert.equal((await stored())[0], isGiven ? 'a1' : 'a0');
				const told = steps.find(it => it.kind === 'notRefreshed');
				assert.equal(told?.isKept, true);
			}
		});
	}

	const refusals: readonly (readonly [error: string, isForgotten: boolean, isClientForgotten: boolean])[] = [
		['temporarily_unavailable', false, false],
		['server_error', false, false],
		['slow_down', false, false],
		['use_dpop_nonce', false, false],
		['invalid_grant', true, false],
		['invalid_client', true, true],
		['', true, false],
	];
	for (const [error, isForgotten, isClientForgotten] of refusals) {
		it(`that is refused with "${error}" ${isForgotten ? 'forgets' : 'keeps'} them`, async () => {
			const { obtain, answers, store, stored, keep, steps, browser } = engineBench({
				prompt: { mayInteract: () => Promise.resolve(false) },
			});
			await keep(kept);
			await store.set({ kind: 'client', server: serverUrl, issuer }, JSON.stringify(kept.client));
			answers.token = () => ({ status: 400, body: { error: error || 'anything_else' } });
			const outcome = await obtain({ grant: kept });
			assert.deepEqual(
				[outcome.kind === 'failed' && outcome.isForgotten, codeOf(outcome)],
				[isForgotten, isForgotten ? 'signInNeeded' : 'refused'],
			);
			assert.deepEqual(await stored(), [isForgotten ? undefined : 'a0', isClientForgotten ? undefined : 'c0']);
			const told = steps.filter(it => it.kind === 'notRefreshed' || it.kind === 'forgotten');
			const refusal = { error: error || 'anything_else', description: undefined };
			const failure = { code: 'refused', request: 'token', status: 400, refusal };
			assert.deepEqual(told, [
				{ kind: 'notRefreshed', failure, isKept: !isForgotten },
				...(isForgotten ? [{ kind: 'forgotten', why: 'refused' }] : []),
			]);
			assert.deepEqual(browser.visited, []);
		});
	}

	it('finds that another window was faster: its tokens are used if they are of the same authorization server', async () => {
		for (const [other, expected] of [
			[{ accessToken: 'other', refreshToken: 'r9' }, 'other'],
			[{ accessToken: 'other', refreshToken: 'r9', issuer: 'https://b.example' }, undefined],
			[{ accessToken: 'other' }, undefined],
		] as const) {
			const { obtain, answers, keep, stored } = engineBench({ prompt: { mayInteract: () => Promise.resolve(false) } });
			await keep(kept);
			answers.token = () => {
				void keep({ ...kept, ...other });
				return { status: 400, body: { error: 'invalid_grant' } };
			};
			const outcome = await obtain({ grant: kept });
			assert.equal(outcome.kind === 'granted' ? outcome.grant.accessToken : undefined, expected);
			assert.ok(outcome.kind === 'failed' || !outcome.isSamePerson, 'who signed in there is not known');
			// Nobody removes what another window has got.
			assert.deepEqual((await stored())[0], 'other');
		}
	});

	it('is done by a configured client with its secret of today, and by no other than the one that got the tokens', async () => {
		const client = { clientId: 'mine', clientSecret: 'today', issuer };
		const post = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
		for (const [record, config, id, secret] of [
			[{ way: 'configured', clientId: 'old' }, { kind: 'person', client }, 'mine', 'today'],
			[{ way: 'configured', clientId: 'old' }, { kind: 'person' }, 'old', undefined],
			[{ way: 'registered', clientId: 'c0' }, { kind: 'person', client }, 'c0', undefined],
			[{ way: 'registered', clientId: 'c0', clientSecret: 'own' }, { kind: 'person', client }, 'c0', 'own'],
		] as const) {
			const { obtain, documents, forms } = engineBench({ config });
			documents.server = post;
			const outcome = await obtain({ grant: { ...kept, client: record } });
			assert.deepEqual([forms[0]?.['client_id'], forms[0]?.['client_secret']], [id, secret]);
			// The secret of a configured client stays where it is configured.
			const isKept = outcome.kind === 'granted' && outcome.grant.client.clientSecret;
			assert.equal(isKept, record.way === 'configured' ? undefined : secret);
		}
	});
});

describe('tokens of another authorization server', () => {
	it('are forgotten, not renewed, even if the sign-in at the next one fails', async () => {
		for (const isGiven of [true, false]) {
			const { obtain, keep, stored, steps, forms } = engineBench({
				prompt: { mayInteract: () => Promise.resolve(isGiven) },
			});
			const grant = { ...kept, issuer: 'https://old.example' };
			await keep(grant);
			const outcome = await obtain({ grant });
			assert.deepEqual(
				steps.filter(it => it.kind === 'forgotten'),
				[{ kind: 'forgotten', why: 'otherIssuer' }],
			);
			assert.ok(outcome.kind === 'granted' ? !outcome.isSamePerson : outcome.isForgotten);
			assert.deepEqual(
				[forms.map(it => it['grant_type']), (await stored())[0]],
				isGiven ? [['authorization_code'], 'a1'] : [[], undefined],
			);
		}
	});
});

describe('revoking', () => {
	it('sends the token that is worth most to where it is from, by the client that got it', async () => {
		const config: AuthConfig = { kind: 'person', client: { clientId: 'mine', clientSecret: 's', issuer } };
		const post = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
		for (const [grant, expected] of [
			[kept, { token: 'r0', client_id: 'c0' }],
			[
				{ ...kept, refreshToken: undefined },
				{ token: 'a0', client_id: 'c0' },
			],
		] as const) {
			const { engine, asked, forms, documents, steps } = engineBench({ config });
			documents.server = post;
			await engine.revoke(grant, signal);
			assert.deepEqual([asked, forms], [[`POST ${issuer}/revoke`], [expected]]);
			assert.deepEqual(steps.at(-1), {
				kind: 'requested',
				request: 'revocation',
				url: `${issuer}/revoke`,
				outcome: 200,
			});
		}
	});

	it('sends nothing to another authorization server, nor where none is accepted, and asks nobody', async () => {
		let questions = 0;
		const prompt: EngineBenchOptions['prompt'] = { mayVisit: () => Promise.resolve(questions++ === 0) };
		for (const [grant, server] of [
			[{ ...kept, issuer: 'https://old.example' }, {}],
			[kept, { revocation_endpoint: undefined }],
			[kept, { issuer: 'https://other.example' }],
			[kept, { revocation_endpoint: 'https://10.0.0.1/revoke' }],
		] as const) {
			const { engine, asked, documents } = engineBench({ prompt });
			documents.server = server;
			await engine.revoke(grant, signal);
			assert.deepEqual([asked, questions], [[], 0]);
		}
	});
});

describe('tokens bound to a key', () => {
	const bound = { access_token: 'a1', token_type: 'DPoP' };
	const bearer = { access_token: 'a1', token_type: 'bearer' };

	for (const [dpop, wanted, isAsked] of [
		[undefined, {}, false],
		[undefined, { needs: true }, true],
		[undefined, { demand: true }, true],
		['auto', {}, false],
		['auto', { needs: true }, true],
		['auto', { demand: true }, true],
		['never', { needs: true, demand: true }, false],
		['always', {}, true],
	] as const) {
		it(`${dpop ?? 'not configured'}, ${Object.keys(wanted).join(' and ') || 'not asked for'}: ${isAsked ? 'yes' : 'no'}`, async () => {
			const { obtain, documents, browser, answers, steps, headers } = engineBench({
				config: { kind: 'person', ...(dpop !== undefined && { dpop }) },
			});
			documents.resource = { dpop_bound_access_tokens_required: 'needs' in wanted };
			answers.token = () => ({ body: isAsked ? bound : bearer });
			const outcome = await obtain('demand' in wanted ? { demand: demandOf({ isDpop: true }) } : {});
			assert.ok(outcome.kind === 'granted');
			assert.equal(browser.visited[0]?.searchParams.has('dpop_jkt'), isAsked);
			const { tokenType, key } = outcome.grant;
			assert.deepEqual([tokenType, key?.['alg']], isAsked ? ['dpop', 'ES256'] : ['bearer', undefined]);
			const step = steps.at(-1);
			assert.equal(step?.kind === 'granted' && step.isBound, isAsked);
			assert.equal('dpop' in (headers.at(-1) ?? {}), isAsked);
		});
	}

	it('take an algorithm that both sides know; without one, nobody is sent anywhere', async () => {
		const config: AuthConfig = { kind: 'person', dpop: 'always' };
		const some = engineBench({ config });
		some.documents.server = { dpop_signing_alg_values_supported: ['HS256', 'EdDSA'] };
		some.answers.token = () => ({ body: bound });
		const outcome = await some.obtain();
		assert.equal(outcome.kind === 'granted' && outcome.grant.key?.['alg'], 'EdDSA');
		const none = engineBench({ config });
		none.documents.server = { dpop_signing_alg_values_supported: ['HS256'] };
		const failure = { code: 'badAnswer', request: 'serverMetadata', why: 'no algorithm for DPoP in common' };
		assert.deepEqual(await none.obtain(), { kind: 'failed', failure, isForgotten: false });
		assert.deepEqual([none.browser.visited, none.browser.open], [[], 0]);
	});

	it('are renewed with the same key; a bearer token that was asked for with one has none', async () => {
		const key = await createKey('ES256');
		const { obtain, answers } = engineBench();
		answers.token = () => ({ body: bound });
		const renewed = await obtain({ grant: { ...kept, tokenType: 'dpop', key } });
		assert.deepEqual(renewed.kind === 'granted' && renewed.grant.key, key);
		answers.token = () => ({ body: bearer });
		const other = await obtain({ demand: demandOf({ isDpop: true }) });
		assert.deepEqual(other.kind === 'granted' && [other.grant.tokenType, other.grant.key], ['bearer', undefined]);
	});

	for (const [what, dpop, error, requests] of [
		['a nonce is wanted again and again', 'always', 'use_dpop_nonce', 2],
		['something else is wrong', 'always', 'invalid_grant', 1],
		['a nonce is wanted for what no key signs', 'never', 'use_dpop_nonce', 1],
	] as const) {
		it(`where ${what}, a code is sent ${requests === 1 ? 'once' : 'twice'}, and no more`, async () => {
			const { obtain, answers, forms } = engineBench({ config: { kind: 'person', dpop } });
			answers.token = () => ({ status: 400, body: { error }, headers: { 'dpop-nonce': `n${forms.length}` } });
			const outcome = await obtain();
			assert.deepEqual([codeOf(outcome), forms.length], ['refused', requests]);
		});
	}
});
