// What a client does beside its calls: a lost session, the rules of each era, answers that never come.
import * as assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AbortError } from '../../../../src/base/errors.js';
import { Client } from '../../../../src/mcp/client/client.js';
import type { ClientOptions } from '../../../../src/mcp/client/clientOptions.js';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import { classify, type JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { releaseTime, stopTime } from '../../../support/mockTime.js';
import {
	discovery,
	handshake,
	type MemoryServer,
	MemoryTransport,
	type Method,
} from '../../../support/memoryTransport.js';
import { TestLogger } from '../../../support/testLogger.js';
import { settled } from '../../../support/waiting.js';

const lost = new McpError({ code: 'sessionLost' });
const broken = new McpError({ code: 'network', why: 'the stream ended before the answer' });

describe('Client', () => {
	const { own } = leakCheck();

	async function connect(server: MemoryServer, options: Partial<ClientOptions> = {}) {
		const transport = new MemoryTransport(server);
		const log = new TestLogger();
		const client = own(
			new Client({ open: () => transport, clientInfo: { name: 'test', version: '1' }, timeoutMs: 0, log, ...options }),
		);
		await client.connect(new AbortController().signal);
		await settled();
		transport.transcript.length = 0;
		return { client, transport, log };
	}

	function sent({ transcript }: MemoryTransport): string[] {
		return transcript
			.filter(it => !it.startsWith('<'))
			.map(it => it.replace(/^> /, '').replace(/ {"protocolVersion".*/, ''));
	}

	// covers: session.lost session.oneHandshake session.retried
	describe('whose session was lost', () => {
		/** A server that forgets its session when told to; `names` are sessions, in order. */
		class Forgetful {
			known = true;
			/** Requests of the lost session that are answered only when the test says so. */
			readonly held: (() => void)[] = [];
			holds = false;
			handshakes = 0;
			answer: () => JsonObject = () => handshake({ logging: {}, resources: { subscribe: true }, tools: {} });

			readonly server: MemoryServer = {
				kind: 'http',
				onSend: async message => {
					const it = classify(message);
					if (it.kind !== 'request') {
						return;
					}
					if (it.message.method === 'initialize') {
						this.handshakes++;
						this.known = true;
						return;
					}
					if (!this.known) {
						if (this.holds) {
							await new Promise<void>(resolve => this.held.push(resolve));
						}
						throw lost;
					}
				},
				methods: {
					initialize: () => this.answer(),
					'tools/list': () => ({ tools: [] }),
					'resources/subscribe': () => ({}),
					'logging/setLevel': () => ({}),
					'tools/call': ({ name }) => ({ content: [{ type: 'text', text: String(name) }] }),
				},
			};
		}

		it('shakes hands again, once for all that wait, and asks again what was asked', async () => {
			const it = new Forgetful();
			const { client, transport } = await connect(it.server, { mode: 'legacy' });
			it.known = false;
			const results = await Promise.all([client.listTools(), client.callTool('a', {}), client.callTool('b', {})]);
			assert.deepEqual(
				results.slice(1).map(result => JSON.stringify(result).includes('"text"')),
				[true, true],
			);
			assert.deepEqual(sent(transport), [
				'initialize#5',
				'notifications/initialized',
				'tools/list#6',
				'tools/call#7 {"name":"a","arguments":{}}',
				'tools/call#8 {"name":"b","arguments":{}}',
			]);
			assert.deepEqual(
				[transport.calls, transport.agreements],
				[
					['start', 'forgetSession'],
					['legacy 2025-11-25', 'legacy 2025-11-25'],
				],
			);
		});

		it('… also for one that notices only when all is well again', async () => {
			const it = new Forgetful();
			const { client } = await connect(it.server, { mode: 'legacy' });
			it.known = false;
			it.holds = true;
			const late = client.callTool('late', {});
			await settled();
			it.holds = false;
			await client.callTool('first', {});
			it.held.forEach(release => release());
			assert.equal((await late).content.length, 1);
			assert.equal(it.handshakes, 2);
		});

		it('… and one that comes in between waits', async () => {
			const it = new Forgetful();
			let finish = (): void => undefined;
			const { client, transport } = await connect(
				{
					...it.server,
					methods: {
						...it.server.methods,
						initialize: () =>
							it.handshakes === 1
								? it.answer()
								: new Promise(resolve => {
										finish = () => resolve(it.answer());
									}),
					},
				},
				{ mode: 'legacy' },
			);
			it.known = false;
			const first = client.callTool('first', {});
			await settled();
			const second = client.callTool('second', {});
			const impatient = new AbortController();
			const third = client.callTool('third', {}, { signal: impatient.signal });
			await settled();
			impatient.abort();
			await assert.rejects(third, AbortError);
			assert.deepEqual(sent(transport), ['initialize#3']);
			finish();
			await Promise.all([first, second]);
			assert.deepEqual(sent(transport).slice(1), [
				'notifications/initialized',
				'tools/call#4 {"name":"first","arguments":{}}',
				'tools/call#5 {"name":"second","arguments":{}}',
			]);
		});

		// covers: session.resubscribed
		it('subscribes again, sets the log level again, says that lists may have changed, forgets what it kept', async () => {
			const it = new Forgetful();
			const { client, transport } = await connect(it.server, { mode: 'legacy' });
			own(client.subscribeResource('x:1'));
			own(client.subscribeResource('x:2'));
			await client.setLoggingLevel('warning');
			const changed: string[] = [];
			own(client.onDidChangeList(kind => changed.push(kind)));
			await settled();
			transport.transcript.length = 0;
			it.known = false;
			await client.listTools();
			await settled();
			assert.deepEqual(sent(transport), [
				'initialize#6',
				'notifications/initialized',
				'resources/subscribe#7 {"uri":"x:1"}',
				'resources/subscribe#8 {"uri":"x:2"}',
				'logging/setLevel#9 {"level":"warning"}',
				'tools/list#10',
			]);
			assert.deepEqual(changed, ['tools', 'resources', 'prompts']);
		});

		// covers: pagination.persist
		it('begins a listing anew: a cursor of the old session is not sent in the new one', async () => {
			/** One page after another, each cursor with its session's number. What the server refuses is not in `lists`. */
			async function list(loses: (page: string, handshakes: number) => boolean): Promise<unknown> {
				const it = new Forgetful();
				const { client, transport } = await connect(
					{
						...it.server,
						onSend: (message, own) => {
							const { method, params } = message as { method?: string; params?: JsonObject };
							if (method === 'tools/list' && loses(String(params?.['cursor']), it.handshakes)) {
								it.known = false;
							}
							return it.server.onSend?.(message, own);
						},
						methods: {
							...it.server.methods,
							'tools/list': ({ cursor = '' }) => ({
								tools: [{ name: `${it.handshakes}${String(cursor)}`, inputSchema: {} }],
								...(String(cursor).length < 4 ? { nextCursor: `${String(cursor)}-${it.handshakes}` } : {}),
							}),
						},
					},
					{ mode: 'legacy' },
				);
				const tools = await client.listTools().catch((error: unknown) => (error as McpError).failure);
				const lists = sent(transport).filter(line => line.startsWith('tools/list'));
				return { tools: Array.isArray(tools) ? tools.map(({ name }) => name) : tools, lists };
			}
			assert.deepEqual(await list((cursor, handshakes) => cursor === '-1-1' && handshakes === 1), {
				tools: ['2', '2-2', '2-2-2'],
				lists: [
					'tools/list#2',
					'tools/list#3 {"cursor":"-1"}',
					'tools/list#6',
					'tools/list#7 {"cursor":"-2"}',
					'tools/list#8 {"cursor":"-2-2"}',
				],
			});
			// The first page has no cursor: it is asked for again as any request is.
			const first = (await list((cursor, handshakes) => cursor === 'undefined' && handshakes === 1)) as object;
			assert.deepEqual(first, {
				tools: ['2', '2-2', '2-2-2'],
				lists: ['tools/list#4', 'tools/list#5 {"cursor":"-2"}', 'tools/list#6 {"cursor":"-2-2"}'],
			});
			// Not for ever.
			assert.deepEqual(await list(cursor => cursor.length === 4), {
				tools: { code: 'sessionLost' },
				lists: ['tools/list#2', 'tools/list#3 {"cursor":"-1"}', 'tools/list#6', 'tools/list#7 {"cursor":"-2"}'],
			});
		});

		it('… also one whose session another request has found lost', async () => {
			const it = new Forgetful();
			let goOn = (): void => undefined;
			const { client, transport } = await connect(
				{
					...it.server,
					methods: {
						...it.server.methods,
						'tools/list': async ({ cursor }) => {
							if (it.handshakes === 1) {
								await new Promise<void>(resolve => (goOn = resolve));
							}
							return cursor === undefined ? { tools: [], nextCursor: `c${it.handshakes}` } : { tools: [] };
						},
					},
				},
				{ mode: 'legacy' },
			);
			const listing = client.listTools();
			await settled();
			goOn();
			it.known = false;
			await Promise.all([client.callTool('other', {}), listing]);
			const cursors = sent(transport).filter(line => line.includes('cursor'));
			assert.equal(cursors.at(-1)?.replace(/#\d+/, ''), 'tools/list {"cursor":"c2"}');
		});

		it('goes on though the new session refuses some of that, or loses it at once', async () => {
			const it = new Forgetful();
			const refuse: Method = () => {
				throw new RpcError(-5, 'no');
			};
			let isNew = false;
			const { client } = await connect(
				{
					...it.server,
					methods: {
						...it.server.methods,
						'resources/subscribe': () => (isNew ? refuse({}, 1) : {}),
						'logging/setLevel': () => (isNew ? refuse({}, 1) : {}),
					},
				},
				{ mode: 'legacy' },
			);
			own(client.subscribeResource('x:1'));
			await client.setLoggingLevel('warning');
			isNew = true;
			it.known = false;
			assert.deepEqual(await client.listTools(), []);
		});

		it('does not ask for ever: a session lost twice is the error', async () => {
			const { client, transport } = await connect(
				{
					kind: 'http',
					onSend: message => {
						const it = classify(message);
						if (it.kind === 'request' && it.message.method === 'tools/list') {
							throw lost;
						}
					},
				},
				{ mode: 'legacy' },
			);
			await assert.rejects(client.listTools(), lost);
			assert.equal(transport.calls.filter(it => it === 'forgetSession').length, 1);
		});

		it('a handshake that fails is the error of all that wait, and is tried again by the next', async () => {
			const it = new Forgetful();
			const { client } = await connect(it.server, { mode: 'legacy' });
			const { answer } = it;
			it.known = false;
			it.answer = () => {
				throw new RpcError(-32000, 'busy');
			};
			const outcomes = await Promise.allSettled([client.listTools(), client.callTool('a', {})]);
			assert.deepEqual(
				outcomes.map(outcome => outcome.status === 'rejected' && outcome.reason.code),
				[-32000, -32000],
			);
			it.answer = answer;
			assert.deepEqual(await client.listTools(), []);
			assert.equal(it.handshakes, 3);
		});

		it('another revision than before holds from then on', async () => {
			const it = new Forgetful();
			const { client, transport } = await connect(it.server, { mode: 'legacy' });
			it.known = false;
			it.answer = () => handshake({}, '2025-03-26');
			await client.listTools();
			assert.deepEqual([client.session.protocolVersion, client.session.capabilities], ['2025-03-26', {}]);
			assert.equal(transport.agreements.at(-1), 'legacy 2025-03-26');
		});

		it('a ping that notices begins the new session too', async () => {
			stopTime();
			try {
				const it = new Forgetful();
				const { client } = await connect(it.server, { mode: 'legacy', pingMs: 100 });
				it.known = false;
				mock.timers.tick(100);
				await settled();
				assert.equal(it.handshakes, 2);
				await client.close();
			} finally {
				releaseTime();
			}
		});

		it('closing in the middle of it ends it', async () => {
			const it = new Forgetful();
			const { client } = await connect(
				{
					...it.server,
					methods: { ...it.server.methods, initialize: () => (it.handshakes === 1 ? it.answer() : undefined) },
				},
				{ mode: 'legacy' },
			);
			it.known = false;
			const call = client.listTools();
			await settled();
			await client.close();
			await assert.rejects(call, { failure: { code: 'closed' } });
		});
	});

	// covers: batch.receive batch.onlyWhere
	it('takes several messages at once at 2025-03-26 only', async () => {
		const table: readonly [string, boolean][] = [
			['2025-11-25', false],
			['2025-06-18', false],
			['2025-03-26', true],
			['2024-11-05', false],
			['2024-10-07', false],
			['2026-07-28', false],
		];
		for (const [version, accepts] of table) {
			const isModern = version === '2026-07-28';
			const { client, transport, log } = await connect(
				{
					methods: {
						...(isModern ? { 'server/discover': () => discovery() } : { initialize: () => handshake({}, version) }),
						'tools/list': () => undefined,
						'prompts/list': () => undefined,
					},
				},
				{ mode: isModern ? 'auto' : 'legacy' },
			);
			const levels: string[] = [];
			own(client.onDidLog(it => levels.push(it.level)));
			const calls = Promise.all([client.listTools(), client.listPrompts()]);
			calls.catch(() => undefined);
			await settled();
			transport.transcript.length = 0;
			const ids = [2, 3];
			transport.receive([
				{ jsonrpc: '2.0', id: ids[1], result: { prompts: [] } },
				{ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'error', data: 1 } },
				{ jsonrpc: '2.0', id: 'p', method: 'ping' },
				'rubbish',
				{ jsonrpc: '2.0', id: ids[0], result: { tools: [] } },
			]);
			transport.receive([]);
			await settled();
			if (accepts) {
				assert.deepEqual([await calls, levels, sent(transport)], [[[], []], ['error'], ['#"p" {}']]);
			} else {
				assert.deepEqual([levels, sent(transport)], [[], []]);
				assert.ok(log.lines.includes('warn: Ignored a batch: this revision has none.'), version);
				await assert.rejects(calls, { failure: { code: 'invalidResult', method: 'prompts/list', why: 'a batch' } });
			}
		}
	});

	// covers: modern.noServerRequests modern.noResponses
	it('drops what a modern server asks, unanswered', async () => {
		const { transport, log } = await connect(
			{ methods: { 'server/discover': () => discovery() } },
			{ handlers: { roots: () => [] } },
		);
		transport.request(1, 'ping');
		transport.request(2, 'roots/list');
		transport.request(3, 'no/such');
		await settled();
		assert.deepEqual(sent(transport), []);
		assert.deepEqual(
			log.lines.filter(it => it.startsWith('warn')),
			['ping', 'roots/list', 'no/such'].map(it => `warn: Dropped ${it}: servers may not ask in this revision.`),
		);
	});

	// covers: cancel.legacy cancel.modernStdio cancel.httpStream timeout.cancels
	it('says that nobody waits any more, in the way of the era and the transport', async () => {
		const cancelled = (id: number): string => `notifications/cancelled {"requestId":${id},"reason":"cancelled"}`;
		// Over HTTP the older era is told, and what held a socket is let go besides.
		const table: readonly [string, MemoryServer['kind'], readonly string[]][] = [
			['legacy', 'stdio', [cancelled(3)]],
			['legacy', 'http', ['x #3', cancelled(3)]],
			['legacy', 'sse', ['x #3', cancelled(3)]],
			['modern', 'stdio', [cancelled(2)]],
			['modern', 'http', ['x #2']],
		];
		for (const [era, kind, expected] of table) {
			const server: MemoryServer = {
				...(kind ? { kind } : {}),
				methods: {
					'tools/call': () => undefined,
					...(era === 'modern' ? { 'server/discover': () => discovery() } : {}),
				},
			};
			const controller = new AbortController();
			const { client, transport } = await connect(server);
			const call = client.callTool('t', {}, { signal: controller.signal });
			await settled();
			controller.abort();
			await assert.rejects(call, AbortError);
			await settled();
			assert.deepEqual(sent(transport).slice(1), expected, `${era} ${kind ?? ''}`);
			const slow = client.callTool('t', {}, { timeoutMs: 5 });
			await assert.rejects(slow, { failure: { code: 'timeout', method: 'tools/call', ms: 5 } });
			await settled();
			assert.match(sent(transport).at(-1) ?? '', kind === 'http' && era === 'modern' ? /^x #/ : /"reason":"timeout"/);
		}
	});

	it('an answer in time leaves its stream alone', async () => {
		const { client, transport } = await connect({
			kind: 'http',
			methods: { 'server/discover': () => discovery(), 'tools/call': () => ({ resultType: 'complete', content: [] }) },
		});
		const controller = new AbortController();
		await client.callTool('t', {}, { signal: controller.signal });
		controller.abort();
		await settled();
		assert.equal(sent(transport).length, 1);
	});

	// covers: http.modern.headersAll
	it('over HTTP what is sent names revision, method and thing', async () => {
		const { client, transport } = await connect({
			kind: 'http',
			methods: {
				'server/discover': () => discovery(),
				'tools/call': () => ({ resultType: 'complete', content: [] }),
				'resources/read': () => ({ resultType: 'complete', contents: [], ttlMs: 0, cacheScope: 'private' }),
			},
		});
		await client.callTool('grün', {});
		await client.readResource('file:///a');
		assert.deepEqual(
			transport.sentOptions.slice(1).map(it => it?.headers),
			[
				{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': '=?base64?Z3LDvG4=?=' },
				{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'resources/read', 'mcp-name': 'file:///a' },
			],
		);
	});

	// covers: http.modern.headerMismatch
	it('lists the tools again and calls once more when a header does not fit the body', async () => {
		let listed = 0;
		const schema = (header: string): JsonObject => ({
			type: 'object',
			properties: { region: { type: 'string', 'x-mcp-header': header } },
		});
		const refuse = (always: boolean): MemoryServer => ({
			kind: 'http',
			methods: {
				'server/discover': () => discovery(),
				'tools/list': () => ({
					resultType: 'complete',
					tools: [{ name: 't', inputSchema: schema(listed++ === 0 ? 'Old' : 'New') }],
					ttlMs: 1e6,
					cacheScope: 'public',
				}),
				'tools/call': () => {
					if (always || listed === 1) {
						throw new RpcError(-32020, 'HeaderMismatch');
					}
					return { resultType: 'complete', content: [] };
				},
			},
		});
		const { client, transport } = await connect(refuse(false));
		await client.listTools();
		await client.callTool('t', { region: 'eu' });
		assert.deepEqual(
			sent(transport).map((it, index) => {
				const { headers = {} } = transport.sentOptions[index + 1] ?? {};
				const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-'));
				return [it.replace(/ .*/, ''), ...own.flat()].join(' ');
			}),
			['tools/list#2', 'tools/call#3 mcp-param-old eu', 'tools/list#4', 'tools/call#5 mcp-param-new eu'],
		);
		const stubborn = await connect(refuse(true));
		await assert.rejects(stubborn.client.callTool('t', {}), { code: -32020 });
		assert.equal(sent(stubborn.transport).length, 3);
	});

	it('leaves no timer behind', async () => {
		const timers = (): number => process.getActiveResourcesInfo().filter(it => it === 'Timeout').length;
		const { client } = await connect(
			{ methods: { 'tools/call': () => ({ content: [] }) } },
			{ mode: 'legacy', timeoutMs: 60_000, maxTotalMs: 60_000 },
		);
		const before = timers();
		for (let call = 0; call < 5; call++) {
			await client.callTool('t', {});
		}
		assert.equal(timers(), before);
	});

	// covers: http.modern.reissue
	it('asks again, with a new id, what a broken stream has lost in the modern era; once, and never a tool', async () => {
		const server = (era: string): MemoryServer => ({
			kind: 'http',
			methods: {
				...(era === 'modern' ? { 'server/discover': () => discovery() } : {}),
				'tools/list': () => undefined,
				'tools/call': () => undefined,
			},
		});
		const outcome = async (era: string, what: 'list' | 'call', losses: number): Promise<string[]> => {
			const { client, transport } = await connect(server(era));
			const call = what === 'list' ? client.listTools() : client.callTool('t', {});
			let end = 'waiting';
			call.then(
				() => (end = 'answered'),
				(error: unknown) => (end = error === broken ? 'lost' : String(error)),
			);
			for (let loss = 0; loss < losses; loss++) {
				await settled();
				const last = transport.sent.at(-1) as { id: number };
				transport.lose(last.id, broken);
			}
			await settled();
			const methods = sent(transport).map(it => it.replace(/#(\d+).*/, ' $1'));
			client.dispose();
			return [end, ...methods];
		};
		assert.deepEqual(
			[
				await outcome('modern', 'list', 1),
				await outcome('modern', 'list', 2),
				await outcome('modern', 'call', 1),
				await outcome('legacy', 'list', 1),
			],
			[
				['waiting', 'tools/list 2', 'tools/list 3'],
				['lost', 'tools/list 2', 'tools/list 3'],
				['lost', 'tools/call 2'],
				['lost', 'tools/list 3'],
			],
		);
	});

	it('an answer that is lost twice, late or of nobody disturbs no one', async () => {
		const { client, transport } = await connect({ methods: { 'tools/call': () => undefined } }, { mode: 'legacy' });
		const [one, two] = [client.callTool('a', {}), client.callTool('b', {})];
		await settled();
		transport.lose(2, broken);
		transport.lose(2, broken);
		transport.lose(99, broken);
		transport.receive({ jsonrpc: '2.0', id: 2, result: { content: [] } });
		transport.receive({ jsonrpc: '2.0', id: 3, result: { content: [] } });
		await assert.rejects(one, broken);
		assert.deepEqual((await two).content, []);
	});

	it('an HTTP error that holds a JSON-RPC error is that, with its status; 401 and 403 stay what they are', async () => {
		const error = { code: -5, message: 'no', data: { a: 1 } };
		for (const status of [400, 404, 500, 401, 403]) {
			const failure = new McpError({ code: 'http', status, error, challenge: 'Bearer' });
			const { client, transport } = await connect({ methods: { 'tools/call': () => undefined } }, { mode: 'legacy' });
			const call = client.callTool('t', {});
			await settled();
			transport.lose(2, failure);
			await assert.rejects(call, thrown =>
				status === 401 || status === 403
					? thrown === failure
					: thrown instanceof RpcError && thrown.code === -5 && thrown.httpStatus === status,
			);
		}
	});

	// covers: timeout.absolute timeout.progress
	describe('limits of a request', () => {
		beforeEach(() => stopTime());
		afterEach(() => releaseTime());

		it('progress keeps it alive up to a limit that nothing moves', async () => {
			const { client, transport } = await connect(
				{ methods: { 'tools/call': () => undefined } },
				{ mode: 'legacy', timeoutMs: 100, maxTotalMs: 350 },
			);
			let outcome: unknown;
			const seen: number[] = [];
			client
				.callTool('t', {}, { onProgress: it => seen.push(it.progress) })
				.catch((error: unknown) => (outcome = error));
			for (let progress = 1; progress <= 5; progress++) {
				await settled();
				mock.timers.tick(80);
				transport.notify('notifications/progress', { progressToken: 2, progress });
			}
			await settled();
			assert.deepEqual(seen, [1, 2, 3, 4]);
			assert.deepEqual((outcome as McpError).failure, { code: 'timeout', method: 'tools/call', ms: 350 });
			assert.equal(sent(transport).at(-1), 'notifications/cancelled {"requestId":2,"reason":"timeout"}');
		});

		it('an answer ends both', async () => {
			const { client, transport } = await connect(
				{ methods: { 'tools/call': () => ({ content: [] }) } },
				{ mode: 'legacy', timeoutMs: 100, maxTotalMs: 350 },
			);
			await client.callTool('t', {});
			mock.timers.tick(1000);
			await settled();
			assert.equal(sent(transport).length, 1);
		});
	});

	// covers: elicitation.complete logging.perRequest
	it('passes on that a page was finished; asks for log messages per request in the modern era', async () => {
		const legacy = await connect({}, { mode: 'legacy' });
		const ids: string[] = [];
		own(legacy.client.onDidCompleteElicitation(it => ids.push(it)));
		legacy.transport.notify('notifications/elicitation/complete', { elicitationId: 'e1' });
		legacy.transport.notify('notifications/elicitation/complete', { elicitationId: 5 });
		legacy.transport.notify('notifications/elicitation/complete');
		assert.deepEqual(ids, ['e1']);
		const modern = await connect({
			methods: {
				'server/discover': () => discovery({ logging: {} }),
				'tools/call': () => ({ resultType: 'complete', content: [] }),
			},
		});
		await modern.client.setLoggingLevel('error');
		await modern.client.callTool('t', {});
		assert.deepEqual(sent(modern.transport), [
			'tools/call#2 {"name":"t","arguments":{},"_meta":{"io.modelcontextprotocol/logLevel":"error"}}',
		]);
	});

	// covers: capability.onlyWithHandler elicitation.capability sampling.capability
	it('declares what it can, in the words of the era', async () => {
		const nothing = assert.fail;
		const table: readonly [ClientOptions['handlers'], JsonObject, JsonObject][] = [
			[{}, {}, {}],
			[{ roots: () => [] }, { roots: { listChanged: true } }, { roots: {} }],
			[{ sampling: { handle: nothing, tools: false } }, { sampling: {} }, { sampling: {} }],
			[{ sampling: { handle: nothing, tools: true } }, { sampling: { tools: {} } }, { sampling: { tools: {} } }],
			[{ elicitation: { form: nothing } }, { elicitation: { form: {} } }, { elicitation: { form: {} } }],
			[{ elicitation: { url: nothing } }, { elicitation: { url: {} } }, { elicitation: { url: {} } }],
			[
				{ elicitation: { form: nothing, url: nothing } },
				{ elicitation: { form: {}, url: {} } },
				{ elicitation: { form: {}, url: {} } },
			],
			// `{}` would mean forms.
			[{ elicitation: {} }, {}, {}],
		];
		for (const [handlers, legacy, modern] of table) {
			const options = handlers ? { handlers } : {};
			const old = await connect({}, { mode: 'legacy', ...options });
			const sentParams = (old.transport.sent[0] as { params?: JsonObject }).params;
			const { tasks: _inbound, ...rest } = (sentParams?.['capabilities'] ?? {}) as JsonObject;
			assert.deepEqual(rest, legacy);
			const { transport } = await connect({ methods: { 'server/discover': () => discovery() } }, options);
			const { params } = transport.sent[0] as unknown as { params: { _meta: JsonObject } };
			const { extensions: _tasks, ...declared } = params._meta[
				'io.modelcontextprotocol/clientCapabilities'
			] as JsonObject;
			assert.deepEqual(declared, modern);
		}
	});
});
