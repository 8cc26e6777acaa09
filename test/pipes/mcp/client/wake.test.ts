// The machine has slept, so sockets are dead without an error. Servers and sockets are real; only the jump of the
// clock is simulated.
import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Client, type JsonObject, StreamableHttp } from '../../../../src/mcp/index.js';
import { createHttpFetch } from '../../../../src/node/http/httpFetch.js';
import { FrozenProxy } from '../../../support/frozenProxy.js';
import { type Asked, event, json, resultOf, ScriptedServer, sse } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { SentCheck } from '../../../support/sentCheck.js';
import { TestLogger } from '../../../support/testLogger.js';
import { eventually } from '../../../support/waiting.js';

const delays = { reconnect: 60_000, close: 50, linger: 30, errorBody: 50 };
const updated = { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'x:1' } };
const signal = (): AbortSignal => new AbortController().signal;

describe('after a sleep', function () {
	this.timeout(20_000);
	const { own, later } = leakCheck();

	/** A server of the legacy era with one session at a time and a resumable stream. */
	class Older {
		session = 0;
		readonly streams: ServerResponse[] = [];

		readonly answer = (asked: Asked, response: ServerResponse): void => {
			const { method, headers, message } = asked;
			if (message.method !== 'initialize' && headers['mcp-session-id'] !== `s${this.session}`) {
				json(response, {}, 404);
			} else if (method === 'GET') {
				this.streams.push(response);
				sse(response);
				response.write(': here\n\n');
			} else {
				this.answerPost(asked, response);
			}
		};

		private answerPost(asked: Asked, response: ServerResponse): void {
			switch (asked.message.method) {
				case 'server/discover':
					json(response, { jsonrpc: '2.0', id: asked.message.id, error: { code: -32601, message: 'no' } });
					break;
				case 'initialize':
					this.session++;
					json(
						response,
						resultOf(asked, {
							protocolVersion: '2025-11-25',
							capabilities: { resources: { subscribe: true }, tools: {} },
							serverInfo: { name: 'older', version: '1' },
						}),
						200,
						{ 'mcp-session-id': `s${this.session}` },
					);
					break;
				case 'notifications/initialized':
					response.writeHead(202).end();
					break;
				case undefined:
					response.writeHead(200).end();
					break;
				default:
					json(response, resultOf(asked, asked.message.method === 'tools/list' ? { tools: [] } : {}));
			}
		}
	}

	async function connect(answer: (asked: Asked, response: ServerResponse) => void) {
		const server = await ScriptedServer.start(answer);
		later(() => server.close());
		const proxy = await FrozenProxy.start(Number(new URL(server.url).port));
		const fetch = createHttpFetch();
		const log = new TestLogger();
		const client = own(
			new Client({
				clientInfo: { name: 'test', version: '1' },
				open: () => new StreamableHttp({ url: proxy.url, fetch, log, delays }),
				mode: 'auto',
				timeoutMs: 0,
				log,
			}),
		);
		const told: unknown[] = [];
		own(client.onDidTransfer(new SentCheck().follow));
		own(client.onDidUpdateResource(uri => told.push(uri)));
		own(client.onDidRenewSession(() => told.push('renewed')));
		own(client.onDidEnd(({ expected }) => told.push({ expected })));
		later(async () => {
			await client.close();
			fetch.dispose();
			await proxy.close();
		});
		await client.connect(signal());
		/** Does what the platform does after a jump of the clock. */
		const wake = (): void => {
			fetch.closeIdle();
			client.checkAlive();
		};
		return { server, proxy, client, told, log, wake };
	}

	it('the session continues over new connections, with a new stream', async () => {
		const older = new Older();
		const { server, proxy, client, told, wake } = await connect(older.answer);
		own(client.subscribeResource('x:1'));
		await eventually(() => older.streams.length === 1 && server.lines.includes('POST resources/subscribe#3'), 'ready');
		older.streams[0]?.write(event(updated, 'e7'));
		await eventually(() => told.length === 1, 'the first update');
		proxy.freeze();
		older.streams[0]?.write(event(updated, 'e8'));
		wake();
		await eventually(() => older.streams.length === 2, 'another stream');
		older.streams[1]?.write(event(updated, 'e8'));
		await eventually(() => told.length === 3, 'what may have been missed, and what was');
		assert.deepEqual(await client.listTools(), []);
		assert.deepEqual([told, older.session], [['x:1', 'x:1', 'x:1'], 1]);
	});

	it('a session that the server forgot begins again, with its subscriptions', async () => {
		const older = new Older();
		const { server, proxy, client, told, wake } = await connect(older.answer);
		own(client.subscribeResource('x:1'));
		await eventually(() => older.streams.length === 1 && server.lines.includes('POST resources/subscribe#3'), 'ready');
		older.session = 40;
		proxy.freeze();
		server.asked.length = 0;
		wake();
		await eventually(() => told.includes('renewed') && server.lines.some(it => it.includes('subscribe')), 'again');
		await eventually(() => older.streams.length >= 2, 'another stream');
		assert.deepEqual(server.lines.map(it => it.replace(/#.*/, '')).slice(0, 3), [
			'POST ping',
			'POST initialize',
			'POST notifications/initialized',
		]);
		older.streams.at(-1)?.write(event(updated));
		await eventually(() => told.includes('x:1'), 'updates again');
	});

	it('a modern server is discovered again, and reports changes again', async () => {
		const streams: { readonly response: ServerResponse; readonly id: unknown }[] = [];
		const { server, proxy, client, told, wake } = await connect((asked, response) => {
			const { id, method } = asked.message;
			if (method === 'server/discover') {
				json(
					response,
					resultOf(asked, {
						resultType: 'complete',
						supportedVersions: ['2026-07-28'],
						capabilities: { resources: { subscribe: true } },
						serverInfo: { name: 'newer', version: '1' },
					}),
				);
			} else if (method === 'subscriptions/listen') {
				streams.push({ response, id });
				sse(response);
				const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
				const params: JsonObject = { _meta, notifications: { resourceSubscriptions: ['x:1'] } };
				response.write(event({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params }));
			} else {
				response.writeHead(405).end();
			}
		});
		own(client.subscribeResource('x:1'));
		await eventually(() => streams.length === 1, 'a stream');
		proxy.freeze();
		server.asked.length = 0;
		wake();
		await eventually(() => streams.length === 2, 'another stream');
		assert.deepEqual(
			server.lines.map(it => it.replace(/#.*/, '')),
			['POST server/discover', 'POST subscriptions/listen'],
		);
		const { response, id } = streams[1] ?? assert.fail();
		const params = { uri: 'x:1', _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
		response.write(event({ ...updated, params }));
		await eventually(() => told.includes('x:1'), 'an update');
	});

	it('nothing is sent if the clock did not jump', async () => {
		const { server, client } = await connect(new Older().answer);
		await eventually(() => server.lines.includes('GET'), 'ready');
		server.asked.length = 0;
		await client.listTools();
		assert.deepEqual(
			server.lines.map(it => it.replace(/#.*/, '')),
			['POST tools/list'],
		);
	});
});
