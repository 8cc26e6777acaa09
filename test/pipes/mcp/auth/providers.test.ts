// Sign-in at providers whose authorization servers differ from what the specifications ask for: real requests on loopback.
import * as assert from 'node:assert/strict';
import { readAuthConfig, withException } from '../../../../src/core/config/authSettings.js';
import { type AuthConfig, exceptionFor } from '../../../../src/mcp/index.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { discovery, signingIn } from '../../../support/authSteps.js';
import { type GuardedServer, sign, type Signing } from '../../../support/guardedServer.js';
import { HttpAbort } from '../../../../src/mcp/transport/httpFetch.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { providers } from '../../../support/providers.js';
import { eventually } from '../../../support/waiting.js';

describe('sign-in at known providers', () => {
	const cleanup = leakCheck();

	/** A client of a provider, with these settings of the person. */
	async function at(name: keyof typeof providers, settings: object = {}): Promise<Signing> {
		return (await withSettings(name, () => ({ ...settings }))).signing;
	}

	/** The same with settings that change: `current` is the whole setting. */
	async function withSettings(
		name: keyof typeof providers,
		first: (server: GuardedServer) => object,
	): Promise<{ readonly signing: Signing; readonly settings: { current: unknown } }> {
		const settings: { current: unknown } = { current: undefined };
		const read = (url: string): AuthConfig =>
			readAuthConfig({
				url,
				setting: settings.current,
				configured: undefined,
				typed: undefined,
				keepTyped: () => assert.fail('kept'),
				readFile: () => assert.fail('read'),
			});
		const signing: Signing = await sign(cleanup, { config: () => Promise.resolve(read(signing.server.url)) });
		const { server } = signing;
		providers[name].prepare(server);
		settings.current = { [server.url]: first(server) };
		return { signing, settings };
	}

	const entra = { clientId: 'mine', exceptions: { pkce: true, resource: true } };

	describe('a registration that is refused without scopes', () => {
		it('is tried once more with the scopes that are listed', async () => {
			const { server, call } = await at('Fastmail');
			assert.equal(await call(), 200);
			const [, , register, ...rest] = signingIn;
			assert.deepEqual(server.take(), ['POST /mcp', ...discovery, register, register, ...rest, 'POST /mcp t1']);
			assert.deepEqual(
				server.registrations.map(it => it['scope']),
				['mail calendar'],
			);
		});

		it('is made again with them if the sign-in page refuses the scopes, once', async () => {
			const { server, call, steps } = await at('Keycloak');
			assert.equal(await call(), 200);
			assert.deepEqual(
				server.registrations.map(it => it['scope']),
				[undefined, 'read write'],
			);
			const clients = steps.filter(it => it.kind === 'client');
			assert.deepEqual(
				clients.map(it => [it.clientId, it.why]),
				[
					['client1', ['notConfigured', 'noDocumentUrl']],
					['client2', ['scopeRefused']],
				],
			);
		});
	});

	describe('a refresh', () => {
		it('names the granted scopes', async () => {
			const { server, call, clock, asked } = await at('Entra', entra);
			await call();
			clock.now += 3600_000;
			assert.equal(await call(), 200);
			assert.equal(server.forms.at(-1)?.get('scope'), 'api://x/.default');
			assert.deepEqual(asked, ['first api://x/.default']);
		});

		it('that is refused without an OAuth error asks the person, and keeps the tokens until they have signed in', async () => {
			const { server, call, clock, asked, answers, store, auth } = await at('Supabase');
			await call();
			const kept = (): unknown => [...store.texts.values()].find(it => it.includes('"refreshToken":"r1"'));
			server.refreshTokens.clear();
			server.good.clear();
			clock.now += 3600_000;
			answers.interact = false;
			const failure = await authFailureOf(call());
			assert.equal(typeof failure === 'object' && failure.code, 'signInNeeded');
			assert.deepEqual([asked, auth.state.kind, kept() !== undefined], [['first', 'expired'], 'needed', true]);
			answers.interact = true;
			assert.equal(await call(), 200);
			assert.deepEqual([asked.length, kept(), auth.state.kind], [3, undefined, 'signedIn']);
		});

		it('that was refused for a moment works without the person afterwards', async () => {
			const { server, call, clock, asked, answers } = await at('Supabase');
			await call();
			clock.now += 3600_000;
			server.good.clear();
			answers.interact = false;
			const tokens = [...server.refreshTokens];
			server.refreshTokens.clear();
			await authFailureOf(call());
			tokens.forEach(it => server.refreshTokens.add(it));
			assert.equal(await call(), 200);
			assert.deepEqual(asked, ['first', 'expired']);
		});
	});

	it('returns to the redirect URI of the settings, which also gets the code', async () => {
		const redirectUri = 'http://localhost:3118/callback';
		const { server, call, browser } = await at('Okta', { clientId: 'mine', redirectUri });
		assert.equal(await call(), 200);
		assert.deepEqual(
			[browser.visited.length, server.forms[0]?.get('redirect_uri'), server.forms[0]?.get('client_id')],
			[1, redirectUri, 'mine'],
		);
	});

	for (const [name, first, code, said] of [
		['Google', {}, 'issuerMismatch', 'issuer'],
		['Atlassian', {}, 'issuerMismatch', 'issuer'],
		['Cognito', { clientId: 'mine' }, 'noPkce', 'pkce'],
		['Entra', { clientId: 'mine', exceptions: { resource: true } }, 'noPkce', 'pkce'],
	] as const) {
		it(`works at ${name} after the person made the exception that the failure names, and says so each time`, async () => {
			const { signing, settings } = await withSettings(name, () => first);
			const { server, call, clock, steps, browser, asked } = signing;
			const failure = await authFailureOf(call());
			assert.ok(typeof failure === 'object', JSON.stringify(failure));
			assert.deepEqual([failure.code, browser.visited, server.forms], [code, [], []]);
			const exception = exceptionFor(failure);
			assert.equal(exception?.what, said);
			settings.current = withException(settings.current, server.url, exception);
			assert.equal(await call(), 200);
			clock.now += 3600_000;
			const count = steps.length;
			assert.equal(await call(), 200);
			assert.equal(asked.length, 1);
			assert.ok(browser.visited.every(it => new URL(it).searchParams.get('code_challenge_method') === 'S256'));
			for (const part of [steps.slice(0, count), steps.slice(count)]) {
				assert.deepEqual(
					part.flatMap(it => (it.kind === 'exception' && it.what === said ? [it.issuer] : [])),
					[exception.issuer],
				);
			}
		});
	}

	it('waits at a page that shows an error for `resource`, until the person leaves it out', async () => {
		const { signing, settings } = await withSettings('Entra', () => ({ ...entra, exceptions: { pkce: true } }));
		const { server, call, browser, auth } = signing;
		const abort = new HttpAbort();
		const waiting = authFailureOf(call(abort));
		await eventually(() => server.lines.includes('as GET /authorize'), 'the page');
		assert.equal(auth.state.kind, 'working');
		abort.abort();
		assert.equal(await waiting, 'AbortError');
		settings.current = withException(settings.current, server.url, { what: 'resource', issuer: server.issuer });
		assert.equal(await call(), 200);
		const named = [...browser.visited.map(it => new URL(it).searchParams), ...server.forms].map(it =>
			it.has('resource'),
		);
		assert.deepEqual(named, [true, false, false]);
	});
});
