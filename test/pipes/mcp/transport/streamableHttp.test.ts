// Spec 2025-11-25 and 2026-07-28, transports, "Streamable HTTP"; over real sockets, against a scripted server.
import * as assert from 'node:assert/strict';
import { HttpAbort } from '../../../../src/mcp/index.js';
import type { HttpExchange } from '../../../../src/mcp/transport/httpEndpoint.js';
import { type Asked, event, json, resultOf, sse } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually } from '../../../support/waiting.js';
import { call, initialize, modern, noted, httpBench } from '../../../support/httpBench.js';

describe('StreamableHttp', function () {
	this.timeout(20_000);
	const cleanup = leakCheck();
	const { own } = cleanup;
	const { serve, connect, agreed, postOnly, failureOf, settledAs } = httpBench(cleanup);

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

		it('a refused redirect names its target', async () => {
			for (const status of [301, 302, 303]) {
				const { transport, server } = await connect((_asked, response) =>
					json(response, '', status, { location: '/other?key=sesame' }),
				);
				const to = new URL('/other', server.url).href;
				assert.deepEqual(await failureOf(transport.send(call)), { code: 'redirected', to });
			}
		});

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
		it('a busy server says when to retry', async () => {
			for (const status of [429, 503]) {
				const { transport, server } = await connect((_asked, response) =>
					json(response, '', status, { 'retry-after': '7' }),
				);
				const expected = { code: 'http', status, error: undefined, challenge: undefined, retryAfterMs: 7000 };
				assert.deepEqual(await failureOf(transport.send(call)), expected);
				assert.equal(server.asked.length, 1);
			}
		});

		it('no server', async () => {
			const { transport, server } = await connect(() => undefined);
			await server.close();
			assert.deepEqual(await failureOf(transport.send(call)), { code: 'network', why: 'ECONNREFUSED' });
		});
	});

	describe('modern era', () => {
		// covers: http.modern.stateless
		it('has no session, no GET and no DELETE, and loses a broken stream', async () => {
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
		it('an abort closes the response stream, and reports nothing', async () => {
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

		it('307 and 308 repeat the message, with its secrets, on the same origin', async () => {
			const { server, transport, told } = await agreed(
				postOnly((asked, response) => {
					if (asked.path === '/mcp') {
						response.writeHead(308, { location: '/moved?x' }).end();
					} else {
						json(response, resultOf(asked));
					}
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
		});

		// covers: http.redirectCredentials
		it('to another origin are refused: the target gets no request', async () => {
			const other = await serve((asked, response) => json(response, resultOf(asked)));
			for (const status of [301, 302, 303, 307, 308]) {
				const { transport, told } = await connect((_asked, response) =>
					response.writeHead(status, { location: `${other.origin}/there?key=k` }).end(),
				);
				assert.deepEqual(await failureOf(transport.send(call)), {
					code: 'redirected',
					to: `${other.origin}/there`,
				});
				await settledAs(told, 0);
			}
			assert.deepEqual(other.asked, []);
		});

		it('in a circle are not followed forever', async () => {
			const { server, transport } = await connect((_asked, response) =>
				response.writeHead(307, { location: '/mcp' }).end(),
			);
			assert.deepEqual(await failureOf(transport.send(call)), { code: 'tooManyRedirects', limit: 5, to: server.url });
			assert.equal(server.asked.length, 6);
		});

		it('are followed up to five times', async () => {
			const { server, transport, told } = await connect((asked, response) =>
				server.asked.length <= 5
					? response.writeHead(307, { location: '/mcp' }).end()
					: json(response, resultOf(asked)),
			);
			await transport.send(call);
			await settledAs(told);
			assert.equal(server.asked.length, 6);
		});

		it('to a URL that is not HTTP are not followed', async () => {
			const { transport } = await connect((_asked, response) =>
				response.writeHead(307, { location: 'file:///etc/passwd' }).end(),
			);
			assert.deepEqual(((await failureOf(transport.send(call))) as { status: number }).status, 307);
		});
	});

	it('the tap sees every exchange, but no secrets', async () => {
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
		assert.ok(ms >= 0);
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

	it('closing ends all sends, streams and waits', async () => {
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
