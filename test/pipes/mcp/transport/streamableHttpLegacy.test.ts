// Spec 2025-11-25, transports: sessions, the GET stream, and the resumption of broken streams, over real sockets.
import * as assert from 'node:assert/strict';
import { event, json, resultOf, sse } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually } from '../../../support/waiting.js';
import { call, delays, initialize, initialized, legacy, noted, httpBench } from '../../../support/httpBench.js';

describe('StreamableHttp', function () {
	this.timeout(20_000);
	const { agreed, postOnly, failureOf, settledAs } = httpBench(leakCheck());

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
			[400, { code: -32600, message: 'Unknown session id' }, 'sessionLost'],
			[500, { code: -32002, message: 'Server not initialized' }, 'sessionLost'],
			[500, { code: -32603, message: 'm' }, 'http'],
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

		// covers: http.lastEventId
		it('the GET stream is resumed with Last-Event-ID', async () => {
			let count = 0;
			const { server, told } = await agreed((asked, response) => {
				if (asked.method === 'GET') {
					sse(response);
					response.write(`id: e${++count}\ndata:\n\n`);
					if (count === 1) {
						response.end();
					} else {
						response.write(event(noted));
					}
				} else {
					response.writeHead(405).end();
				}
			});
			await settledAs(told);
			const gets = server.asked.filter(it => it.method === 'GET');
			assert.deepEqual(
				gets.map(it => it.headers['last-event-id']),
				[undefined, 'e1'],
			);
		});

		it('the GET stream continues after many 5xx, and after a message that is too large', async () => {
			let gets = 0;
			const { server, told, log } = await agreed(
				(asked, response) => {
					if (asked.method !== 'GET') {
						response.writeHead(405).end();
					} else if (++gets < 4) {
						json(response, {}, gets === 1 ? 503 : 409);
					} else {
						sse(response);
						response.write(gets === 4 ? event({ method: 'x'.repeat(2000) }, 'e1') : event(noted));
					}
				},
				{ maxMessageBytes: 1000 },
			);
			await settledAs(told, 1);
			assert.deepEqual(told, [noted]);
			assert.ok(log.lines.includes('warn: The GET stream is opened again: A message is larger than 1000 bytes.'));
			assert.ok(server.asked.every(it => it.headers['last-event-id'] === undefined));
		});

		// covers: http.resume
		it('a broken stream is resumed until the answer has arrived', async () => {
			let gets = 0;
			const { server, transport, told } = await agreed((asked, response) => {
				if (asked.method === 'POST') {
					sse(response);
					response.write(`id: a\ndata:\n\n${event(noted, 'b')}id: never\n`);
					// A reset instead of a regular end.
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
			await transport.send(call);
			await settledAs(told, 3);
			assert.deepEqual(told, [noted, noted, { jsonrpc: '2.0', id: 2, result: {} }]);
			assert.deepEqual(
				server.asked.filter(it => it.headers['last-event-id'] !== undefined).map(it => it.headers['last-event-id']),
				['b', 'b', 'c'],
			);
		});

		it('requests wait for the response to the GET request, but only briefly', async () => {
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
				{ delays: { ...delays, getStream: 15_000 } },
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
		it('messages that a server repeats on a resumed stream are reported once', async () => {
			const first = (n: number): string => event({ ...noted, params: { n } }, `e${n}`);
			let gets = 0;
			const { server, transport, told } = await agreed((asked, response) => {
				if (asked.method === 'POST') {
					sse(response);
					response.end(first(1) + first(2) + event({ ...noted, params: { n: 'no id' } }));
				} else if (asked.headers['last-event-id'] === undefined) {
					// The GET stream has ids of its own, so an equal id on another stream is no repetition.
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

		it('a stream that cannot be resumed loses its answer', async () => {
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
		it('a request of the server on a stream is answered with a POST', async () => {
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

		it('an unanswered DELETE does not delay the end', async () => {
			const { transport, told } = await agreed((asked, response) => {
				if (asked.method !== 'DELETE') {
					response.writeHead(405).end();
				}
			});
			await Promise.all([transport.close(), transport.close()]);
			assert.deepEqual(told, [{ end: { expected: true } }]);
		});
	});
});
