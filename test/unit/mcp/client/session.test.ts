// The client's behavior besides its calls: the rules of each era, and missing responses.
import * as assert from 'node:assert/strict';
import { AbortError } from '../../../../src/base/errors.js';
import type { ClientOptions } from '../../../../src/mcp/client/clientOptions.js';
import { McpError, RpcError } from '../../../../src/mcp/jsonrpc/errors.js';
import { type JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery, handshake, type MemoryServer } from '../../../support/memoryTransport.js';
import { settled } from '../../../support/waiting.js';
import { broken, sessionBench } from '../../../support/sessionBench.js';
import { passTime, releaseTime, stopTime } from '../../../support/stoppedClock.js';

describe('Client', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	const { connect, sent } = sessionBench(cleanup);

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
		// Over HTTP, the legacy era sends a notification, and the socket is released too.
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
			{ mode: 'legacy', timeoutMs: 60_000 },
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

	describe('limits of a request', () => {
		beforeEach(() => stopTime());
		afterEach(() => releaseTime());

		it('progress keeps it alive', async () => {
			const { client, transport } = await connect(
				{ methods: { 'tools/call': () => undefined } },
				{ mode: 'legacy', timeoutMs: 100 },
			);
			let outcome: unknown;
			const seen: number[] = [];
			client
				.callTool('t', {}, { onProgress: it => seen.push(it.progress) })
				.catch((error: unknown) => (outcome = error));
			for (let progress = 1; progress <= 5; progress++) {
				await settled();
				passTime(80);
				transport.notify('notifications/progress', { progressToken: 2, progress });
			}
			await settled();
			passTime(100);
			await settled();
			assert.deepEqual(seen, [1, 2, 3, 4, 5]);
			assert.deepEqual((outcome as McpError).failure, { code: 'timeout', method: 'tools/call', ms: 100 });
			assert.equal(sent(transport).at(-1), 'notifications/cancelled {"requestId":2,"reason":"timeout"}');
		});

		it('an answer ends it', async () => {
			const { client, transport } = await connect(
				{ methods: { 'tools/call': () => ({ content: [] }) } },
				{ mode: 'legacy', timeoutMs: 100 },
			);
			await client.callTool('t', {});
			passTime(1000);
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
			// An empty object would declare forms.
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
