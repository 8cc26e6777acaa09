// Runs servers that do what they must not, one fault each, as real processes under a whole client.
import * as assert from 'node:assert/strict';
import { Client, type ClientOptions, type Transport } from '../../../src/mcp/index.js';
import { Server } from '../../../src/core/servers/server.js';
import { type StdioOptions, StdioTransport } from '../../../src/node/process/stdioTransport.js';
import { fixtureLaunch } from '../fixtureServer.js';
import { leakCheck } from '../leakCheck.js';
import { definition, ModelFixture } from '../modelFixture.js';
import { SentCheck } from '../sentCheck.js';
import { TestLogger } from '../testLogger.js';
import { eventually } from '../waiting.js';
import { Aftermath } from './aftermath.js';
import { call, callTimeoutMs, right } from './expected.js';
import { type Outcome, outcomeWithin } from './outcome.js';

export interface StdioFault {
	readonly name: string;
	/** A file of test/fixtures/servers, and its arguments. */
	readonly server: readonly [file: string, ...args: string[]];
	/** `probeMs` is `callTimeoutMs` for what says nothing to the probe. */
	readonly options?: Partial<ClientOptions>;
	/** The first call waits no longer than `callTimeoutMs`. */
	readonly isSilent?: true;
	readonly transport?: Partial<StdioOptions>;
	readonly ask?: (client: Client) => Promise<unknown>;
	/** What comes of connecting, unless that goes well. */
	readonly connecting?: Outcome;
	/** What comes of asking, which is a call unless `ask` says otherwise. */
	readonly asked?: Outcome;
	/** What comes of a second call. */
	readonly again?: Outcome;
	/** Milliseconds in which each of them must have come, far beyond what they take. */
	readonly withinMs?: number;
	/** Looks at anything else. */
	readonly look?: (seen: {
		readonly log: TestLogger;
		readonly logged: number;
		readonly noise: readonly string[];
	}) => void;
}

/** One test for each of them, and one of all at once. */
export function defineStdioFaults(title: string, faults: readonly StdioFault[]): void {
	describe(title, function () {
		this.timeout(30_000);
		const cleanup = leakCheck();
		const { own } = cleanup;
		let after: Aftermath;

		function open([file, ...args]: StdioFault['server'], options: Partial<StdioOptions> = {}): StdioTransport {
			const launch = fixtureLaunch(file);
			const transport = new StdioTransport(
				{ ...launch, args: [...launch.args, ...args] },
				{ graceMs: 2000, onStderr: () => undefined, ...options },
			);
			const start = transport.start.bind(transport);
			transport.start = async () => {
				await start();
				after.pids.push(transport.pid ?? 0);
			};
			return transport;
		}

		/** The same client for all of them. */
		function connectTo(transport: () => Transport, log: TestLogger, options: StdioFault['options'] = {}): Client {
			const clientInfo = { name: 'test', version: '1' };
			const client = own(new Client({ clientInfo, open: transport, timeoutMs: 20_000, log, ...options }));
			own(client.onDidTransfer(new SentCheck().follow));
			return client;
		}

		for (const {
			name,
			server,
			options,
			isSilent,
			transport,
			ask,
			connecting,
			asked,
			again = right,
			withinMs = 10_000,
			look,
		} of faults) {
			it(name, async () => {
				after = await Aftermath.begin();
				const log = new TestLogger();
				const client = connectTo(() => open(server, transport), log, options);
				const noise: string[] = [];
				let logged = 0;
				own(client.onDidReceiveNoise(({ text }) => noise.push(text)));
				own(client.onDidLog(() => logged++));
				const { signal } = after.controller;
				const connected = await outcomeWithin(client.connect(signal), withinMs);
				if (connecting) {
					assert.deepEqual(connected, connecting);
				} else {
					assert.ok('value' in connected, JSON.stringify(connected));
					assert.deepEqual(
						await outcomeWithin((ask ?? (it => call(it, signal, isSilent && callTimeoutMs)))(client), withinMs),
						asked,
					);
					if (!ask) {
						assert.deepEqual(await outcomeWithin(call(client, signal), withinMs), again, 'the call after it');
					}
				}
				await client.close();
				client.dispose();
				look?.({ log, logged, noise });
				const nextOne = connectTo(() => open(['faults', 'none']), new TestLogger());
				await nextOne.connect(signal);
				assert.equal(await call(nextOne, signal), 'right', 'the next server works');
				await nextOne.close();
				nextOne.dispose();
				await after.check();
			});
		}

		it('all at once, beside a good one that answers throughout', async () => {
			after = await Aftermath.begin();
			const fixture = new ModelFixture(cleanup);
			fixture.open = launch => open([launch.command, ...launch.args]);
			fixture.requestTimeout = 20;
			const { deps } = fixture;
			const create = (command: string, args: readonly string[]): Server =>
				own(new Server(definition(command, { command, args }), deps));
			const good = create('good', []);
			await good.start();
			const over = new AbortController();
			const answers: unknown[] = [];
			const talk = async (): Promise<void> => {
				while (!over.signal.aborted) {
					answers.push(await good.client?.callTool('echo', {}));
				}
			};
			const talking = talk();
			// What a server alone does is in the rows above; silence is stopped while it starts.
			const bad = faults.map(({ server: [command, ...args], connecting, options }) => ({
				server: create(command, args),
				connecting,
				isSilent: options?.probeMs === callTimeoutMs,
			}));
			const starting = bad.map(it => it.server.start());
			const isWaiting = (it: (typeof bad)[number]): boolean =>
				it.isSilent ||
				(it.connecting !== undefined && 'failure' in it.connecting && it.connecting.failure.code === 'timeout');
			await Promise.all(starting.filter((_, index) => !bad.slice(index, index + 1).some(isWaiting)));
			// Those that wait may have ended or not.
			const ended = bad.filter(it => !isWaiting(it));
			assert.deepEqual(
				ended.map(it => it.server.state.kind),
				ended.map(it => (it.connecting ? 'failed' : 'running')),
			);
			const calls = bad.flatMap(({ server: { client } }) =>
				client ? [call(client, undefined, callTimeoutMs).catch(String)] : [],
			);
			const before = answers.length;
			await eventually(() => answers.length > before + 20, 'the good one answers');
			await Promise.all(bad.map(it => it.server.stop()));
			await Promise.all([...calls, ...starting]);
			over.abort();
			await talking;
			await good.stop();
			assert.ok(answers.every(it => JSON.stringify(it) === JSON.stringify(answers[0])));
			for (const it of [...bad, { server: good }]) {
				it.server.dispose();
			}
			await after.check();
		});
	});
}
