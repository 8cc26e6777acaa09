// Who guards a server: the order in which it is looked for, and what is done with what is found.
import * as assert from 'node:assert/strict';
import { isResourceOf, resourceMetadataUrls, serverMetadataUrls } from '../../../../src/mcp/auth/discovery.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { sign } from '../../../support/guardedServer.js';
import { json } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';

const wellKnown = '/.well-known';
const resource = `${wellKnown}/oauth-protected-resource`;

describe('discovery', () => {
	const cleanup = leakCheck();

	// covers: auth.wellKnown
	it('of a resource: at its path, then at the root', () => {
		const urls = (it: string): string[] => resourceMetadataUrls(new URL(it));
		assert.deepEqual(urls('https://a.example/x/mcp?key=secret'), [
			`https://a.example${resource}/x/mcp`,
			`https://a.example${resource}`,
		]);
		assert.deepEqual(urls('https://a.example'), [`https://a.example${resource}`]);
	});

	// covers: auth.serverMetadata
	it('of an authorization server: in the order of the specification', () => {
		assert.deepEqual(serverMetadataUrls('https://a.example'), [
			`https://a.example${wellKnown}/oauth-authorization-server`,
			`https://a.example${wellKnown}/openid-configuration`,
		]);
		const tenant = [
			`https://a.example${wellKnown}/oauth-authorization-server/t/1`,
			`https://a.example${wellKnown}/openid-configuration/t/1`,
			`https://a.example/t/1${wellKnown}/openid-configuration`,
		];
		assert.deepEqual(
			[serverMetadataUrls('https://a.example/t/1'), serverMetadataUrls('https://a.example/t/1/')],
			[tenant, tenant],
		);
	});

	it('a server may call itself by its URL, or by what is above it', () => {
		const server = new URL('https://a.example/x/mcp?y');
		const names = [
			'https://a.example/x/mcp',
			'https://a.example/x/mcp/',
			'https://A.EXAMPLE:443/x',
			'https://a.example/',
			'https://a.example',
			'https://a.example/x/mc',
			'https://a.example/x/mcp/deeper',
			'https://a.example/y',
			'http://a.example/x/mcp',
			'https://a.example:8443/x/mcp',
			'https://b.example/x/mcp',
			'https://a.example/x#mcp',
			'x/mcp',
		];
		assert.deepEqual(
			names.filter(it => isResourceOf(it, server)),
			names.slice(0, 5),
		);
	});

	it('takes the second place where the first has nothing, or nonsense', async () => {
		const { server, call } = await sign(cleanup);
		server.challenge = 'Bearer';
		server.instead.set(`${resource}/mcp`, (_asked, response) => response.end('<html>'));
		server.instead.set(resource, (_asked, response) =>
			json(response, { resource: server.url, authorization_servers: [server.issuer] }),
		);
		server.instead.set(`as ${wellKnown}/oauth-authorization-server`, (_asked, response) => json(response, [], 200));
		server.instead.set(`as ${wellKnown}/openid-configuration`, (_asked, response) =>
			json(response, {
				issuer: server.issuer,
				authorization_endpoint: `${server.issuer}/authorize`,
				token_endpoint: `${server.issuer}/token`,
				registration_endpoint: `${server.issuer}/register`,
				code_challenge_methods_supported: ['plain', 'S256'],
			}),
		);
		assert.equal(await call(), 200);
		assert.deepEqual(server.take().slice(0, 6), [
			'POST /mcp',
			`GET ${resource}/mcp`,
			`GET ${resource}`,
			`as GET ${wellKnown}/oauth-authorization-server`,
			`as GET ${wellKnown}/openid-configuration`,
			'as POST /register',
		]);
	});

	it('what a challenge names is the first; where it has nothing, the usual places are', async () => {
		const { server, call } = await sign(cleanup);
		server.challenge = `Bearer resource_metadata="${server.resource.origin}/gone"`;
		assert.equal(await call(), 200);
		assert.deepEqual(server.take().slice(1, 3), ['GET /gone', `GET ${resource}/mcp`]);
	});

	it('and is remembered: a refresh after a restart finds it again', async () => {
		const { server, call, store } = await sign(cleanup);
		const custom = `${server.resource.origin}/custom`;
		server.challenge = `Bearer resource_metadata="${custom}"`;
		server.instead.set('/custom', (_asked, response) =>
			json(response, { resource: server.url, authorization_servers: [server.issuer] }),
		);
		server.instead.set(`${resource}/mcp`, (_asked, response) => json(response, {}, 404));
		await call();
		const later = await sign(cleanup, { server, store });
		later.clock.now += 3600_000;
		assert.equal(await later.call(), 200);
		assert.deepEqual(later.server.take().slice(-4, -1), [
			'GET /custom',
			`as GET ${wellKnown}/oauth-authorization-server`,
			'as POST /token refresh_token',
		]);
	});

	it('an authorization server that is away is passed over for the next', async () => {
		const { server, call } = await sign(cleanup);
		server.prm = { authorization_servers: ['http://127.0.0.1:1', server.issuer] };
		assert.equal(await call(), 200);
	});

	it('metadata that name no authorization server are told from none', async () => {
		const { server, call } = await sign(cleanup);
		server.prm = { authorization_servers: [] };
		assert.deepEqual(await authFailureOf(call()), { code: 'noAuthorizationServer', url: server.url });
	});

	describe('a server of 2025-03-26 that describes nothing', () => {
		// covers: auth.legacyFallback
		it('is its own authorization server, with endpoints at the root, and is told of no resource', async () => {
			const { server, call, asked } = await sign(cleanup);
			server.challenge = 'Bearer';
			server.instead.set(`${resource}/mcp`, (_asked, response) => json(response, {}, 404));
			const pages: URLSearchParams[] = [];
			server.instead.set('/register', (_asked, response) => json(response, { client_id: 'c' }, 201));
			server.instead.set('/authorize', (it, response) => {
				const query = new URL(it.path, server.url).searchParams;
				pages.push(query);
				const to = new URL(query.get('redirect_uri') ?? '');
				to.search = new URLSearchParams({ code: 'x', state: query.get('state') ?? '' }).toString();
				response.writeHead(302, { location: to.href }).end();
			});
			server.instead.set('/token', (_asked, response) =>
				json(response, { access_token: server.issue(), token_type: 'bearer' }),
			);
			assert.equal(await call(), 200);
			assert.deepEqual(server.take(), [
				'POST /mcp',
				`GET ${resource}/mcp`,
				`GET ${resource}`,
				`GET ${wellKnown}/oauth-authorization-server`,
				`GET ${wellKnown}/openid-configuration`,
				'POST /register',
				'GET /authorize',
				'POST /token authorization_code',
				'POST /mcp t1',
			]);
			assert.deepEqual(
				[asked, pages[0]?.has('resource'), pages[0]?.get('code_challenge_method')],
				[['first'], false, 'S256'],
			);
		});

		it('is a guess, which is said: it may only want a key of its own', async () => {
			const { server, call } = await sign(cleanup, { isInteractive: () => false });
			server.challenge = 'Bearer';
			server.instead.set(`${resource}/mcp`, (_asked, response) => json(response, {}, 404));
			const { origin } = server.resource;
			const need = { server: server.url, issuer: origin, isGuess: true, scopes: [], why: 'first' };
			assert.deepEqual(await authFailureOf(call()), { code: 'signInNeeded', need });
		});
	});
});
