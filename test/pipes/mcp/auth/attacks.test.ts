// Answers of hostile servers and authorization servers, and how they are handled.
import * as assert from 'node:assert/strict';
import { authFailureOf } from '../../../support/authFailure.js';
import { sign } from '../../../support/guardedServer.js';
import { json, ScriptedServer } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { attackBench } from '../../../support/attackBench.js';

describe('attacks on signing in', () => {
	const cleanup = leakCheck();

	const { stopped } = attackBench(cleanup);

	describe('mix-up', () => {
		const promised = { authorization_response_iss_parameter_supported: true };
		const evil = 'https://evil.example';
		const cases: readonly (readonly [string, object, (answer: URLSearchParams, issuer: string) => void])[] = [
			['another issuer', promised, it => it.set('iss', evil)],
			['another issuer, though none was promised', {}, it => it.set('iss', evil)],
			['no issuer, though it was promised', promised, () => undefined],
			['the issuer with a slash more', promised, (it, issuer) => it.set('iss', `${issuer}/`)],
			['the issuer in capitals', promised, (it, issuer) => it.set('iss', issuer.toUpperCase())],
			[
				'the right one and another',
				promised,
				(it, issuer) => {
					it.append('iss', issuer);
					it.append('iss', evil);
				},
			],
			[
				'an error of another issuer, which is not even shown',
				{},
				it => {
					it.delete('code');
					it.set('iss', evil);
					it.set('error', 'access_denied');
				},
			],
		];
		for (const [what, metadata, change] of cases) {
			// covers: auth.iss
			it(`${what}: the code goes nowhere`, async () => {
				const { server, browser, call, steps } = await sign(cleanup);
				server.metadata = { ...metadata };
				browser.answers = location => {
					change(location.searchParams, server.issuer);
					return [location];
				};
				const failure = await authFailureOf(call());
				assert.deepEqual(typeof failure === 'object' && failure.code, 'mixUp');
				assert.deepEqual(server.forms, []);
				assert.doesNotMatch(JSON.stringify([failure, steps]), /access_denied/);
			});
		}

		it('the right issuer is no attack', async () => {
			const { server, browser, call } = await sign(cleanup);
			server.metadata = promised;
			browser.answers = location => {
				location.searchParams.set('iss', server.issuer);
				return [location];
			};
			assert.equal(await call(), 200);
		});

		// covers: auth.issuerEquality
		it('metadata that name another issuer are not used', async () => {
			const named = 'https://evil.example';
			const failure = await stopped(server => {
				server.metadata = { issuer: named };
			});
			assert.deepEqual([failure.code, 'named' in failure && failure.named], ['issuerMismatch', named]);
		});

		// covers: auth.issuerBinding
		it('a client of one authorization server is not shown to another', async () => {
			const client = { clientId: 'mine', clientSecret: 's', issuer: 'https://as.example' };
			const failure = await stopped(() => undefined, { config: () => Promise.resolve({ kind: 'person', client }) });
			assert.deepEqual(
				[failure.code, 'configured' in failure && failure.configured],
				['otherIssuer', 'https://as.example'],
			);
		});

		it('tokens and registrations of one authorization server are not shown to the next', async () => {
			const { server, call, disconnect } = await sign(cleanup);
			await call();
			const next = await sign(cleanup);
			cleanup.later(() => Promise.resolve(disconnect()));
			server.prm = { authorization_servers: [next.server.issuer] };
			server.good.clear();
			next.server.instead.set('as /token', (_asked, response) => {
				json(response, { access_token: server.issue(), token_type: 'bearer' });
			});
			assert.equal(await call(), 200);
			assert.equal(next.server.registrations.length, 1);
			assert.equal(server.forms.length, 1);
			assert.doesNotMatch(next.server.as.asked.map(it => it.body).join(), /refresh_token=/);
		});
	});

	describe('metadata', () => {
		for (const resource of [
			'https://evil.example/mcp',
			'http://127.0.0.1:1/mcp',
			'not a URL',
			'SAME/mcpx',
			'SAME/mcp/deeper',
		]) {
			// covers: auth.resourceMismatch
			it(`of another resource: ${resource}`, async () => {
				const failure = await stopped(server => {
					server.prm = { resource: resource.replace('SAME', server.resource.origin) };
				});
				assert.equal(failure.code, 'resourceMismatch');
			});
		}

		it('of a resource above are its own', async () => {
			const { server, call } = await sign(cleanup);
			server.prm = { resource: server.resource.origin };
			assert.equal(await call(), 200);
			// To the letter: no slash is added.
			assert.equal(server.pages[0]?.get('resource'), server.resource.origin);
		});

		for (const methods of [undefined, [], ['plain'], 'S256']) {
			// covers: auth.noPkce
			it(`that promise no S256 (${JSON.stringify(methods)})`, async () => {
				const failure = await stopped(server => {
					server.metadata = { code_challenge_methods_supported: methods };
				});
				assert.equal(failure.code, 'noPkce');
			});
		}

		it('without end are not read to it', async () => {
			let sent = 0;
			const chunk = Buffer.alloc(64 * 1024, 'x');
			const failure = await stopped(server => {
				server.instead.set('as /.well-known/oauth-authorization-server', (_asked, response) => {
					response.writeHead(200, { 'content-type': 'application/json' });
					const push = (): void => {
						while (sent < 100 * 1024 * 1024 && !response.destroyed) {
							sent += chunk.length;
							if (!response.write(chunk)) {
								response.once('drain', push);
								return;
							}
						}
					};
					push();
				});
			});
			assert.equal(failure.code, 'noAnswer');
			assert.ok(sent < 20 * 1024 * 1024, `${sent} bytes`);
		});

		it('that never come are not waited for', async () => {
			const failure = await stopped(
				server => server.instead.set('as /.well-known/oauth-authorization-server', () => undefined),
				{ requestMs: 1000 },
			);
			assert.deepEqual(failure, {
				code: 'noAnswer',
				request: 'serverMetadata',
				url: 'url' in failure ? failure.url : '',
				why: 'no answer within 1000 ms',
			});
		});

		it('that redirect in a circle', async () => {
			const path = '/.well-known/oauth-authorization-server';
			let count = 0;
			const failure = await stopped(server =>
				server.instead.set(`as ${path}`, (_asked, response) => {
					count++;
					response.writeHead(302, { location: path }).end();
				}),
			);
			assert.deepEqual([failure.code, count], ['noAnswer', 4]);
		});

		// covers: auth.openRedirect
		it('that redirect to somebody else are not followed', async () => {
			const evil = await ScriptedServer.start((_asked, response) => json(response, {}));
			cleanup.later(() => evil.close());
			const failure = await stopped(server => {
				for (const path of ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']) {
					server.instead.set(`as ${path}`, (_asked, response) => {
						response.writeHead(302, { location: `${evil.origin}${path}` }).end();
					});
				}
			});
			assert.deepEqual([failure.code, evil.asked], ['noAnswer', []]);
		});

		it('that redirect on their own origin are', async () => {
			const { server, call } = await sign(cleanup);
			const path = '/.well-known/oauth-protected-resource/mcp';
			server.instead.set(path, (_asked, response) => {
				server.instead.delete(path);
				response.writeHead(301, { location: path }).end();
			});
			assert.equal(await call(), 200);
		});
	});

	describe('the token endpoint', () => {
		it('that never answers is given up', async () => {
			const { server, call, store } = await sign(cleanup, { requestMs: 1000 });
			server.instead.set('as /token', () => undefined);
			const failure = await authFailureOf(call());
			assert.deepEqual(typeof failure === 'object' && failure.code === 'noAnswer' && failure.request, 'token');
			assert.deepEqual(
				[...store.texts.keys()].filter(it => it.includes('grant')),
				[],
			);
		});

		it('that redirects is told nothing twice', async () => {
			const evil = await ScriptedServer.start((_asked, response) => json(response, {}));
			cleanup.later(() => evil.close());
			const { server, call } = await sign(cleanup);
			server.instead.set('as /token', (_asked, response) => {
				response.writeHead(307, { location: `${evil.origin}/token` }).end();
			});
			const failure = await authFailureOf(call());
			assert.deepEqual([typeof failure === 'object' && failure.code, evil.asked], ['badAnswer', []]);
		});

		it('over an open line is not used', async () => {
			const { server, call } = await sign(cleanup);
			server.metadata = { token_endpoint: 'http://as.example/token' };
			const failure = await authFailureOf(call());
			assert.deepEqual(failure, {
				code: 'unsafeUrl',
				request: 'token',
				url: 'http://as.example/token',
				why: 'insecure',
			});
		});
	});

	describe('tokens', () => {
		// covers: auth.tokenStaysHome
		it('do not follow a redirect to another origin', async () => {
			const evil = await ScriptedServer.start((_asked, response) => json(response, {}, 401));
			cleanup.later(() => evil.close());
			const { server, call, asked } = await sign(cleanup);
			await call();
			server.instead.set('/mcp', (_asked, response) =>
				response.writeHead(307, { location: `${evil.origin}/mcp` }).end(),
			);
			await assert.rejects(call(), { failure: { code: 'redirected', to: `${evil.origin}/mcp` } });
			assert.deepEqual([evil.asked, asked], [[], ['first']]);
		});

		it('are not sent, nor got, over an open line', async () => {
			const url = 'http://mcp.example/mcp';
			const { server, call, store } = await sign(cleanup, {
				url,
				hosts: it => ({ 'http://mcp.example': it.resource.origin }),
			});
			const grant = { issuer: 'i', accessToken: 'secret', tokenType: 'bearer', asked: [], by: 'code' };
			await store.set(
				{ kind: 'grant', server: url },
				JSON.stringify({ ...grant, client: { way: 'asked', clientId: 'c' } }),
			);
			const failure = await authFailureOf(call());
			assert.deepEqual(failure, { code: 'unsafeUrl', request: 'authorization', url, why: 'insecure' });
			assert.deepEqual(server.take(), ['POST /mcp']);
		});
	});
});
