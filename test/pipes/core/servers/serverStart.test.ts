// The steps of a start: consent, inputs, failures, and stops during the start.
import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { AbortError } from '../../../../src/base/errors.js';
import { McpError, RpcError } from '../../../../src/mcp/index.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { EnvFileError } from '../../../../src/core/config/envFile.js';
import {
	InputCommandError,
	InputNeededError,
	type ResolveRequest,
} from '../../../../src/core/launch/resolvedServer.js';
import { UnresolvedVariableError } from '../../../../src/core/config/variables.js';
import { StdioTransport } from '../../../../src/node/process/stdioTransport.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { handshake } from '../../../support/memoryTransport.js';
import { untilState } from '../../../support/modelFixture.js';
import { serverBench } from '../../../support/serverBench.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('Server', () => {
	const cleanup = leakCheck();
	const bench = serverBench(cleanup);
	const { create, sent } = bench;

	describe('stopped while it starts', () => {
		const phases = {
			'before the process is there': () => ({ onStart: () => new Promise<void>(resolve => setImmediate(resolve)) }),
			'during the handshake': () => ({ methods: { initialize: () => undefined } }),
			'while it says that it is ready': () => ({ onSend: () => new Promise<void>(resolve => setImmediate(resolve)) }),
		};
		for (const [name, phase] of Object.entries(phases)) {
			it(name, async () => {
				bench.fixture.server = phase();
				const { server, states } = create();
				const starting = server.start();
				await bench.fixture.opened();
				await server.stop();
				assert.deepEqual(await starting, { kind: 'stopped' });
				assert.deepEqual(states, ['stopped', 'starting', 'stopping', 'stopped']);
				assert.deepEqual(bench.fixture.transport.calls.at(-1), 'dispose');
				assert.ok(!sent().includes('notifications/cancelled'));
				bench.fixture.server = {};
				assert.equal((await server.start()).kind, 'running');
			});
		}

		it('is not reported as a failure', async () => {
			bench.fixture.server = {
				onStart: async () => {
					await new Promise(resolve => {
						setImmediate(resolve);
					});
					throw new McpError({ code: 'spawn', command: 'x', errno: 'ENOENT' });
				},
			};
			const { server, states } = create();
			const starting = server.start();
			await bench.fixture.opened();
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
				bench.fixture.open = () => {
					throw error;
				};
				const { server } = create();
				failures.push(await server.start());
			}
			bench.fixture.open = undefined;
			for (const answer of [
				() => {
					throw new RpcError(-32000, 'not today');
				},
				() => handshake({}, '1999-01-01'),
				() => ({}),
			]) {
				bench.fixture.server = { methods: { initialize: answer } };
				const { server } = create();
				failures.push(await server.start());
				assert.deepEqual(bench.fixture.transport.calls, ['start', 'close', 'dispose']);
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
			bench.fixture.server = { methods: { initialize: () => ({}) } };
			const { server, states } = create();
			await server.start();
			bench.fixture.server = {};
			await server.start();
			assert.deepEqual(states, ['stopped', 'starting', 'failed', 'starting', 'running']);
		});

		it('when it exits during the handshake, with the exit as the reason', async () => {
			bench.fixture.server = {
				methods: {
					initialize: () => {
						bench.fixture.transport.end({ expected: false, exitCode: 3 });
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
			bench.fixture.server = {
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

		it('when it exits while it becomes ready, at any moment', async () => {
			const running: number[] = [];
			for (let turn = 0; turn < 30; turn++) {
				bench.fixture.server = {
					capabilities: { tools: {} },
					onSend: (message, transport) => {
						if ('method' in message && message.method === 'tools/list') {
							let ended = Promise.resolve();
							for (let left = turn; left > 0; left--) {
								ended = ended.then(() => undefined);
							}
							void ended.then(() => transport.end({ expected: false, exitCode: 3 }));
						}
					},
				};
				const { server } = create();
				await server.start();
				await settled();
				if (server.state.kind === 'running') {
					running.push(turn);
				}
				await server.stop();
			}
			assert.deepEqual(running, []);
		});

		it('with the last lines that it wrote to stderr', async () => {
			bench.fixture.open = (_launch, onStderr) => {
				for (let line = 1; line <= 30; line++) {
					onStderr(`line ${line}`);
				}
				throw new Error('x');
			};
			const { server } = create();
			const state = await server.start();
			const last = Array.from({ length: 20 }, (_, index) => `line ${index + 11}`);
			assert.deepEqual(state.kind === 'failed' && state.stderr, last);
			assert.equal(bench.fixture.log.lines.filter(it => it.startsWith('stderr: ')).length, 30);
		});

		it('after a flood on stderr, of which a limited number of lines is kept', async () => {
			bench.fixture.limits = { stderrLines: 2 };
			const text = 'for (let n = 1; n <= 1000; n++) console.error(n); process.exitCode = 3; process.stdin.unref()';
			bench.fixture.open = (_launch, onStderr) =>
				new StdioTransport(
					{ command: process.execPath, args: ['-e', text], cwd: undefined, env: {} },
					{ graceMs: 100, onStderr },
				);
			const { server } = create();
			const state = await server.start();
			assert.deepEqual(state.kind === 'failed' && state.stderr, ['999', '1000']);
		});
	});

	describe('may not start', () => {
		it('in an untrusted workspace, until trust is granted', async () => {
			bench.fixture.trusted = false;
			const { server, states } = create();
			assert.deepEqual(await server.start(), { kind: 'untrusted' });
			bench.fixture.grantTrust();
			assert.deepEqual(server.state, { kind: 'stopped' });
			await server.start();
			bench.fixture.grantTrust();
			assert.deepEqual(states, ['untrusted', 'stopped', 'starting', 'running']);
			assert.equal(bench.fixture.transports.length, 1);
		});
	});

	it('asks for no input if nobody is there to answer', async () => {
		const asked: boolean[] = [];
		bench.fixture.consent = async (_, { mayAsk }) => void asked.push(mayAsk);
		bench.fixture.resolve = async ({ mayAsk }) => {
			asked.push(mayAsk);
			throw new InputNeededError('key');
		};
		const { server } = create();
		assert.deepEqual(await server.start(false), { kind: 'waiting', what: 'input' });
		assert.deepEqual(asked, [false, false]);
		await server.start();
		assert.deepEqual(asked, [false, false, true, true]);
	});

	it('uses the protocol era and the time-out that are configured', async () => {
		bench.fixture.options = { test: { era: 'legacy', requestTimeout: 0.05 } };
		bench.fixture.server = { methods: { initialize: () => new Promise(() => undefined) } };
		const { server } = create();
		const state = await server.start();
		assert.deepEqual(state.kind === 'failed' && state.failure, {
			kind: 'protocol',
			failure: { code: 'timeout', method: 'initialize', ms: 50 },
		});
	});

	describe('input that it needs before it starts', () => {
		const secret = 'hunter2!';

		it('is filled in before the connection opens; secrets are never shown', async () => {
			const program = { kind: 'unresolved' } as const;
			const resolved = { kind: 'stdio', command: secret, args: [], cwd: '/w', env: {}, program } as const;
			bench.fixture.resolve = async () => ({ launch: resolved, secrets: [secret] });
			const launches: unknown[] = [];
			bench.fixture.open = (launch, onStderr) => {
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

		it('is redacted in lines that the process writes', async () => {
			bench.fixture.resolve = async () => ({ secrets: [secret] });
			bench.fixture.server = { methods: { initialize: () => undefined } };
			const { server } = create();
			const starting = server.start();
			await settled();
			assert.equal(server.lastLine, undefined);
			bench.fixture.transport.noise(`key ${secret}`);
			assert.equal(server.lastLine, 'key <redacted>');
			await server.stop();
			await starting;
			assert.equal(server.lastLine, undefined);
		});

		it('has its own state while it is waited for, shared by everybody who starts the server', async () => {
			const answered = deferred<void>();
			bench.fixture.resolve = async ({ onAsk }) => {
				onAsk('input');
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
			assert.equal(bench.fixture.transports.length, 1);
		});

		it('that is not given does not count as a failure, and can be given later', async () => {
			bench.fixture.resolve = async ({ onAsk }) => {
				onAsk('input');
				throw new InputNeededError('key');
			};
			const { server, states } = create();
			assert.deepEqual(await server.start(), { kind: 'waiting', what: 'input' });
			assert.deepEqual(bench.fixture.log.lines, ['info: Needs a value for the input "key".']);
			await server.stop();
			assert.deepEqual(server.state, { kind: 'stopped' });
			await server.start();
			bench.fixture.resolve = undefined;
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
			'Server "is stopped"': (server: Server) => server.stop(),
			'Server "goes away"': async (server: Server) => server.dispose(),
		})) {
			it(`is not asked for any more when ${name}`, async () => {
				let asked: ResolveRequest | undefined;
				bench.fixture.resolve = request => {
					request.onAsk('input');
					asked = request;
					return new Promise((_, reject) =>
						request.signal.addEventListener('abort', () => reject(new AbortError()), { once: true }),
					);
				};
				const { server, states } = create();
				const started = server.start();
				await untilState(server, 'waiting');
				await end(server);
				await started;
				assert.equal(asked?.signal.aborted, true);
				const { state } = server;
				asked.onAsk('input');
				assert.equal(server.state, state);
				assert.equal(bench.fixture.transports.length, 0);
				assert.ok(!states.includes('failed'));
			});
		}

		it('is not asked for when the server restarts by itself', async () => {
			stopTime();
			try {
				const asked: boolean[] = [];
				bench.fixture.resolve = async ({ mayAsk }) => {
					asked.push(mayAsk);
					if (!mayAsk) {
						throw new InputNeededError('key');
					}
					return {};
				};
				const { server } = create();
				await server.start();
				bench.fixture.transport.end({ expected: false });
				assert.equal(server.state.kind, 'reconnecting');
				passTime(1000);
				await untilState(server, 'waiting');
				assert.deepEqual(asked, [true, false]);
			} finally {
				releaseTime();
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
				bench.fixture.resolve = () => Promise.reject(error);
				assert.deepEqual(await create().server.start(), { kind: 'failed', failure, stderr: [] });
				assert.equal(bench.fixture.transports.length, 0);
			});
		}
	});
});
