// The end under load: whatever goes on, closing settles every promise and ends every process and socket within its time.
// Each stage of negotiation, with a transport that a test plays, is in test/unit/mcp/client/negotiate.test.ts.
import * as assert from 'node:assert/strict';
import * as net from 'node:net';
import { Client, type ClientOptions, LegacySse, StreamableHttp } from '../../src/mcp/index.js';
import { createHttpFetch } from '../../src/node/http/httpFetch.js';
import { StdioTransport } from '../../src/node/process/stdioTransport.js';
import { Aftermath } from '../support/faults/aftermath.js';
import { type Outcome, outcomeOf, outcomeWithin } from '../support/faults/outcome.js';
import { fixtureLaunch } from '../support/fixtureServer.js';
import { type Answer, json, resultOf, ScriptedServer, sse } from '../support/httpServer.js';
import { leakCheck } from '../support/leakCheck.js';
import { SentCheck } from '../support/sentCheck.js';
import { TestLogger } from '../support/testLogger.js';
import { eventually } from '../support/waiting.js';

const graceMs = 100;
/** Of closing stdin and of SIGTERM, and what a busy machine takes. */
const withinMs = 2 * graceMs + 2000;
const delays = { reconnect: 10, maxReconnect: 20, close: graceMs, linger: 30, errorBody: 50 };
const closed: Outcome = { failure: { code: 'closed' } };
const MB = 1024 * 1024;

/** Ways to end; each resolves when all that it promises has been done. */
const ways: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
	closed: client => client.close(),
	'closed twice at once': client => Promise.all([client.close(), client.close()]),
	'disposed while it closes': client => {
		const closing = client.close();
		client.dispose();
		return closing;
	},
	disposed: async client => client.dispose(),
};

/** Something under way. */
interface Load {
	readonly client: Client;
	/** What must settle as `closed`. */
	readonly waiting: readonly Promise<unknown>[];
	/** Holds when it is under way. */
	readonly isReady: () => boolean;
	/** After everything. */
	readonly end?: () => Promise<unknown>;
}

describe('shutdown under load', function () {
	this.timeout(30_000);
	const { own } = leakCheck();
	let after: Aftermath;

	function each(name: string, begin: () => Promise<Load>): void {
		for (const [way, finish] of Object.entries(ways)) {
			it(`${name}: ${way}`, async () => {
				after = await Aftermath.begin();
				const { client, waiting, isReady, end } = await begin();
				const outcomes = Promise.all(waiting.map(it => outcomeOf(it)));
				await eventually(isReady, `${name} is under way`);
				assert.deepEqual(
					await outcomeWithin(
						finish(client).then(() => 'done'),
						withinMs,
					),
					{ value: 'done' },
				);
				assert.deepEqual(
					await outcomeWithin(outcomes, 1000),
					{ value: waiting.map(() => closed) },
					'everything has settled',
				);
				// Not for `dispose` to tidy up what closing has left.
				await after.check();
				client.dispose();
				await end?.();
			});
		}
	}

	function create(options: Pick<ClientOptions, 'open'> & Partial<ClientOptions>): Client {
		const clientInfo = { name: 'test', version: '1' };
		// Without a handshake where no other mode is named: what follows has a request under way at once.
		const client = own(
			new Client({ clientInfo, mode: 'modern', timeoutMs: 60_000, log: new TestLogger(), ...options }),
		);
		own(client.onDidTransfer(new SentCheck().follow));
		return client;
	}

	const never = (): AbortSignal => new AbortController().signal;

	describe('on stdio', () => {
		/** A client of a fixture, and what that has said on stderr. */
		function start(
			file: string,
			args: readonly string[] = [],
			options: Partial<ClientOptions> = {},
		): { client: Client; said: string[] } {
			const said: string[] = [];
			const launch = fixtureLaunch(file);
			const open = (): StdioTransport => {
				const transport = new StdioTransport(
					{ ...launch, args: [...launch.args, ...args] },
					{ graceMs, onStderr: line => said.push(line) },
				);
				const starting = transport.start.bind(transport);
				transport.start = async () => {
					await starting();
					after.pids.push(transport.pid ?? 0);
				};
				return transport;
			};
			return { client: create({ open, ...options }), said };
		}

		for (const file of ['silent', 'lingering', 'stubborn']) {
			each(`100 requests to a server that is ${file}`, async () => {
				const { client } = start(file);
				await client.connect(never());
				const waiting = Array.from({ length: 100 }, () => client.callTool('x', {}));
				return { client, waiting, isReady: () => true };
			});
		}

		each('50 MB that come', async () => {
			const { client, said } = start('faults', ['hugeHalf'], { mode: 'legacy' });
			await client.connect(never());
			return { client, waiting: [client.callTool('x', {})], isReady: () => said.includes('half') };
		});

		each('50 MB that nobody reads', async () => {
			const { client, said } = start('faults', ['notReading']);
			await client.connect(never());
			const waiting = [client.callTool('x', { text: 'x'.repeat(50 * MB) })];
			return { client, waiting, isReady: () => said.includes('not reading') };
		});

		for (const [stage, file, sent] of [
			['the probe', 'silent', 'server/discover'],
			['initialize', 'silent', 'initialize'],
			['initialize of a second process', 'exitInHandshake', 'initialize'],
		] as const) {
			each(`negotiation, ${stage}`, async () => {
				const methods: string[] = [];
				const probeMs = sent === 'server/discover' ? 60_000 : 1;
				const { client } = start(file, [], { mode: 'auto', probeMs: file === 'silent' ? probeMs : 60_000 });
				own(
					client.onDidTransfer(it => {
						const message = it.kind === 'message' ? it.message : undefined;
						methods.push(String((message as { readonly method?: unknown } | undefined)?.method));
					}),
				);
				return { client, waiting: [client.connect(never())], isReady: () => methods.includes(sent) };
			});
		}
	});

	describe('over HTTP', () => {
		async function serve(
			answer: Answer,
		): Promise<{ readonly server: ScriptedServer; readonly fetch: ReturnType<typeof createHttpFetch> }> {
			return { server: await ScriptedServer.start(answer), fetch: createHttpFetch() };
		}

		type Served = Awaited<ReturnType<typeof serve>>;

		const openOn =
			({ server, fetch }: Served) =>
			(): StreamableHttp =>
				new StreamableHttp({ url: server.url, fetch, log: new TestLogger(), delays });

		const endOf =
			({ server, fetch }: Served) =>
			async (): Promise<void> => {
				fetch.dispose();
				await server.close();
			};

		/** Calls are answered by the test. */
		async function calling(count: number, answer: Answer, isReady: (it: Served) => boolean): Promise<Load> {
			const served = await serve((asked, response) => {
				if (asked.message.method === 'tools/call') {
					answer(asked, response);
				}
			});
			const client = create({ open: openOn(served) });
			await client.connect(never());
			const waiting = Array.from({ length: count }, () => client.callTool('x', {}));
			return { client, waiting, isReady: () => isReady(served), end: endOf(served) };
		}

		const callsOf = ({ server }: Served): number => server.lines.filter(it => it.includes('tools/call')).length;

		each('100 requests without an answer', () =>
			calling(
				100,
				() => undefined,
				it => callsOf(it) === 100,
			),
		);

		each('100 event streams', () =>
			calling(
				100,
				(_, response) => sse(response),
				it => callsOf(it) === 100,
			),
		);

		each('50 MB that come', () => {
			let isHalf = false;
			return calling(
				1,
				(_, response) => {
					response.writeHead(200, { 'content-type': 'application/json', 'content-length': 50 * MB });
					response.write('x'.repeat(25 * MB), () => (isHalf = true));
				},
				() => isHalf,
			);
		});

		each('50 MB that nobody reads', async () => {
			let connections = 0;
			const listener = net.createServer(socket => {
				connections++;
				socket.unref().pause();
				socket.on('error', () => undefined);
			});
			await new Promise<void>(resolve => {
				listener.listen(0, '127.0.0.1', resolve).unref();
			});
			const fetch = createHttpFetch();
			const url = `http://127.0.0.1:${(listener.address() as net.AddressInfo).port}/`;
			const client = create({ open: () => new StreamableHttp({ url, fetch, log: new TestLogger(), delays }) });
			await client.connect(never());
			const waiting = [client.callTool('x', { text: 'x'.repeat(50 * MB) })];
			const end = async (): Promise<void> => {
				fetch.dispose();
				listener.close();
			};
			return { client, waiting, isReady: () => connections > 0, end };
		});

		for (const stage of ['server/discover', 'initialize', 'notifications/initialized'] as const) {
			each(`negotiation, ${stage}`, async () => {
				const served = await serve((asked, response) => {
					if (asked.message.method === stage) {
						return;
					}
					if (asked.message.method === 'initialize') {
						json(response, resultOf(asked, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }), 200, {
							'mcp-session-id': 's',
						});
					} else {
						response.writeHead(404).end();
					}
				});
				const client = create({ open: openOn(served), mode: 'auto' });
				const isReady = (): boolean => served.server.lines.some(it => it.includes(stage));
				return { client, waiting: [client.connect(never())], isReady, end: endOf(served) };
			});
		}

		each('negotiation, the endpoint event of HTTP+SSE', async () => {
			const served = await serve((asked, response) => {
				if (asked.method === 'GET') {
					sse(response);
				} else {
					response.writeHead(405).end();
				}
			});
			const { server, fetch } = served;
			const client = create({
				open: openOn(served),
				openLegacySse: () => new LegacySse({ url: server.url, fetch, log: new TestLogger() }),
				mode: 'legacy',
			});
			const isReady = (): boolean => server.lines.includes('GET');
			return { client, waiting: [client.connect(never())], isReady, end: endOf(served) };
		});

		each('a DELETE that is not answered', async () => {
			const served = await serve((asked, response) => {
				if (asked.message.method === 'initialize') {
					json(response, resultOf(asked, { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: {} }), 200, {
						'mcp-session-id': 's',
					});
				} else if (asked.message.method === 'notifications/initialized') {
					response.writeHead(202).end();
				}
			});
			const client = create({ open: openOn(served), mode: 'legacy' });
			await client.connect(never());
			const waiting = Array.from({ length: 10 }, () => client.callTool('x', {}));
			return { client, waiting, isReady: () => callsOf(served) === 10, end: endOf(served) };
		});
	});
});
