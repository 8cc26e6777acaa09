// Spec 2025-11-25 and 2026-07-28, transports, "Streamable HTTP"; over real sockets, against a scripted server.
import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import {
	type Agreement,
	HttpAbort,
	type HttpExchange,
	McpError,
	StreamableHttp,
	type StreamableHttpOptions,
} from '../../../../src/mcp/index.js';
import { createHttpFetch } from '../../../../src/node/httpFetch.js';
import { type Answer, type Asked, event, json, resultOf, ScriptedServer, sse } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { TestLogger } from '../../../support/testLogger.js';
import { eventually, next, settled } from '../../../support/waiting.js';

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} } as const;
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' } as const;
const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: {} } as const;
const legacy: Agreement = { era: 'legacy', protocolVersion: '2025-11-25' };
const modern: Agreement = { era: 'modern', protocolVersion: '2026-07-28' };
const delays = { reconnect: 10, maxReconnect: 20, close: 50, linger: 30, errorBody: 50 };
const noted = { jsonrpc: '2.0', method: 'notifications/x' };

describe('StreamableHttp', function () {
	this.timeout(20_000);
	const { own, later } = leakCheck();

	interface Watched {
		readonly server: ScriptedServer;
		readonly transport: StreamableHttp;
		/** What the transport told, in order. */
		readonly told: unknown[];
		readonly log: TestLogger;
	}

	async function serve(answer: Answer): Promise<ScriptedServer> {
		const server = await ScriptedServer.start(answer);
		later(() => server.close());
		return server;
	}

	async function connect(answer: Answer, options: Partial<StreamableHttpOptions> = {}): Promise<Watched> {
		const server = await serve(answer);
		const log = new TestLogger();
		const fetch = createHttpFetch();
		const transport = new StreamableHttp({ url: server.url, fetch, log, delays, ...options });
		const told: unknown[] = [];
		own(transport.onDidReceive(({ value }) => told.push(value)));
		own(transport.onDidReceiveNoise(it => told.push({ noise: it.text })));
		own(transport.onDidLose(({ id, error, ...rest }) => told.push({ lost: id, failure: error.failure, ...rest })));
		own(transport.onDidEnd(it => told.push({ end: it })));
		later(async () => {
			await transport.close();
			transport.dispose();
			fetch.dispose();
		});
		await transport.start();
		return { server, transport, told, log };
	}

	/** A session has begun and, unless it is refused, the GET stream is open. */
	async function agreed(answer: Answer, options: Partial<StreamableHttpOptions> = {}): Promise<Watched> {
		const it = await connect(async (asked, response) => {
			if (asked.message.method === 'initialize') {
				json(response, resultOf(asked), 200, { 'mcp-session-id': 's1' });
			} else if (asked.message.method === 'notifications/initialized') {
				response.writeHead(202).end();
			} else {
				await answer(asked, response);
			}
		}, options);
		const done = next(it.transport.onDidReceive);
		await it.transport.send(initialize);
		await done;
		it.transport.didAgree(legacy);
		it.told.length = 0;
		await it.transport.send(initialized);
		return it;
	}

	/** GET and DELETE are refused, the rest is answered by the test. */
	const postOnly =
		(answer: Answer): Answer =>
		(asked, response) =>
			asked.method === 'POST' ? answer(asked, response) : response.writeHead(405).end();

	/** What a rejected promise was rejected with. */
	async function failureOf(promise: Promise<unknown>): Promise<unknown> {
		try {
			await promise;
			return 'no failure';
		} catch (error) {
			return error instanceof McpError ? error.failure : error instanceof Error ? error.name : error;
		}
	}

	const settledAs = (told: unknown[], count = 1): Promise<void> =>
		eventually(() => told.length >= count, `${count} events, got ${JSON.stringify(told)}`);

	describe('answers', () => {
		// covers: http.jsonAnswer http.accept
		it('JSON, a batch of JSON, and JSON with parameters in its type', async () => {
			const { transport, told } = await connect((asked, response) => {
				const answer = resultOf(asked);
				json(response, asked.message.id === 1 ? answer : [noted, answer], 200, {
					'content-type': 'Application/JSON; charset=utf-8',
				});
			});
			await transport.send(initialize);
			await settledAs(told);
			await transport.send(call);
			await settledAs(told, 2);
			assert.deepEqual(told, [{ jsonrpc: '2.0', id: 1, result: {} }, [noted, { jsonrpc: '2.0', id: 2, result: {} }]]);
		});

		// covers: http.sseAnswer
		it('an event stream, in packets of several sizes', async () => {
			const text = `: hello\n\nevent: message\ndata: {"method":"ä😀"}\n\nevent: other\ndata: x\n\ndata: no JSON\n\n${event({ jsonrpc: '2.0', id: 2, result: {} })}`;
			const bytes = Buffer.from(text);
			const expected = [{ method: 'ä😀' }, { noise: 'no JSON' }, { jsonrpc: '2.0', id: 2, result: {} }];
			// The parser's own tests go through every size; here each chunk is a packet.
			for (const size of [1, 7, 64, bytes.length]) {
				const { transport, told } = await connect(async (_asked, response) => {
					sse(response);
					for (let start = 0; start < bytes.length; start += size) {
						await new Promise(resolve => {
							response.write(bytes.subarray(start, start + size), resolve);
						});
					}
					response.end();
				});
				await transport.send(call);
				await settledAs(told, 3);
				assert.deepEqual(told, expected);
			}
		});

		it('compressed ones', async () => {
			const { transport, told } = await connect((asked, response) => {
				response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
				response.end(gzipSync(JSON.stringify(resultOf(asked, { text: 'ä'.repeat(10_000) }))));
			});
			await transport.send(call);
			await settledAs(told);
			assert.deepEqual(told, [{ jsonrpc: '2.0', id: 2, result: { text: 'ä'.repeat(10_000) } }]);
		});

		const invalid: readonly (readonly [name: string, answer: Answer, rejected: unknown, ...told: unknown[]])[] = [
			[
				'no JSON',
				(_asked, response) => response.writeHead(200, { 'content-type': 'application/json' }).end('<html>'),
				'no failure',
				{ noise: '<html>' },
				{ lost: 2, failure: { code: 'invalidResult', method: 'tools/call', why: 'not JSON' } },
			],
			[
				'another type that only begins alike',
				(_asked, response) => response.writeHead(200, { 'content-type': 'application/jsonx' }).end('{}'),
				{ code: 'invalidResult', method: 'tools/call', why: 'content type "application/jsonx"' },
			],
			[
				'202 for a request',
				(_asked, response) => response.writeHead(202).end(),
				'no failure',
				{ lost: 2, failure: { code: 'invalidResult', method: 'tools/call', why: 'no answer, but 202' } },
			],
			[
				'an answer to something else',
				(_asked, response) => json(response, { jsonrpc: '2.0', id: 7, result: {} }),
				'no failure',
				{ jsonrpc: '2.0', id: 7, result: {} },
				{ lost: 2, failure: { code: 'invalidResult', method: 'tools/call', why: 'no answer to this request' } },
			],
			[
				'an error without an id',
				(_asked, response) => json(response, { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'm' } }),
				'no failure',
				{ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'm' } },
				{
					lost: 2,
					failure: { code: 'http', status: 200, error: { code: -32700, message: 'm' }, challenge: undefined },
				},
			],
			[
				'a stream that ends without an answer',
				(_asked, response) => {
					sse(response);
					response.end(event(noted));
				},
				'no failure',
				noted,
				{ lost: 2, failure: { code: 'network', why: 'the stream ended before the answer' } },
			],
			['a reset before the answer', (_asked, response) => response.destroy(), { code: 'network', why: 'ECONNRESET' }],
			[
				'a reset in the middle of JSON',
				async (_asked, response) => {
					response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
					await new Promise(resolve => {
						response.write('{"jsonrpc"', resolve);
					});
					response.destroy();
				},
				'no failure',
				{ lost: 2, failure: { code: 'network', why: 'ECONNRESET' } },
			],
		];
		for (const [name, answer, rejected, ...expected] of invalid) {
			it(`that are none: ${name}`, async () => {
				const { transport, told } = await connect(answer);
				assert.deepEqual(await failureOf(transport.send(call)), rejected);
				await settledAs(told, expected.length);
				assert.deepEqual(told, expected);
			});
		}

		for (const type of ['application/json', 'text/event-stream']) {
			it(`${type} past the limit fails alone`, async () => {
				const { transport, told } = await connect(
					(asked, response) => {
						const size = asked.message.id === 2 ? 5000 : 10;
						const text = JSON.stringify(resultOf(asked, { text: 'x'.repeat(size) }));
						response.writeHead(200, { 'content-type': type });
						response.end(type === 'application/json' ? text : `data: ${text}\n\n`);
					},
					{ maxMessageBytes: 1000 },
				);
				await transport.send(call);
				await settledAs(told);
				await transport.send({ ...call, id: 3 });
				await settledAs(told, 2);
				assert.deepEqual(told, [
					{ lost: 2, failure: { code: 'tooLarge', limit: 1000 } },
					{ jsonrpc: '2.0', id: 3, result: { text: 'x'.repeat(10) } },
				]);
			});
		}

		// covers: http.tooLarge
		it('what else is past the limit on the stream of a request leaves it alone', async () => {
			const text = 'x'.repeat(2000);
			const { transport, told, log } = await connect(
				(asked, response) => {
					sse(response);
					response.write(event({ jsonrpc: '2.0', method: text }));
					response.write(event({ jsonrpc: '2.0', id: asked.message.id, method: 'm', params: { text } }));
					response.write(event({ jsonrpc: '2.0', id: 'other', result: { text } }));
					response.end(event(resultOf(asked)));
				},
				{ maxMessageBytes: 1000 },
			);
			await transport.send(call);
			await settledAs(told, 3);
			const failure = { code: 'tooLarge', limit: 1000 };
			assert.deepEqual(told, [
				{ lost: 2, failure, isRequest: true },
				{ lost: 'other', failure },
				{ jsonrpc: '2.0', id: 2, result: {} },
			]);
			assert.equal(log.lines.filter(it => it.startsWith('warn: Skipped a message')).length, 1);
		});

		it('a stream that stays open after its answer is closed by us', async () => {
			let response: ServerResponse | undefined;
			const { transport, told } = await connect((asked, it) => {
				response = it;
				sse(it);
				it.write(event(resultOf(asked)));
			});
			await transport.send(call);
			await settledAs(told);
			await eventually(() => response?.destroyed === true, 'the stream is closed');
		});

		it('a stream that ends after its answer leaves no timer', async () => {
			await settled();
			const timers = (): number => process.getActiveResourcesInfo().filter(it => it === 'Timeout').length;
			const before = timers();
			const { transport, told } = await connect(
				(asked, response) => {
					sse(response);
					response.end(event(resultOf(asked)));
				},
				{ delays: { ...delays, linger: 60_000 } },
			);
			await transport.send(call);
			await settledAs(told);
			await eventually(
				() => timers() === before,
				() => `${timers() - before} more timers`,
			);
		});

		it('JSON of exactly as many bytes as the limit', async () => {
			const body = JSON.stringify({ jsonrpc: '2.0', id: 2, result: {} });
			for (const more of [0, 1]) {
				const { transport, told } = await connect(
					(_asked, response) => {
						response.writeHead(200, { 'content-type': 'application/json' });
						response.end(body + ' '.repeat(more));
					},
					{ maxMessageBytes: body.length },
				);
				await transport.send(call);
				await settledAs(told);
				const lost = { lost: 2, failure: { code: 'tooLarge', limit: body.length } };
				assert.deepEqual(told, [more === 0 ? JSON.parse(body) : lost]);
			}
		});
	});

	describe('statuses', () => {
		const table: readonly (readonly [status: number, body: unknown, failure: unknown])[] = [
			[
				400,
				{ id: null, error: { code: -32000, message: 'm' } },
				{ status: 400, error: { code: -32000, message: 'm' } },
			],
			[404, { id: 2, error: { code: -32601, message: 'm' } }, { status: 404, error: { code: -32601, message: 'm' } }],
			[404, 'no JSON-RPC', { status: 404, error: undefined }],
			[401, undefined, { status: 401, error: undefined }],
			[405, undefined, { status: 405, error: undefined }],
			[503, { error: 'text' }, { status: 503, error: undefined }],
			[301, undefined, { status: 301, error: undefined }],
			[302, undefined, { status: 302, error: undefined }],
			[303, undefined, { status: 303, error: undefined }],
			[304, undefined, { status: 304, error: undefined }],
		];
		for (const [status, body, failure] of table) {
			it(`${status} ${JSON.stringify(body) ?? ''}`, async () => {
				const { transport } = await connect((_asked, response) =>
					status === 304
						? response.writeHead(304).end()
						: json(response, body ?? '', status, { 'www-authenticate': 'Bearer x', location: '/other' }),
				);
				const challenge = status === 304 ? undefined : 'Bearer x';
				assert.deepEqual(await failureOf(transport.send(call)), { code: 'http', challenge, ...(failure as object) });
			});
		}

		it('an error whose body never ends', async () => {
			const { server, transport } = await connect((_asked, response) => {
				response.writeHead(500, { 'content-type': 'application/json' });
				response.write('{');
			});
			const expected = { code: 'http', status: 500, error: undefined, challenge: undefined };
			assert.deepEqual(await failureOf(transport.send(call)), expected);
			await eventually(async () => (await server.connections()) === 0, 'its connection is closed');
		});

		// covers: http.retryAfter
		it('a busy server says when it may be asked again', async () => {
			for (const status of [429, 503]) {
				const { transport, server } = await connect((_asked, response) =>
					json(response, '', status, { 'retry-after': '7' }),
				);
				const expected = { code: 'http', status, error: undefined, challenge: undefined, retryAfterMs: 7000 };
				assert.deepEqual(await failureOf(transport.send(call)), expected);
				assert.equal(server.asked.length, 1);
			}
		});

		it('nobody there', async () => {
			const { transport, server } = await connect(() => undefined);
			await server.close();
			assert.deepEqual(await failureOf(transport.send(call)), { code: 'network', why: 'ECONNREFUSED' });
		});
	});

	describe('legacy era', () => {
		// covers: http.session http.versionHeader http.delete http.getStream
		it('carries session and version, opens the GET stream, ends with DELETE', async () => {
			const { server, transport, told } = await agreed((asked, response) => {
				if (asked.method === 'GET') {
					sse(response);
					response.write(event(noted));
				} else if (asked.method === 'DELETE') {
					response.writeHead(200).end();
				} else {
					json(response, resultOf(asked), 200, { 'mcp-session-id': 'other' });
				}
			});
			await settledAs(told);
			await transport.send(call);
			await settledAs(told, 2);
			await transport.close();
			assert.deepEqual(told, [noted, { jsonrpc: '2.0', id: 2, result: {} }, { end: { expected: true } }]);
			assert.deepEqual(
				server.asked.map(({ method, headers }) => [
					method,
					headers.accept,
					headers['mcp-session-id'],
					headers['mcp-protocol-version'],
				]),
				[
					['POST', 'application/json, text/event-stream', undefined, undefined],
					['POST', 'application/json, text/event-stream', 's1', '2025-11-25'],
					['GET', 'text/event-stream', 's1', '2025-11-25'],
					['POST', 'application/json, text/event-stream', 's1', '2025-11-25'],
					['DELETE', undefined, 's1', '2025-11-25'],
				],
			);
			assert.deepEqual(await failureOf(transport.send(call)), { code: 'closed' });
		});

		for (const [status, error, failure] of [
			[404, undefined, 'sessionLost'],
			[404, { code: -32001, message: 'Session not found' }, 'sessionLost'],
			[400, { code: -32000, message: 'No valid session ID provided' }, 'sessionLost'],
			[400, undefined, 'sessionLost'],
			[400, { code: -32602, message: 'm' }, 'http'],
			[400, { code: -32020, message: 'm' }, 'http'],
		] as const) {
			it(`${status} ${error?.code ?? ''} with a session: ${failure}`, async () => {
				const { transport } = await agreed(postOnly((_asked, response) => json(response, { id: null, error }, status)));
				assert.equal(((await failureOf(transport.send(call))) as { code: string }).code, failure);
			});
		}

		// covers: http.sessionLost
		it('a forgotten session is followed by a new one', async () => {
			const { server, transport, told } = await agreed((_asked, response) => response.writeHead(405).end());
			await eventually(() => server.lines.includes('GET'), 'a first GET');
			transport.forgetSession();
			await transport.send(initialize);
			await settledAs(told);
			transport.didAgree(legacy);
			await transport.send(initialized);
			await eventually(() => server.lines.filter(it => it === 'GET').length === 2, 'a second GET');
			assert.deepEqual(
				server.asked.filter(it => it.method === 'POST').map(it => it.headers['mcp-session-id']),
				[undefined, 's1', undefined, 's1'],
			);
		});

		// covers: http.lastEventId http.retry
		it('the GET stream comes back with Last-Event-ID after the time that the server asked for', async () => {
			const times: number[] = [];
			const { server, told } = await agreed((asked, response) => {
				if (asked.method === 'GET') {
					times.push(performance.now());
					sse(response);
					response.write(`id: e${times.length}\nretry: 60\ndata:\n\n`);
					if (times.length === 1) {
						response.end();
					} else {
						response.write(event(noted));
					}
				} else {
					response.writeHead(405).end();
				}
			});
			await settledAs(told);
			const [first = 0, second = 0] = times;
			assert.ok(second - first >= 59, `${second - first} ms`);
			const gets = server.asked.filter(it => it.method === 'GET');
			assert.deepEqual(
				gets.map(it => it.headers['last-event-id']),
				[undefined, 'e1'],
			);
		});

		it('the GET stream outlives a storm of 5xx, and skips what is too large', async () => {
			let gets = 0;
			const { told, log } = await agreed(
				(asked, response) => {
					if (asked.method !== 'GET') {
						response.writeHead(405).end();
					} else if (++gets < 4) {
						json(response, {}, gets === 1 ? 503 : 409);
					} else {
						sse(response);
						const text = 'x'.repeat(2000);
						response.write(event({ method: text }) + event({ id: 9, result: { text } }) + event(noted));
					}
				},
				{ maxMessageBytes: 1000 },
			);
			await settledAs(told, 2);
			assert.deepEqual(told, [{ lost: 9, failure: { code: 'tooLarge', limit: 1000 } }, noted]);
			assert.ok(log.lines.some(it => it.startsWith('warn: Skipped a message')));
		});

		// covers: http.resume
		it('a broken stream is taken up again until the answer has come', async () => {
			let gets = 0;
			const times: number[] = [];
			const { server, transport, told } = await agreed((asked, response) => {
				times.push(performance.now());
				if (asked.method === 'POST') {
					sse(response);
					response.write(`id: a\nretry: 60\ndata:\n\n${event(noted, 'b')}id: never\n`);
					// A reset, not an end.
					setImmediate(() => response.destroy());
				} else if (asked.method === 'DELETE' || asked.headers['last-event-id'] === undefined) {
					response.writeHead(405).end();
				} else if (++gets === 1) {
					response.writeHead(503).end();
				} else if (gets === 2) {
					sse(response);
					response.end(event(noted, 'c'));
				} else {
					sse(response);
					response.end(event({ jsonrpc: '2.0', id: 2, result: {} }));
				}
			});
			await eventually(() => server.lines.includes('GET'), 'the GET stream is refused');
			times.length = 0;
			await transport.send(call);
			await settledAs(told, 3);
			assert.deepEqual(told, [noted, noted, { jsonrpc: '2.0', id: 2, result: {} }]);
			assert.deepEqual(
				server.asked.filter(it => it.headers['last-event-id'] !== undefined).map(it => it.headers['last-event-id']),
				['b', 'b', 'c'],
			);
			assert.ok((times[1] ?? 0) - (times[0] ?? 0) >= 59, 'retry was respected');
		});

		it('what the server says first has its way before anything is asked; one that keeps silent costs a moment', async () => {
			const { server, transport, told } = await agreed(
				(asked, response) => {
					if (asked.method === 'GET') {
						setTimeout(() => {
							sse(response);
							response.write(event(noted));
						}, 20);
					} else {
						json(response, resultOf(asked));
					}
				},
				{ delays: { ...delays, getStream: 2000 } },
			);
			await transport.send(call);
			await settledAs(told, 2);
			assert.deepEqual(server.lines.slice(1, 4), ['POST notifications/initialized', 'GET', 'POST tools/call#2']);
			const silent = await agreed(
				(asked, response) => (asked.method === 'GET' ? undefined : json(response, resultOf(asked))),
				{ delays: { ...delays, getStream: 5 } },
			);
			await silent.transport.send(call);
			await settledAs(silent.told, 1);
		});

		// covers: http.noDuplicates
		it('what a server repeats on a stream that is taken up again is told once', async () => {
			const first = (n: number): string => event({ ...noted, params: { n } }, `e${n}`);
			let gets = 0;
			const { server, transport, told } = await agreed((asked, response) => {
				if (asked.method === 'POST') {
					sse(response);
					response.end(first(1) + first(2) + event({ ...noted, params: { n: 'no id' } }));
				} else if (asked.headers['last-event-id'] === undefined) {
					// The GET stream has ids of its own: the same on another stream is no repetition.
					sse(response);
					response.write(first(1) + first(1));
				} else if (++gets === 1) {
					sse(response);
					response.end(first(1) + first(2) + first(3) + event({ ...noted, params: { n: 'no id' } }));
				} else {
					sse(response);
					response.end(first(3) + event({ jsonrpc: '2.0', id: 2, result: {} }, 'e4'));
				}
			});
			await settledAs(told, 2);
			await transport.send(call);
			await settledAs(told, 8);
			assert.deepEqual(
				told.map(it => (it as { params?: { n: unknown } }).params?.n ?? 'answer'),
				[1, 1, 1, 2, 'no id', 3, 'no id', 'answer'],
			);
			assert.deepEqual(
				server.asked.flatMap(it => it.headers['last-event-id'] ?? []),
				['e2', 'e3'],
			);
		});

		// covers: http.retryAfter
		it('the GET stream waits as long as a busy server asks, within our limit', async () => {
			for (const [status, value, least] of [
				[429, '1', 60],
				[503, new Date(Date.now() + 3_600_000).toUTCString(), 60],
				[503, undefined, 0],
			] as const) {
				const times: number[] = [];
				const { told } = await agreed(
					(asked, response) => {
						if (asked.method !== 'GET') {
							response.writeHead(405).end();
							return;
						}
						times.push(performance.now());
						if (times.length === 1) {
							response.writeHead(status, value === undefined ? {} : { 'retry-after': value }).end();
						} else {
							sse(response);
							response.write(event(noted));
						}
					},
					{ delays: { ...delays, maxReconnect: 60 } },
				);
				await settledAs(told);
				const waited = (times[1] ?? 0) - (times[0] ?? 0);
				assert.ok(waited >= least - 1 && waited < 900, `${waited} ms`);
			}
		});

		it('a stream that cannot be taken up again loses its answer', async () => {
			for (const [status, failure] of [
				[405, { code: 'http', status: 405, error: undefined, challenge: undefined }],
				[404, { code: 'sessionLost' }],
				[503, { code: 'network', why: 'the stream ended before the answer' }],
			] as const) {
				const { server, transport, told } = await agreed((asked, response) => {
					if (asked.method === 'POST') {
						sse(response);
						response.end(`id: a\ndata:\n\n`);
					} else {
						response.writeHead(asked.headers['last-event-id'] === undefined ? 405 : status).end();
					}
				});
				await transport.send(call);
				await settledAs(told);
				assert.deepEqual(told, [{ lost: 2, failure }]);
				const attempts = server.asked.filter(it => it.headers['last-event-id'] !== undefined);
				assert.equal(attempts.length, status === 503 ? 5 : 1);
			}
		});

		// covers: http.serverRequests
		it('what the server asks on a stream is answered by a POST of its own', async () => {
			const { server, transport, told } = await agreed(
				postOnly((asked, response) => {
					if (asked.message.method === undefined) {
						response.writeHead(202).end();
					} else {
						sse(response);
						response.end(event({ jsonrpc: '2.0', id: 'q', method: 'ping' }) + event(resultOf(asked)));
					}
				}),
			);
			await transport.send(call);
			await settledAs(told, 2);
			await transport.send({ jsonrpc: '2.0', id: 'q', result: {} });
			assert.equal(server.asked.findLast(it => it.method === 'POST')?.body, '{"jsonrpc":"2.0","id":"q","result":{}}');
		});

		it('a DELETE that is not answered does not hold up the end', async () => {
			const { transport, told } = await agreed((asked, response) => {
				if (asked.method !== 'DELETE') {
					response.writeHead(405).end();
				}
			});
			await Promise.all([transport.close(), transport.close()]);
			assert.deepEqual(told, [{ end: { expected: true } }]);
		});
	});

	describe('modern era', () => {
		// covers: http.modern.stateless
		it('has no session, no GET, no DELETE; a broken stream is lost', async () => {
			const { server, transport, told } = await connect((asked, response) => {
				if (asked.message.id === 1) {
					json(response, resultOf(asked), 200, { 'mcp-session-id': 's1' });
				} else {
					sse(response);
					response.end('id: a\nretry: 0\ndata:\n\n');
				}
			});
			const headers = { 'mcp-method': 'server/discover', 'mcp-protocol-version': '2026-07-28' };
			await transport.send({ ...initialize, method: 'server/discover' }, { headers });
			await settledAs(told);
			transport.didAgree(modern);
			await transport.send(call, { headers: { 'mcp-method': 'tools/call', 'mcp-param-a': '=?base64?w6Q=?=' } });
			await settledAs(told, 2);
			await transport.close();
			assert.deepEqual(told.slice(1), [
				{ lost: 2, failure: { code: 'network', why: 'the stream ended before the answer' } },
				{ end: { expected: true } },
			]);
			assert.deepEqual(
				server.asked.map(({ method, headers: it }) => [
					method,
					it['mcp-session-id'],
					it['mcp-method'],
					it['mcp-protocol-version'],
					it['mcp-param-a'],
				]),
				[
					['POST', undefined, 'server/discover', '2026-07-28', undefined],
					['POST', undefined, 'tools/call', '2026-07-28', '=?base64?w6Q=?='],
				],
			);
		});

		// covers: http.modern.closeCancels
		it('an abort closes the response stream, and nothing is told of it', async () => {
			let closed = false;
			const { transport, told } = await connect((_asked, response) => {
				response.once('close', () => (closed = true));
				sse(response);
				response.write(event(noted));
			});
			transport.didAgree(modern);
			const abort = new HttpAbort();
			await transport.send(call, { abort });
			await settledAs(told);
			abort.abort();
			await eventually(() => closed, 'the stream is closed');
			assert.deepEqual(told, [noted]);
		});

		it('an abort before the answer', async () => {
			const { server, transport } = await connect(() => undefined);
			const abort = new HttpAbort();
			const sent = failureOf(transport.send(call, { headers: { a: 'b' }, abort }));
			await eventually(() => server.asked.length === 1, 'the request is there');
			abort.abort();
			assert.equal(await sent, 'AbortError');
			assert.equal(await failureOf(transport.send(call, { abort })), 'AbortError');
		});
	});

	describe('redirects', () => {
		const secret = {
			headers: { 'X-Api-Key': 'k', Cookie: 'c' },
			auth: { prove: () => ({ headers: { authorization: 'Bearer t' } }), reviewResponse: () => false },
		};
		const sent = ({ method, headers, body }: Asked): unknown => [
			method,
			body,
			headers['x-api-key'],
			headers.cookie,
			headers.authorization,
			headers['mcp-session-id'],
		];

		// covers: http.redirectCredentials
		it('307 and 308 repeat the message; another origin is told no secret', async () => {
			const other = await serve((asked, response) => json(response, resultOf(asked)));
			const { server, transport, told } = await agreed(
				postOnly((asked, response) => {
					const location = asked.path === '/mcp' ? '/moved?x' : `${other.origin}/there`;
					response.writeHead(asked.path === '/mcp' ? 308 : 307, { location }).end();
				}),
				secret,
			);
			await transport.send(call);
			await settledAs(told);
			const body = JSON.stringify(call);
			assert.deepEqual(server.asked.filter(it => it.message.id === 2).map(sent), [
				['POST', body, 'k', 'c', 'Bearer t', 's1'],
				['POST', body, 'k', 'c', 'Bearer t', 's1'],
			]);
			assert.deepEqual(other.asked.map(sent), [['POST', body, undefined, undefined, undefined, undefined]]);
		});

		it('in a circle are given up', async () => {
			const { server, transport } = await connect((_asked, response) =>
				response.writeHead(307, { location: '/mcp' }).end(),
			);
			assert.deepEqual(await failureOf(transport.send(call)), { code: 'tooManyRedirects', limit: 5 });
			assert.equal(server.asked.length, 6);
		});

		it('are followed as often as the limit says, and not at all at 0', async () => {
			for (const [maxRedirects, redirects] of [
				[1, 1],
				[1, 2],
				[0, 1],
			] as const) {
				const { server, transport, told } = await connect(
					(asked, response) =>
						server.asked.length <= redirects
							? response.writeHead(307, { location: '/mcp' }).end()
							: json(response, resultOf(asked)),
					{ maxRedirects },
				);
				const isBeyond = redirects > maxRedirects;
				const sent = failureOf(transport.send(call));
				assert.deepEqual(await sent, isBeyond ? { code: 'tooManyRedirects', limit: maxRedirects } : 'no failure');
				assert.equal(server.asked.length, maxRedirects + 1);
				await settledAs(told, isBeyond ? 0 : 1);
			}
		});

		it('to what is no server are not followed', async () => {
			const { transport } = await connect((_asked, response) =>
				response.writeHead(307, { location: 'file:///etc/passwd' }).end(),
			);
			assert.deepEqual(((await failureOf(transport.send(call))) as { status: number }).status, 307);
		});
	});

	it('the tap sees every exchange, and no secret', async () => {
		const { transport, server } = await connect(
			(asked, response) =>
				json(response, resultOf(asked), 200, { 'set-cookie': 'a=b', 'mcp-session-id': 's1', 'x-y': 'z' }),
			{
				headers: { 'X-Custom': 'k' },
				auth: { prove: () => ({ headers: { authorization: 'Bearer t' } }), reviewResponse: () => false },
			},
		);
		const seen: HttpExchange[] = [];
		own(transport.onDidExchange(it => seen.push(it)));
		await transport.send(initialize);
		await eventually(() => seen.length === 1, 'an exchange');
		const { requestHeaders, headers, ms, ...rest } = seen[0] as HttpExchange;
		assert.deepEqual(rest, { method: 'POST', url: server.url, status: 200, id: 1 });
		assert.ok(ms >= 0 && ms < 5000);
		assert.deepEqual(requestHeaders, {
			'x-custom': '<redacted>',
			authorization: '<redacted>',
			accept: 'application/json, text/event-stream',
			'content-type': 'application/json',
		});
		assert.deepEqual(
			[headers['set-cookie'], headers['mcp-session-id'], headers['x-y']],
			['<redacted>', '<redacted>', 'z'],
		);
	});

	it('closing ends what is under way: sends, streams, waits', async () => {
		const { server, transport, told } = await agreed((asked, response) => {
			if (asked.message.id === 3) {
				sse(response);
				response.end('id: a\nretry: 60000\ndata:\n\n');
			} else if (asked.message.id === 4 || (asked.method === 'GET' && !asked.headers['last-event-id'])) {
				sse(response);
			} else if (asked.method === 'DELETE') {
				response.writeHead(204).end();
			}
		});
		await transport.send({ ...call, id: 3 });
		await transport.send({ ...call, id: 4 });
		const pending = failureOf(transport.send(call));
		await eventually(() => server.lines.includes('POST tools/call#2'), 'all are under way');
		await transport.close();
		assert.deepEqual(await pending, { code: 'closed' });
		assert.deepEqual(told, [{ end: { expected: true } }]);
	});

	it('disposing ends everything at once', async () => {
		const { server, transport, told } = await agreed((_asked, response) => sse(response));
		await transport.send(call);
		const pending = failureOf(transport.send({ ...call, id: 3 }));
		await eventually(() => server.lines.includes('GET'), 'the GET stream is there');
		transport.dispose();
		await pending;
		assert.deepEqual(told, []);
	});
});
