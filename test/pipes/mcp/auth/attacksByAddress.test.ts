// Addresses that somebody hostile has chosen: pages that are opened, who comes back, and the own network.
import * as assert from 'node:assert/strict';
import { authFailureOf } from '../../../support/authFailure.js';
import { type GuardedServer, sign, type Signing, type SigningOptions } from '../../../support/guardedServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually } from '../../../support/waiting.js';
import { attackBench } from '../../../support/attackBench.js';

describe('attacks on signing in', () => {
	const cleanup = leakCheck();

	const { assertStopped } = attackBench(cleanup);

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
});
