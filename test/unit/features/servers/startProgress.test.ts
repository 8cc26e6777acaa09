/** The progress of a slow start: when it is shown, what it contains, and when it disappears. */
import * as assert from 'node:assert/strict';
import { clock } from '../../../../src/base/clock.js';
import { mock } from 'node:test';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { StartProgress } from '../../../../src/features/servers/startProgress.js';
import type { AuthState, JsonObject } from '../../../../src/mcp/index.js';
import { type PendingRequest, PendingRequests } from '../../../../src/core/requests/pendingRequests.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { ServerRegistry } from '../../../../src/core/servers/serverRegistry.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { MemoryTransport } from '../../../support/memoryTransport.js';
import { definition, ModelFixture } from '../../../support/modelFixture.js';
import { window } from '../../../support/vscodeDouble.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

/** A notification, from its first text to its end. */
interface Shown {
	readonly title: string;
	text: string;
	isOpen: boolean;
	cancel: () => void;
}

describe('the progress of a start', () => {
	const { own, later } = leakCheck();
	let fixture: ModelFixture;
	let registry: ServerRegistry;
	let server: Server;
	let pending: PendingRequests;
	let account: AuthState;
	let accountChanged: Emitter<string>;
	let shown: Shown[];
	/** Writes a line to stderr of the process. */
	let write: (line: string) => void;
	/** Ends the handshake, which gets no other answer. */
	let answer: ((value: JsonObject) => void) | undefined;

	beforeEach(() => {
		stopTime(0);
		shown = [];
		account = { kind: 'unasked' };
		accountChanged = own(new Emitter<string>());
		fixture = new ModelFixture({ own, later });
		fixture.open = (_launch, onStderr) => {
			write = onStderr;
			return new MemoryTransport({
				methods: {
					initialize: () =>
						new Promise(resolve => {
							answer = resolve;
						}),
				},
			});
		};
		pending = own(new PendingRequests());
		registry = own(new ServerRegistry(fixture.deps));
		registry.update([definition('slow')]);
		server = registry.servers[0] ?? assert.fail('no server');
		const accounts = { of: () => ({ state: account }) as never, onDidChange: accountChanged.event };
		own(new StartProgress({ registry, pending, accounts }));
		mock.method(
			window,
			'withProgress',
			(options: { title: string }, task: (...given: unknown[]) => Promise<unknown>) => {
				const it: Shown = { title: options.title, text: '', isOpen: true, cancel: () => undefined };
				shown.push(it);
				const token = {
					isCancellationRequested: false,
					onCancellationRequested: (listener: () => void) => {
						it.cancel = listener;
						return { dispose: () => undefined };
					},
				};
				const report = ({ message }: { message: string }): void => void (it.text = message);
				return task({ report }, token).finally(() => (it.isOpen = false));
			},
		);
	});
	afterEach(releaseTime);

	async function pass(ms: number): Promise<void> {
		await settled();
		passTime(ms);
		await settled();
	}

	/** All notifications. Closed ones are in parentheses. */
	const seen = (): string[] => shown.map(it => (it.isOpen ? `${it.title}: ${it.text}` : `(${it.title}: ${it.text})`));

	it('says how long it takes and what the process wrote last, from the first second on', async () => {
		const starting = server.start();
		await pass(999);
		assert.deepEqual(seen(), []);
		await pass(1);
		assert.deepEqual(seen(), ['Starting slow: 1 s']);
		write('Downloading [left-pad](command:x)\u202E…');
		write(' ');
		await pass(1000);
		assert.deepEqual(seen(), ['Starting slow: 2 s · "Downloading [left-pad]\u200B(command:x)\uFFFD…"']);
		write('x'.repeat(5000));
		await pass(1000);
		assert.ok(seen()[0]?.endsWith('…"') && (seen()[0]?.length ?? 0) < 400, seen()[0]);
		await server.stop();
		await starting;
	});

	it('is gone when the server runs', async () => {
		const starting = server.start();
		await pass(1000);
		answer?.({ protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'slow', version: '1' } });
		await settled();
		assert.equal((await starting).kind, 'running');
		assert.deepEqual(seen(), ['(Starting slow: 1 s)']);
		await pass(5000);
		assert.equal(shown.length, 1);
	});

	it('is gone when the server fails, and does not show a fast failure', async () => {
		const fail = (): never => {
			throw new Error('no such program');
		};
		const { open } = fixture;
		fixture.open = fail;
		await server.start();
		await pass(5000);
		assert.deepEqual(seen(), []);
		fixture.open = open;
		fixture.resolve = () =>
			new Promise((_, reject) => {
				clock.setTimeout(() => reject(new Error('no value')), 2000);
			});
		const starting = server.start();
		await pass(1000);
		assert.deepEqual(seen(), ['Starting slow: 1 s']);
		await pass(1000);
		assert.equal((await starting).kind, 'failed');
		await settled();
		assert.equal(shown[0]?.isOpen, false);
	});

	it('stops the start by Cancel', async () => {
		const starting = server.start();
		await pass(1000);
		shown[0]?.cancel();
		assert.equal((await starting).kind, 'stopped');
		await settled();
		assert.equal(shown[0]?.isOpen, false);
	});

	it('is shown of a restart and of a call by the person, not of what happens without them', async () => {
		const quiet = [
			(): Promise<unknown> => server.start(false),
			(): Promise<unknown> => server.use().catch(() => undefined),
			(): Promise<unknown> => server.restart(false),
		];
		for (const start of quiet) {
			const starting = start();
			await pass(5000);
			await server.stop();
			await starting;
		}
		assert.deepEqual(seen(), []);
		for (const start of [() => server.use(true).catch(() => undefined), () => server.restart()]) {
			const starting = start();
			await pass(1000);
			await server.stop();
			await starting;
		}
		assert.deepEqual(seen(), ['(Starting slow: 1 s)', '(Starting slow: 1 s)']);
	});

	it('is gone while the person is asked for consent or input, and begins again after that', async () => {
		let goOn: (() => void) | undefined;
		fixture.resolve = ({ onAsk }) => {
			onAsk('input');
			return new Promise(resolve => {
				goOn = () => resolve({});
			});
		};
		const starting = server.start();
		await pass(60_000);
		assert.equal(server.state.kind, 'waiting');
		assert.deepEqual(seen(), []);
		goOn?.();
		await pass(1000);
		assert.deepEqual(seen(), ['Starting slow: 1 s']);
		await server.stop();
		await starting;
	});

	it('is gone while a request of the server waits for the person, and while they sign in', async () => {
		const starting = server.start();
		await pass(1000);
		assert.deepEqual(seen(), ['Starting slow: 1 s']);
		const request: PendingRequest = pending.add({
			definition: server.definition,
			subject: () => ({ kind: 'signIn', need: undefined }),
			review: () => Promise.resolve('aside'),
		});
		await settled();
		assert.equal(shown[0]?.isOpen, false);
		account = { kind: 'working', need: { why: 'first' } as never };
		pending.end(request);
		await pass(60_000);
		assert.equal(shown.length, 1);
		account = { kind: 'working' };
		accountChanged.fire(server.definition.id);
		await pass(1000);
		assert.deepEqual(seen().at(-1), 'Starting slow: 1 s');
		await server.stop();
		await starting;
	});

	it('is gone when the server is no longer configured', async () => {
		const starting = server.start();
		await pass(1000);
		registry.update([]);
		await starting;
		await settled();
		assert.equal(shown[0]?.isOpen, false);
	});
});
