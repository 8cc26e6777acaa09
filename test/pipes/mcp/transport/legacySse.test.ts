// Spec 2024-11-05, transports, "HTTP with SSE".
import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { type HttpRequest, LegacySse, McpError } from '../../../../src/mcp/index.js';
import type { LegacySseOptions } from '../../../../src/mcp/transport/legacySse.js';
import { createHttpFetch } from '../../../../src/node/http/httpFetch.js';
import { type Answer, event, json, resultOf, ScriptedServer, sse } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { TestLogger } from '../../../support/testLogger.js';
import { toldBy } from '../../../support/told.js';
import { eventually } from '../../../support/waiting.js';

const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} } as const;

// covers: sse.endpoint sse.sameOrigin
describe('LegacySse', function () {
	this.timeout(20_000);
	const { own, later } = leakCheck();

	interface Watched {
		readonly server: ScriptedServer;
		readonly transport: LegacySse;
		readonly told: unknown[];
		readonly log: TestLogger;
	}

	async function watch(answer: Answer, options: Partial<LegacySseOptions> = {}): Promise<Watched> {
		const server = await ScriptedServer.start(answer);
		const log = new TestLogger();
		const fetch = createHttpFetch();
		const url = `${server.origin}/base/sse`;
		const delays = { endpoint: 50, errorBody: 50 };
		const transport = new LegacySse({ url, fetch, log, delays, headers: { 'X-Key': 'k' }, ...options });
		const told = toldBy(transport, own);
		later(async () => {
			await transport.close();
			transport.dispose();
			fetch.dispose();
			await server.close();
		});
		return { server, transport, told, log };
	}

	/** A server whose stream begins with this. */
	function begin(text: string, post?: (stream: ServerResponse, ...args: Parameters<Answer>) => unknown): Answer {
		let stream: ServerResponse | undefined;
		return (asked, response) => {
			if (asked.method === 'GET') {
				stream = response;
				sse(response);
				response.write(text);
			} else if (stream) {
				post?.(stream, asked, response);
			}
		};
	}

	async function failureOf(promise: Promise<unknown>): Promise<unknown> {
		try {
			await promise;
			return 'no failure';
		} catch (error) {
			return error instanceof McpError ? error.failure : error;
		}
	}

	for (const [endpoint, path] of [
		['/message?sessionId=1', '/message?sessionId=1'],
		['message?sessionId=1', '/base/message?sessionId=1'],
		['?sessionId=1', '/base/sse?sessionId=1'],
	] as const) {
		it(`posts to ${endpoint}, and is answered on the stream`, async () => {
			const { server, transport, told } = await watch(
				begin(`event: endpoint\ndata: ${endpoint}\n\n`, (stream, asked, response) => {
					response.writeHead(202).end('Accepted');
					stream.write(`${event(resultOf(asked))}data: noise\n\nevent: endpoint\ndata: /evil\n\n`);
				}),
			);
			await transport.start();
			transport.didAgree({ era: 'legacy', protocolVersion: '2024-11-05' });
			await transport.send(call);
			await eventually(() => told.length === 2, 'an answer');
			await transport.send(call);
			await transport.close();
			assert.deepEqual(told.slice(0, 2), [{ jsonrpc: '2.0', id: 2, result: {} }, { noise: 'noise' }]);
			assert.deepEqual(told.at(-1), { end: { expected: true } });
			assert.deepEqual(
				server.asked.map(it => [it.method, it.path, it.headers['x-key']]),
				[
					['GET', '/base/sse', 'k'],
					['POST', path, 'k'],
					['POST', path, 'k'],
				],
			);
			assert.deepEqual(await failureOf(transport.send(call)), { code: 'closed' });
		});
	}

	const origin = { code: 'network', why: 'the endpoint event names another origin' };
	const refused: readonly (readonly [name: string, answer: Answer, failure: unknown])[] = [
		['another host', begin('event: endpoint\ndata: http://127.0.0.2/x\n\n'), origin],
		['another port', begin('event: endpoint\ndata: //127.0.0.1:1/x\n\n'), origin],
		['no address', begin('event: endpoint\ndata: file:///x\n\n'), origin],
		['no endpoint', begin(event({ method: 'x' })), { code: 'network', why: 'no endpoint event' }],
		[
			'an end before the endpoint',
			(_asked, response) => {
				sse(response);
				response.end();
			},
			{ code: 'network', why: 'the stream ended' },
		],
		[
			'401',
			(_asked, response) => json(response, {}, 401, { 'www-authenticate': 'Bearer' }),
			{ code: 'http', status: 401, error: undefined, challenge: 'Bearer' },
		],
		[
			'JSON',
			(_asked, response) => json(response, {}),
			{ code: 'network', why: 'no event stream but "application/json"' },
		],
	];
	for (const [name, answer, failure] of refused) {
		it(`does not start with ${name}`, async () => {
			const { server, transport, told } = await watch(answer);
			assert.deepEqual(await failureOf(transport.start()), failure);
			if (failure === origin || name === 'no endpoint') {
				await eventually(async () => (await server.connections()) === 0, 'the stream is closed');
			}
			await transport.close();
			assert.deepEqual(told, []);
		});
	}

	it('ends when its stream ends', async () => {
		for (const end of ['end', 'destroy'] as const) {
			const { transport, told } = await watch(
				begin('event: endpoint\ndata: /x\n\n', (stream, _asked, response) => {
					stream[end]();
					response.writeHead(202).end();
				}),
			);
			await transport.start();
			await failureOf(transport.send(call));
			await eventually(() => told.length > 0, 'the end');
			assert.deepEqual(told, [{ end: { expected: false } }]);
			assert.deepEqual(await failureOf(transport.send(call)), { code: 'closed' });
		}
	});

	it('what is under way when its stream ends fails; what was taken before is over', async () => {
		const fetch = createHttpFetch();
		const asked: HttpRequest[] = [];
		const { transport, told } = await watch(
			begin('event: endpoint\ndata: /x\n\n', (stream, asked, response) => {
				if (asked.message.id === 2) {
					response.writeHead(202).end();
				} else {
					stream.end();
				}
			}),
			{
				fetch: request => {
					asked.push(request);
					return fetch(request);
				},
			},
		);
		later(() => Promise.resolve(fetch.dispose()));
		await transport.start();
		await transport.send(call);
		assert.deepEqual(await failureOf(transport.send({ ...call, id: 3 })), { code: 'closed' });
		assert.deepEqual(told, [{ end: { expected: false } }]);
		assert.deepEqual(
			asked.map(it => it.abort.isAborted),
			[true, false, true],
		);
	});

	// covers: http.tooLarge
	it('a message past the limit ends the stream, and all that waits', async () => {
		const { transport, told } = await watch(
			begin('event: endpoint\ndata: /x\n\n', (stream, asked, response) => {
				response.writeHead(202).end();
				stream.write(event({ jsonrpc: '2.0', result: { text: 'x'.repeat(2000) }, id: asked.message.id }));
				stream.write(event(resultOf(asked)));
			}),
			{ maxMessageBytes: 1000 },
		);
		await transport.start();
		await transport.send(call);
		await eventually(() => told.length > 0, 'the end');
		assert.deepEqual(told, [{ end: { expected: false }, failure: { code: 'tooLarge', limit: 1000 } }]);
		assert.deepEqual(await failureOf(transport.send(call)), { code: 'closed' });
	});

	it('a POST that is refused, and one under way when it closes', async () => {
		const { server, transport } = await watch(
			begin('event: endpoint\ndata: /x\n\n', (_stream, asked, response) => {
				if (asked.message.id === 2) {
					json(response, { error: { code: -32700, message: 'm' } }, 400);
				}
			}),
		);
		await transport.start();
		assert.deepEqual(await failureOf(transport.send(call)), {
			code: 'http',
			status: 400,
			error: { code: -32700, message: 'm' },
			challenge: undefined,
		});
		const pending = failureOf(transport.send({ ...call, id: 3 }));
		await eventually(() => server.asked.length === 3, 'the POST is there');
		await transport.close();
		assert.deepEqual(await pending, { code: 'closed' });
	});
});
