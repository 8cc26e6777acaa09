import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { deferred } from '../../../src/base/async.js';
import { AbortError } from '../../../src/base/errors.js';
import { McpError, RpcError } from '../../../src/mcp/index.js';
import { Server } from '../../../src/model/server.js';
import { EnvFileError } from '../../../src/model/envFile.js';
import { InputCommandError, InputNeededError } from '../../../src/model/resolvedServer.js';
import { NotRunningError } from '../../../src/model/serverState.js';
import { UnresolvedVariableError } from '../../../src/model/variables.js';
import { StdioTransport } from '../../../src/node/stdioTransport.js';
import { fixtureLaunch } from '../../support/fixtureServer.js';
import { leakCheck } from '../../support/leakCheck.js';
import { releaseTime, stopTime } from '../../support/mockTime.js';
import { discovery, handshake } from '../../support/memoryTransport.js';
import { definition, ModelFixture, statesOf, untilState } from '../../support/modelFixture.js';
import { eventually, isAlive, next, settled, until } from '../../support/waiting.js';

describe('Server', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	let fixture: ModelFixture;
	beforeEach(() => (fixture = new ModelFixture(cleanup)));

	function create(launch: Parameters<typeof definition>[1] = {}): { server: Server; states: string[] } {
		const server = own(new Server(definition('test', launch), fixture.deps));
		return { server, states: statesOf(server, cleanup) };
	}

	/** Methods that were sent, in order. */
	function sent(): string[] {
		return fixture.transport.transcript.filter(it => it.startsWith('> ')).map(it => it.slice(2));
	}

	it('starts, runs and stops', async () => {
		const { server, states } = create();
		assert.equal(server.client, undefined);
		const before = Date.now();
		const state = await server.start();
		assert.ok(state.kind === 'running' && state.since >= before && state.since <= Date.now());
		assert.deepEqual(state, {
			kind: 'running',
			session: {
				era: 'legacy',
				eraReason: { code: 'error', error: -32601 },
				protocolVersion: '2025-11-25',
				capabilities: {},
				serverInfo: { name: 'memory', version: '1.0.0' },
				instructions: undefined,
			},
			since: state.since,
		});
		assert.ok(server.client && server.catalog);
		assert.equal(await server.start(), state, 'starting what runs does nothing');
		await server.stop();
		await server.stop();
		assert.deepEqual([server.state, server.client, server.catalog], [{ kind: 'stopped' }, undefined, undefined]);
		assert.deepEqual(states, ['stopped', 'starting', 'running', 'stopping', 'stopped']);
		assert.deepEqual(fixture.transport.calls, ['start', 'close', 'dispose']);
		assert.deepEqual(fixture.log.lines, [
			'info: Starting: test ',
			'debug: Probe: {"kind":"legacy","reason":{"code":"error","error":-32601}}',
			'info: Running: memory 1.0.0, protocol revision 2025-11-25.',
			'info: Stopped.',
		]);
	});

	it('one that does not answer any more is connected to again, and what it is now is shown', async () => {
		fixture.pingMs = 5;
		fixture.server = { methods: { ping: () => undefined } };
		const { server, states } = create();
		await server.start();
		fixture.server = { methods: { initialize: () => handshake({}, '2025-06-18') } };
		await until(
			server.onDidChange,
			() => server.state.kind === 'running' && server.state.session.protocolVersion === '2025-06-18',
		);
		assert.deepEqual(states, ['stopped', 'starting', 'running']);
		assert.match(fixture.log.lines.join('\n'), /warn: Ping 3 of 3 failed.*\n.*info: Connected again/s);
		await server.stop();
	});

	it('runs again, in a session of its own', async () => {
		const { server, states } = create();
		await server.start();
		const { client, catalog } = server;
		await server.stop();
		await server.start();
		assert.ok(server.client !== client && server.catalog !== catalog);
		assert.equal(fixture.transports.length, 2);
		assert.deepEqual(states, ['stopped', 'starting', 'running', 'stopping', 'stopped', 'starting', 'running']);
	});

	// covers: stdio.relisten
	it('listens again when it runs again, after a stop and after a crash', async () => {
		const capabilities = { tools: { listChanged: true } };
		fixture.server = {
			methods: {
				'server/discover': () => discovery(capabilities),
				'subscriptions/listen': () => undefined,
				'tools/list': () => ({ tools: [] }),
			},
		};
		const { server } = create();
		const listens = (): string[] => sent().filter(it => it.startsWith('subscriptions/listen'));
		for (const end of [
			() => server.stop(),
			async () => fixture.transport.end({ expected: false, exitCode: 1 }),
			() => server.stop(),
		]) {
			await server.start();
			await eventually(() => listens().length > 0, 'listen');
			assert.deepEqual(
				listens().map(it => it.replace(/#\d+|,"_meta".*\}(?=\})/g, '')),
				['subscriptions/listen {"notifications":{"toolsListChanged":true}}'],
			);
			await end();
		}
		assert.equal(fixture.transports.length, 3);
	});

	it('makes a log only when there is something to say', () => {
		create();
		assert.equal(fixture.logs.length, 0);
	});

	describe('at the same time', () => {
		it('starting twice starts once', async () => {
			const { server } = create();
			const states = await Promise.all([server.start(), server.start()]);
			assert.deepEqual(
				states.map(it => it.kind),
				['running', 'running'],
			);
			assert.equal(fixture.transports.length, 1);
		});

		it('stopping twice stops once', async () => {
			const { server, states } = create();
			await server.start();
			await Promise.all([server.stop(), server.stop()]);
			assert.deepEqual(states, ['stopped', 'starting', 'running', 'stopping', 'stopped']);
			assert.deepEqual(fixture.transport.calls, ['start', 'close', 'dispose']);
		});

		it('starting while it stops waits for the end, then starts', async () => {
			const { server, states } = create();
			await server.start();
			const gate = deferred<void>();
			fixture.server = { onClose: () => gate.promise };
			await server.stop();
			await server.start();
			const stopping = server.stop();
			const starting = server.start();
			await settled();
			assert.equal(server.state.kind, 'stopping');
			gate.resolve();
			await Promise.all([stopping, starting]);
			assert.deepEqual(states.slice(-4), ['stopping', 'stopped', 'starting', 'running']);
		});

		it('stopping and starting in one breath ends in what was asked last', async () => {
			const { server } = create();
			await server.start();
			const { start, stop } = { start: () => server.start(), stop: () => server.stop() };
			const ends: string[] = [];
			for (const calls of [
				[stop, start, stop, start],
				[stop, start, stop],
				[start, stop],
				[start, stop, start],
			]) {
				await Promise.all(calls.map(call => call()));
				ends.push(server.state.kind);
			}
			assert.deepEqual(ends, ['running', 'stopped', 'stopped', 'running']);
			assert.equal(fixture.transports.filter(it => !it.calls.includes('dispose')).length, 1);
		});
	});

	describe('stopped while it starts', () => {
		const phases = {
			'before the process is there': () => ({ onStart: () => new Promise<void>(resolve => setImmediate(resolve)) }),
			'during the handshake': () => ({ methods: { initialize: () => undefined } }),
			'while it says that it is ready': () => ({ onSend: () => new Promise<void>(resolve => setImmediate(resolve)) }),
		};
		for (const [name, phase] of Object.entries(phases)) {
			it(name, async () => {
				fixture.server = phase();
				const { server, states } = create();
				const starting = server.start();
				await fixture.opened();
				await server.stop();
				assert.deepEqual(await starting, { kind: 'stopped' });
				assert.deepEqual(states, ['stopped', 'starting', 'stopping', 'stopped']);
				assert.deepEqual(fixture.transport.calls.at(-1), 'dispose');
				assert.ok(!sent().includes('notifications/cancelled'));
				fixture.server = {};
				assert.equal((await server.start()).kind, 'running');
			});
		}

		it('is not reported as a failure', async () => {
			fixture.server = {
				onStart: async () => {
					await new Promise(resolve => {
						setImmediate(resolve);
					});
					throw new McpError({ code: 'spawn', command: 'x', errno: 'ENOENT' });
				},
			};
			const { server, states } = create();
			const starting = server.start();
			await fixture.opened();
			await server.stop();
			await starting;
			assert.deepEqual(states, ['stopped', 'starting', 'stopping', 'stopped']);
		});
	});

	describe('fails to start', () => {
		it('and says why', async () => {
			const failures = [];
			for (const error of [
				new McpError({ code: 'spawn', command: 'x', errno: 'ENOENT' }),
				new McpError({ code: 'noFolder', path: '/x' }),
				new UnresolvedVariableError('input:key'),
				new Error('other'),
			]) {
				fixture.open = () => {
					throw error;
				};
				const { server } = create();
				failures.push(await server.start());
			}
			fixture.open = undefined;
			for (const answer of [
				() => {
					throw new RpcError(-32000, 'not today');
				},
				() => handshake({}, '1999-01-01'),
				() => ({}),
			]) {
				fixture.server = { methods: { initialize: answer } };
				const { server } = create();
				failures.push(await server.start());
				assert.deepEqual(fixture.transport.calls, ['start', 'close', 'dispose']);
			}
			assert.deepEqual(
				failures.map(it => (it.kind === 'failed' ? it.failure : it)),
				[
					{ kind: 'protocol', failure: { code: 'spawn', command: 'x', errno: 'ENOENT' } },
					{ kind: 'protocol', failure: { code: 'noFolder', path: '/x' } },
					{ kind: 'variable', variable: 'input:key' },
					{ kind: 'other', message: 'other' },
					{ kind: 'refused', code: -32000, message: 'not today' },
					{ kind: 'protocol', failure: { code: 'unsupportedVersion', version: '1999-01-01' } },
					{ kind: 'protocol', failure: { code: 'invalidResult', method: 'initialize', why: 'no protocolVersion' } },
				],
			);
		});

		it('and can be started again', async () => {
			fixture.server = { methods: { initialize: () => ({}) } };
			const { server, states } = create();
			await server.start();
			fixture.server = {};
			await server.start();
			assert.deepEqual(states, ['stopped', 'starting', 'failed', 'starting', 'running']);
		});

		it('when it exits during the handshake: the exit is the reason', async () => {
			fixture.server = {
				methods: {
					initialize: () => {
						fixture.transport.end({ expected: false, exitCode: 3 });
						return undefined;
					},
				},
			};
			const { server } = create();
			assert.deepEqual(await server.start(), {
				kind: 'failed',
				failure: { kind: 'exited', exitCode: 3, signal: undefined },
				stderr: [],
			});
		});

		it('when it exits right after the handshake', async () => {
			fixture.server = {
				onSend: (message, transport) => {
					if ('method' in message && message.method === 'notifications/initialized') {
						transport.end({ expected: false, exitCode: 3 });
					}
				},
			};
			const { server, states } = create();
			const state = await server.start();
			assert.deepEqual(state, {
				kind: 'failed',
				failure: { kind: 'exited', exitCode: 3, signal: undefined },
				stderr: [],
			});
			assert.deepEqual(states, ['stopped', 'starting', 'failed']);
			assert.deepEqual([server.client, server.catalog], [undefined, undefined]);
		});

		it('with the last lines that it wrote to stderr', async () => {
			fixture.open = (_launch, onStderr) => {
				for (let line = 1; line <= 30; line++) {
					onStderr(`line ${line}`);
				}
				throw new Error('x');
			};
			const { server } = create();
			const state = await server.start();
			const last = Array.from({ length: 20 }, (_, index) => `line ${index + 11}`);
			assert.deepEqual(state.kind === 'failed' && state.stderr, last);
			assert.equal(fixture.log.lines.filter(it => it.startsWith('stderr: ')).length, 30);
		});

		it('after a flood on stderr: so many lines are kept, so many logged, the rest counted', async () => {
			fixture.limits = { stderrLines: 2, notificationsPerSecond: 10 };
			const text = 'for (let n = 1; n <= 1000; n++) console.error(n); process.exitCode = 3; process.stdin.unref()';
			fixture.open = (_launch, onStderr) =>
				new StdioTransport(
					{ command: process.execPath, args: ['-e', text], cwd: undefined, env: {} },
					{ graceMs: 100, onStderr },
				);
			const { server } = create();
			const state = await server.start();
			assert.deepEqual(state.kind === 'failed' && state.stderr, ['999', '1000']);
			const { lines } = fixture.log;
			// The probe ended it, so it was started again: twice a flood, each within a second.
			const logged = lines.filter(it => it.startsWith('stderr: ')).length;
			const counted = lines.map(it => Number(/Left out (\d+) lines/.exec(it)?.[1] ?? 0)).reduce((a, b) => a + b, 0);
			assert.ok(logged >= 10 && logged <= 30, String(logged));
			assert.equal(counted, 2000 - logged);
		});
	});

	describe('crashes while it runs', () => {
		beforeEach(() => stopTime());
		afterEach(() => releaseTime());

		/** Time passes; what was waiting happens. */
		async function pass(ms: number): Promise<void> {
			mock.timers.tick(ms);
			await settled();
		}

		// covers: stdio.restart
		it('and says how, and is started again after a moment', async () => {
			const { server, states } = create();
			await server.start();
			const call = server.client?.callTool('x', {});
			fixture.transport.end({ expected: false, signal: 'SIGSEGV' });
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
			assert.ok(fixture.log.lines.includes('error: Ended unexpectedly: SIGSEGV.'));
			assert.ok(fixture.log.lines.includes('info: Starting again in 1 s.'));
		});

		it('again and again: later and later, and then no more, which it says', async () => {
			const { server } = create();
			await server.start();
			const waits: unknown[] = [];
			for (let times = 0; times < 6; times++) {
				fixture.transport.end({ expected: false, exitCode: 1 });
				await settled();
				waits.push(server.state.kind === 'reconnecting' ? server.state.retryAt - Date.now() : server.state);
				await pass(16_000);
			}
			const failure = { kind: 'exited', exitCode: 1, signal: undefined };
			assert.deepEqual(waits, [1000, 2000, 4000, 8000, 16_000, { kind: 'failed', failure, stderr: [], times: 6 }]);
			assert.ok(fixture.log.lines.includes('error: It ended 6 times within a short time, and is not started again.'));
			await server.start();
			assert.equal(server.state.kind, 'running', 'a person may try');
			fixture.transport.end({ expected: false, exitCode: 1 });
			assert.equal(server.state.kind, 'reconnecting', 'which begins anew');
		});

		it('does not come back: tried again for what may pass, not for what may not', async () => {
			const { server } = create();
			await server.start();
			fixture.server = { onStart: () => Promise.reject(new McpError({ code: 'timeout', method: 'x', ms: 1 })) };
			fixture.transport.end({ expected: false, exitCode: 1 });
			await pass(1000);
			assert.deepEqual(server.state.kind === 'reconnecting' && server.state.retryAt - Date.now(), 2000);
			const failure = { code: 'spawn', command: 'test', errno: 'ENOENT' } as const;
			fixture.server = { onStart: () => Promise.reject(new McpError(failure)) };
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
			fixture.transport.end({ expected: false, exitCode: 1 });
			await server.stop();
			assert.equal(server.state.kind, 'stopped');
			await pass(60_000);
			assert.equal(fixture.transports.length, 1);
			await server.start();
			fixture.transport.end({ expected: false, exitCode: 1 });
			assert.equal((await server.start()).kind, 'running');
			await pass(60_000);
			assert.equal(fixture.transports.length, 3);
			fixture.transport.end({ expected: false, exitCode: 1 });
			server.dispose();
			await pass(60_000);
			assert.equal(fixture.transports.length, 3);
		});

		it('while it is being stopped: that is no crash', async () => {
			fixture.server = { onClose: () => fixture.transport.end({ expected: false, exitCode: 1 }) };
			const { server, states } = create();
			await server.start();
			await server.stop();
			assert.deepEqual(states, ['stopped', 'starting', 'running', 'stopping', 'stopped']);
		});
	});

	describe('may not start', () => {
		it('in an untrusted workspace, until trust is granted', async () => {
			fixture.trusted = false;
			const { server, states } = create();
			assert.deepEqual(await server.start(), { kind: 'untrusted' });
			fixture.grantTrust();
			assert.deepEqual(server.state, { kind: 'stopped' });
			await server.start();
			fixture.grantTrust();
			assert.deepEqual(states, ['untrusted', 'stopped', 'starting', 'running']);
			assert.equal(fixture.transports.length, 1);
		});
	});

	describe('on first use', () => {
		it('is started, once for all who want it, and gives its client', async () => {
			const { server } = create();
			const [a, b] = await Promise.all([server.use(), server.use()]);
			assert.ok(a === b && a === server.client);
			assert.equal(await server.use(), a);
			assert.equal(fixture.transports.length, 1);
		});

		it('says why it does not run', async () => {
			fixture.trusted = false;
			const { server } = create();
			await assert.rejects(server.use(), (error: unknown) => {
				assert.ok(error instanceof NotRunningError);
				assert.deepEqual(error.state, { kind: 'untrusted' });
				return true;
			});
		});
	});

	it('asks for nothing where nobody is there to answer', async () => {
		const asked: boolean[] = [];
		fixture.consent = async (_, { mayAsk }) => void asked.push(mayAsk);
		fixture.resolve = async ({ mayAsk }) => {
			asked.push(mayAsk);
			throw new InputNeededError('key');
		};
		const { server } = create();
		assert.deepEqual(await server.start(false), { kind: 'waiting', what: 'input' });
		assert.deepEqual(asked, [false, false]);
		await server.start();
		assert.deepEqual(asked, [false, false, true, true]);
	});

	it('speaks the era, and waits as long, as is set for it', async () => {
		fixture.options = { test: { era: 'legacy', requestTimeout: 0.05 } };
		fixture.server = { methods: { initialize: () => new Promise(() => undefined) } };
		const { server } = create();
		const state = await server.start();
		assert.deepEqual(state.kind === 'failed' && state.failure, {
			kind: 'protocol',
			failure: { code: 'timeout', method: 'initialize', ms: 50 },
		});
	});

	describe('what it needs before it starts', () => {
		const secret = 'hunter2!';

		it('is filled in before anything is opened; then nobody sees what is secret', async () => {
			const resolved = { kind: 'stdio', command: secret, args: [], cwd: '/w', env: {}, setsPath: false } as const;
			fixture.resolve = async () => ({ launch: resolved, secrets: [secret] });
			const launches: unknown[] = [];
			fixture.open = (launch, onStderr) => {
				launches.push(launch);
				onStderr(`bad key ${secret}`);
				throw new McpError({ code: 'spawn', command: launch.command, errno: 'ENOENT' });
			};
			const { server } = create();
			assert.deepEqual(await server.start(), {
				kind: 'failed',
				failure: { kind: 'protocol', failure: { code: 'spawn', command: '<redacted>', errno: 'ENOENT' } },
				stderr: ['bad key <redacted>'],
			});
			assert.deepEqual(launches, [resolved]);
		});

		it('is waited for in a state of its own, by everybody who starts it', async () => {
			const answered = deferred<void>();
			fixture.resolve = async ({ onAsk }) => {
				onAsk();
				await answered.promise;
				return {};
			};
			const { server, states } = create();
			const starts = [server.start(), server.start()];
			await untilState(server, 'waiting');
			starts.push(server.start());
			answered.resolve();
			assert.deepEqual(
				(await Promise.all(starts)).map(it => it.kind),
				['running', 'running', 'running'],
			);
			assert.deepEqual(states, ['stopped', 'starting', 'waiting', 'starting', 'running']);
			assert.equal(fixture.transports.length, 1);
		});

		it('that nobody gives is no failure, and can be given later', async () => {
			fixture.resolve = async ({ onAsk }) => {
				onAsk();
				throw new InputNeededError('key');
			};
			const { server, states } = create();
			assert.deepEqual(await server.start(), { kind: 'waiting', what: 'input' });
			assert.deepEqual(fixture.log.lines, ['info: Starting: test ', 'info: Needs a value for the input "key".']);
			await server.stop();
			assert.deepEqual(server.state, { kind: 'stopped' });
			await server.start();
			fixture.resolve = undefined;
			assert.equal((await server.start()).kind, 'running');
			assert.deepEqual(states, [
				'stopped',
				'starting',
				'waiting',
				'stopped',
				'starting',
				'waiting',
				'starting',
				'running',
			]);
		});

		for (const [name, end] of Object.entries({
			'the server is stopped': (server: Server) => server.stop(),
			'the server goes away': async (server: Server) => server.dispose(),
		})) {
			it(`is not asked for any more when ${name}`, async () => {
				let signal: AbortSignal | undefined;
				fixture.resolve = request => {
					request.onAsk();
					({ signal } = request);
					return new Promise((_, reject) =>
						request.signal.addEventListener('abort', () => reject(new AbortError()), { once: true }),
					);
				};
				const { server, states } = create();
				const started = server.start();
				await untilState(server, 'waiting');
				await end(server);
				await started;
				assert.equal(signal?.aborted, true);
				assert.equal(fixture.transports.length, 0);
				assert.ok(!states.includes('failed'));
			});
		}

		it('is not asked for when the server comes back by itself', async () => {
			mock.timers.enable({ apis: ['setTimeout', 'Date'] });
			try {
				const asked: boolean[] = [];
				fixture.resolve = async ({ mayAsk }) => {
					asked.push(mayAsk);
					if (!mayAsk) {
						throw new InputNeededError('key');
					}
					return {};
				};
				const { server } = create();
				await server.start();
				fixture.transport.end({ expected: false });
				assert.equal(server.state.kind, 'reconnecting');
				mock.timers.tick(1000);
				await untilState(server, 'waiting');
				assert.deepEqual(asked, [true, false]);
			} finally {
				mock.timers.reset();
			}
		});

		for (const [error, failure] of [
			[
				new EnvFileError('/w/.env', { code: 'unreadable' }),
				{ kind: 'envFile', path: '/w/.env', problem: { code: 'unreadable' } },
			],
			[new InputCommandError('key', 'a.b', 'no'), { kind: 'inputCommand', input: 'key', command: 'a.b', why: 'no' }],
		] as const) {
			it(`that cannot be had is a failure: ${failure.kind}`, async () => {
				fixture.resolve = () => Promise.reject(error);
				assert.deepEqual(await create().server.start(), { kind: 'failed', failure, stderr: [] });
				assert.equal(fixture.transports.length, 0);
			});
		}
	});

	describe('disposed', () => {
		it('while it runs: ends at once', async () => {
			const { server } = create();
			await server.start();
			server.dispose();
			server.dispose();
			assert.deepEqual(fixture.transport.calls, ['start', 'dispose']);
		});

		for (const [name, phase] of Object.entries({
			'before the process is there': () => ({ onStart: () => new Promise<void>(resolve => setImmediate(resolve)) }),
			'during the handshake': () => ({ methods: { initialize: () => undefined } }),
			'while it says that it is ready': () => ({ onSend: () => new Promise<void>(resolve => setImmediate(resolve)) }),
		})) {
			it(`while it starts, ${name}: ends, and start still resolves`, async () => {
				fixture.server = phase();
				const { server } = create();
				const starting = server.start();
				await fixture.opened();
				server.dispose();
				await starting;
				assert.ok(fixture.transport.calls.includes('dispose'));
			});
		}

		it('cannot be started any more', async () => {
			const { server } = create();
			server.dispose();
			await server.start();
			assert.equal(fixture.transports.length, 0);
		});
	});

	describe('keeps the server informed', () => {
		it('of the roots', async () => {
			const { server } = create();
			await server.start();
			fixture.changeRoots({ uri: 'file:///new' });
			fixture.transport.request('r', 'roots/list');
			await settled();
			await server.stop();
			fixture.changeRoots({ uri: 'file:///later' });
			await settled();
			assert.deepEqual(sent().slice(1), [
				'initialize#2 {"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"test","version":"1"}}',
				'notifications/initialized',
				'notifications/roots/list_changed',
				'#"r" {"roots":[{"uri":"file:///new"}]}',
			]);
		});

		it('only of roots that are others for it, whoever finds that out', async () => {
			const { server } = create();
			await server.start();
			assert.equal(server.hasAskedForRoots, false);
			fixture.changeRoots({ uri: 'file:///w', name: 'w' });
			fixture.changeRoots({ uri: 'file:///w', name: 'renamed' });
			fixture.refreshRoots = () => {
				fixture.refreshRoots = undefined;
				fixture.changeRoots();
			};
			let changes = 0;
			own(server.onDidChange(() => changes++));
			fixture.transport.request('r', 'roots/list');
			await settled();
			fixture.transport.request('s', 'roots/list');
			await settled();
			assert.deepEqual(sent().slice(3), [
				'notifications/roots/list_changed',
				'notifications/roots/list_changed',
				'#"r" {"roots":[]}',
				'#"s" {"roots":[]}',
			]);
			assert.deepEqual([server.hasAskedForRoots, changes], [true, 1]);
			await server.stop();
			assert.equal(server.hasAskedForRoots, false);
		});

		it('of roots that changed while it was starting', async () => {
			fixture.server = {
				methods: {
					initialize: () => {
						fixture.changeRoots();
						return handshake();
					},
				},
			};
			const { server } = create();
			await server.start();
			await settled();
			assert.deepEqual(sent().slice(-1), ['notifications/roots/list_changed']);
		});

		it('of the level of its log', async () => {
			fixture.server = { capabilities: { logging: {} }, methods: { 'logging/setLevel': () => ({}) } };
			const { server } = create();
			await server.start();
			fixture.log.changeLevel('debug');
			await settled();
			fixture.transport.notify('notifications/message', { level: 'warning', data: 'careful' });
			fixture.transport.noise('Listening on stdout');
			assert.deepEqual(sent().slice(3), [
				'logging/setLevel#3 {"level":"info"}',
				'logging/setLevel#4 {"level":"debug"}',
			]);
			assert.deepEqual(fixture.log.lines.slice(-2), [
				'server warning: careful',
				'warn: Not a protocol message: Listening on stdout',
			]);
		});

		it('and does not mind if it does not care', async () => {
			fixture.server = { capabilities: { logging: {}, tools: {} } };
			const { server } = create();
			await server.start();
			await settled();
			assert.equal(server.state.kind, 'running');
			assert.equal(server.catalog?.tools.kind, 'failed');
		});
	});

	it('has a catalog when it says that it runs', async () => {
		const { server } = create();
		const seen: boolean[] = [];
		own(
			server.onDidChange(() => {
				if (server.state.kind === 'running') {
					seen.push(server.catalog !== undefined && server.client !== undefined);
				}
			}),
		);
		await server.start();
		assert.deepEqual(seen, [true]);
	});

	describe('as a real process', function () {
		this.timeout(20_000);
		let pids: number[];
		beforeEach(() => {
			pids = [];
			fixture.open = (launch, onStderr) => {
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
