import * as assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import * as net from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { HttpAbort, McpError, type HttpRequest, type HttpResponse } from '../../../../src/mcp/index.js';
import { createHttpFetch, pipePath } from '../../../../src/node/http/httpFetch.js';
import { type Answer, json, ScriptedServer } from '../../../support/httpServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { eventually } from '../../../support/waiting.js';
import { skip } from '../../../support/skip.js';

describe('createHttpFetch', function () {
	this.timeout(20_000);
	const { later } = leakCheck();

	async function serve(answer: Answer): Promise<ScriptedServer> {
		const server = await ScriptedServer.start(answer);
		later(() => server.close());
		return server;
	}

	function fetcher(): (url: string, request?: Partial<HttpRequest>) => Promise<HttpResponse> {
		const fetch = createHttpFetch();
		later(() => Promise.resolve(fetch.dispose()));
		return (url, request) => fetch({ method: 'GET', url, headers: {}, abort: new HttpAbort(), ...request });
	}

	async function read(response: HttpResponse): Promise<string> {
		const chunks: Uint8Array[] = [];
		await response.read(chunk => chunks.push(chunk));
		return Buffer.concat(chunks).toString('utf8');
	}

	it('sends the request unchanged, and keeps the connection', async () => {
		const server = await serve(({ method, body, headers, path: target }, response) => {
			json(response, { method, body, a: headers['x-a'], length: headers['content-length'], target }, 201, {
				'set-cookie': ['a=1', 'b=2'],
			});
		});
		const fetch = fetcher();
		for (let round = 0; round < 3; round++) {
			const response = await fetch(`${server.origin}/p?q#f`, { method: 'POST', body: '"ä"', headers: { 'x-a': 'e' } });
			assert.equal(response.status, 201);
			assert.equal(response.headers['set-cookie'], 'a=1, b=2');
			assert.deepEqual(JSON.parse(await read(response)), {
				method: 'POST',
				body: '"ä"',
				a: 'e',
				length: '4',
				target: '/p?q',
			});
			// The socket is free again a moment after the end of the body.
			await new Promise(resolve => {
				setImmediate(resolve);
			});
		}
		assert.equal(await server.connections(), 1);
	});

	// covers: http.userAgent
	it('adds a User-Agent to every request without one', async () => {
		const server = await serve(({ headers }, response) => json(response, headers['user-agent'] ?? 'none'));
		const fetch = createHttpFetch({ userAgent: 'mcp-workbench/1.2.3' });
		later(() => Promise.resolve(fetch.dispose()));
		const agent = async (request: Partial<HttpRequest>): Promise<unknown> => {
			const abort = new HttpAbort();
			return JSON.parse(await read(await fetch({ method: 'GET', url: server.url, headers: {}, abort, ...request })));
		};
		const agents = [await agent({}), await agent({ method: 'POST', body: '{}' }), await agent({ method: 'DELETE' })];
		assert.deepEqual(agents, Array<string>(3).fill('mcp-workbench/1.2.3'));
		assert.equal(await agent({ headers: { 'user-agent': 'mine' } }), 'mine');
		assert.equal(JSON.parse(await read(await fetcher()(server.url))), 'mcp-workbench');
	});

	// A request without a response must fail instead of waiting.
	const upgrade = 'HTTP/1.1 101 Switching Protocols\r\n';
	const endings: readonly (readonly [what: string, bytes: string | undefined, expected: unknown])[] = [
		['an upgrade', `${upgrade}connection: upgrade\r\nupgrade: websocket\r\n\r\nrest`, { status: 101 }],
		['status 101 and no upgrade', `${upgrade}\r\n`, { status: 101 }],
		['status 101, and the end', `${upgrade}\r\n`, { status: 101 }],
		['a provisional response, and the end', 'HTTP/1.1 102 Processing\r\n\r\n', 'ECONNRESET'],
		['half a head, and the end', 'HTTP/1.1 200 OK\r\ncontent-le', 'ECONNRESET'],
		['nothing, and the end', '', 'ECONNRESET'],
	];
	for (const [what, bytes, expected] of endings) {
		it(`fails at once: ${what}`, async () => {
			const sockets: net.Socket[] = [];
			const server = net.createServer(socket => {
				sockets.push(socket);
				socket
					.on('error', () => undefined)
					.once('data', () => {
						socket.write(bytes ?? '');
						if (what.endsWith('the end')) {
							socket.end();
						}
					});
			});
			later(async () => {
				sockets.forEach(it => it.destroy());
				await new Promise(resolve => server.close(resolve));
			});
			await new Promise<void>(resolve => {
				server.listen(0, '127.0.0.1', resolve);
			});
			const { port } = server.address() as net.AddressInfo;
			const failed = await fetcher()(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(
				it => it,
				(error: unknown) => error,
			);
			if (failed instanceof McpError) {
				assert.deepEqual(failed.failure, {
					code: 'http',
					error: undefined,
					challenge: undefined,
					...(expected as object),
				});
			} else {
				assert.equal((failed as NodeJS.ErrnoException).code, expected);
			}
			await eventually(() => sockets.every(it => it.destroyed || it.readableEnded), 'the connection is closed');
		});
	}

	it('a short body that is discarded keeps the connection, a long one ends it', async () => {
		const server = await serve(({ path: target }, response) => {
			response.writeHead(200);
			response.write('x');
			if (target === '/short') {
				response.end();
			}
		});
		const fetch = fetcher();
		(await fetch(`${server.origin}/long`)).discard();
		let connections = 1;
		await eventually(() => {
			void server.connections().then(it => (connections = it));
			return connections === 0;
		}, 'the connection is closed');
	});

	it('closes idle connections on request, and none that are in use', async () => {
		const server = await serve(({ path: target }, response) => {
			response.writeHead(200).write('x');
			if (target === '/short') {
				response.end();
			}
		});
		const fetch = createHttpFetch();
		later(() => Promise.resolve(fetch.dispose()));
		const ask = (target: string): Promise<HttpResponse> =>
			fetch({ method: 'GET', url: server.origin + target, headers: {}, abort: new HttpAbort() });
		const long = await ask('/long');
		assert.equal(await read(await ask('/short')), 'x');
		await eventually(async () => (await server.connections()) === 2, 'two connections');
		fetch.closeIdle();
		await eventually(async () => (await server.connections()) === 1, 'one connection');
		long.discard();
	});

	const text = JSON.stringify({ text: 'ä漢😀'.repeat(20_000) });
	const codings: readonly (readonly [coding: string, bytes: Buffer])[] = [
		['gzip', gzipSync(text)],
		['x-gzip', gzipSync(text)],
		['br', brotliCompressSync(text)],
		['identity', Buffer.from(text)],
		['', Buffer.from(text)],
	];
	for (const [coding, bytes] of codings) {
		it(`decodes ${coding}, in packets of many sizes`, async () => {
			for (const size of [1000, 7777, bytes.length]) {
				const server = await serve(async (_asked, response) => {
					response.writeHead(200, { 'content-encoding': coding });
					for (let start = 0; start < bytes.length; start += size) {
						await new Promise(resolve => {
							response.write(bytes.subarray(start, start + size), resolve);
						});
					}
					response.end();
				});
				assert.equal(await read(await fetcher()(server.url)), text);
			}
		});
	}

	for (const [name, coding, bytes, expected] of [
		['what is not what it says', 'gzip', Buffer.from('no gzip'), /incorrect header/],
		['an unknown coding', 'zstd', Buffer.from('x'), /unknown content coding "zstd"/],
	] as const) {
		it(`fails on ${name} (${coding})`, async () => {
			const server = await serve((_asked, response) =>
				response.writeHead(200, { 'content-encoding': coding }).end(bytes),
			);
			await assert.rejects(read(await fetcher()(server.url)), expected);
		});
	}

	it('a compressed event arrives before the stream ends', async () => {
		const server = await serve((_asked, response) => {
			response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/event-stream' });
			// Without the end of the format: eight bytes of check sum and length.
			response.write(gzipSync('data: a\n\n').subarray(0, -8));
		});
		const response = await fetcher()(server.url);
		let rest: Promise<void> | undefined;
		const first = await new Promise<string>(resolve => {
			rest = response.read(chunk => resolve(Buffer.from(chunk).toString()));
		});
		assert.equal(first, 'data: a\n\n');
		response.discard();
		await assert.rejects(rest ?? Promise.resolve(), /nobody reads/);
	});

	it('a reader that throws discards the rest', async () => {
		const server = await serve((_asked, response) => response.writeHead(200).end(Buffer.alloc(20_000_000)));
		const response = await fetcher()(server.url);
		let reads = 0;
		const refuse = (): never => {
			reads++;
			throw new RangeError('enough');
		};
		await assert.rejects(response.read(refuse), RangeError);
		assert.equal(reads, 1);
		let connections = 1;
		await eventually(() => {
			void server.connections().then(it => (connections = it));
			return connections === 0;
		}, 'the connection is closed');
	});

	it('an abort ends a request and a body', async () => {
		const server = await serve(({ path: target }, response) => {
			if (target === '/body') {
				response.writeHead(200);
				response.write('x');
			}
		});
		const fetch = fetcher();
		const [first, second] = [new HttpAbort(), new HttpAbort()];
		const request = fetch(`${server.origin}/silent`, { abort: first });
		const response = await fetch(`${server.origin}/body`, { abort: second });
		let rest: Promise<void> | undefined;
		await new Promise<void>(resolve => {
			rest = response.read(() => resolve());
		});
		first.abort();
		second.abort();
		await assert.rejects(request, { name: 'AbortError' });
		await assert.rejects(rest ?? Promise.resolve(), { name: 'AbortError' });
		await assert.rejects(fetch(server.url, { abort: first }), { name: 'AbortError' });
	});

	it('reaches a Unix socket', async function () {
		if (process.platform === 'win32') {
			skip(this, 'Windows has pipes instead');
		}
		const folder = mkdtempSync(path.join(tmpdir(), 'mcp'));
		later(() => Promise.resolve(rmSync(folder, { recursive: true })));
		const socket = path.join(folder, 'a b.sock');
		const server = await ScriptedServer.start((asked, response) => json(response, asked.path), { path: socket });
		later(() => server.close());
		const fetch = fetcher();
		const url = `unix://${encodeURI(socket)}`;
		assert.equal(await read(await fetch(url)), '"/"');
		assert.equal(await read(await fetch(`${url}#/sub?q=1`)), '"/sub?q=1"');
	});

	it('finds named pipes', () => {
		assert.deepEqual(
			['pipe:///pipe/mcp', 'pipe:////./pipe/mcp', 'pipe:///pipe/a%20b#/sub'].map(it => pipePath(new URL(it))),
			['\\\\.\\pipe\\mcp', '\\\\.\\pipe\\mcp', '\\\\.\\pipe\\a b'],
		);
	});

	it('refuses other schemes', async () => {
		await assert.rejects(fetcher()('file:///etc/passwd'), TypeError);
	});
});
