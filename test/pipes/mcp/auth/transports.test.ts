// Both transports, and the client above them, with a server that asks who they are.
import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { nullLogger } from '../../../../src/base/log.js';
import { Client, LegacySse, StreamableHttp } from '../../../../src/mcp/index.js';
import type { HttpAuth } from '../../../../src/mcp/transport/httpAuth.js';
import { HttpEndpoint, type HttpExchange } from '../../../../src/mcp/transport/httpEndpoint.js';
import { HttpAbort } from '../../../../src/mcp/transport/httpFetch.js';
import { authFailureOf } from '../../../support/authFailure.js';
import { sign, type Signing, type SigningOptions } from '../../../support/guardedServer.js';
import { json, resultOf, sse } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { SentCheck } from '../../../support/sentCheck.js';
import { eventually } from '../../../support/waiting.js';

describe('transports that prove who we are', () => {
	const cleanup = leakCheck();
	const { own, later } = cleanup;

	/** A modern server with an empty list of tools that may be kept. */
	async function guarded(options?: SigningOptions): Promise<Signing> {
		const signing = await sign(cleanup, options);
		const { server } = signing;
		const kept = { resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' };
		server.instead.set('/mcp', (asked, response) => {
			const [, token = ''] = asked.headers.authorization?.split(' ') ?? [];
			if (!server.good.has(token)) {
				json(response, {}, 401);
			} else if (asked.message.method === 'server/discover') {
				json(response, resultOf(asked, { ...kept, supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }));
			} else {
				json(response, resultOf(asked, { ...kept, tools: [] }));
			}
		});
		return signing;
	}

	function clientOf({ server, auth, fetch }: Signing, timeoutMs: number): Client {
		const client = own(
			new Client({
				clientInfo: { name: 'test', version: '1' },
				timeoutMs,
				log: nullLogger,
				onDidChangeIdentity: auth.onDidChangeIdentity,
				open: () => new StreamableHttp({ url: server.url, fetch, log: nullLogger, auth }),
				openLegacySse: () => new LegacySse({ url: server.url, fetch, log: nullLogger, auth }),
			}),
		);
		own(client.onDidTransfer(new SentCheck().follow));
		later(() => client.close());
		return client;
	}

	// covers: auth.held
	it('while a person thinks, the server is not to blame, nor before it has been asked again', async () => {
		const { server, browser, auth, fetch } = await guarded();
		const thinking = deferred<void>();
		browser.thinking = thinking.promise;
		const transport = own(new StreamableHttp({ url: server.url, fetch, log: nullLogger, auth }));
		later(() => transport.close());
		await transport.start();
		assert.equal(transport.heldUntil, -Infinity);
		const sent = transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
		await eventually(() => browser.visited.length === 1, 'the browser is open');
		assert.equal(transport.heldUntil, Infinity);
		const before = performance.now();
		thinking.resolve();
		await sent;
		assert.ok(transport.heldUntil >= before && transport.heldUntil <= performance.now());
	});

	it('nobody is there: the client says what is needed, and does not take it for another era', async () => {
		const { server, ...signing } = await guarded({ isInteractive: () => false });
		const client = clientOf({ server, ...signing }, 20_000);
		const failure = await authFailureOf(client.connect(new AbortController().signal));
		assert.deepEqual(typeof failure === 'object' && failure.code, 'signInNeeded');
		assert.equal(server.lines.filter(it => it.includes(' /mcp')).length, 1);
	});

	// covers: cache.authorization
	it('what was private to one person is not given to the next', async () => {
		const signing = await guarded();
		const { server, auth, clock } = signing;
		const client = clientOf(signing, 20_000);
		await client.connect(new AbortController().signal);
		const asks = async (): Promise<number> => {
			server.take();
			await client.listTools();
			return server.take().filter(it => it.startsWith('POST /mcp')).length;
		};
		assert.deepEqual([await asks(), await asks()], [1, 0]);
		// A refresh is of the same person.
		clock.now += 3600_000;
		await signing.call();
		assert.equal(await asks(), 0);
		await auth.signOut(new AbortController().signal);
		await auth.signIn(new AbortController().signal);
		assert.equal(await asks(), 1);
	});

	// covers: auth.bothTransports
	it('HTTP+SSE: the stream and every message', async () => {
		const { server, auth, fetch, asked } = await sign(cleanup);
		server.instead.set('/mcp', ({ headers }, response) => {
			if (headers.authorization) {
				sse(response);
				response.write('event: endpoint\ndata: /message\n\n');
			} else {
				json(response, {}, 401);
			}
		});
		const tokens: unknown[] = [];
		server.instead.set('/message', ({ headers }, response) => {
			tokens.push(headers.authorization);
			response.writeHead(202).end();
		});
		const transport = own(new LegacySse({ url: server.url, fetch, log: nullLogger, auth }));
		later(() => transport.close());
		await transport.start();
		await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
		assert.deepEqual([tokens, asked, Number.isFinite(transport.heldUntil)], [['Bearer t1'], ['first'], true]);
	});

	// covers: http.userAgent
	it('every request of a sign-in says who sends it, and a configured header wins', async () => {
		const { server, auth, fetch, call } = await sign(cleanup);
		assert.equal(await call(), 200);
		const agents = [...server.resource.asked, ...server.as.asked].map(it => it.headers['user-agent']);
		assert.ok(server.lines.some(it => it.includes('/token')));
		assert.deepEqual([...new Set(agents)], ['mcp-workbench']);
		const headers = { 'User-Agent': 'mine' };
		const endpoint = own(new HttpEndpoint({ url: server.url, fetch, log: nullLogger, auth, headers }));
		const response = await endpoint.call({ method: 'POST', headers: {}, body: '{}', abort: new HttpAbort() });
		response.discard();
		assert.equal(server.resource.asked.at(-1)?.headers['user-agent'], 'mine');
	});

	describe('the port', () => {
		const url = 'http://127.0.0.1/mcp';
		const call = { method: 'POST', headers: {}, body: '{}' } as const;

		function endpointOf(auth: HttpAuth, statuses: number[], headers = {}): [HttpEndpoint, Record<string, string>[]] {
			const sent: Record<string, string>[] = [];
			const endpoint = new HttpEndpoint({
				url,
				headers,
				log: nullLogger,
				auth,
				fetch: request => {
					sent.push({ ...request.headers });
					return Promise.resolve({
						status: statuses.shift() ?? 200,
						headers: { 'dpop-nonce': 'n' },
						read: () => Promise.resolve(),
						discard: () => undefined,
					});
				},
			});
			return [own(endpoint), sent];
		}

		it('a request is sent again as often as that is wanted, each time with another proof', async () => {
			let proofs = 0;
			const tries: number[] = [];
			const [endpoint, sent] = endpointOf(
				{
					prove: () => ({ headers: { authorization: `t${++proofs}` } }),
					reviewResponse: (_request, { status }, _proof, count) => {
						tries.push(count);
						return status === 401 ? Promise.resolve(true) : false;
					},
				},
				[401, 401, 200],
			);
			assert.equal((await endpoint.call({ ...call, abort: new HttpAbort() })).status, 200);
			assert.deepEqual(
				[sent.map(it => it['authorization']), tries],
				[
					['t1', 't2', 't3'],
					[0, 1, 2],
				],
			);
		});

		it('who has configured a header of their own is not asked to sign in', async () => {
			const auth: HttpAuth = {
				prove: () => assert.fail('asked'),
				reviewResponse: () => assert.fail('asked'),
			};
			const [endpoint, sent] = endpointOf(auth, [401], { Authorization: 'Bearer mine' });
			assert.equal((await endpoint.call({ ...call, abort: new HttpAbort() })).status, 401);
			assert.deepEqual(sent, [{ authorization: 'Bearer mine' }]);
		});

		it('the tap sees that there was a proof, and not which', async () => {
			const auth: HttpAuth = {
				prove: () => ({ headers: { authorization: 'DPoP t', dpop: 'proof' } }),
				reviewResponse: () => false,
			};
			const [endpoint] = endpointOf(auth, [200]);
			const seen: HttpExchange[] = [];
			own(endpoint.onDidExchange(it => seen.push(it)));
			await endpoint.call({ ...call, abort: new HttpAbort() });
			const redacted = '<redacted>';
			assert.deepEqual(seen[0]?.requestHeaders, { authorization: redacted, dpop: redacted });
			assert.deepEqual(seen[0]?.headers, { 'dpop-nonce': 'n' });
		});
	});
});
