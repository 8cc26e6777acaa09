import * as assert from 'node:assert/strict';
import { Client, type JsonObject, RpcError } from '../../../../src/mcp/index.js';
import { Catalog, itemsOf, type ListState } from '../../../../src/core/servers/catalog.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { MemoryTransport, type Method } from '../../../support/memoryTransport.js';
import { TestLogger } from '../../../support/testLogger.js';
import { settled } from '../../../support/waiting.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

/** Milliseconds that the catalog waits for the end of a burst. */
const burstMs = 100;

/** `tools: t | resources: loading | …` */
function describeLists({ tools, resources, resourceTemplates, prompts }: Catalog): string {
	const lists: Record<string, ListState<{ readonly name: string }>> = {
		tools,
		resources,
		resourceTemplates,
		prompts,
	};
	return Object.values(lists)
		.map(it => (it.kind === 'loaded' ? it.items.map(({ name }) => name).join(',') || 'empty' : it.kind))
		.join(' ');
}

/** Lists that are shown page by page: the name, the method, and the key of the pages. */
const growing = [
	['resources', 'resources/list', 'resources'],
	['resourceTemplates', 'resources/templates/list', 'resourceTemplates'],
	['prompts', 'prompts/list', 'prompts'],
] as const;

/** A page with one entry, and the cursor of the next page except on the last. */
function pageOf(key: string, { cursor = 0 }: JsonObject, last: number): JsonObject {
	const number = Number(cursor);
	const entry = { name: `n${number}`, uri: `x:${number}`, uriTemplate: `x:${number}/{v}` };
	return { [key]: [entry], ...(number < last ? { nextCursor: String(number + 1) } : {}) };
}

function namesIn(list: ListState<{ readonly name: string }>): string {
	return itemsOf(list)
		.map(it => it.name)
		.join();
}

/** Number of requests of a method. */
function asked({ transport }: Made, method: string): number {
	return transport.sent.filter(it => 'method' in it && it.method === method).length;
}

interface Made {
	readonly catalog: Catalog;
	readonly transport: MemoryTransport;
	readonly client: Client;
	/** Lists after each change. */
	readonly changes: string[];
}

describe('Catalog', () => {
	const { own } = leakCheck();
	let log: TestLogger;
	beforeEach(() => {
		log = new TestLogger();
		stopTime();
	});
	afterEach(() => releaseTime());

	const everything = { tools: {}, resources: {}, prompts: {} };
	const methods: Readonly<Record<string, Method>> = {
		'tools/list': () => ({ tools: [{ name: 't', inputSchema: {} }] }),
		'resources/list': () => ({ resources: [{ uri: 'x:1', name: 'r' }] }),
		'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'x:{n}', name: 'rt' }] }),
		'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
	};

	async function create(
		capabilities: JsonObject = everything,
		changed: Readonly<Record<string, Method>> = {},
	): Promise<Made> {
		const transport = new MemoryTransport({ capabilities, methods: { ...methods, ...changed } });
		const client = own(
			new Client({
				open: () => transport,
				mode: 'legacy',
				clientInfo: { name: 'test', version: '1' },
				timeoutMs: 0,
				log,
			}),
		);
		await client.connect(new AbortController().signal);
		const catalog = own(new Catalog(client, log));
		const changes: string[] = [];
		own(catalog.onDidChange(() => changes.push(describeLists(catalog))));
		return { catalog, transport, client, changes };
	}

	it('loads every list that the server has', async () => {
		const made = await create();
		assert.equal(describeLists(made.catalog), 'loading loading loading loading');
		await made.catalog.loadAll();
		assert.equal(describeLists(made.catalog), 't r rt p');
		assert.equal(made.changes.length, 4);
	});

	// covers: lifecycle.onlyNegotiated
	it('asks for nothing that the server does not have', async () => {
		const made = await create({ prompts: {} });
		await made.catalog.loadAll();
		made.transport.notify('notifications/tools/list_changed');
		passTime(burstMs);
		await settled();
		assert.equal(describeLists(made.catalog), 'absent absent absent p');
		assert.deepEqual(
			made.transport.sent.flatMap(it => ('method' in it ? [it.method] : [])),
			['initialize', 'notifications/initialized', 'prompts/list'],
		);
	});

	it('a server with resources need not know templates', async () => {
		const made = await create(everything, {
			'resources/templates/list': () => {
				throw new RpcError(-32601, 'no templates');
			},
		});
		await made.catalog.loadAll();
		assert.equal(describeLists(made.catalog), 't r absent p');
		assert.deepEqual(log.lines, []);
	});

	it('a list that fails leaves the others, and can be loaded later', async () => {
		let works = false;
		const made = await create(everything, {
			'resources/templates/list': () => {
				if (!works) {
					throw new RpcError(-32603, 'out of templates');
				}
				return { resourceTemplates: [] };
			},
		});
		await made.catalog.loadAll();
		assert.equal(describeLists(made.catalog), 't r failed p');
		assert.deepEqual(log.lines, ['warn: Could not list resourceTemplates: out of templates']);
		works = true;
		made.transport.notify('notifications/resources/list_changed');
		passTime(burstMs);
		await settled();
		assert.equal(describeLists(made.catalog), 't r empty p');
	});

	// covers: lists.debounced
	it('a burst of announcements loads only that list, once', async () => {
		const made = await create();
		await made.catalog.loadAll();
		for (let round = 1; round <= 2; round++) {
			for (let count = 0; count < 7; count++) {
				made.transport.notify('notifications/tools/list_changed');
				passTime(burstMs - 1);
			}
			await settled();
			assert.equal(asked(made, 'tools/list'), round);
			passTime(1);
			await settled();
			assert.equal(asked(made, 'tools/list'), round + 1);
			passTime(burstMs);
		}
		assert.deepEqual([asked(made, 'prompts/list'), asked(made, 'resources/list')], [1, 1]);
	});

	it('loads a list less and less often while each load announces a change', async () => {
		const made: Made = await create(everything, {
			'tools/list': () => {
				made.transport.notify('notifications/tools/list_changed');
				return { tools: [{ name: 't', inputSchema: {} }] };
			},
		});
		await made.catalog.loadAll();
		for (const ms of [100, 200, 400, 800]) {
			const before = asked(made, 'tools/list');
			passTime(ms - 1);
			await settled();
			assert.equal(asked(made, 'tools/list'), before, `after ${ms - 1} ms`);
			passTime(1);
			await settled();
			assert.equal(asked(made, 'tools/list'), before + 1, `after ${ms} ms`);
		}
		passTime(burstMs);
		made.transport.notify('notifications/tools/list_changed');
		passTime(burstMs);
		await settled();
		assert.equal(asked(made, 'tools/list'), 6, 'a change without a load before it');
	});

	it('keeps what it has while it loads again', async () => {
		const pending: ((result: JsonObject) => void)[] = [];
		const made = await create(everything, {
			'tools/list': () => new Promise(resolve => pending.push(resolve)),
		});
		const loading = made.catalog.loadAll();
		await settled();
		pending[0]?.({ tools: [{ name: 'old' }] });
		await loading;
		made.transport.notify('notifications/tools/list_changed');
		passTime(burstMs);
		await settled();
		assert.equal(describeLists(made.catalog), 'old r rt p');
		pending[1]?.({ tools: [{ name: 'new' }] });
		await settled();
		assert.equal(describeLists(made.catalog), 'new r rt p');
	});

	it('loads cached lists again when the person asks for it', async () => {
		let version = 1;
		const made = await create(everything, {
			'tools/list': () => ({ tools: [{ name: `t${version}`, inputSchema: {} }], ttlMs: 60_000 }),
		});
		await made.catalog.loadAll();
		version = 2;
		await made.catalog.loadAll();
		assert.equal(describeLists(made.catalog), 't1 r rt p', 'what was kept');
		const changed = made.catalog.reload();
		assert.equal(describeLists(made.catalog), 't1 r rt p', 'what stays until then');
		await changed;
		assert.equal(describeLists(made.catalog), 't2 r rt p');
	});

	it('ignores an answer that arrives after that of a later load', async () => {
		const pending: ((result: JsonObject) => void)[] = [];
		const made = await create(everything, {
			'tools/list': () => new Promise(resolve => pending.push(resolve)),
		});
		const loading = made.catalog.loadAll();
		made.transport.notify('notifications/tools/list_changed');
		passTime(burstMs);
		await settled();
		assert.equal(pending.length, 2);
		pending[1]?.({ tools: [{ name: 'new' }] });
		await settled();
		pending[0]?.({ tools: [{ name: 'old' }] });
		await loading;
		assert.equal(describeLists(made.catalog), 'new r rt p');
		assert.equal(made.changes.filter(it => it.startsWith('old')).length, 0);
	});

	it('once disposed, it cancels its loads and no longer changes', async () => {
		const made = await create(everything, { 'tools/list': () => undefined });
		const loading = made.catalog.loadAll();
		await settled();
		made.transport.notify('notifications/prompts/list_changed');
		made.catalog.dispose();
		passTime(burstMs);
		await loading;
		await settled();
		assert.equal(asked(made, 'notifications/cancelled'), 1);
		assert.equal(asked(made, 'prompts/list'), 1);
		assert.equal(made.changes.length, 3);
		assert.deepEqual(log.lines, []);
	});

	it('the end of the connection fails the lists that are loading', async () => {
		const made = await create(everything, { 'tools/list': () => undefined });
		const loading = made.catalog.loadAll();
		await settled();
		made.transport.end({ expected: false });
		await loading;
		assert.equal(describeLists(made.catalog), 'failed r rt p');
	});

	for (const [kind, method, key] of growing) {
		it(`shows long ${kind} from their first page on, and then from time to time`, async () => {
			const finish: (() => void)[] = [];
			const made = await create(everything, {
				[method]: params => new Promise(resolve => finish.push(() => resolve(pageOf(key, params, 3)))),
			});
			const seen: string[] = [];
			own(
				made.catalog.onDidChange(() => {
					const list = made.catalog[kind];
					seen.push(`${list.kind} ${namesIn(list)}`.trim());
				}),
			);
			const loading = made.catalog.loadAll();
			let isListed: string | undefined;
			void made.catalog.whenLoaded(kind).then(it => (isListed = it));
			for (let number = 0; number < 4; number++) {
				await settled();
				assert.equal(isListed, undefined);
				passTime(number === 2 ? 500 : 1);
				finish[number]?.();
			}
			await loading;
			await settled();
			assert.equal(isListed, 'loaded');
			assert.deepEqual([...new Set(seen)], ['loading', 'growing n0', 'growing n0,n1,n2', 'loaded n0,n1,n2,n3']);
		});

		// covers: pagination.loops
		it(`keeps the pages of ${kind} that came before one that never comes, or in a circle`, async () => {
			const wait: (() => void)[] = [];
			let isEndless = false;
			const made = await create(everything, {
				[method]: params => {
					if (params['cursor'] === '2' && !isEndless) {
						return new Promise((_, reject) => wait.push(() => reject(new RpcError(-32603, 'it is late'))));
					}
					const page = pageOf(key, params, 9);
					return params['cursor'] === '2' ? { ...page, nextCursor: '1' } : page;
				},
			});
			const loading = made.catalog.loadAll();
			await settled();
			assert.equal(namesIn(made.catalog[kind]), 'n0');
			wait[0]?.();
			await loading;
			assert.equal(made.catalog[kind].kind, 'failed');
			assert.equal(namesIn(made.catalog[kind]), 'n0,n1');
			isEndless = true;
			await made.catalog.reload();
			assert.equal(made.catalog[kind].kind, 'loaded');
			assert.equal(namesIn(made.catalog[kind]), 'n0,n1,n2');
		});
	}

	it('has no tools until all of them are loaded', async () => {
		const made = await create(everything, {
			'tools/list': ({ cursor }) =>
				cursor === undefined ? { tools: [{ name: 't' }], nextCursor: 'x' } : Promise.reject(new RpcError(-32603, 'no')),
		});
		await made.catalog.loadAll();
		assert.deepEqual([made.catalog.tools.kind, namesIn(made.catalog.tools)], ['failed', '']);
	});

	it('finds a prompt as soon as its page is there', async () => {
		const finish: (() => void)[] = [];
		const made = await create(everything, {
			'prompts/list': params => new Promise(resolve => finish.push(() => resolve(pageOf('prompts', params, 2)))),
		});
		const found: string[] = [];
		for (const wanted of ['n0', 'n1', 'none']) {
			void made.catalog
				.findPrompt(it => it.name === wanted)
				.then(it => found.push(`${wanted}: ${it?.name ?? 'not there'}`));
		}
		void made.catalog.loadAll();
		const after: string[] = [];
		for (let number = 0; number < 3; number++) {
			await settled();
			passTime(1000);
			finish[number]?.();
			await settled();
			after.push(found.splice(0).join(', '));
		}
		assert.deepEqual(after, ['n0: n0', 'n1: n1', 'none: not there']);
	});

	it('an earlier list stays until all of the next one is loaded', async () => {
		let pages = 1;
		const made = await create(everything, {
			'resources/list': ({ cursor }) => ({
				resources: [{ uri: `x:${String(cursor)}`, name: `r${pages}` }],
				...(cursor === undefined && pages > 1 ? { nextCursor: '2' } : {}),
			}),
		});
		await made.catalog.loadAll();
		pages = 2;
		made.changes.length = 0;
		await made.catalog.reload();
		assert.deepEqual(new Set(made.changes.map(it => it.split(' ')[1])), new Set(['r1', 'r2,r2']));
	});
});
