// Starting, stopping and using a server, in every order.
import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { ConsentNeededError } from '../../../../src/core/launch/consentFacts.js';
import { InputNeededError } from '../../../../src/core/launch/resolvedServer.js';
import { NotRunningError } from '../../../../src/core/servers/serverState.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery, handshake } from '../../../support/memoryTransport.js';
import { eventually, settled } from '../../../support/waiting.js';
import { serverBench } from '../../../support/serverBench.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('Server', () => {
	const cleanup = leakCheck();
	const bench = serverBench(cleanup);
	const { own, create, sent } = bench;

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
		assert.deepEqual(bench.fixture.transport.calls, ['start', 'close', 'dispose']);
		assert.deepEqual(bench.fixture.log.lines, [
			'info: Starting: test ',
			'debug: Probe: {"kind":"legacy","reason":{"code":"error","error":-32601}}',
			'info: Running: memory 1.0.0, protocol revision 2025-11-25.',
			'info: Stopped.',
		]);
	});

	it('runs again, in a new session', async () => {
		const { server, states } = create();
		await server.start();
		const { client, catalog } = server;
		await server.stop();
		await server.start();
		assert.ok(server.client !== client && server.catalog !== catalog);
		assert.equal(bench.fixture.transports.length, 2);
		assert.deepEqual(states, ['stopped', 'starting', 'running', 'stopping', 'stopped', 'starting', 'running']);
	});

	// covers: stdio.relisten
	it('listens again when it runs again, after a stop and after a crash', async () => {
		const capabilities = { tools: { listChanged: true } };
		bench.fixture.server = {
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
			async () => bench.fixture.transport.end({ expected: false, exitCode: 1 }),
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
		assert.equal(bench.fixture.transports.length, 3);
	});

	it('makes a log only when there is something to say', () => {
		create();
		assert.equal(bench.fixture.logs.length, 0);
	});

	describe('at the same time', () => {
		it('two starts at the same time start once', async () => {
			const { server } = create();
			const states = await Promise.all([server.start(), server.start()]);
			assert.deepEqual(
				states.map(it => it.kind),
				['running', 'running'],
			);
			assert.equal(bench.fixture.transports.length, 1);
		});

		it('two stops at the same time stop once', async () => {
			const { server, states } = create();
			await server.start();
			await Promise.all([server.stop(), server.stop()]);
			assert.deepEqual(states, ['stopped', 'starting', 'running', 'stopping', 'stopped']);
			assert.deepEqual(bench.fixture.transport.calls, ['start', 'close', 'dispose']);
		});

		it('starting while it stops waits for the end, then starts', async () => {
			const { server, states } = create();
			await server.start();
			const gate = deferred<void>();
			bench.fixture.server = { onClose: () => gate.promise };
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

		it('a stop during a restart wins', async () => {
			const { server } = create();
			const gate = deferred<void>();
			bench.fixture.server = { onClose: () => gate.promise };
			await server.start();
			const restarting = server.restart();
			await settled();
			assert.equal(server.state.kind, 'stopping');
			const stopping = server.stop();
			gate.resolve();
			await stopping;
			assert.deepEqual([await restarting, server.state], [{ kind: 'stopped' }, { kind: 'stopped' }]);
			assert.equal((await server.restart()).kind, 'running');
		});

		it('an automatic restart does not ask the person, and waits for consent or input instead', async () => {
			const { server } = create();
			const asked: string[] = [];
			bench.fixture.consent = async (_, { mayAsk, isByPerson }) => {
				asked.push(`consent ${mayAsk} ${isByPerson}`);
				if (!mayAsk) {
					throw new ConsentNeededError();
				}
			};
			bench.fixture.resolve = async ({ mayAsk }) => {
				if (!mayAsk) {
					throw new InputNeededError('key');
				}
				return {};
			};
			await server.start();
			assert.deepEqual(await server.restart(false), { kind: 'waiting', what: 'consent' });
			assert.equal((await server.restart()).kind, 'running');
			bench.fixture.consent = undefined;
			assert.deepEqual(await server.restart(false), { kind: 'waiting', what: 'input' });
			assert.deepEqual(asked, ['consent true true', 'consent false false', 'consent true true']);
		});

		it('of a stop and a start at the same time, the last one wins', async () => {
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
			assert.equal(bench.fixture.transports.filter(it => !it.calls.includes('dispose')).length, 1);
		});
	});

	describe('on first use', () => {
		it('starts the server once for all callers, and returns its client', async () => {
			const { server } = create();
			const [a, b] = await Promise.all([server.use(), server.use()]);
			assert.ok(a === b && a === server.client);
			assert.equal(await server.use(), a);
			assert.equal(bench.fixture.transports.length, 1);
		});

		it('says why it does not run', async () => {
			bench.fixture.trusted = false;
			const { server } = create();
			await assert.rejects(server.use(), (error: unknown) => {
				assert.ok(error instanceof NotRunningError);
				assert.deepEqual(error.state, { kind: 'untrusted' });
				return true;
			});
		});
	});

	describe('keeps the server informed', () => {
		it('of the roots', async () => {
			const { server } = create();
			await server.start();
			bench.fixture.changeRoots({ uri: 'file:///new' });
			bench.fixture.transport.request('r', 'roots/list');
			await settled();
			await server.stop();
			bench.fixture.changeRoots({ uri: 'file:///later' });
			await settled();
			assert.deepEqual(sent().slice(1), [
				'initialize#2 {"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"test","version":"1"}}',
				'notifications/initialized',
				'notifications/roots/list_changed',
				'#"r" {"roots":[{"uri":"file:///new"}]}',
			]);
		});

		it('only of changes of its own roots', async () => {
			const { server } = create();
			await server.start();
			bench.fixture.changeRoots({ uri: 'file:///w', name: 'w' });
			bench.fixture.changeRoots({ uri: 'file:///w', name: 'renamed' });
			bench.fixture.refreshRoots = () => {
				bench.fixture.refreshRoots = undefined;
				bench.fixture.changeRoots();
			};
			bench.fixture.transport.request('r', 'roots/list');
			await settled();
			bench.fixture.transport.request('s', 'roots/list');
			await settled();
			assert.deepEqual(sent().slice(3), [
				'notifications/roots/list_changed',
				'notifications/roots/list_changed',
				'#"r" {"roots":[]}',
				'#"s" {"roots":[]}',
			]);
		});

		it('of the last known roots, while the disk does not respond', async () => {
			const { server } = create();
			await server.start();
			stopTime();
			try {
				bench.fixture.refreshRoots = () => new Promise<void>(() => undefined);
				bench.fixture.transport.request('r', 'roots/list');
				await settled();
				assert.deepEqual(sent().slice(3), []);
				passTime(1000);
				await settled();
				assert.deepEqual(sent().slice(3), ['#"r" {"roots":[{"uri":"file:///w","name":"w"}]}']);
			} finally {
				releaseTime();
			}
			await server.stop();
		});

		it('of roots that changed while it was starting', async () => {
			bench.fixture.server = {
				methods: {
					initialize: () => {
						bench.fixture.changeRoots();
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
			bench.fixture.server = { capabilities: { logging: {} }, methods: { 'logging/setLevel': () => ({}) } };
			const { server } = create();
			await server.start();
			bench.fixture.log.changeLevel('debug');
			await settled();
			bench.fixture.transport.notify('notifications/message', { level: 'warning', data: 'careful' });
			bench.fixture.transport.noise('Listening on stdout');
			assert.deepEqual(sent().slice(3), [
				'logging/setLevel#3 {"level":"info"}',
				'logging/setLevel#4 {"level":"debug"}',
			]);
			assert.deepEqual(bench.fixture.log.lines.slice(-2), [
				'server warning: careful',
				'warn: Not a protocol message: Listening on stdout',
			]);
		});

		it('and ignores a server that does not support notifications', async () => {
			bench.fixture.server = { capabilities: { logging: {}, tools: {} } };
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
});
