// Spec 2025-11-25, transports, "Sending Messages to the Server": the forms of a response, over real sockets.
import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Answer, event, json, resultOf, sse } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually, settled } from '../../../support/waiting.js';
import { call, delays, initialize, noted, httpBench } from '../../../support/httpBench.js';

describe('StreamableHttp', function () {
	this.timeout(20_000);
	const { connect, failureOf, settledAs } = httpBench(leakCheck());

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

		it('JSON as plain text, or without a type', async () => {
			const { transport, told } = await connect((asked, response) => {
				response.writeHead(200, asked.message.id === 1 ? {} : { 'content-type': 'text/plain; charset=utf-8' });
				response.end(JSON.stringify(resultOf(asked)));
			});
			await transport.send(initialize);
			await settledAs(told);
			await transport.send(call);
			await settledAs(told, 2);
			assert.deepEqual(told, [
				{ jsonrpc: '2.0', id: 1, result: {} },
				{ jsonrpc: '2.0', id: 2, result: {} },
			]);
		});

		// covers: http.sseAnswer
		it('an event stream, in packets of several sizes', async () => {
			const text = `: hello\n\nevent: message\ndata: {"method":"ä😀"}\n\nevent: other\ndata: x\n\ndata: no JSON\n\n${event({ jsonrpc: '2.0', id: 2, result: {} })}`;
			const bytes = Buffer.from(text);
			const expected = [{ method: 'ä😀' }, { noise: 'no JSON' }, { jsonrpc: '2.0', id: 2, result: {} }];
			// The parser's own tests use every size; here, each chunk is a packet.
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

		it('compressed answers', async () => {
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
				{ lost: 2, failure: { code: 'invalidResult', method: 'tools/call', why: 'not a JSON-RPC message' } },
			],
			[
				'another type that only begins alike',
				(_asked, response) => response.writeHead(200, { 'content-type': 'application/jsonx' }).end('{}'),
				{ code: 'invalidResult', method: 'tools/call', why: 'content type "application/jsonx"' },
			],
			[
				'the first event of HTTP+SSE, and an open stream',
				(_asked, response) => {
					sse(response);
					response.write('event: endpoint\ndata: /messages?x=1\n\n');
				},
				'no failure',
				{ lost: 2, failure: { code: 'legacySse' } },
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
			it(`invalid: ${name}`, async () => {
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
		it('any other message past the limit on the stream of a request fails only the request', async () => {
			const noted = { jsonrpc: '2.0', method: 'notifications/x' };
			const { transport, told } = await connect(
				(asked, response) => {
					sse(response);
					response.write(event(noted));
					if (asked.message.id === 2) {
						response.write(event({ jsonrpc: '2.0', method: 'x'.repeat(2000) }));
					}
					response.end(event(resultOf(asked)));
				},
				{ maxMessageBytes: 1000 },
			);
			await transport.send(call);
			await settledAs(told, 2);
			await transport.send({ ...call, id: 3 });
			await settledAs(told, 4);
			assert.deepEqual(told, [
				noted,
				{ lost: 2, failure: { code: 'tooLarge', limit: 1000 } },
				noted,
				{ jsonrpc: '2.0', id: 3, result: {} },
			]);
		});

		for (const [what, text] of [
			['a line', `data: ${'x'.repeat(5000)}`],
			['an event of many lines', 'data: x\n'.repeat(1000)],
			['a notification', `data: {"jsonrpc":"2.0","method":"m","params":{"text":"${'x'.repeat(5000)}`],
		] as const) {
			it(`${what} past the limit that does not end fails the request at once, and the stream is closed`, async () => {
				let response: ServerResponse | undefined;
				const { transport, told } = await connect(
					(_asked, it) => {
						response = it;
						sse(it);
						it.write(text);
					},
					{ maxMessageBytes: 1000 },
				);
				await transport.send(call);
				await settledAs(told);
				assert.deepEqual(told, [{ lost: 2, failure: { code: 'tooLarge', limit: 1000 } }]);
				await eventually(() => response?.destroyed === true, 'the stream is closed');
			});
		}

		it('a stream that stays open after its answer is closed by the client', async () => {
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
});
