// One client of a guarded server, from the first 401 to signing out.
import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { HttpAbort } from '../../../../src/mcp/index.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { GuardedServer, sign, type Signing } from '../../../support/guardedServer.js';
import { MemoryTokens } from '../../../support/memoryTokens.js';
import { json } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { signingIn } from '../../../support/authSteps.js';
import { eventually, settled } from '../../../support/waiting.js';

describe('Authorizer', () => {
	const cleanup = leakCheck();

	// covers: auth.challenge auth.everyRequest
	it('signs in when the server asks, once, and goes on', async () => {
		const { server, call, asked, browser } = await sign(cleanup);
		assert.deepEqual([await call(), await call()], [200, 200]);
		assert.deepEqual(server.take(), ['POST /mcp', ...signingIn, 'POST /mcp t1', 'POST /mcp t1']);
		assert.deepEqual(asked, ['first']);
		assert.equal(browser.openCount, 0);
	});

	describe('giving up', () => {
		// covers: auth.cancel
		it('the last request that waits takes the sign-in with it; the next begins another', async () => {
			const { server, call, browser, auth } = await sign(cleanup);
			browser.answers = () => [];
			const aborts = [new HttpAbort(), new HttpAbort()];
			const waiting = aborts.map(it => authFailureOf(call(it)));
			await eventually(() => browser.visited.length === 1, 'the browser is open');
			await eventually(() => server.lines.filter(it => it === 'POST /mcp').length === 2, 'both are there');
			await settled();
			aborts[0]?.abort();
			assert.equal(await waiting[0], 'AbortError');
			assert.deepEqual([browser.openCount, auth.state.kind], [1, 'working']);
			aborts[1]?.abort();
			assert.equal(await waiting[1], 'AbortError');
			await eventually(() => browser.openCount === 0, 'the redirect is closed');
			assert.equal(auth.state.kind, 'unasked');
			browser.answers = undefined;
			assert.equal(await call(), 200);
			assert.equal(server.forms.length, 1);
		});

		for (const [what, expire] of [
			['before the token ends', ({ clock }) => void (clock.now += 3600_000)],
			['after the server has refused it', ({ server }) => server.good.clear()],
		] as readonly (readonly [string, (signing: Signing) => void])[]) {
			it(`a refresh ${what} is never given up half-way, nor begun twice: what was issued is used`, async () => {
				const signing = await sign(cleanup);
				const { server, call } = signing;
				await call();
				expire(signing);
				const answer = deferred<void>();
				server.instead.set('as /token', async (_asked, response) => {
					await answer.promise;
					const isFirst = server.refreshTokens.delete('r1');
					const tokens = { access_token: server.issue(), token_type: 'bearer', refresh_token: 'r9' };
					json(response, isFirst ? tokens : { error: 'invalid_grant' }, isFirst ? 200 : 400);
				});
				const abort = new HttpAbort();
				const waiting = authFailureOf(call(abort));
				const refreshes = (): number => server.lines.filter(it => it === 'as POST /token refresh_token').length;
				await eventually(() => refreshes() === 1, 'the refresh');
				abort.abort();
				assert.equal(await waiting, 'AbortError');
				const later = call();
				await settled();
				answer.resolve();
				assert.deepEqual([await later, refreshes(), server.take().at(-1)], [200, 1, 'POST /mcp t2']);
			});
		}
	});

	// covers: auth.signOut
	it('signing out forgets here and there', async () => {
		const { server, call, auth, store, steps } = await sign(cleanup);
		server.metadata = { revocation_endpoint: `${server.issuer}/revoke` };
		server.instead.set('as /revoke', (asked, response) => {
			assert.equal(new URLSearchParams(asked.body).get('token'), 'r1');
			response.writeHead(200).end();
		});
		await call();
		let changes = 0;
		cleanup.own(auth.onDidChangeIdentity(() => changes++));
		await auth.signOut(new AbortController().signal);
		assert.deepEqual([auth.state, changes], [{ kind: 'unasked' }, 1]);
		assert.ok(server.lines.includes('as POST /revoke'));
		assert.deepEqual(
			[...store.texts.keys()].filter(it => it.includes('grant')),
			[],
		);
		assert.deepEqual(
			steps.filter(it => it.kind === 'forgotten'),
			[{ kind: 'forgotten', why: 'signedOut' }],
		);
		server.take();
		await call();
		assert.equal(server.take()[0], 'POST /mcp');
		assert.equal(server.registrations.length, 1);
	});

	// covers: auth.noMixing
	it('two servers that sign in at once do not mix', async () => {
		const store = new MemoryTokens();
		const [one, two] = [await sign(cleanup, { store }), await sign(cleanup, { store })];
		const thinking = deferred<void>();
		one.browser.thinking = thinking.promise;
		const first = one.call();
		await eventually(() => one.browser.visited.length === 1, 'the first browser is open');
		assert.equal(await two.call(), 200);
		thinking.resolve();
		assert.equal(await first, 200);
		assert.deepEqual([one.server.forms.length, two.server.forms.length], [1, 1]);
		const grants = [...store.texts].filter(([key]) => key.includes('grant'));
		assert.deepEqual(
			grants.map(([key, text]) => [
				(JSON.parse(key) as { server: string }).server,
				(JSON.parse(text) as { issuer: string }).issuer,
			]),
			[
				[two.server.url, two.server.issuer],
				[one.server.url, one.server.issuer],
			],
		);
	});

	// covers: auth.report
	it('the report has every step, and no secret', async () => {
		const { server, call, steps, browser, clock } = await sign(cleanup);
		await call();
		clock.now += 3600_000;
		await call();
		const text = JSON.stringify(steps);
		const secrets = [
			...server.good,
			'r1',
			'r2',
			'code1',
			...server.pages.flatMap(it => [it.get('state'), it.get('code_challenge')]),
			server.forms[0]?.get('code_verifier'),
		];
		assert.deepEqual(
			secrets.filter(it => it && text.includes(`"${it}"`)),
			[],
		);
		const requested = (request: string, url: string, outcome = 200): object => ({
			kind: 'requested',
			request,
			url,
			outcome,
		});
		const { origin } = server.resource;
		const found = [
			requested('resourceMetadata', `${origin}/.well-known/oauth-protected-resource/mcp`),
			{ kind: 'resource', from: 'challenge', resource: server.url, issuers: [server.issuer] },
			requested('serverMetadata', `${server.issuer}/.well-known/oauth-authorization-server`),
			{ kind: 'authorizationServer', issuer: server.issuer, from: 'metadata' },
		];
		const granted = { kind: 'granted', refreshable: true, isBound: false };
		assert.deepEqual(JSON.parse(text), [
			{
				kind: 'challenged',
				status: 401,
				scopes: [],
				resourceMetadata: `${origin}/.well-known/oauth-protected-resource/mcp`,
			},
			...found,
			{ kind: 'scopes', scopes: [], from: 'nothing' },
			{ kind: 'redirect', way: 'test', uri: browser.uri },
			requested('registration', `${server.issuer}/register`, 201),
			{
				kind: 'client',
				way: 'registered',
				why: ['notConfigured', 'noDocumentUrl'],
				clientId: 'client1',
				method: 'none',
			},
			{ kind: 'browser', url: `${server.issuer}/authorize` },
			{ kind: 'returned', outcome: 'code' },
			requested('token', `${server.issuer}/token`),
			{ ...granted, by: 'code', expiresAt: 4_600_000 },
			...found,
			requested('token', `${server.issuer}/token`),
			{ ...granted, by: 'refresh', expiresAt: 8_200_000 },
		]);
	});

	it('no two of them share a server that nobody guards', async () => {
		const server = await GuardedServer.start();
		cleanup.later(() => server.close());
		server.good.add('undefined');
		server.instead.set('/mcp', (_asked, response) => json(response, {}));
		const { call, auth } = await sign(cleanup, { server });
		assert.deepEqual([await call(), auth.state], [200, { kind: 'unasked' }]);
		assert.deepEqual(server.take(), ['POST /mcp']);
	});
});
