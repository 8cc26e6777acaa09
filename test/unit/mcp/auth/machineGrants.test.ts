// Grants without a browser, request by request, with a scripted fetch.
import * as assert from 'node:assert/strict';
import { None } from 'oauth4webapi';
import { AuthHttp } from '../../../../src/mcp/auth/authHttp.js';
import type { AuthConfig, EnterpriseConfig } from '../../../../src/mcp/auth/config.js';
import { requestMachineTokens } from '../../../../src/mcp/auth/machineGrants.js';
import type { AuthStep, HttpFetch } from '../../../../src/mcp/index.js';
import { authFailureOf } from '../../../support/authFailure.js';

const as = { issuer: 'https://as.example', token_endpoint: 'https://as.example/token' };
const idp = 'https://idp.example';
const task = { resource: undefined, server: 'https://mcp.example/mcp', scopes: ['a', 'b'] };
const jag = { access_token: 'jag', issued_token_type: 'urn:ietf:params:oauth:token-type:id-jag', token_type: 'N_A' };
const enterprise = {
	kind: 'enterprise',
	client: { clientId: 'here', issuer: 'https://as.example' },
	identityProvider: { issuer: idp, clientId: 'there', subjectToken: () => Promise.resolve('id token') },
} as const satisfies EnterpriseConfig;

/** By URL. An Error is thrown as a network error. */
type Answers = Readonly<Record<string, { readonly status?: number; readonly body: unknown } | Error>>;

function bench(answers: Answers) {
	const asked: string[] = [];
	const steps: AuthStep[] = [];
	const fetch: HttpFetch = ({ method, url, body }) => {
		asked.push([method, url, ...(body === undefined ? [] : [decodeURIComponent(body)])].join(' '));
		const known = answers[url] ?? { status: 404, body: {} };
		if (known instanceof Error) {
			return Promise.reject(known);
		}
		const { status = 200, body: answer } = known;
		const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
		return Promise.resolve({
			status,
			headers: {},
			read: onBytes => Promise.resolve(onBytes(new TextEncoder().encode(text))),
			discard: () => undefined,
		});
	};
	const secrecy = { hide: () => undefined, text: (text: string) => text };
	const report = (step: AuthStep): void => void steps.push(step);
	const server = new URL(task.server);
	const http = new AuthHttp({ server, fetch, report, secrecy, mayVisit: () => Promise.resolve(false) });
	const endpoint = {
		as,
		client: { client_id: 'here' },
		clientAuth: None(),
		http,
		request: 'token',
		signal: new AbortController().signal,
	} as const;
	const grant = (config: Exclude<AuthConfig, { kind: 'person' }>, more: object = {}) =>
		requestMachineTokens(config, { ...task, ...more }, endpoint);
	return { asked, steps, grant };
}

const token = { body: { access_token: 't', token_type: 'bearer' } };

describe('grants without a browser', () => {
	const places = [`${idp}/.well-known/openid-configuration`, `${idp}/.well-known/oauth-authorization-server`] as const;
	const [openid, oauth] = places;
	const metadata = { issuer: idp, token_endpoint: `${idp}/token` };

	// covers: auth.enterprise
	it('find the endpoint of an identity provider, and send each server its request', async () => {
		const { asked, steps, grant } = bench({
			[openid]: { body: metadata },
			[`${idp}/token`]: { body: jag },
			[as.token_endpoint]: token,
		});
		assert.equal((await grant(enterprise)).access_token, 't');
		const exchange =
			'audience=https://as.example&client_id=there&grant_type=urn:ietf:params:oauth:grant-type:token-exchange&' +
			'requested_token_type=urn:ietf:params:oauth:token-type:id-jag&resource=https://mcp.example/mcp&scope=a+b&' +
			'subject_token=id+token&subject_token_type=urn:ietf:params:oauth:token-type:id_token';
		const sorted = asked.map(it => {
			const [method, url, form] = it.split(' ');
			return [method, url, form?.split('&').toSorted().join('&')];
		});
		assert.deepEqual(sorted, [
			['GET', oauth, undefined],
			['GET', openid, undefined],
			['POST', `${idp}/token`, exchange],
			[
				'POST',
				as.token_endpoint,
				'assertion=jag&client_id=here&grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer&scope=a+b',
			],
		]);
		assert.deepEqual(
			steps.map(it => it.kind === 'requested' && it.request),
			['serverMetadata', 'serverMetadata', 'tokenExchange', 'token'],
		);
	});

	it('reject metadata of another issuer, with another status, or without an endpoint', async () => {
		for (const [first, second] of [
			[{ body: metadata, status: 500 }, undefined],
			[{ body: { issuer: idp } }, undefined],
			[{ body: { issuer: idp, token_endpoint: 5 } }, undefined],
			[{ body: '<html>' }, { body: [] }],
		] as const) {
			const { asked, grant } = bench({ [openid]: first, ...(second && { [oauth]: second }) });
			const failure = { code: 'noEndpoint', request: 'tokenExchange', issuer: idp };
			assert.deepEqual(await authFailureOf(grant(enterprise)), failure);
			assert.deepEqual(asked, [`GET ${oauth}`, `GET ${openid}`]);
		}
		const evil = { [openid]: { body: { ...metadata, issuer: 'https://evil.example' } } };
		assert.deepEqual(await authFailureOf(bench(evil).grant(enterprise)), {
			code: 'issuerMismatch',
			issuer: idp,
			named: 'https://evil.example',
		});
		const away = await authFailureOf(bench({ [openid]: new Error('away') }).grant(enterprise));
		assert.deepEqual(away, { code: 'noAnswer', request: 'serverMetadata', url: openid, why: 'away' });
		const unsafe = { ...enterprise.identityProvider, issuer: 'http://idp.example' };
		assert.deepEqual(await authFailureOf(bench({}).grant({ ...enterprise, identityProvider: unsafe })), {
			code: 'unsafeUrl',
			request: 'serverMetadata',
			url: 'http://idp.example/',
			why: 'insecure',
		});
	});

	it('reject a token of another type as an assertion', async () => {
		for (const type of ['urn:ietf:params:oauth:token-type:access_token', undefined]) {
			const { grant } = bench({
				[openid]: { body: metadata },
				[`${idp}/token`]: { body: { ...jag, issued_token_type: type } },
			});
			assert.deepEqual(await authFailureOf(grant(enterprise)), {
				code: 'badAnswer',
				request: 'tokenExchange',
				why: 'another type of token was issued',
			});
		}
	});
});
