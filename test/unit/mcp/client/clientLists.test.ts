// Paginated lists of servers that keep the rules, and of others.
import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import type { Client } from '../../../../src/mcp/client/client.js';
import { RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import type { Era } from '../../../../src/mcp/wire/codec.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { type MemoryServer } from '../../../support/memoryTransport.js';
import { TestLogger } from '../../../support/testLogger.js';
import { settled } from '../../../support/waiting.js';
import { paged, clientBench } from '../../../support/clientBench.js';

describe('Client', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	const { connected } = clientBench(cleanup);

	describe('lists', () => {
		// covers: pagination.opaque pagination.end
		it('follow the cursor to the end, whatever it looks like', async () => {
			const { client, transport } = await connected(paged('a', ' ', 'b'));
			assert.deepEqual(
				(await client.listTools()).map(it => it.name),
				['t1', 't2', 't3', 't4'],
			);
			assert.deepEqual(
				transport.transcript.filter(it => it.startsWith('>')),
				[
					'> tools/list#2',
					'> tools/list#3 {"cursor":"a"}',
					'> tools/list#4 {"cursor":" "}',
					'> tools/list#5 {"cursor":"b"}',
				],
			);
		});

		it('end at a cursor that is none', async () => {
			const counts = await Promise.all(
				[null, 5, {}].map(async it => (await (await connected(paged(it, 'more'))).client.listTools()).length),
			);
			assert.deepEqual(counts, [1, 1, 1]);
		});

		const kinds = [
			['tools/list', 'tools', (it: Client) => it.listTools()],
			['resources/list', 'resources', (it: Client) => it.listResources()],
			['resources/templates/list', 'resourceTemplates', (it: Client) => it.listResourceTemplates()],
			['prompts/list', 'prompts', (it: Client) => it.listPrompts()],
		] as const;

		/** The names of each kind of list, whose page n is `pages[n]`: the names in it and the next cursor. */
		async function names(
			pages: readonly (readonly [names: string, nextCursor?: string])[],
			era: Era,
		): Promise<{ names: string[][]; cursors: unknown[]; warnings: string[] }> {
			const log = new TestLogger();
			const cursors: unknown[] = [];
			const of = (key: string, page: number): JsonObject => {
				const [list, nextCursor] = pages[page] ?? assert.fail('one page too many');
				const entries = list
					.split(' ')
					.map(name => ({ name, uri: `x:${name}`, uriTemplate: `x:${name}`, inputSchema: {} }));
				return {
					[key]: entries,
					...(nextCursor === undefined ? {} : { nextCursor }),
					...(era === 'modern' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {}),
				};
			};
			const methods = Object.fromEntries(
				kinds.map(([method, key]) => {
					let page = 0;
					const answer = ({ cursor }: JsonObject): JsonObject => {
						cursors.push(cursor);
						return of(key, page++);
					};
					return [method, answer];
				}),
			);
			const { client } = await connected({ methods }, { log, mode: era });
			const found: string[][] = [];
			for (const [, , list] of kinds) {
				found.push((await list(client)).map(it => it.name));
			}
			return { names: found, cursors, warnings: log.lines.filter(it => it.startsWith('warn')) };
		}

		const four = <T>(value: T): T[] => Array<T>(4).fill(value);

		// covers: pagination.emptyCursor
		it('go on after an empty cursor since 2026-07-28; before, it is the end, and the log says so', async () => {
			const pages = [['a', ''], ['b']] as const;
			const modern = await names(pages, 'modern');
			assert.deepEqual(modern, {
				names: four(['a', 'b']),
				cursors: four([undefined, '']).flat(),
				warnings: [],
			});
			const { names: legacy, warnings } = await names(pages, 'legacy');
			assert.deepEqual(legacy, four(['a']));
			assert.deepEqual(
				warnings,
				kinds.map(([method]) => `warn: ${method} ended at page 1 because the server sent an empty cursor.`),
			);
		});

		// covers: pagination.loops
		it('end at a cursor that comes again, with each item once, and the log says so', async () => {
			for (const era of ['legacy', 'modern'] as const) {
				const still = await names(
					[
						['a', 'x'],
						['a', 'x'],
					],
					era,
				);
				assert.deepEqual(still.names, four(['a']));
				assert.equal(still.warnings[0], 'warn: tools/list ended at page 2 because the server repeated a cursor.');
				const circle = await names(
					[
						['a', 'x'],
						['b', 'y'],
						['a c', 'x'],
					],
					era,
				);
				assert.deepEqual(circle.names, four(['a', 'b', 'c']));
			}
			assert.deepEqual(
				(
					await names(
						[
							['a', ''],
							['a', ''],
						],
						'modern',
					)
				).names,
				four(['a']),
			);
			// Not ours to judge: a server may list two items of one name.
			assert.deepEqual((await names([['a a', 'x'], ['a']], 'legacy')).names, four(['a', 'a', 'a']));
		});

		// covers: pagination.loops
		it('give up on pages without end', async () => {
			const endless = await connected(paged(...Array.from({ length: 2000 }, (_, index) => String(index))));
			await assert.rejects(endless.client.listTools(), {
				failure: { code: 'tooManyPages', method: 'tools/list', limit: 1000 },
			});
			const limits = { pages: 2 };
			assert.equal((await (await connected(paged('a', undefined), { limits })).client.listTools()).length, 2);
			const longer = await connected(paged('a', 'b', undefined), { limits });
			await assert.rejects(longer.client.listTools(), {
				failure: { code: 'tooManyPages', method: 'tools/list', limit: 2 },
			});
			assert.equal(longer.transport.sent.filter(it => 'method' in it && it.method === 'tools/list').length, 2);
		});

		// covers: pagination.size
		it('give up on more entries than anyone can use', async () => {
			const limited = (items: number): Promise<{ client: Client }> =>
				connected(paged('a', 'b', undefined), { limits: { items } });
			assert.equal((await (await limited(3)).client.listTools()).length, 3);
			await assert.rejects((await limited(2)).client.listTools(), {
				failure: { code: 'tooManyItems', method: 'tools/list', limit: 2 },
			});
		});

		// covers: pagination.badCursor
		it('begin anew, once, when the server no longer knows the cursor', async () => {
			const server = (failures: number): MemoryServer => ({
				methods: {
					'tools/list': ({ cursor }) => {
						if (cursor !== undefined && failures-- > 0) {
							throw new RpcError(-32602, 'Invalid cursor');
						}
						const tools = [{ name: String(cursor), inputSchema: {} }];
						return { tools, ttlMs: 1e6, ...(cursor === undefined ? { nextCursor: 'a' } : {}) };
					},
				},
			});
			const { client, transport } = await connected(server(1));
			assert.deepEqual(
				(await client.listTools()).map(it => it.name),
				['undefined', 'a'],
			);
			assert.equal(transport.transcript.filter(it => it.startsWith('>')).length, 4);
			const stubborn = await connected(server(5));
			await assert.rejects(stubborn.client.listTools(), { code: -32602 });
			assert.equal(stubborn.transport.transcript.filter(it => it.startsWith('>')).length, 4);
		});

		it('stop when nobody wants them any more', async () => {
			const controller = new AbortController();
			const { client, transport } = await connected({ methods: { 'tools/list': () => undefined } });
			const listing = client.listTools(controller.signal);
			controller.abort();
			await assert.rejects(listing, AbortError);
			await settled();
			assert.deepEqual(transport.transcript, [
				'> tools/list#2',
				'> notifications/cancelled {"requestId":2,"reason":"cancelled"}',
			]);
		});

		it('announce their changes', async () => {
			const { client, transport } = await connected();
			const seen: string[] = [];
			own(client.onDidChangeList(it => seen.push(it)));
			for (const kind of ['prompts', 'tools', 'resources', 'things']) {
				transport.notify(`notifications/${kind}/list_changed`);
			}
			assert.deepEqual(seen, ['prompts', 'tools', 'resources']);
		});
	});
});
