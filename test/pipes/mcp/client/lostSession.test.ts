// Sessions that a server has lost and tells of in a successful response, over real sockets.
import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Client, StreamableHttp } from '../../../../src/mcp/index.js';
import { createHttpFetch } from '../../../../src/node/http/httpFetch.js';
import { delays } from '../../../support/httpBench.js';
import { type Asked, event, json, resultOf, ScriptedServer, sse } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { SentCheck } from '../../../support/sentCheck.js';
import { TestLogger } from '../../../support/testLogger.js';
import { eventually } from '../../../support/waiting.js';

// covers: session.lostInBody
describe('a session that is lost without a 404', function () {
	this.timeout(20_000);
	const { own, later } = leakCheck();

	type Tell = (asked: Asked, response: ServerResponse) => void;

	/** Knows only the session that it gave last, until it forgets that too. */
	class Restarted {
		session = 0;
		isUp = true;
		/** A new session is lost at once. */
		staysDown = false;
		readonly calls: unknown[] = [];

		constructor(private readonly tell: Tell) {}

		readonly answer = (asked: Asked, response: ServerResponse): void => {
			const { method } = asked.message;
			if (asked.method !== 'POST') {
				response.writeHead(asked.method === 'DELETE' ? 200 : 405).end();
			} else if (method === 'initialize') {
				this.isUp = !this.staysDown;
				const capabilities = { tools: {}, resources: { subscribe: true } };
				const result = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } };
				json(response, resultOf(asked, result), 200, { 'mcp-session-id': `s${++this.session}` });
			} else if (asked.message.id === undefined) {
				response.writeHead(202).end();
			} else if (!this.isUp || asked.headers['mcp-session-id'] !== `s${this.session}`) {
				this.tell(asked, response);
			} else if (method === 'tools/call') {
				this.calls.push(asked.headers['mcp-session-id']);
				json(response, resultOf(asked, { content: [{ type: 'text', text: 'done' }] }));
			} else {
				json(response, resultOf(asked, method === 'tools/list' ? { tools: [] } : {}));
			}
		};
	}

	async function connect(tell: Tell, pingMs = 0) {
		const restarted = new Restarted(tell);
		const server = await ScriptedServer.start(restarted.answer);
		later(() => server.close());
		const fetch = createHttpFetch();
		const log = new TestLogger();
		const client = own(
			new Client({
				clientInfo: { name: 'test', version: '1' },
				open: () => new StreamableHttp({ url: server.url, fetch, log, delays }),
				mode: 'legacy',
				timeoutMs: 10_000,
				pingMs,
				log,
			}),
		);
		own(client.onDidTransfer(new SentCheck().follow));
		later(async () => {
			await client.close();
			fetch.dispose();
		});
		await client.connect(new AbortController().signal);
		server.asked.length = 0;
		return { restarted, server, client, log };
	}

	const error = (code: number, message: string, { id }: Asked['message']): object => ({
		jsonrpc: '2.0',
		id,
		error: { code, message },
	});
	const asJson: Tell = ({ message }, response) => json(response, error(-32002, 'Server not initialized', message));
	const tellings: Readonly<Record<string, Tell>> = {
		'as JSON': asJson,
		'as JSON without the id': (_asked, response) => {
			json(response, { jsonrpc: '2.0', id: null, error: { code: -32005, message: 'Session not found' } });
		},
		'as an event': ({ message }, response) => {
			sse(response);
			response.end(event(error(-32600, "Unknown session id 'x'; client should reinitialize", message)));
		},
		'as an event that is no JSON-RPC': (_asked, response) => {
			sse(response);
			response.end(event({ error: 'Session not found' }));
		},
		'with another status': ({ message }, response) => {
			json(response, error(-32600, "Unknown session id 'x'; client should reinitialize", message), 400);
		},
	};
	for (const [how, tell] of Object.entries(tellings)) {
		it(`${how}: a new one begins, and the call that cannot have run is made once more`, async () => {
			const { restarted, server, client } = await connect(tell);
			restarted.isUp = false;
			const result = await client.callTool('a', {});
			assert.deepEqual(result.content, [{ type: 'text', text: 'done' }]);
			assert.deepEqual([restarted.session, restarted.calls], [2, ['s2']]);
			assert.deepEqual(
				server.lines
					.filter(it => it.startsWith('POST'))
					.slice(0, 3)
					.map(it => it.replace(/#\d+/, '')),
				['POST tools/call', 'POST initialize', 'POST notifications/initialized'],
			);
		});
	}

	it('with subscriptions, which it gets again', async () => {
		const { restarted, server, client } = await connect(asJson);
		own(client.subscribeResource('x:1'));
		await eventually(
			() => server.lines.some(it => it.startsWith('POST resources/subscribe')),
			'the first subscription',
		);
		await eventually(() => client.isSubscribed('x:1'), 'its acknowledgement');
		restarted.isUp = false;
		assert.deepEqual(await client.listTools(), []);
		await eventually(() => client.isSubscribed('x:1'), 'the second subscription');
		const sessions = server.asked
			.filter(it => it.message.method === 'resources/subscribe')
			.map(it => it.headers['mcp-session-id']);
		assert.deepEqual(sessions, ['s1', 's2']);
	});

	it('a call that may have run is not made again; the next one works', async () => {
		const { restarted, client } = await connect(({ message }, response) => {
			json(response, error(-32602, 'Invalid or expired session', message));
		});
		restarted.isUp = false;
		await assert.rejects(client.callTool('a', {}), { failure: { code: 'sessionLost', mayHaveRun: true } });
		assert.equal((await client.callTool('a', {})).content.length, 1);
		assert.deepEqual([restarted.session, restarted.calls], [2, ['s2']]);
		restarted.isUp = false;
		assert.deepEqual(await client.listTools(), []);
		assert.equal(restarted.session, 3);
	});

	it('once: one that is lost again is the error', async () => {
		const { restarted, client } = await connect(asJson);
		restarted.isUp = false;
		restarted.staysDown = true;
		await assert.rejects(client.callTool('a', {}), { failure: { code: 'sessionLost' } });
		assert.deepEqual([restarted.session, restarted.calls], [2, []]);
	});

	it('a ping notices', async () => {
		const { restarted, client } = await connect(asJson, 20);
		restarted.isUp = false;
		await eventually(() => restarted.session === 2, 'a new session');
		assert.deepEqual(await client.listTools(), []);
	});

	it('what a tool says of sessions of its own is its answer', async () => {
		let isOwn = false;
		const { restarted, client } = await connect(({ message }, response) => {
			json(response, error(isOwn ? -32602 : -32002, 'Session not found: browser-1', message));
		});
		restarted.isUp = false;
		await assert.rejects(client.callTool('a', {}), { code: -32002 });
		isOwn = true;
		await assert.rejects(client.callTool('a', {}), { code: -32602 });
		assert.equal(restarted.session, 1);
	});
});
