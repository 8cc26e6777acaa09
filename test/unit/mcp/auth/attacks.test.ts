// What a hostile server, authorization server or web page tries, and what becomes of it.
import * as assert from 'node:assert/strict';
import type { AuthFailure } from '../../../../src/mcp/index.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { type GuardedServer, sign, type Signing, type SigningOptions } from '../../../support/guardedServer.js';
import { json, ScriptedServer } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually } from '../../../support/waiting.js';

describe('attacks on signing in', () => {
	const cleanup = leakCheck();

	/** Nobody was registered, sent anywhere or given a token. */
	function assertStopped({ server, browser, store }: Signing): void {
		assert.deepEqual([server.registrations, browser.visited, server.forms, store.texts.size], [[], [], [], 0]);
	}

	/** Signs in where a hostile part is prepared first, and must be stopped before anything is given away. */
	async function stopped(prepare: (server: GuardedServer) => void, options: SigningOptions = {}): Promise<AuthFailure> {
		const signing = await sign(cleanup, options);
		prepare(signing.server);
		const failure = await authFailureOf(signing.call());
		assertStopped(signing);
		assert.ok(typeof failure === 'object', JSON.stringify(failure));
		return failure;
	}

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
				{ limits: { ms: 50 } },
			);
			assert.deepEqual(failure, {
				code: 'noAnswer',
				request: 'serverMetadata',
				url: 'url' in failure ? failure.url : '',
				why: 'no answer within 50 ms',
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

	describe('the page that is opened', () => {
		const pages: readonly (readonly [string, string])[] = [
			['javascript:alert(1)', 'scheme'],
			['file:///etc/passwd', 'scheme'],
			['vscode://other.extension/run', 'scheme'],
			['http://as.example/authorize', 'insecure'],
			['https://user:password@as.example/authorize', 'credentials'],
			['https://as.example/authorize;calc', 'characters'],
			['https://as.example/$(calc)', 'characters'],
			['https://as.example/`calc`', 'characters'],
			['https://as.example/a|calc', 'characters'],
			['https://as.example/"a', 'characters'],
			['https://as.example/\u0000', 'characters'],
			['https://as.example/a\nb', 'characters'],
			['authorize', 'notAUrl'],
		];
		for (const [page, why] of pages) {
			// covers: auth.pageChecked
			it(`${JSON.stringify(page)} is not`, async () => {
				const { server, browser, call } = await sign(cleanup);
				server.metadata = { authorization_endpoint: page };
				const failure = await authFailureOf(call());
				const found = typeof failure === 'object' && failure.code === 'unsafeUrl' && [failure.request, failure.why];
				assert.deepEqual([found, browser.visited], [['authorization', why], []]);
			});
		}

		it('keeps its own query, but not what is ours to say', async () => {
			const { server, call } = await sign(cleanup);
			server.metadata = { authorization_endpoint: `${server.issuer}/authorize?policy=a&state=x&resource=y#z` };
			await call();
			const page = server.pages[0];
			assert.deepEqual(
				[page?.get('policy'), page?.getAll('state').length, page?.getAll('resource')],
				['a', 1, [server.url]],
			);
		});
	});

	describe('who comes back', () => {
		// covers: auth.state
		it('an old tab, a stranger and a forger are told no; the one who was sent is waited for', async () => {
			const { server, browser, call, steps } = await sign(cleanup);
			browser.answers = location => {
				const twice = new URL(location);
				twice.searchParams.append('state', 'x');
				const strangers = ['http://127.0.0.1/callback?code=evil&state=old', 'http://127.0.0.1/callback?code=evil'];
				return [...strangers, 'http://127.0.0.1/callback?error=access_denied', twice, location];
			};
			assert.equal(await call(), 200);
			assert.equal(steps.filter(it => it.kind === 'strayReturn').length, 4);
			assert.deepEqual(
				server.forms.map(it => it.get('code')),
				['code1'],
			);
		});

		it('a second tab that finishes late has nothing to say to the next sign-in, nor after it', async () => {
			const { server, browser, call, auth } = await sign(cleanup, { isInteractive: () => false });
			let old: URL | undefined;
			browser.answers = location => {
				old = location;
				return [];
			};
			const first = new AbortController();
			const given = authFailureOf(auth.signIn(first.signal));
			await eventually(() => old !== undefined, 'the first page');
			first.abort();
			assert.equal(await given, 'AbortError');
			browser.answers = location => [old ?? location, location, old ?? location];
			await auth.signIn(new AbortController().signal);
			assert.deepEqual(
				server.forms.map(it => it.get('code')),
				['code2'],
			);
			assert.equal(await call(), 200);
		});

		it('an error is told as it is said, cut to what can be read', async () => {
			const { browser, call, server } = await sign(cleanup);
			browser.answers = location => {
				location.searchParams.delete('code');
				location.searchParams.set('error', 'access_denied');
				location.searchParams.set('error_description', 'no'.repeat(10_000));
				return [location];
			};
			assert.deepEqual(await authFailureOf(call()), {
				code: 'refused',
				request: 'authorization',
				status: undefined,
				refusal: { error: 'access_denied', description: 'no'.repeat(250) },
			});
			assert.deepEqual(server.forms, []);
		});
	});

	describe('the token endpoint', () => {
		it('that never answers is given up', async () => {
			const { server, call, store } = await sign(cleanup, { limits: { ms: 80 } });
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

	describe('the own network', () => {
		const hosts = (server: GuardedServer): Record<string, string> => ({
			'https://mcp.example': server.resource.origin,
			'https://as.example': server.as.origin,
		});

		/** A server that is far away, and metadata that may lead near. */
		async function far(options: SigningOptions = {}): Promise<Signing> {
			const signing = await sign(cleanup, { url: 'https://mcp.example/mcp', hosts, ...options });
			const { server } = signing;
			server.challenge = 'Bearer';
			server.prm = { resource: 'https://mcp.example/mcp', authorization_servers: ['https://as.example'] };
			server.metadata = {
				issuer: 'https://as.example',
				authorization_endpoint: 'https://as.example/authorize',
				token_endpoint: 'https://as.example/token',
				registration_endpoint: 'https://as.example/register',
			};
			return signing;
		}

		it('is of no interest to what is public', async () => {
			const { call, asked } = await far();
			assert.deepEqual([await call(), asked], [200, ['first']]);
		});

		// covers: auth.privateAddress
		it('is not visited because a public server says so: the person is asked', async () => {
			const signing = await far();
			const { server, call, asked, answers } = signing;
			server.prm = { ...server.prm, authorization_servers: [server.issuer] };
			answers.visit = false;
			const failure = { code: 'privateAddress', request: 'serverMetadata', url: `${server.issuer}/` };
			assert.deepEqual(await authFailureOf(call()), failure);
			assert.deepEqual(asked, [`visit ${server.issuer}`]);
			assertStopped(signing);
			assert.deepEqual(server.as.asked, []);
		});

		it('is visited if the person agrees, who is asked once', async () => {
			const { server, call, asked } = await far();
			server.prm = { ...server.prm, authorization_servers: [server.issuer] };
			const at = (path: string): string => `${server.issuer}/${path}`;
			server.metadata = {
				authorization_endpoint: at('authorize'),
				token_endpoint: at('token'),
				registration_endpoint: at('register'),
			};
			assert.equal(await call(), 200);
			assert.deepEqual(asked, [`visit ${server.issuer}`, 'first']);
		});

		it('is not visited while nobody is there to be asked', async () => {
			const { server, call, asked } = await far({ isInteractive: () => false });
			server.prm = { ...server.prm, authorization_servers: [server.issuer] };
			const failure = await authFailureOf(call());
			assert.deepEqual([typeof failure === 'object' && failure.code, asked], ['privateAddress', []]);
			assert.deepEqual(server.as.asked, []);
		});

		for (const url of [
			'https://169.254.169.254/latest',
			'https://192.168.1.1/x',
			'https://[::1]/x',
			'https://router/',
		]) {
			it(`${url} as metadata of a resource`, async () => {
				const { server, call, asked, answers } = await far();
				server.challenge = `Bearer resource_metadata="${url}"`;
				answers.visit = false;
				const failure = await authFailureOf(call());
				assert.deepEqual([typeof failure === 'object' && failure.code, asked], ['privateAddress', [`visit ${url}`]]);
			});
		}

		it('a token endpoint that lies there is asked about, too', async () => {
			const { server, call, asked, answers } = await far();
			server.metadata = { ...server.metadata, token_endpoint: 'https://10.0.0.1/token' };
			answers.visit = false;
			const failure = await authFailureOf(call());
			assert.deepEqual(
				[typeof failure === 'object' && failure.code, asked],
				['privateAddress', ['first', 'visit https://10.0.0.1/token']],
			);
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
			// What that one asks for is no question of our server's.
			assert.equal(await call(), 401);
			assert.deepEqual([evil.asked.map(it => it.headers.authorization), asked], [[undefined], ['first']]);
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
