// The states of a server at a URL after the machine has slept, minute by minute.
import * as assert from 'node:assert/strict';
import { McpError } from '../../../../src/mcp/index.js';
import { Server } from '../../../../src/core/servers/server.js';
import type { HttpDefinition } from '../../../../src/core/config/serverDefinition.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { MemoryTransport } from '../../../support/memoryTransport.js';
import { definition, ModelFixture, statesOf } from '../../../support/modelFixture.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

const launch: HttpDefinition = { kind: 'http', url: 'https://x.test/mcp', headers: {} };
const unreachable = new McpError({ code: 'network', why: 'ENETUNREACH' });

describe('Server at a URL, when the machine wakes up', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	let fixture: ModelFixture;
	/** What happens to each message. */
	let network: () => void | Promise<void>;
	let refreshes: number;

	beforeEach(() => {
		stopTime();
		network = () => undefined;
		refreshes = 0;
		fixture = new ModelFixture(cleanup);
		const open = (): MemoryTransport => {
			const transport = new MemoryTransport({ kind: 'http', onSend: () => network() });
			fixture.transports.push(transport);
			return Object.assign(transport, { refresh: () => refreshes++ });
		};
		fixture.http = () => ({ streamable: open, legacySse: open });
	});
	afterEach(() => releaseTime());

	async function pass(ms: number, stepMs = 500): Promise<void> {
		for (let passed = 0; passed < ms; passed += stepMs) {
			passTime(stepMs);
			await settled();
		}
	}

	async function wake(): Promise<void> {
		fixture.woken.fire();
		await settled();
	}

	async function run(): Promise<{ server: Server; states: string[] }> {
		const server = own(new Server(definition('test', launch), fixture.deps));
		const states = statesOf(server, cleanup);
		await server.start();
		await settled();
		states.length = 0;
		fixture.transport.transcript.length = 0;
		return { server, states };
	}

	/** A function, because the compiler would narrow the state. */
	const kindOf = ({ state }: Server): string => state.kind;

	const sent = (): string[] => fixture.transport.transcript.filter(it => it.startsWith('> '));

	it('is pinged once, and its lists are read again after the answer', async () => {
		const { states } = await run();
		await pass(60_000);
		assert.deepEqual([sent(), refreshes], [[], 0]);
		await wake();
		assert.deepEqual(sent()[0]?.replace(/#.*/, ''), '> ping');
		assert.deepEqual([refreshes, states.filter(it => it !== 'running')], [1, []]);
	});

	it('keeps its session when it answers within some seconds', async () => {
		const { server, states } = await run();
		network = () => Promise.reject(unreachable);
		await wake();
		await pass(2000);
		network = () => undefined;
		await pass(2000);
		assert.deepEqual([kindOf(server), fixture.transports.length, refreshes], ['running', 1, 1]);
		assert.deepEqual(
			states.filter(it => it !== 'running'),
			[],
		);
	});

	it('a silent server is given up after some seconds, and reached over a new connection', async () => {
		const { server } = await run();
		let isDead = true;
		network = () => (isDead ? new Promise(() => undefined) : undefined);
		await wake();
		await pass(14_000);
		assert.equal(fixture.transports.length, 1);
		isDead = false;
		network = () => undefined;
		await pass(3000);
		assert.deepEqual([kindOf(server), fixture.transports.length], ['running', 2]);
	});

	it('an unreachable server is retried until it responds, and at once when the network changes', async () => {
		const { server } = await run();
		network = () => Promise.reject(unreachable);
		await wake();
		await pass(65 * 60_000, 10_000);
		assert.ok(['reconnecting', 'starting'].includes(kindOf(server)), kindOf(server));
		network = () => undefined;
		await wake();
		assert.equal(kindOf(server), 'running');
	});

	it('a server that waits for its next attempt is tried at once', async () => {
		const { server } = await run();
		network = () => Promise.reject(unreachable);
		fixture.transport.end({ expected: false });
		await pass(20_000);
		assert.equal(kindOf(server), 'reconnecting');
		network = () => undefined;
		await wake();
		assert.equal(kindOf(server), 'running');
	});

	it('a stop during the check holds', async () => {
		const { server } = await run();
		network = () => Promise.reject(unreachable);
		await wake();
		await pass(1000);
		await server.stop();
		assert.equal(kindOf(server), 'stopped');
		await wake();
		await pass(30_000);
		assert.deepEqual([kindOf(server), fixture.woken.hasListeners], ['stopped', false]);
	});

	it('a process is not checked', async () => {
		const server = own(new Server(definition('test'), fixture.deps));
		await server.start();
		assert.equal(fixture.woken.hasListeners, false);
	});
});
