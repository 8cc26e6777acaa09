import * as assert from 'node:assert/strict';
import { clock } from '../../../../src/base/clock.js';
import { Client } from '../../../../src/mcp/client/client.js';
import { type Deferred, deferred } from '../../../../src/base/async.js';
import { KeepAlive } from '../../../../src/mcp/client/keepAlive.js';
import { AbortError } from '../../../../src/base/errors.js';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery, handshake, type Method, MemoryTransport } from '../../../support/memoryTransport.js';
import { TestLogger } from '../../../support/testLogger.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

const timeout = new McpError({ code: 'timeout', method: 'ping', ms: 100 });

// covers: ping.periodic ping.failuresLogged ping.gone
describe('keepAlive', () => {
	const { own } = leakCheck();
	beforeEach(() => stopTime());
	afterEach(() => releaseTime());

	async function pass(ms: number): Promise<void> {
		passTime(ms);
		await settled();
	}

	/** Pings every 100 ms with these outcomes. Returns what happened. */
	async function play(outcomes: readonly (Error | undefined)[], rounds: number): Promise<unknown[]> {
		const happened: unknown[] = [];
		const log = new TestLogger();
		let turn = 0;
		own(
			new KeepAlive({
				intervalMs: 100,
				ping: ms => {
					happened.push(ms);
					const outcome = outcomes[Math.min(turn++, outcomes.length - 1)];
					return outcome ? Promise.reject(outcome) : Promise.resolve();
				},
				isBusy: () => false,
				onGone: () => happened.push('gone'),
				log,
			}),
		);
		for (let round = 0; round < rounds; round++) {
			await pass(100);
		}
		return [...happened, ...log.lines];
	}

	it('pings in intervals, one at a time', async () => {
		assert.deepEqual(await play([undefined], 3), [100, 100, 100]);
		let count = 0;
		own(
			new KeepAlive({
				intervalMs: 100,
				ping: () => new Promise(() => count++),
				isBusy: () => false,
				onGone: assert.fail,
				log: new TestLogger(),
			}),
		);
		await pass(100);
		await pass(1000);
		assert.equal(count, 1);
	});

	it('a server that demands authorization counts as alive', async () => {
		const failure = { code: 'noClient', issuer: 'http://a' } as const;
		const refused = new McpError({ code: 'authorization', failure });
		assert.deepEqual(await play([refused], 5), [100, 100, 100, 100, 100]);
	});

	it('a server is gone after three unanswered pings in a row', async () => {
		const failed = (n: number): string => `warn: Ping ${n} of 3 failed: No answer to ping within 100 ms.`;
		assert.deepEqual(await play([timeout], 10), [100, 100, 100, 'gone', failed(1), failed(2), failed(3)]);
		assert.deepEqual(await play([timeout, timeout, undefined, timeout, timeout, undefined], 6), [
			...Array.from({ length: 6 }, () => 100),
			failed(1),
			failed(2),
			failed(1),
			failed(2),
		]);
	});

	it('an error is an answer', async () => {
		assert.deepEqual(await play([new RpcError(-32601, 'no')], 5), [100, 100, 100, 100, 100]);
	});

	it('does nothing after it was disposed', async () => {
		assert.deepEqual(await play([new McpError({ code: 'closed' })], 5), [100]);
		assert.deepEqual(await play([new AbortError()], 5), [100]);
	});

	it('never pings without an interval, nor after it was disposed', async () => {
		let count = 0;
		const ping = (): Promise<void> => {
			count++;
			return Promise.resolve();
		};
		own(new KeepAlive({ intervalMs: 0, ping, isBusy: () => false, onGone: assert.fail, log: new TestLogger() }));
		const stopped = new KeepAlive({
			intervalMs: 100,
			ping,
			isBusy: () => false,
			onGone: assert.fail,
			log: new TestLogger(),
		});
		await pass(100);
		stopped.dispose();
		await pass(1000);
		assert.equal(count, 1);
	});

	it('a ping under way when it is disposed starts no other', async () => {
		let answer = (): void => undefined;
		let count = 0;
		const pinging = new KeepAlive({
			intervalMs: 100,
			ping: () =>
				new Promise<void>(resolve => {
					count++;
					answer = resolve;
				}),
			isBusy: () => false,
			onGone: assert.fail,
			log: new TestLogger(),
		});
		await pass(100);
		pinging.dispose();
		answer();
		await pass(1000);
		assert.equal(count, 1);
	});

	it('checkAlive: a busy server may be silent, and another server for some seconds', async () => {
		const happened: unknown[] = [];
		let isBusy = true;
		const it = own(
			new KeepAlive({
				intervalMs: 0,
				ping: ms =>
					new Promise((_, reject) => {
						clock.setTimeout(() => reject(timeout), ms);
					}),
				isBusy: () => isBusy,
				onGone: () => happened.push('gone'),
				onAlive: () => happened.push('alive'),
				log: new TestLogger(),
			}),
		);
		it.checkAlive();
		for (let seconds = 0; seconds < 100; seconds++) {
			await pass(1000);
		}
		assert.deepEqual(happened, []);
		isBusy = false;
		for (let seconds = 0; seconds < 18; seconds++) {
			await pass(1000);
		}
		assert.deepEqual(happened, ['gone']);
	});

	it('checkAlive ignores answers and failures of earlier pings', async () => {
		const pings: Deferred<void>[] = [];
		const happened: unknown[] = [];
		const it = own(
			new KeepAlive({
				intervalMs: 100,
				ping: () => {
					const answer = deferred<void>();
					pings.push(answer);
					return answer.promise;
				},
				isBusy: () => false,
				onGone: () => happened.push('gone'),
				onAlive: () => happened.push('alive'),
				log: new TestLogger(),
			}),
		);
		await pass(100);
		it.checkAlive();
		pings[0]?.resolve();
		await pass(0);
		it.checkAlive();
		pings[1]?.reject(timeout);
		await pass(0);
		assert.deepEqual([pings.length, happened], [3, []]);
		pings[2]?.resolve();
		await pass(0);
		assert.deepEqual(happened, ['alive']);
		it.checkAlive();
		it.dispose();
		pings[3]?.reject(timeout);
		await pass(20_000);
		assert.deepEqual([pings.length, happened], [4, ['alive']]);
	});

	describe('of a client', () => {
		async function connect(methods: Readonly<Record<string, Method>>, pingMs = 100) {
			const transport = new MemoryTransport({ methods });
			const log = new TestLogger();
			const client = own(
				new Client({ open: () => transport, clientInfo: { name: 'test', version: '1' }, timeoutMs: 0, pingMs, log }),
			);
			const ends: unknown[] = [];
			own(client.onDidEnd(it => ends.push(it)));
			await client.connect(new AbortController().signal);
			transport.transcript.length = 0;
			return { client, transport, ends, log };
		}

		it('pings a legacy server', async () => {
			const { transport } = await connect({ initialize: () => handshake() });
			await pass(100);
			await pass(100);
			assert.deepEqual(transport.transcript, ['> ping#3', '< #3 {}', '> ping#4', '< #4 {}']);
		});

		// covers: modern.noPing
		it('never a modern one', async () => {
			const { transport } = await connect({ 'server/discover': () => discovery() });
			await pass(100);
			await pass(1000);
			assert.deepEqual(transport.transcript, []);
		});

		/** A client whose connections reach these servers, one after another. */
		async function connectTo(servers: readonly Readonly<Record<string, Method>>[]) {
			const transports = servers.map(methods => new MemoryTransport({ methods, capabilities: every }));
			const remaining = [...transports];
			const log = new TestLogger();
			const client = own(
				new Client({
					open: () => remaining.shift() ?? assert.fail('one link too many'),
					clientInfo: { name: 'test', version: '1' },
					mode: 'legacy',
					timeoutMs: 0,
					pingMs: 100,
					log,
				}),
			);
			const happened: unknown[] = [];
			own(client.onDidEnd(it => happened.push(it)));
			own(client.onDidRenewSession(it => happened.push(it.serverInfo.name)));
			own(client.onDidChangeList(it => happened.push(it)));
			await client.connect(new AbortController().signal);
			return { client, transports, happened, log };
		}
		const every = { resources: { subscribe: true }, logging: {} };
		const silent: Readonly<Record<string, Method>> = { ping: () => undefined, 'logging/setLevel': () => ({}) };

		async function loseAllPings(): Promise<void> {
			for (let round = 0; round < 7; round++) {
				await pass(100);
			}
		}

		// covers: ping.reconnect
		it('a server that no longer answers is connected to again, with its subscriptions and log level', async () => {
			const { client, transports, happened } = await connectTo([silent, { 'logging/setLevel': () => ({}) }]);
			const subscription = client.subscribeResource('a:b');
			await client.setLoggingLevel('error');
			const waiting = client.callTool('slow', {}).catch((error: unknown) => String(error));
			await settled();
			transports[0]?.receive({ jsonrpc: '2.0', id: 4, result: { content: [] } });
			await waiting;
			await loseAllPings();
			const [first, second] = transports;
			assert.deepEqual(happened, ['memory', 'tools', 'resources', 'prompts']);
			assert.deepEqual(first?.calls, ['start', 'close', 'dispose']);
			assert.deepEqual(
				second?.transcript.filter(it => it.startsWith('>') && !it.includes('ping')).map(it => it.replace(/#\d+/, '')),
				[
					'> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}',
					'> notifications/initialized',
					'> resources/subscribe {"uri":"a:b"}',
					'> logging/setLevel {"level":"error"}',
				],
			);
			subscription.dispose();
			await settled();
			assert.match(second?.transcript.at(-2) ?? '', /resources\/unsubscribe/, 'the wish of before is still ours');
		});

		it('requests wait for the new link; those that were asked of the old one fail', async () => {
			const answer = deferred<JsonObject>();
			const { client, transports } = await connectTo([silent, { initialize: () => answer.promise }]);
			await loseAllPings();
			const listed = client.listTools();
			await settled();
			assert.equal(transports[1]?.transcript.length, 1);
			answer.resolve(handshake());
			await assert.rejects(listed, { code: -32601 }, 'the new server was asked');
		});

		it('closing ends the attempt to connect again', async () => {
			const { client, happened, transports } = await connectTo([silent, { initialize: () => undefined }]);
			await loseAllPings();
			await client.close();
			await settled();
			assert.deepEqual(transports[1]?.calls, ['start', 'close', 'dispose']);
			assert.deepEqual(happened, [{ expected: true }]);
		});

		it('one that does not come back has ended, and that is not what we wanted', async () => {
			const { happened, transports, client, log } = await connectTo([
				silent,
				{ initialize: () => Promise.reject(new RpcError(-32000, 'no')) },
			]);
			await loseAllPings();
			assert.deepEqual(
				[happened, transports.map(it => it.calls)],
				[[{ expected: false }], Array.from({ length: 2 }, () => ['start', 'close', 'dispose'])],
			);
			assert.match(log.lines.join('\n'), /info: The server does not come back: no/);
			await assert.rejects(client.listTools(), { failure: { code: 'closed' } });
		});

		it('a server at work may be silent', async () => {
			const { client, happened } = await connectTo([{ ...silent, 'tools/call': () => undefined }]);
			const calling = assert.rejects(client.callTool('slow', {}), { failure: { code: 'closed' } });
			await loseAllPings();
			await pass(1000);
			assert.deepEqual(happened, []);
			await client.close();
			await calling;
		});

		it('a subscription without an answer keeps no server that hangs', async () => {
			const { client, transports, happened } = await connectTo([
				{ ...silent, 'resources/subscribe': () => undefined },
				{},
			]);
			own(client.subscribeResource('a:b'));
			await loseAllPings();
			assert.deepEqual(
				[transports.map(it => it.calls), happened],
				[
					[['start', 'close', 'dispose'], ['start']],
					['memory', 'tools', 'resources', 'prompts'],
				],
			);
		});

		it('is over when the client closes', async () => {
			const { client, transport } = await connect({});
			await client.close();
			await pass(1000);
			assert.deepEqual(transport.transcript, []);
		});
	});
});
