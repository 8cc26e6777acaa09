// Discovery of a server's authorization server: the order of the requests, and the use of their answers.
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
			const where = {
				page: `${origin}/authorize`,
				tokenEndpoint: `${origin}/token`,
				isMixed: false,
				bindsSecret: false,
			};
			const need = { server: server.url, issuer: origin, isGuess: true, scopes: [], why: 'first', ...where };
			assert.deepEqual(await authFailureOf(call()), { code: 'signInNeeded', need });
		});
	});
});
