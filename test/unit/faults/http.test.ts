// Servers over HTTP that do what they must not, one fault each, under a whole client and over real sockets. What the
// transport makes of statuses, broken streams and redirects by itself is in test/unit/mcp/transport/streamableHttp.test.ts.
import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { Client, type ClientOptions, type McpFailure, StreamableHttp } from '../../../src/mcp/index.js';
import { createHttpFetch } from '../../../src/node/httpFetch.js';
import { Aftermath } from '../../support/faults/aftermath.js';
import { type Outcome, outcomeOf, outcomeWithin } from '../../support/faults/outcome.js';
import { type Asked, event, json, resultOf, ScriptedServer, sse } from '../../support/httpServer.js';
import { leakCheck } from '../../support/leakCheck.js';
import { SentCheck } from '../../support/sentCheck.js';
import { TestLogger } from '../../support/testLogger.js';
import { eventually } from '../../support/waiting.js';

const right: Outcome = { value: 'right' };
/** Short, where the fault is silence; nothing that works waits for it. */
const patience = 250;
const timedOut = (method: string): Outcome => ({ failure: { code: 'timeout', method, ms: patience } });
const network = (why: string): Outcome => ({ failure: { code: 'network', why } });
const invalid = (why: string): Outcome => ({ failure: { code: 'invalidResult', method: 'tools/call', why } });
const tooLarge = (limit: number): Outcome => ({ failure: { code: 'tooLarge', limit } });
const refused = (status: number): { failure: McpFailure } => ({
	failure: { code: 'http', status, error: undefined, challenge: undefined },
});
const delays = { reconnect: 10, maxReconnect: 20, close: 200, linger: 30, errorBody: 50 };
const MB = 1024 * 1024;

/** @param count of requests of this method before it */
type Script = (asked: Asked, response: ServerResponse, count: number, other: ScriptedServer) => unknown;

interface Fault {
	readonly name: string;
	/** What is answered to `tools/call`, the first time unless `always`; then the right thing. */
	readonly call?: Script;
	readonly always?: true;
	/** What is answered to any request, `undefined` for what a good server answers. */
	readonly any?: Script;
	readonly options?: Partial<ClientOptions>;
	/** The first call waits no longer than `patience`. */
	readonly isSilent?: true;
	readonly maxMessageBytes?: number;
	readonly maxDecodedBytes?: number;
	readonly ask?: (client: Client) => Promise<unknown>;
	readonly connecting?: Outcome;
	readonly asked?: Outcome;
	readonly again?: Outcome;
	readonly withinMs?: number;
	readonly look?: (seen: {
		readonly log: TestLogger;
		readonly logged: number;
		readonly server: ScriptedServer;
		readonly other: ScriptedServer;
	}) => void;
}

const textOf = (text: string): object => ({ content: [{ type: 'text', text }] });
const answerTo = (asked: Asked, text = 'right'): object => resultOf(asked, textOf(text));

/** The text of the answer, short. */
async function call(client: Client, signal?: AbortSignal, timeoutMs = 20_000): Promise<unknown> {
	const { content } = await client.callTool('fault', {}, { signal, timeoutMs });
	const [block] = content;
	const text = block?.type === 'text' ? block.text : JSON.stringify(content);
	return text.length > 100 ? text.length : text;
}

/** A good server, with the first tool called as a fault says. */
function script({ call: faulty, always, any }: Partial<Fault>, other: () => ScriptedServer, version?: string) {
	const counts = new Map<string, number>();
	return async (asked: Asked, response: ServerResponse): Promise<void> => {
		const { method = asked.method } = asked.message;
		const count = counts.get(method) ?? 0;
		counts.set(method, count + 1);
		if (any && (await any(asked, response, count, other())) !== undefined) {
			return;
		}
		if (method === 'tools/call' && faulty && (always || count === 0)) {
			await faulty(asked, response, count, other());
		} else {
			behave(asked, response, version);
		}
	};
}

function behave(asked: Asked, response: ServerResponse, version = '2025-11-25'): void {
	const { id, method } = asked.message;
	if (asked.method !== 'POST') {
		response.writeHead(asked.method === 'DELETE' ? 204 : 405).end();
	} else if (id === undefined) {
		response.writeHead(202).end();
	} else if (method === 'initialize') {
		const serverInfo = { name: 'fault', version: '1' };
		const result = { protocolVersion: version, capabilities: { tools: {}, logging: {} }, serverInfo };
		json(response, resultOf(asked, result), 200, { 'mcp-session-id': 's1' });
	} else if (method === 'tools/call') {
		json(response, answerTo(asked));
	} else {
		json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
	}
}

/** Past Node's HTTP: the bytes as they are. */
function raw(response: ServerResponse, text: string | Buffer, ends = true): void {
	response.socket?.write(text);
	if (ends) {
		response.socket?.end();
	}
}

function head(fields: Readonly<Record<string, string | number>>, status = '200 OK'): string {
	const lines = Object.entries({ 'content-type': 'application/json', ...fields }).map(
		([name, value]) => `${name}: ${value}`,
	);
	return `HTTP/1.1 ${status}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

const calls = (client: Client, count: number): Promise<Outcome[]> =>
	Promise.all(Array.from({ length: count }, () => outcomeOf(call(client))));

/** A compressed JSON answer; `bombMb` megabytes of blanks after it take about a kilobyte each. */
function gzipped(asked: Asked, bombMb = 0): Buffer {
	const blanks = gzipSync(Buffer.alloc(MB, ' '));
	return Buffer.concat([gzipSync(JSON.stringify(answerTo(asked))), ...Array.from({ length: bombMb }, () => blanks)]);
}

const faults: readonly Fault[] = [
	{
		name: 'crash in the middle of a message',
		call: (_, response) => raw(response, `${head({ 'content-length': 1000 })}{"jsonrpc":`),
		asked: network('ECONNRESET'),
	},
	{ name: 'crash before the head', call: (_, { socket }) => socket?.destroy(), asked: network('ECONNRESET') },
	{
		name: 'silence from the beginning',
		any: () => true,
		options: { timeoutMs: patience },
		connecting: timedOut('server/discover'),
	},
	{
		name: 'silence after the handshake',
		any: ({ message }) => (message.method === 'notifications/initialized' ? true : undefined),
		options: { timeoutMs: 1000, mode: 'legacy' },
		connecting: { failure: { code: 'timeout', method: 'notifications/initialized', ms: 1000 } },
	},
	{ name: 'silence', call: () => undefined, isSilent: true, asked: timedOut('tools/call') },
	{
		name: 'a JSON body that stops half-way',
		call: (_, response) => raw(response, `${head({ 'content-length': 1000 })}{"jsonrpc":`, false),
		isSilent: true,
		asked: timedOut('tools/call'),
	},
	{
		name: 'an event stream that says nothing',
		call: (_, response) => sse(response),
		isSilent: true,
		asked: timedOut('tools/call'),
	},
	{
		name: 'an event stream that says nothing, again and again',
		call: (_, response) => {
			sse(response);
			const timer = setInterval(() => response.write(': still here\n\n'), 20);
			timer.unref();
			response.on('close', () => clearInterval(timer));
		},
		isSilent: true,
		asked: timedOut('tools/call'),
	},
	{
		name: 'an event stream that ends before the answer',
		call: (_, response) => {
			sse(response);
			response.end('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\ndata: {"id":');
		},
		asked: network('the stream ended before the answer'),
	},
	{
		name: 'no HTTP at all',
		call: (_, response) => raw(response, 'what?\r\n\r\n'),
		asked: network('HPE_INVALID_CONSTANT'),
	},
	{
		name: 'garbage instead of JSON',
		call: (_, response) => {
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(Buffer.from([0xff, 0xfe, 0, 1]));
		},
		asked: invalid('not JSON'),
	},
	{
		name: 'garbage around the answer of an event stream',
		call: (asked, response) => {
			sse(response);
			response.end(`\0\ndata: {\n\ndata: []\n\nid\ndata: "\n\n${event(answerTo(asked))}data: {"jsonrpc"`);
		},
		asked: right,
	},
	{
		name: 'half a character at the end of JSON',
		call: (asked, response) => {
			const bytes = Buffer.from(JSON.stringify(answerTo(asked, 'ä')));
			response.writeHead(200, { 'content-type': 'application/json' });
			response.end(bytes.subarray(0, bytes.indexOf(0xc3) + 1));
		},
		asked: invalid('not JSON'),
	},
	{
		name: 'half a character at the end of an event stream',
		call: (asked, response) => {
			sse(response);
			response.write(event(answerTo(asked)));
			response.end(Buffer.from([0x64, 0xc3]));
		},
		asked: right,
	},
	...(['application/json', 'text/event-stream'] as const).flatMap((type): Fault[] => {
		const huge: Script = (asked, response) => {
			response.writeHead(200, { 'content-type': type });
			const text = JSON.stringify(answerTo(asked, 'x'.repeat(50 * MB)));
			response.end(type === 'application/json' ? text : `data: ${text}\n\n`);
		};
		return [
			{ name: `50 MB of ${type}`, call: huge, asked: { value: 50 * MB } },
			{ name: `50 MB of ${type}, past the limit`, call: huge, maxMessageBytes: 10 * MB, asked: tooLarge(10 * MB) },
		];
	}),
	{
		name: 'a flood of notifications',
		call: (asked, response) => {
			sse(response);
			const log = event({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'again' } });
			response.end(log.repeat(20_000) + event(answerTo(asked)));
		},
		asked: right,
		look: ({ log, logged }) => {
			assert.ok(logged >= 5000 && logged < 20_000, `${logged} let through`);
			assert.match(log.lines.join('\n'), /warn: Dropped \d+ notifications/);
		},
	},
	{
		name: 'a flood of requests, and no answer is taken',
		any: ({ message }) => ('result' in message ? true : undefined),
		call: (asked, response) => {
			sse(response);
			const pings = Array.from({ length: 100 }, (_, id) =>
				event({ jsonrpc: '2.0', id: `${id}${'x'.repeat(20_000)}`, method: 'ping' }),
			);
			response.end(pings.join('') + event(answerTo(asked)));
		},
		asked: right,
		look: ({ log }) => assert.match(log.lines.join('\n'), /warn: Left a request of the server unanswered/),
	},
	{
		name: 'a 503 that says when, and a JSON-RPC error',
		call: (asked, response) => {
			const error = { code: -32000, message: 'busy' };
			json(response, { jsonrpc: '2.0', id: asked.message.id, error }, 503, { 'retry-after': '7' });
		},
		asked: {
			failure: {
				code: 'http',
				status: 503,
				error: { code: -32000, message: 'busy' },
				challenge: undefined,
				retryAfterMs: 7000,
			},
		},
	},
	{
		name: 'an event stream cut in the middle of the answer',
		call: (asked, response) => {
			sse(response);
			const text = event(answerTo(asked));
			response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
		},
		asked: network('the stream ended before the answer'),
	},
	{
		name: 'wrong ids in JSON',
		call: (asked, response) => json(response, { ...answerTo(asked), id: String(asked.message.id) }),
		asked: invalid('no answer to this request'),
	},
	{
		name: 'wrong ids on an event stream',
		call: (asked, response) => {
			sse(response);
			response.end([1000, String(asked.message.id), null].map(id => event({ ...answerTo(asked), id })).join(''));
		},
		asked: network('the stream ended before the answer'),
	},
	{
		name: 'several answers to one request',
		call: (asked, response) => {
			sse(response);
			const late = { jsonrpc: '2.0', id: asked.message.id, error: { code: 1, message: 'too late' } };
			response.end(event(answerTo(asked)) + event(answerTo(asked, 'second')) + event(late));
		},
		asked: right,
	},
	{
		name: 'no id',
		call: (_, response) => json(response, { jsonrpc: '2.0', result: textOf('right') }),
		asked: invalid('no answer to this request'),
	},
	{
		name: 'result and error together',
		call: (asked, response) => json(response, { ...answerTo(asked), error: { code: 1, message: 'and this' } }),
		asked: invalid('both result and error'),
	},
	{
		name: 'an answer in a batch, where there are none',
		call: (asked, response) => json(response, [answerTo(asked)]),
		asked: invalid('a batch'),
	},
	{
		name: 'cursors in a circle',
		any: (asked, response, count) => {
			if (asked.message.method !== 'tools/list') {
				return undefined;
			}
			json(response, resultOf(asked, { tools: [], nextCursor: count % 2 === 0 ? 'a' : 'b' }));
			return true;
		},
		ask: client => client.listTools(),
		asked: { failure: { code: 'endlessPages', method: 'tools/list', limit: 2 } },
	},
	...(
		[
			[404, undefined],
			[404, { code: -32001, message: 'Session not found' }],
			[400, { code: -32000, message: 'Bad Request: No valid session ID provided' }],
		] as const
	).flatMap(([status, error]): Fault[] => {
		const forget: Script = (_, response) =>
			error ? json(response, { jsonrpc: '2.0', id: null, error }, status) : response.writeHead(status).end();
		const name = `${status} ${error?.code ?? ''}`;
		return [
			{ name: `a session that dies: ${name}`, call: forget, asked: right },
			{
				name: `sessions that die one after another: ${name}`,
				call: forget,
				always: true,
				asked: { failure: { code: 'sessionLost' } },
				again: { failure: { code: 'sessionLost' } },
			},
		];
	}),
	{
		name: 'a storm of 5xx',
		call: (_, response, count) =>
			response.writeHead([500, 502, 503, 504][count % 4] ?? 500, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
		always: true,
		ask: async client =>
			(await calls(client, 40)).map(it => ('failure' in it && 'status' in it.failure ? it.failure.status : it)),
		asked: { value: Array.from({ length: 40 }, (_, index) => [500, 502, 503, 504][index % 4]) },
	},
	{
		name: 'a 5xx at the beginning',
		any: (_, response) => response.writeHead(503).end(),
		connecting: refused(503),
	},
	{
		name: 'a redirect to another origin',
		call: (_, response, _count, other) => response.writeHead(307, { location: `${other.origin}/there` }).end(),
		asked: right,
		look: ({ other }) => {
			const [asked] = other.asked;
			assert.deepEqual(
				[other.lines.length, asked?.path, asked?.headers.authorization, asked?.headers['mcp-session-id']],
				[1, '/there', undefined, undefined],
			);
		},
	},
	{
		name: 'a circle of redirects',
		call: (_, response) => response.writeHead(307, { location: '/mcp' }).end(),
		always: true,
		asked: network('more than 5 redirects'),
		again: network('more than 5 redirects'),
	},
	{
		name: 'a redirect that would make a GET of it',
		call: (_, response) => response.writeHead(302, { location: '/mcp' }).end(),
		asked: refused(302),
	},
	{
		name: 'every connection closed after its answer, as announced',
		any: (_, response) => void response.setHeader('connection', 'close'),
		asked: right,
	},
	{
		name: 'truncated gzip',
		call: (asked, response) => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
			response.end(gzipped(asked).subarray(0, -20));
		},
		asked: invalid('not JSON'),
	},
	{
		name: 'gzip that is none',
		call: (asked, response) => json(response, answerTo(asked), 200, { 'content-encoding': 'gzip' }),
		asked: network('Z_DATA_ERROR'),
	},
	{
		name: 'a bomb of gzip: a gigabyte in a megabyte',
		call: (asked, response) => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
			response.end(gzipped(asked, 1024));
		},
		asked: tooLarge(64 * MB),
	},
	{
		name: 'a bomb of gzip, past the limit of what is decoded',
		call: (asked, response) => {
			response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
			response.end(gzipped(asked, 1024));
		},
		maxDecodedBytes: 5 * MB,
		asked: tooLarge(5 * MB),
	},
	{
		name: 'a bomb of gzip with an error',
		call: (asked, response) => {
			response.writeHead(500, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
			response.end(gzipped(asked, 1024));
		},
		asked: refused(500),
	},
	{
		name: 'more Content-Length than content, and the end',
		call: (asked, response) => raw(response, head({ 'content-length': 1000 }) + JSON.stringify(answerTo(asked))),
		asked: network('ECONNRESET'),
	},
	{
		name: 'more content than Content-Length',
		call: (asked, response) => raw(response, head({ 'content-length': 20 }) + JSON.stringify(answerTo(asked)), false),
		asked: invalid('not JSON'),
	},
	{
		name: 'two Content-Lengths',
		call: (_, response) => raw(response, `HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{} `),
		asked: network('HPE_UNEXPECTED_CONTENT_LENGTH'),
	},
	{
		name: 'huge headers',
		call: (_, response) => raw(response, head({ 'x-huge': 'x'.repeat(100_000), 'content-length': 2 })),
		asked: network('HPE_HEADER_OVERFLOW'),
	},
	{
		name: 'a GET stream that goes mad',
		any: (asked, response) => {
			if (asked.method !== 'GET') {
				return undefined;
			}
			sse(response);
			response.end(`${event('x')}\0\r\r\n: \ndata: [[[\n\n${event(null)}`);
			return true;
		},
		asked: right,
	},
];

const versions: readonly (Fault & { readonly version: string })[] = [
	...['2024-10-07', '2024-11-05', '2025-03-26', '2025-06-18'].map(version => ({
		name: `revision ${version}`,
		version,
		ask: async (client: Client) => [client.session.protocolVersion, await call(client)],
		asked: { value: [version, 'right'] },
	})),
	...['1999-01-01', '2026-07-28', ''].map(version => ({
		name: `the unknown revision ${JSON.stringify(version)}`,
		version,
		connecting: { failure: { code: 'unsupportedVersion', version } } as const,
	})),
];

describe('faults of servers over HTTP', function () {
	this.timeout(30_000);
	const { own } = leakCheck();
	let fetch: ReturnType<typeof createHttpFetch>;

	/** The same client for all of them. */
	function connectTo(server: ScriptedServer, row: Partial<Fault>, log = new TestLogger()): Client {
		const { maxMessageBytes, options } = row;
		const open = (): StreamableHttp =>
			new StreamableHttp({
				url: server.url,
				fetch,
				log,
				delays,
				headers: { authorization: 'Bearer secret' },
				...(maxMessageBytes === undefined ? {} : { maxMessageBytes }),
			});
		const clientInfo = { name: 'test', version: '1' };
		const client = own(new Client({ clientInfo, open, timeoutMs: 20_000, log, ...options }));
		own(client.onDidTransfer(new SentCheck().follow));
		return client;
	}

	/** Starts servers; ends them, which fails if a client has left a connection open. */
	async function withServers(
		rows: readonly (Partial<Fault> & { readonly version?: string })[],
		run: (servers: readonly ScriptedServer[], other: ScriptedServer) => Promise<void>,
	): Promise<void> {
		const after = await Aftermath.begin();
		const other = await ScriptedServer.start((asked, response) => behave(asked, response));
		const servers = await Promise.all(rows.map(it => ScriptedServer.start(script(it, () => other, it.version))));
		const maxDecodedBytes = rows[0]?.maxDecodedBytes;
		fetch = createHttpFetch(maxDecodedBytes === undefined ? {} : { maxDecodedBytes: () => maxDecodedBytes });
		await run(servers, other);
		// Connections that wait for their next use do not keep Node alive. Anything else would.
		await after.check();
		fetch.dispose();
		await Promise.all([...servers, other].map(it => it.close()));
	}

	for (const row of [...faults, ...versions]) {
		const { name, isSilent, connecting, asked, again = right, withinMs = 10_000, look } = row;
		const ask = row.ask ?? ((it: Client) => call(it, undefined, isSilent && patience));
		it(name, () =>
			withServers([row, {}], async ([server, good], other) => {
				assert.ok(server && good);
				const log = new TestLogger();
				const client = connectTo(server, row, log);
				let logged = 0;
				own(client.onDidLog(() => logged++));
				const connected = await outcomeWithin(client.connect(new AbortController().signal), withinMs);
				if (connecting) {
					assert.deepEqual(connected, connecting);
				} else {
					assert.ok('value' in connected, JSON.stringify(connected));
					assert.deepEqual(await outcomeWithin(ask(client), withinMs), asked);
					if (!row.ask) {
						assert.deepEqual(await outcomeWithin(call(client), withinMs), again, 'the call after it');
					}
				}
				await client.close();
				client.dispose();
				look?.({ log, logged, server, other });
				const nextOne = connectTo(good, {});
				await nextOne.connect(new AbortController().signal);
				assert.equal(await call(nextOne), 'right', 'the next server works');
				await nextOne.close();
				nextOne.dispose();
			}),
		);
	}

	it('all at once, beside a good one that answers throughout', () => {
		// What takes this process long has its row; the servers are in it too.
		const light = faults.filter(it => !/50 MB|bomb/.test(it.name));
		return withServers([{}, ...light], async ([good, ...bad]) => {
			assert.ok(good);
			const client = connectTo(good, {});
			await client.connect(new AbortController().signal);
			const over = new AbortController();
			const answers: unknown[] = [];
			const talk = async (): Promise<void> => {
				while (!over.signal.aborted) {
					answers.push(await call(client));
				}
			};
			const talking = talk();
			const came = await Promise.all(
				bad.map(async (server, index) => {
					const row: Partial<Fault> = light[index] ?? {};
					const it = connectTo(server, row);
					const connected = await outcomeOf(it.connect(new AbortController().signal));
					const { connecting, asked } = row;
					const outcome = connecting
						? connected
						: await outcomeOf((row.ask ?? (client => call(client, undefined, row.isSilent && patience)))(it));
					await it.close();
					it.dispose();
					return [row.name, outcome, connecting ?? asked] as const;
				}),
			);
			const before = answers.length;
			await eventually(() => answers.length > before + 20, 'the good one answers');
			over.abort();
			await talking;
			await client.close();
			client.dispose();
			assert.ok(answers.every(it => it === 'right'));
			for (const [name, outcome, expected] of came) {
				assert.deepEqual(outcome, expected, name);
			}
		});
	});
});
