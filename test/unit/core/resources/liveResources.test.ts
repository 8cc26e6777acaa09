import * as assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async.js';
import { Emitter } from '../../../../src/base/lifecycle.js';
import { Client, type JsonObject, RpcError } from '../../../../src/mcp/index.js';
import type { ResourceKey } from '../../../../src/core/resources/liveEntry.js';
import { LiveResources } from '../../../../src/core/resources/liveResources.js';
import { ResourceError } from '../../../../src/core/resources/resourceContents.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { NotRunningError } from '../../../../src/core/servers/serverState.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { MemoryTransport, type Method } from '../../../support/memoryTransport.js';
import { TestLogger } from '../../../support/testLogger.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';
import { personReads } from '../../../support/personReads.js';

const burstMs = 100;
const key: ResourceKey = { serverId: 'id', uri: 'x:1' };

describe('live resources', () => {
	const { own } = leakCheck();
	let texts: string[];
	let answer: Method;
	let answerToSubscribe: Method;
	let running: { transport: MemoryTransport; client: Client } | undefined;
	let changed: Emitter<Server | undefined>;
	let identity: Emitter<string>;
	let live: LiveResources;
	let seen: boolean;
	/** Every change: the texts or `same`, the trouble, and whether it is unseen. */
	let changes: string[];

	/** A run of the server with a new client. */
	async function start(capabilities: JsonObject = { resources: { subscribe: true } }): Promise<MemoryTransport> {
		const transport = new MemoryTransport({
			capabilities,
			methods: {
				'resources/read': (params, id) => answer(params, id),
				'resources/subscribe': (params, id) => answerToSubscribe(params, id),
				'resources/unsubscribe': () => ({}),
			},
		});
		const options = { mode: 'legacy', clientInfo: { name: 'test', version: '1' }, timeoutMs: 0 } as const;
		const client = own(new Client({ ...options, open: () => transport, log: new TestLogger() }));
		await client.connect(new AbortController().signal);
		running = { transport, client };
		changed.fire(undefined);
		return transport;
	}

	function stop(): void {
		running = undefined;
		changed.fire(undefined);
	}

	const asked = (transport: MemoryTransport): string[] =>
		transport.sent.flatMap(it => ('method' in it && it.method.startsWith('resources/') ? [it.method.slice(10)] : []));
	const text = (): string | undefined => {
		const contents = live.find(key)?.contents;
		return contents?.map(it => Buffer.from(it.bytes).toString()).join('|');
	};
	const pass = async (ms: number): Promise<void> => {
		passTime(ms);
		await settled();
	};

	beforeEach(() => {
		stopTime(1000);
		texts = ['one'];
		answer = ({ uri }) => ({ contents: texts.map(it => ({ uri: String(uri), text: it })) });
		answerToSubscribe = () => ({});
		seen = false;
		running = undefined;
		changed = own(new Emitter());
		identity = own(new Emitter());
		const server = {
			definition: { id: 'id' },
			options: { messageBytes: 1000 },
			state: { kind: 'stopped' },
			get client() {
				return running?.client;
			},
		} as unknown as Server;
		live = own(
			new LiveResources({
				...personReads,
				registry: { servers: [server], serverOf: () => server, onDidChange: changed.event },
				onDidChangeIdentity: identity.event,
				isSeen: () => seen,
			}),
		);
		changes = [];
		own(
			live.onDidChange(({ resource, isContent }) => {
				const what = [isContent ? text() : 'same', resource.trouble?.kind, resource.isUnseen ? 'unseen' : undefined];
				changes.push(what.filter(Boolean).join(' '));
			}),
		);
	});
	afterEach(() => releaseTime());

	it('says why a resource cannot be read', async () => {
		await assert.rejects(live.read(key), NotRunningError);
		await start();
		const problem = (code: string) => (it: unknown) => it instanceof ResourceError && it.problem.code === code;
		await assert.rejects(live.read(key, { size: 1001 }), problem('tooLarge'));
		answer = () => ({ contents: [{ uri: 'x:1', blob: '*' }] });
		await assert.rejects(live.read(key), problem('brokenBase64'));
		assert.equal(live.find(key), undefined, 'nothing is kept of what was never read');
	});

	it('keeps all contents of a read, even if there are none', async () => {
		await start();
		texts = ['one', 'two'];
		assert.deepEqual((await live.read(key)).contents?.length, 2);
		assert.equal(text(), 'one|two');
		texts = [];
		assert.deepEqual((await live.read(key)).contents, []);
	});

	it('subscribes once to a followed resource, reads it after a burst of changes, and unsubscribes', async () => {
		const transport = await start();
		await live.read(key);
		const follows = [live.follow(key), live.follow(key)];
		await settled();
		texts = ['two'];
		for (let time = 0; time < 5; time++) {
			transport.notify('notifications/resources/updated', { uri: 'x:1' });
			await pass(burstMs / 5);
		}
		assert.deepEqual(changes, ['one', 'two unseen']);
		assert.deepEqual(asked(transport), ['read', 'subscribe', 'read']);
		follows.forEach(it => it.dispose());
		await settled();
		assert.deepEqual(asked(transport).slice(3), ['unsubscribe']);
		transport.notify('notifications/resources/updated', { uri: 'x:1' });
		await pass(burstMs);
		assert.equal(asked(transport).length, 4);
	});

	it('follows changes below a resource and of its contents, but not beside it', async () => {
		const transport = await start();
		answer = () => ({ contents: [{ uri: 'y:part', text: 'a' }] });
		await live.read(key);
		own(live.follow(key));
		await settled();
		for (const uri of ['x:12', 'x:1?a', 'z:1']) {
			transport.notify('notifications/resources/updated', { uri });
		}
		await pass(burstMs);
		assert.equal(asked(transport).filter(it => it === 'read').length, 1);
		for (const uri of ['x:1/below', 'y:part']) {
			transport.notify('notifications/resources/updated', { uri });
			await pass(burstMs);
		}
		assert.equal(asked(transport).filter(it => it === 'read').length, 3);
	});

	it('is read again if an update arrives during a read', async () => {
		const transport = await start();
		await live.read(key);
		own(live.follow(key));
		let finish: ((contents: JsonObject) => void) | undefined;
		answer = () =>
			new Promise(resolve => {
				finish = resolve;
			});
		transport.notify('notifications/resources/updated', { uri: 'x:1' });
		await pass(burstMs);
		transport.notify('notifications/resources/updated', { uri: 'x:1' });
		await pass(burstMs);
		assert.equal(asked(transport).filter(it => it === 'read').length, 2, 'one at a time');
		answer = () => ({ contents: [{ uri: 'x:1', text: 'three' }] });
		finish?.({ contents: [{ uri: 'x:1', text: 'two' }] });
		await settled();
		await pass(burstMs);
		assert.deepEqual(changes, ['one', 'two unseen', 'three unseen']);
	});

	it('stays when its server ends, says so, and is updated when the server runs again', async () => {
		await start();
		await live.read(key);
		own(live.follow(key));
		stop();
		assert.equal(text(), 'one');
		assert.ok(live.isCurrent(key), 'there is nobody to ask');
		texts = ['two'];
		const second = await start();
		await pass(burstMs);
		assert.deepEqual(changes, ['one', 'same notRunning', 'two unseen']);
		assert.deepEqual(asked(second), ['subscribe', 'read']);
	});

	for (const code of [-32002, -32602]) {
		// covers: resources.notFound
		it(`stays when the server no longer has it (${code})`, async () => {
			const transport = await start();
			await live.read(key);
			own(live.follow(key));
			answer = () => {
				throw new RpcError(code, 'gone');
			};
			transport.notify('notifications/resources/updated', { uri: 'x:1' });
			await pass(burstMs);
			assert.deepEqual(changes, ['one', 'same vanished']);
			assert.equal(text(), 'one');
			answer = () => ({ contents: [{ uri: 'x:1', text: 'one' }] });
			await live.refresh(key);
			assert.deepEqual(changes, ['one', 'same vanished', 'same']);
		});
	}

	it('a visible resource that changes counts as seen', async () => {
		const transport = await start();
		await live.read(key);
		own(live.follow(key));
		texts = ['two'];
		transport.notify('notifications/resources/updated', { uri: 'x:1' });
		await pass(burstMs);
		live.markSeen(key);
		live.markSeen(key);
		seen = true;
		texts = ['three'];
		transport.notify('notifications/resources/updated', { uri: 'x:1' });
		await pass(burstMs);
		assert.deepEqual(changes, ['one', 'two unseen', 'same', 'three']);
		const before = live.find(key)?.previous?.contents[0]?.bytes ?? [];
		assert.equal(Buffer.from(before).toString(), 'two');
	});

	it('drops the contents for the previous account, and reads them for the current one', async () => {
		await start();
		await live.read(key);
		const following = own(live.follow(key));
		texts = ['two'];
		await live.read(key);
		identity.fire('another');
		assert.equal(text(), 'two');
		// The answer to a read that is under way may be for the previous account.
		const gate = deferred<void>();
		const atOnce = answer;
		answer = async (...request) => {
			const result = await atOnce(...request);
			await gate.promise;
			return result;
		};
		const reading = live.read(key);
		await settled();
		texts = ['bob'];
		identity.fire('id');
		gate.resolve();
		assert.deepEqual([live.find(key)?.previous, live.isCurrent(key)], [undefined, false]);
		await reading;
		texts = ['bob again'];
		await pass(burstMs);
		assert.deepEqual(changes, ['one', 'two unseen', '', 'bob', 'bob again unseen']);
		stop();
		identity.fire('id');
		assert.equal(live.isCurrent(key), false);
		following.dispose();
		assert.equal(live.find(key), undefined);
	});
});
