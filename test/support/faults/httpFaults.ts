// Runs faulty servers over HTTP, with one fault each, against a whole client and over real sockets.
import * as assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { Client, type ClientOptions, StreamableHttp } from '../../../src/mcp/index.js';
import { tasksExtension } from '../../../src/mcp/client/tasks.js';
import { createHttpFetch } from '../../../src/node/http/httpFetch.js';
import { type Asked, event, json, resultOf, ScriptedServer, sse } from '../httpServer.js';
import { discovery } from '../memoryTransport.js';
import { leakCheck } from '../leakCheck.js';
import { SentCheck } from '../sentCheck.js';
import { TestLogger } from '../testLogger.js';
import { eventually } from '../waiting.js';
import { Aftermath } from './aftermath.js';
import { call, callTimeoutMs, right } from './expected.js';
import { type Outcome, outcomeOf, outcomeWithin } from './outcome.js';

const delays = { reconnect: 10, maxReconnect: 20, close: 200, linger: 30, errorBody: 50 };

/** @param count of requests of this method before it */
export type Script = (asked: Asked, response: ServerResponse, count: number, other: ScriptedServer) => unknown;

export interface HttpFault {
	readonly name: string;
	/** What is answered to `tools/call`, the first time unless `always`; then the right thing. */
	readonly call?: Script;
	readonly always?: true;
	/** What a good server speaks: the older era unless told otherwise. One of the newer speaks both. */
	readonly isModern?: true;
	/** Of `initialize`: the newest unless told otherwise. */
	readonly version?: string;
	/** What is answered to any request, `undefined` for what a good server answers. */
	readonly any?: Script;
	readonly options?: Partial<ClientOptions>;
	/** The first call waits no longer than `callTimeoutMs`. */
	readonly isSilent?: true;
	readonly maxMessageBytes?: number;
	readonly ask?: (client: Client, server: ScriptedServer) => Promise<unknown>;
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

export function answerTo(asked: Asked, text = 'right'): object {
	return resultOf(asked, { content: [{ type: 'text', text }] });
}

/** A good server, with the first tool called as a fault says. */
function script({ call: faulty, always, any, isModern, version }: Partial<HttpFault>, other: () => ScriptedServer) {
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
		} else if (isModern && behaveModern(asked, response)) {
			return;
		} else {
			behave(asked, response, version);
		}
	};
}

/** @returns whether it is something of the modern era */
function behaveModern(asked: Asked, response: ServerResponse): boolean {
	switch (asked.message.method) {
		case 'server/discover':
			json(
				response,
				resultOf(asked, discovery({ tools: { listChanged: true }, extensions: { [tasksExtension]: {} } })),
			);
			return true;
		case 'subscriptions/listen':
			sse(response);
			response.write(event(ofSubscription(asked.message.id, 'subscriptions/acknowledged', { notifications: {} })));
			return true;
		default:
			return false;
	}
}

/** A notification of a stream of the modern era. */
export function ofSubscription(id: unknown, method: string, params: object = {}): object {
	const _meta = { 'io.modelcontextprotocol/subscriptionId': id };
	return { jsonrpc: '2.0', method: `notifications/${method}`, params: { ...params, _meta } };
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

/** A good server, for faults that lead to another. */
export function serveGood(): Promise<ScriptedServer> {
	return ScriptedServer.start((asked, response) => behave(asked, response));
}

/** One test for each of them, and one of all at once. */
export function defineHttpFaults(title: string, faults: readonly HttpFault[]): void {
	describe(title, function () {
		this.timeout(30_000);
		const { own } = leakCheck();
		let fetch: ReturnType<typeof createHttpFetch>;

		/** The same client for all of them. */
		function connectTo(server: ScriptedServer, row: Partial<HttpFault>, log = new TestLogger()): Client {
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
			rows: readonly Partial<HttpFault>[],
			run: (servers: readonly ScriptedServer[], other: ScriptedServer) => Promise<void>,
		): Promise<void> {
			const after = await Aftermath.begin();
			const other = await serveGood();
			const servers = await Promise.all(rows.map(it => ScriptedServer.start(script(it, () => other))));
			fetch = createHttpFetch();
			await run(servers, other);
			// Connections that wait for their next use do not keep Node alive. Anything else would.
			await after.check();
			fetch.dispose();
			await Promise.all([...servers, other].map(it => it.close()));
		}

		for (const row of faults) {
			const { name, isSilent, connecting, asked, again = right, withinMs = 10_000, look } = row;
			const ask = row.ask ?? ((it: Client) => call(it, undefined, isSilent && callTimeoutMs));
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
						assert.deepEqual(await outcomeWithin(ask(client, server), withinMs), asked);
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
			// Large faults have only their own rows, because they block this process, in which the servers also run.
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
						const row: Partial<HttpFault> = light[index] ?? {};
						const it = connectTo(server, row);
						const connected = await outcomeOf(it.connect(new AbortController().signal));
						const { connecting, asked } = row;
						const outcome = connecting
							? connected
							: await outcomeOf(
									(row.ask ?? (client => call(client, undefined, row.isSilent && callTimeoutMs)))(it, server),
								);
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
}
