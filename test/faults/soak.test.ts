// What is slow to go wrong: floods, huge messages, and many starts and stops must not take more and more memory.
import * as assert from 'node:assert/strict';
import { Client, type ClientOptions, StreamableHttp } from '../../src/mcp/index.js';
import { createHttpFetch } from '../../src/node/http/httpFetch.js';
import { StdioTransport } from '../../src/node/process/stdioTransport.js';
import { fixtureLaunch } from '../support/fixtureServer.js';
import { type Answer, event, json, resultOf, ScriptedServer, sse } from '../support/httpServer.js';
import { leakCheck } from '../support/leakCheck.js';
import { SentCheck } from '../support/sentCheck.js';
import { TestLogger } from '../support/testLogger.js';
import { Aftermath } from '../support/faults/aftermath.js';
import { assertNoGrowth } from '../support/faults/growth.js';
import { outcomeOf } from '../support/faults/outcome.js';

const never = (): AbortSignal => new AbortController().signal;
const length50Mb = 50 * 1024 * 1024;
/** In all, of each of the two transports. */
const notifications = 20_000;
/** Messages of 50 MB. */
const messages = 2;
/** Starts and stops. */
const cycles = 20;
/** Milliseconds of a storm of 5xx. */
const stormMs = 200;

describe('soak, in short', function () {
	this.timeout(30_000);
	leakCheck();
	let after: Aftermath;

	function soak(name: string, run: () => Promise<void>): void {
		it(name, async () => {
			after = await Aftermath.begin();
			await run();
			await after.check();
		});
	}

	function create(options: Pick<ClientOptions, 'open'>): Client {
		const clientInfo = { name: 'soak', version: '1' };
		// Not owned: what owns it until the end of the test would be what grows.
		return new Client({ clientInfo, mode: 'legacy', timeoutMs: 120_000, log: new TestLogger(), ...options });
	}

	function startStdio(args: readonly string[], maxMessageBytes?: number): Client {
		const launch = fixtureLaunch('faults');
		const limit = maxMessageBytes === undefined ? {} : { maxMessageBytes };
		return create({
			open: () => {
				const options = { graceMs: 5000, onStderr: () => undefined, ...limit };
				const transport = new StdioTransport({ ...launch, args: [...launch.args, ...args] }, options);
				const start = transport.start.bind(transport);
				transport.start = async () => {
					await start();
					after.pids.push(transport.pid ?? 0);
				};
				return transport;
			},
		});
	}

	/** Connects, does it, and closes. */
	async function withClient<T>(client: Client, run: (client: Client) => Promise<T>): Promise<T> {
		const checking = client.onDidTransfer(new SentCheck().follow);
		await client.connect(never());
		try {
			return await run(client);
		} finally {
			await client.close();
			checking.dispose();
			client.dispose();
		}
	}

	async function withHttp<T>(
		onCall: Answer,
		run: (client: () => Client, server: ScriptedServer) => Promise<T>,
	): Promise<T> {
		const server = await ScriptedServer.start((asked, response) => {
			const { id, method } = asked.message;
			if (asked.method !== 'POST') {
				response.writeHead(405).end();
			} else if (id === undefined) {
				response.writeHead(202).end();
			} else if (method === 'initialize') {
				json(
					response,
					resultOf(asked, { protocolVersion: '2025-11-25', capabilities: { logging: {} }, serverInfo: {} }),
				);
			} else {
				return onCall(asked, response);
			}
			return undefined;
		});
		const fetch = createHttpFetch();
		const options = { url: server.url, fetch, log: new TestLogger() };
		const result = await run(() => create({ open: () => new StreamableHttp(options) }), server);
		fetch.dispose();
		await server.close();
		return result;
	}

	async function textOf(client: Client): Promise<string> {
		const [block] = (await client.callTool('fault', {})).content;
		return block?.type === 'text' ? block.text : '';
	}

	const rounds = 10;

	soak(`${notifications} notifications on stdio`, () =>
		withClient(startStdio(['flood', String(notifications / rounds), 'always']), client =>
			assertNoGrowth(rounds, async () => assert.equal(await textOf(client), 'right')),
		),
	);

	soak(`${notifications} notifications over HTTP`, () => {
		const log = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'again' } };
		const many = event(log).repeat(1000);
		const flood: Answer = async (asked, response) => {
			sse(response);
			for (let left = notifications / rounds; left > 0; left -= 1000) {
				await new Promise(resolve => {
					response.write(many, resolve);
				});
			}
			response.end(event(resultOf(asked, { content: [{ type: 'text', text: 'right' }] })));
		};
		return withHttp(flood, (open, server) =>
			withClient(open(), client =>
				assertNoGrowth(rounds, async () => {
					assert.equal(await textOf(client), 'right');
					server.asked.length = 0;
				}),
			),
		);
	});

	soak(`${messages} messages of 50 MB on stdio`, () =>
		withClient(startStdio(['huge', 'always']), client =>
			assertNoGrowth(messages, async () => assert.equal((await textOf(client)).length, length50Mb)),
		),
	);

	soak(`${messages} messages of 50 MB past the limit`, () =>
		withClient(startStdio(['huge', 'always'], 10_000_000), client =>
			assertNoGrowth(messages, async () =>
				assert.deepEqual(await outcomeOf(textOf(client)), { failure: { code: 'tooLarge', limit: 10_000_000 } }),
			),
		),
	);

	soak(`${cycles} starts and stops of a process`, () =>
		assertNoGrowth(cycles / 10, async () => {
			await Promise.all(Array.from({ length: 10 }, () => withClient(startStdio([]), textOf)));
			after.pids.length = 0;
		}),
	);

	soak(`${cycles} connections over HTTP`, () => {
		const right: Answer = (asked, response) => json(response, resultOf(asked, { content: [] }));
		return withHttp(right, (open, server) =>
			assertNoGrowth(cycles / 10, async () => {
				await Promise.all(Array.from({ length: 10 }, () => withClient(open(), textOf)));
				server.asked.length = 0;
			}),
		);
	});

	soak(`a storm of 5xx for ${stormMs / 1000} s`, () => {
		let isStorm = true;
		const storm: Answer = (asked, response) =>
			isStorm ? response.writeHead(503).end('no') : json(response, resultOf(asked, { content: [] }));
		return withHttp(storm, (open, server) =>
			withClient(open(), async client => {
				const expected = { failure: { code: 'http', status: 503, error: undefined, challenge: undefined } };
				await assertNoGrowth(rounds, async () => {
					for (const end = Date.now() + stormMs / rounds; Date.now() < end;) {
						for (const it of await Promise.all(Array.from({ length: 20 }, () => outcomeOf(textOf(client))))) {
							assert.deepEqual(it, expected);
						}
						server.asked.length = 0;
					}
				});
				isStorm = false;
				assert.equal(await textOf(client), '');
			}),
		);
	});
});
