// Exceptions of a person's settings: what they allow at one server, and that no server widens them or gets a secret by them.
import * as assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Exceptions, PersonConfig } from '../../../../src/mcp/auth/config.js';
import type { SignInNeed } from '../../../../src/mcp/auth/failure.js';
import type { Outcome } from '../../../../src/mcp/auth/ports.js';
import { createKey } from '../../../../src/mcp/auth/dpop.js';
import { type EngineBench, engineBench, issuer, kept, serverUrl } from '../../../support/engineBench.js';

const bank = 'https://login.bank.example';
const evil = 'https://evil.example';
const codeOf = (outcome: Outcome): string => (outcome.kind === 'failed' ? outcome.failure.code : outcome.kind);

/** A person who has made exceptions; the authorization server at `issuer` names the one of a bank unless told otherwise. */
function bench(
	exceptions: Partial<Exceptions>,
	more: Partial<PersonConfig> = {},
): EngineBench & { readonly needs: SignInNeed[] } {
	const needs: SignInNeed[] = [];
	const all = { issuers: new Map<string, string>(), pkce: false, resource: false, ...exceptions };
	const made = engineBench({
		config: { kind: 'person', exceptions: all, ...more },
		prompt: { mayInteract: need => Promise.resolve(needs.push(need) > 0) },
	});
	made.documents.server = { issuer: bank };
	return { ...made, needs };
}

describe('an accepted issuer', () => {
	const issuers = new Map([[issuer, bank]]);

	it('applies only to the address and the issuer that the person has confirmed', async () => {
		for (const [listed, named, code] of [
			[issuer, bank, 'granted'],
			[issuer, `${bank}/`, 'issuerMismatch'],
			[issuer, evil, 'issuerMismatch'],
			[`${issuer}/`, bank, 'issuerMismatch'],
			[evil, bank, 'issuerMismatch'],
			[bank, evil, 'issuerMismatch'],
			[evil, '__proto__', 'issuerMismatch'],
		] as const) {
			const { obtain, documents, asked } = bench({ issuers });
			documents.resource = { authorization_servers: [listed] };
			documents.server = { issuer: named };
			assert.equal(codeOf(await obtain()), code, `${listed} ${named}`);
			assert.equal(asked.length > 0, code === 'granted');
		}
	});

	it('gets no secret, token or registration of the issuer that it names', async () => {
		const client = { clientId: 'corp', issuer: bank, clientSecret: 'S3CRET' };
		const bound = bench({ issuers }, { client });
		assert.deepEqual(await bound.obtain(), {
			kind: 'failed',
			failure: { code: 'otherIssuer', issuer, configured: bank },
			isForgotten: false,
		});
		assert.deepEqual([bound.asked, bound.needs], [[], []]);

		const { obtain, asked, forms, store, keep } = bench({ issuers });
		const grant = { ...kept, issuer: bank, refreshToken: 'r of the bank' };
		await keep(grant);
		const registered = { way: 'asked', clientId: 'c of the bank', clientSecret: 'S3CRET' };
		await store.set({ kind: 'client', server: serverUrl, issuer: bank }, JSON.stringify(registered));
		await store.set({ kind: 'hosts', server: serverUrl, issuer: bank }, JSON.stringify('as.example as.example'));
		assert.equal(codeOf(await obtain({ grant })), 'granted');
		assert.deepEqual(asked, [`POST ${issuer}/register`, `POST ${issuer}/token`]);
		assert.doesNotMatch(JSON.stringify(forms), /of the bank|S3CRET/);
	});

	it('does not make its token host known: the person confirms it before a secret or refresh token is sent', async () => {
		const client = { clientId: 'corp', issuer, clientSecret: 'S3CRET' };
		for (const person of ['absent', 'ask'] as const) {
			const { obtain, documents, asked, needs } = bench({ issuers }, { client });
			documents.server = { issuer: bank, token_endpoint: `${bank}/token` };
			const outcome = await obtain({ grant: { ...kept, client: { way: 'configured', clientId: 'corp' } }, person });
			assert.equal(codeOf(outcome), person === 'ask' ? 'granted' : 'signInNeeded');
			assert.deepEqual(asked, person === 'ask' ? [`POST ${bank}/token`] : []);
			assert.deepEqual(
				needs.map(it => [it.tokenEndpoint, it.bindsSecret]),
				person === 'ask' ? [[`${bank}/token`, true]] : [],
			);
		}
	});

	it('needs the second question if the hosts differ, even if responses name their issuer', async () => {
		const { obtain, documents, needs, browser } = bench({ issuers });
		const real = `${bank}/authorize`;
		const mixed = { authorization_endpoint: real, authorization_response_iss_parameter_supported: true };
		documents.server = { issuer: bank, ...mixed };
		browser.change = answer => answer.set('iss', bank);
		await obtain();
		const exceptions = [{ what: 'issuer', issuer, named: bank }];
		assert.deepEqual(
			needs.map(it => [it.isMixed, it.page, it.tokenEndpoint, it.exceptions]),
			[[true, real, `${issuer}/token`, exceptions]],
		);
	});

	it('is the only issuer that a response may name', async () => {
		for (const [iss, code] of [
			[bank, 'granted'],
			[issuer, 'mixUp'],
			[evil, 'mixUp'],
		] as const) {
			const { obtain, browser, forms } = bench({ issuers });
			browser.change = answer => answer.set('iss', iss);
			assert.equal(codeOf(await obtain()), code);
			assert.equal(forms.length, code === 'granted' ? 1 : 0);
		}
	});

	it('does not get a signed assertion that is valid at the issuer that it names', async () => {
		const { d = '' } = await createKey('ES256');
		const jwk = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
		const pem = Buffer.from(await crypto.subtle.exportKey('pkcs8', jwk.privateKey)).toString('base64');
		assert.ok(d);
		const privateKey = `-----BEGIN PRIVATE KEY-----\n${pem}\n-----END PRIVATE KEY-----`;
		const { obtain, forms } = bench(
			{ issuers },
			{ client: { clientId: 'me', issuer, privateKey, algorithm: 'ES256' } },
		);
		assert.equal(codeOf(await obtain()), 'granted');
		const [, claims = ''] = forms[0]?.['client_assertion']?.split('.') ?? [];
		assert.equal((JSON.parse(Buffer.from(claims, 'base64url').toString()) as { aud: string }).aud, issuer);
	});

	it('has its own redirect URI, like each authorization server', async () => {
		const { obtain, browser } = bench({ issuers });
		await obtain();
		const tail = createHash('sha256').update(issuer).digest('hex').slice(0, 12);
		assert.equal(browser.visited[0]?.searchParams.get('redirect_uri')?.split('/').at(-1), tail);
	});
});

describe('the exceptions for PKCE and `resource`', () => {
	it('allow nothing else: the checks without an exception still fail', async () => {
		for (const [exceptions, server, code] of [
			[{ pkce: true, resource: true }, { issuer: bank }, 'issuerMismatch'],
			[{ issuers: new Map([[issuer, bank]]), resource: true }, { code_challenge_methods_supported: [] }, 'noPkce'],
		] as const) {
			const { obtain, documents, asked } = bench(exceptions);
			documents.server = server;
			assert.equal(codeOf(await obtain()), code);
			assert.deepEqual(asked, []);
		}
	});

	it('send PKCE with S256 anyway, and check which server the metadata are for', async () => {
		const { obtain, documents, browser, forms, needs, steps } = bench({ pkce: true, resource: true });
		documents.server = { code_challenge_methods_supported: ['plain'] };
		assert.equal(codeOf(await obtain()), 'granted');
		const page = browser.visited[0]?.searchParams;
		assert.deepEqual([page?.get('code_challenge_method'), page?.has('resource')], ['S256', false]);
		const verifier = forms[0]?.['code_verifier'] ?? '';
		assert.equal(createHash('sha256').update(verifier).digest('base64url'), page?.get('code_challenge'));
		const exceptions = [
			{ what: 'pkce', issuer },
			{ what: 'resource', issuer },
		];
		assert.deepEqual(needs[0]?.exceptions, exceptions);
		assert.deepEqual(
			steps.filter(it => it.kind === 'exception'),
			exceptions.map(it => ({ kind: 'exception', ...it })),
		);
		documents.resource = { resource: 'https://other.example/mcp' };
		assert.equal(codeOf(await obtain()), 'resourceMismatch');
	});

	it('are not reported if they change nothing', async () => {
		const { obtain, documents, needs, steps } = bench({ pkce: true, resource: true });
		documents.server = {};
		documents.resource = undefined;
		documents.server = { issuer: 'https://mcp.example' };
		await obtain();
		assert.deepEqual([needs[0]?.exceptions, steps.filter(it => it.kind === 'exception')], [undefined, []]);
	});
});
