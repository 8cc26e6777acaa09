// Running servers: crashes, missing answers, stop and dispose.
import * as assert from 'node:assert/strict';
import { clock } from '../../../../src/base/clock.js';
import { McpError } from '../../../../src/mcp/index.js';
import { findErrorLine } from '../../../../src/core/diagnosis/stderrPatterns.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { ServerEndedError } from '../../../../src/core/servers/serverState.js';
import { StdioTransport } from '../../../../src/node/process/stdioTransport.js';
import { fixtureLaunch } from '../../../support/fixtureServer.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { handshake } from '../../../support/memoryTransport.js';
import { untilState } from '../../../support/modelFixture.js';
import { eventually, isAlive, next, settled, until } from '../../../support/waiting.js';
import { serverBench } from '../../../support/serverBench.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('Server', () => {
	const cleanup = leakCheck();
	const bench = serverBench(cleanup);
	const { create } = bench;

	it('one that does not answer any more is connected to again, and what it is now is shown', async () => {
		bench.fixture.pingMs = 5;
		bench.fixture.server = { methods: { ping: () => undefined } };
		const { server, states } = create();
		await server.start();
		bench.fixture.server = { methods: { initialize: () => handshake({}, '2025-06-18') } };
		await until(
			server.onDidChange,
			() => server.state.kind === 'running' && server.state.session.protocolVersion === '2025-06-18',
		);
		assert.deepEqual(states, ['stopped', 'starting', 'running']);
		assert.match(bench.fixture.log.lines.join('\n'), /warn: Ping 3 of 3 failed.*\n.*info: Connected again/s);
		await server.stop();
	});

	describe('crashes while it runs', () => {
		beforeEach(() => stopTime());
		afterEach(() => releaseTime());

		/** Advances the time and runs due timers. */
		async function pass(ms: number): Promise<void> {
			passTime(ms);
			await settled();
		}

		// covers: stdio.restart
		it('and says how, and is started again after a moment', async () => {
			const { server, states } = create();
			await server.start();
			const call = server.client?.callTool('x', {});
			bench.fixture.transport.end({ expected: false, signal: 'SIGSEGV' });
			await assert.rejects(call ?? Promise.resolve(), { failure: { code: 'closed' } });
			assert.deepEqual(server.state, {
				kind: 'reconnecting',
				failure: { kind: 'exited', exitCode: undefined, signal: 'SIGSEGV' },
				stderr: [],
				retryAt: 1000,
			});
			assert.deepEqual([server.client, server.catalog], [undefined, undefined]);
			await pass(999);
			assert.equal(server.state.kind, 'reconnecting');
			await pass(1);
			assert.equal(server.state.kind, 'running');
			assert.deepEqual(states, ['stopped', 'starting', 'running', 'reconnecting', 'starting', 'running']);
			assert.ok(bench.fixture.log.lines.includes('error: Ended unexpectedly: SIGSEGV.'));
			assert.ok(bench.fixture.log.lines.includes('info: Starting again in 1 s.'));
		});

		it('again and again: later and later, and then no more, which it says', async () => {
			const { server } = create();
			await server.start();
			const waits: unknown[] = [];
			for (let times = 0; times < 6; times++) {
				bench.fixture.transport.end({ expected: false, exitCode: 1 });
				await settled();
				waits.push(server.state.kind === 'reconnecting' ? server.state.retryAt - clock.now() : server.state);
				await pass(16_000);
			}
			const failure = { kind: 'exited', exitCode: 1, signal: undefined };
			assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, { kind: 'failed', failure, stderr: [], times: 6 }]);
			assert.ok(
				bench.fixture.log.lines.includes('error: It ended 6 times within a short time, and is not started again.'),
			);
			await server.start();
			assert.equal(server.state.kind, 'running', 'a person may try');
			bench.fixture.transport.end({ expected: false, exitCode: 1 });
			assert.equal(server.state.kind, 'reconnecting', 'which begins anew');
		});

		it('does not come back: tried again for what may pass, not for what may not', async () => {
			const { server } = create();
			await server.start();
			bench.fixture.server = { onStart: () => Promise.reject(new McpError({ code: 'timeout', method: 'x', ms: 1 })) };
			bench.fixture.transport.end({ expected: false, exitCode: 1 });
			await pass(1000);
			assert.deepEqual(server.state.kind === 'reconnecting' && server.state.retryAt - clock.now(), 2000);
			const failure = { code: 'spawn', command: 'test', errno: 'ENOENT' } as const;
			bench.fixture.server = { onStart: () => Promise.reject(new McpError(failure)) };
			await pass(2000);
			assert.deepEqual(server.state, {
				kind: 'failed',
				failure: { kind: 'protocol', failure },
				stderr: [],
			});
		});

		it('while it waits: stop is the end of it, start is now, dispose leaves nothing', async () => {
			const { server } = create();
			await server.start();
			bench.fixture.transport.end({ expected: false, exitCode: 1 });
			await server.stop();
			assert.equal(server.state.kind, 'stopped');
			await pass(60_000);
			assert.equal(bench.fixture.transports.length, 1);
			await server.start();
			bench.fixture.transport.end({ expected: false, exitCode: 1 });
			assert.equal((await server.start()).kind, 'running');
			await pass(60_000);
			assert.equal(bench.fixture.transports.length, 3);
			bench.fixture.transport.end({ expected: false, exitCode: 1 });
			server.dispose();
			await pass(60_000);
			assert.equal(bench.fixture.transports.length, 3);
		});

		it('while it is being stopped: that is no crash', async () => {
			bench.fixture.server = { onClose: () => bench.fixture.transport.end({ expected: false, exitCode: 1 }) };
			const { server, states } = create();
			await server.start();
			await server.stop();
			assert.deepEqual(states, ['stopped', 'starting', 'running', 'stopping', 'stopped']);
		});
	});

	describe('disposed', () => {
		it('while it runs: ends at once', async () => {
			const { server } = create();
			await server.start();
			server.dispose();
			server.dispose();
			assert.deepEqual(bench.fixture.transport.calls, ['start', 'dispose']);
		});

		for (const [name, phase] of Object.entries({
			'before the process is there': () => ({ onStart: () => new Promise<void>(resolve => setImmediate(resolve)) }),
			'during the handshake': () => ({ methods: { initialize: () => undefined } }),
			'while it says that it is ready': () => ({ onSend: () => new Promise<void>(resolve => setImmediate(resolve)) }),
		})) {
			it(`while it starts, ${name}: ends, and start still resolves`, async () => {
				bench.fixture.server = phase();
				const { server } = create();
				const starting = server.start();
				await bench.fixture.opened();
				server.dispose();
				await starting;
				assert.ok(bench.fixture.transport.calls.includes('dispose'));
			});
		}

		it('cannot be started any more', async () => {
			const { server } = create();
			server.dispose();
			await server.start();
			assert.equal(bench.fixture.transports.length, 0);
		});
	});

	describe('as a real process', function () {
		this.timeout(20_000);
		let pids: number[];
		beforeEach(() => {
			pids = [];
			bench.fixture.open = (launch, onStderr) => {
				const transport = new StdioTransport(fixtureLaunch(launch.command), { graceMs: 2000, onStderr });
				const start = transport.start.bind(transport);
				transport.start = async () => {
					await start();
					pids.push(transport.pid ?? 0);
				};
				return transport;
			};
		});

		function real(command: string): Server {
			const { server } = create({ command });
			cleanup.later(async () => {
				server.dispose();
				await eventually(() => !pids.some(isAlive), 'the processes are gone');
			});
			return server;
		}

		it('lists, calls, stops, and leaves nothing', async () => {
			const server = real('good');
			const loaded = next(server.onDidChange, () => server.catalog?.tools.kind === 'loaded');
			await server.start();
			await loaded;
			const result = await server.client?.callTool('echo', { a: 'ä' });
			await server.stop();
			assert.deepEqual(result, { content: [{ type: 'text', text: '{"a":"ä"}' }], isError: false });
			assert.deepEqual(pids.map(isAlive), [false]);
		});

		for (const [command, exitCode, words] of [
			['crashAtStart', 3, { stderr: ['no configuration found', 'second line'] }],
			['crashMidMessage', 4, { stderr: [], noise: ['{"jsonrpc":"2.0","id":1,"resu'] }],
			['exitInHandshake', 5, { stderr: [] }],
		] as const) {
			it(`${command}: says how it ended, with its last words`, async () => {
				const server = real(command);
				const failure = { kind: 'exited', exitCode, signal: undefined };
				assert.deepEqual(await server.start(), { kind: 'failed', failure, ...words });
			});
		}

		it('crashes in a call: says how it ended, with what it wrote since its last message', async () => {
			const server = real('crashInCall');
			const loaded = next(server.onDidChange, () => server.catalog?.tools.kind === 'loaded');
			await server.start();
			await loaded;
			const error: unknown = await server.client?.callTool('boom', {}).catch((it: unknown) => it);
			const explained = server.explain(error);
			assert.ok(explained instanceof ServerEndedError);
			assert.deepEqual(explained.failure, { kind: 'exited', exitCode: 1, signal: undefined });
			assert.equal(findErrorLine(explained.stderr), 'TypeError: It is Tuesday');
			assert.match(explained.logLine, /^Ended unexpectedly: exit code 1\. Process \d+\.$/);
			assert.ok(bench.fixture.log.lines.includes(`error: ${explained.logLine}`));
			assert.ok(!explained.stderr.some(it => it.includes('API_KEY')));
			assert.equal(server.state.kind, 'reconnecting');
			assert.equal('noise' in server.state, false);
			assert.equal(server.explain(new Error('another')) instanceof ServerEndedError, false);
			await server.stop();
		});

		it('exitAfterHandshake: never seems to run for ever', async () => {
			const server = real('exitAfterHandshake');
			await server.start();
			await untilState(server, 'failed');
			assert.deepEqual(server.state, {
				kind: 'failed',
				failure: { kind: 'exited', exitCode: 6, signal: undefined },
				stderr: [],
			});
		});

		it('is stopped while it starts, at every moment, and leaves nothing', async () => {
			for (let turns = 0; turns < 6; turns++) {
				const server = real(turns % 2 === 0 ? 'silent' : 'good');
				const starting = server.start();
				for (let turn = 0; turn < turns; turn++) {
					await settled();
				}
				await server.stop();
				assert.deepEqual(
					pids.map(isAlive),
					pids.map(() => false),
					`after ${turns} turns`,
				);
				// It may have been running already.
				await starting;
				assert.deepEqual(server.state, { kind: 'stopped' });
			}
		});

		it('crashes while it runs, and is started again', async () => {
			const server = real('good');
			await server.start();
			process.kill(pids[0] ?? 0, 'SIGKILL');
			await untilState(server, 'reconnecting');
			await untilState(server, 'running');
			await server.stop();
			assert.deepEqual(pids.map(isAlive), [false, false]);
		});
	});
});
