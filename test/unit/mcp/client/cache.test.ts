import * as assert from 'node:assert/strict';
import { nullLogger } from '../../../../src/base/log.js';
import { ResultCache } from '../../../../src/mcp/client/cache.js';
import { Client } from '../../../../src/mcp/client/client.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery, type Method, MemoryTransport } from '../../../support/memoryTransport.js';
import { settled } from '../../../support/waiting.js';
import { releaseTime, setTime, stopTime } from '../../../support/stoppedClock.js';

// covers: cache.ttl cache.key cache.listChanged
describe('ResultCache', () => {
	let now = 0;
	let cache: ResultCache;
	beforeEach(() => {
		now = 1000;
		cache = new ResultCache(() => now);
	});

	function put(method: string, params: object, result: object): void {
		cache.put(method, { ...params }, { ...result }, cache.epoch);
	}

	it('keeps an answer as long as the server allows, to the millisecond', () => {
		put('tools/list', {}, { ttlMs: 50, n: 1 });
		now = 1049;
		assert.equal(cache.get('tools/list', {})?.['n'], 1);
		now = 1050;
		assert.equal(cache.get('tools/list', {}), undefined);
		now = 1049;
		assert.equal(cache.get('tools/list', {}), undefined);
	});

	it('keeps nothing for longer than a day, whatever the server allows', () => {
		for (const ttlMs of [1e12, Number.MAX_VALUE]) {
			const begin = now;
			put('tools/list', {}, { ttlMs, n: 1 });
			now = begin + 24 * 60 * 60 * 1000 - 1;
			assert.equal(cache.get('tools/list', {})?.['n'], 1);
			now++;
			assert.equal(cache.get('tools/list', {}), undefined);
		}
	});

	it('takes no time, a negative one and what is none for none', () => {
		for (const ttlMs of [0, -5, undefined, null, '50', NaN]) {
			put('tools/list', {}, { ttlMs });
			assert.equal(cache.get('tools/list', {}), undefined);
		}
	});

	it('tells methods and parameters apart, so every page has a time of its own', () => {
		put('tools/list', {}, { ttlMs: 50, n: 1 });
		put('tools/list', { cursor: 'a' }, { ttlMs: 10, n: 2 });
		put('prompts/list', {}, { ttlMs: 50, n: 3 });
		now += 20;
		assert.deepEqual(
			[
				cache.get('tools/list', {})?.['n'],
				cache.get('tools/list', { cursor: 'a' }),
				cache.get('prompts/list', {})?.['n'],
				cache.get('prompts/list', { cursor: 'a' }),
			],
			[1, undefined, 3, undefined],
		);
	});

	it('forgets a list that changed, all its pages, and nothing else', () => {
		const methods = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];
		const kept = (kind: 'tools' | 'prompts' | 'resources'): string[] => {
			for (const method of methods) {
				put(method, {}, { ttlMs: 50 });
				put(method, { cursor: 'a' }, { ttlMs: 50 });
			}
			put('resources/read', { uri: 'x:' }, { ttlMs: 50 });
			cache.forgetList(kind);
			const all = methods.flatMap(it => [[it, {}] as const, [it, { cursor: 'a' }] as const]);
			const left = all.filter(([method, params]) => cache.get(method, params)).map(([method]) => method);
			assert.ok(cache.get('resources/read', { uri: 'x:' }));
			return [...new Set(left)];
		};
		assert.deepEqual(kept('tools'), ['prompts/list', 'resources/list', 'resources/templates/list']);
		assert.deepEqual(kept('prompts'), ['tools/list', 'resources/list', 'resources/templates/list']);
		assert.deepEqual(kept('resources'), ['tools/list', 'prompts/list']);
	});

	it('forgets a resource that changed, not its neighbours', () => {
		put('resources/read', { uri: 'x:1' }, { ttlMs: 50 });
		put('resources/read', { uri: 'x:12' }, { ttlMs: 50 });
		cache.forgetResource('x:1');
		assert.equal(cache.get('resources/read', { uri: 'x:1' }), undefined);
		assert.ok(cache.get('resources/read', { uri: 'x:12' }));
	});

	it('keeps nothing that was asked for before something changed', () => {
		const { epoch } = cache;
		cache.forgetList('tools');
		cache.put('tools/list', {}, { ttlMs: 50 }, epoch);
		assert.equal(cache.get('tools/list', {}), undefined);
	});

	it('does not grow without end', () => {
		for (let index = 0; index < 5000; index++) {
			put('resources/read', { uri: `x:${index}` }, { ttlMs: 1e12 });
		}
		const left = Array.from({ length: 5000 }, (_, index) => index).filter(it =>
			cache.get('resources/read', { uri: `x:${it}` }),
		);
		assert.ok(left.length < 1000 && left.includes(4999) && !left.includes(0));
	});
});

describe('Client, caching', () => {
	const { own } = leakCheck();
	beforeEach(() => stopTime(1000));
	afterEach(() => releaseTime());

	async function connect(methods: Readonly<Record<string, Method>>) {
		const transport = new MemoryTransport({
			methods: { 'server/discover': () => discovery({ tools: {} }), ...methods },
		});
		const client = own(
			new Client({
				open: () => transport,
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				handlers: { roots: () => [] },
				log: nullLogger,
			}),
		);
		await client.connect(new AbortController().signal);
		transport.transcript.length = 0;
		return { client, sent: () => transport.transcript.filter(it => it.startsWith('>')).length, transport };
	}

	const page =
		(ttl: (cursor: unknown) => number): Method =>
		({ cursor }) => ({
			resultType: 'complete',
			tools: [{ name: `t${String(cursor)}`, inputSchema: { type: 'object' } }],
			...(cursor === undefined ? { nextCursor: 'a' } : {}),
			ttlMs: ttl(cursor),
			cacheScope: 'public',
		});

	// covers: cache.perPage
	it('asks again only for the pages whose time is up', async () => {
		const { client, transport } = await connect({ 'tools/list': page(cursor => (cursor === 'a' ? 10 : 100)) });
		assert.deepEqual(
			(await client.listTools()).map(it => it.name),
			['tundefined', 'ta'],
		);
		await client.listTools();
		setTime(1050);
		await client.listTools();
		setTime(1101);
		assert.deepEqual(
			(await client.listTools()).map(it => it.name),
			['tundefined', 'ta'],
		);
		assert.deepEqual(
			transport.transcript.filter(it => it.startsWith('>')),
			[
				'> tools/list#2',
				'> tools/list#3 {"cursor":"a"}',
				'> tools/list#4 {"cursor":"a"}',
				'> tools/list#5',
				'> tools/list#6 {"cursor":"a"}',
			],
		);
	});

	it('asks again when the list has changed', async () => {
		const { client, transport, sent } = await connect({ 'tools/list': page(() => 1e6) });
		await client.listTools();
		transport.notify('notifications/prompts/list_changed');
		await client.listTools();
		assert.equal(sent(), 2);
		transport.notify('notifications/tools/list_changed');
		await client.listTools();
		assert.equal(sent(), 4);
	});

	it('does not keep a list that changed while it was on its way', async () => {
		const { client, transport, sent } = await connect({
			'tools/list': () => {
				transport.notify('notifications/tools/list_changed');
				return { resultType: 'complete', tools: [], ttlMs: 1e6, cacheScope: 'public' };
			},
		});
		await client.listTools();
		await client.listTools();
		assert.equal(sent(), 2);
	});

	// covers: cache.notRetries
	it('keeps a read, but not one that took input', async () => {
		const { client, sent } = await connect({
			'resources/read': ({ uri, inputResponses }) =>
				uri === 'x:asks' && !inputResponses
					? { resultType: 'input_required', inputRequests: { r: { method: 'roots/list' } } }
					: { resultType: 'complete', contents: [], ttlMs: 1e6, cacheScope: 'private' },
		});
		await client.readResource('x:plain');
		await client.readResource('x:plain');
		assert.equal(sent(), 1);
		await client.readResource('x:asks');
		await client.readResource('x:asks');
		assert.equal(sent(), 5);
	});

	it('asks again when the resource was updated', async () => {
		const { client, transport, sent } = await connect({
			'resources/read': () => ({ resultType: 'complete', contents: [], ttlMs: 1e6, cacheScope: 'private' }),
		});
		await client.readResource('x:1');
		transport.notify('notifications/resources/updated', { uri: 'x:1' });
		await client.readResource('x:1');
		assert.equal(sent(), 2);
	});

	// covers: cache.private
	it('never shares what is private, nor anything else, with another client', async () => {
		const methods = { 'tools/list': page(() => 1e6) };
		const [one, two] = [await connect(methods), await connect(methods)];
		await one.client.listTools();
		await two.client.listTools();
		assert.deepEqual([one.sent(), two.sent()], [2, 2]);
	});

	it('an error is not kept', async () => {
		let count = 0;
		const { client } = await connect({
			'resources/read': () => {
				if (count++ === 0) {
					throw new Error('not yet');
				}
				return { resultType: 'complete', contents: [], ttlMs: 1e6, cacheScope: 'private' };
			},
		});
		await assert.rejects(client.readResource('x:1'));
		await settled();
		assert.deepEqual(await client.readResource('x:1'), []);
	});
});
