/**
 * The table of docs/protocol-support.md, cell by cell: each supported feature is used with a server that speaks this
 * revision only. Every message of the client is checked against the official schema of the revision.
 */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import type { Disposable } from '../../../../src/base/lifecycle.js';
import { nullLogger } from '../../../../src/base/log.js';
import { Client } from '../../../../src/mcp/client/client.js';
import type { ClientHandlers } from '../../../../src/mcp/client/handlers.js';
import { tasksExtension } from '../../../../src/mcp/client/tasks.js';
import type { JsonObject } from '../../../../src/mcp/jsonrpc/messages.js';
import { projectRoot } from '../../../host/paths.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { discovery, handshake, type Method, MemoryTransport } from '../../../support/memoryTransport.js';
import { eventually } from '../../../support/waiting.js';

const revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const;
type Revision = (typeof revisions)[number];

interface Row {
	readonly feature: string;
	/** The first revision with the feature; all if not given. */
	readonly since?: Revision;
	/** The last revision with the feature. */
	readonly until?: Revision;
	prove(side: Side): Promise<void>;
}

const text = { type: 'text', text: 'hello' };
const uri = 'memo://one';
const schema = { type: 'object', properties: { name: { type: 'string' } } };
const messages = [{ role: 'user', content: text }];
const answer = { role: 'assistant', content: text, model: 'm', stopReason: 'endTurn' };
const accepted = { action: 'accept', content: { name: 'Ada' } };
const metadata = 'io.modelcontextprotocol/';

const handlers: ClientHandlers = {
	roots: () => [{ uri: 'file:///work', name: 'work' }],
	sampling: { handle: () => Promise.resolve(answer), tools: true },
	elicitation: { form: () => Promise.resolve(accepted), url: () => Promise.resolve({ action: 'accept' }) },
};

/** A client and its server. */
class Side {
	readonly transport: MemoryTransport;
	readonly client: Client;
	/** The server's next answers, besides those that it always gives. */
	readonly methods: Record<string, Method> = {};

	constructor(
		readonly revision: Revision,
		readonly own: <T extends Disposable>(it: T) => T,
	) {
		const capabilities = {
			tools: { listChanged: true },
			prompts: { listChanged: true },
			resources: { listChanged: true, subscribe: true },
			logging: {},
			completions: {},
			...(this.isModern
				? { extensions: { [tasksExtension]: {} } }
				: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
		};
		const always: Record<string, Method> = {
			initialize: () => handshake(capabilities, this.isModern ? 'none' : revision),
			'logging/setLevel': () => ({}),
			'resources/subscribe': () => ({}),
			'subscriptions/listen': (params, id) => {
				this.listening = id;
				this.notify('subscriptions/acknowledged', { notifications: params['notifications'] });
				return undefined;
			},
			...(this.isModern ? { 'server/discover': () => discovery(capabilities, [revision]) } : {}),
		};
		const find = (_: unknown, method: string): Method | undefined => this.methods[method] ?? always[method];
		this.transport = new MemoryTransport({ methods: new Proxy(always, { get: find as never }) });
		this.client = new Client({
			open: () => this.transport,
			clientInfo: { name: 'test', version: '1' },
			timeoutMs: 0,
			handlers,
			log: nullLogger,
		});
	}

	private listening: string | number | undefined;

	get isModern(): boolean {
		return this.revision >= '2026-07-28';
	}

	/** A result in the form of this revision. */
	result(value: JsonObject): JsonObject {
		return this.isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private', ...value } : value;
	}

	answer(method: string, value: JsonObject): void {
		this.methods[method] = () => this.result(value);
	}

	/** Sends a notification of the server; a modern server sends it on the stream of the subscription. */
	notify(name: string, params: JsonObject = {}): void {
		const _meta = { [`${metadata}subscriptionId`]: this.listening };
		this.transport.notify(`notifications/${name}`, { ...params, ...(this.isModern ? { _meta } : {}) });
	}

	hasSent(method: string, part = ''): boolean {
		return this.transport.transcript.some(it => it.startsWith(`> ${method}`) && it.includes(part));
	}

	/** Makes the server ask us something: by a request of its own, or before it answers a call. */
	async ask(method: string, params: JsonObject = {}): Promise<unknown> {
		if (!this.isModern) {
			this.transport.request('asked', method, params);
			let reply: unknown;
			await eventually(() => {
				reply = this.transport.sent.find(it => 'id' in it && it.id === 'asked');
				return reply !== undefined;
			}, `an answer to ${method}`);
			return (reply as JsonObject)['result'];
		}
		let given: unknown;
		this.methods['tools/call'] = ({ inputResponses }) => {
			if (inputResponses === undefined) {
				return { resultType: 'input_required', inputRequests: { q: { method, params } } };
			}
			given = (inputResponses as JsonObject)['q'];
			return this.result({ content: [] });
		};
		await this.client.callTool('t', {});
		return given;
	}
}

const rows: readonly Row[] = [
	{
		feature: 'Tools, in pages',
		async prove(side) {
			side.methods['tools/list'] = ({ cursor }) => {
				const page = { tools: [{ name: cursor === undefined ? 'a' : 'b', inputSchema: { type: 'object' } }] };
				return side.result({ ...page, ...(cursor === undefined && { nextCursor: 'more' }) });
			};
			side.answer('tools/call', { content: [text] });
			assert.deepEqual(
				(await side.client.listTools()).map(it => it.name),
				['a', 'b'],
			);
			assert.deepEqual((await side.client.callTool('a', {})).content, [text]);
		},
	},
	{
		feature: 'Structured results with a schema',
		since: '2025-06-18',
		async prove(side) {
			side.answer('tools/list', { tools: [{ name: 'a', inputSchema: { type: 'object' }, outputSchema: schema }] });
			side.answer('tools/call', { content: [], structuredContent: { name: 'Ada' } });
			const [tool] = await side.client.listTools();
			assert.deepEqual(tool?.outputSchema, schema);
			assert.deepEqual((await side.client.callTool('a', {})).structuredContent, { name: 'Ada' });
		},
	},
	{
		feature: 'Resources and templates',
		async prove(side) {
			side.answer('resources/list', { resources: [{ uri, name: 'one' }] });
			side.answer('resources/templates/list', { resourceTemplates: [{ uriTemplate: 'memo://{n}', name: 'memo' }] });
			side.answer('resources/read', { contents: [{ uri, text: 'hello' }] });
			assert.equal((await side.client.listResources())[0]?.uri, uri);
			assert.equal((await side.client.listResourceTemplates())[0]?.uriTemplate, 'memo://{n}');
			const [contents] = await side.client.readResource(uri);
			assert.ok(contents && 'text' in contents && contents.text === 'hello');
		},
	},
	{
		feature: 'Resources that change',
		async prove(side) {
			const changed: string[] = [];
			side.own(side.client.onDidUpdateResource(it => changed.push(it)));
			side.own(side.client.subscribeResource(uri));
			await eventually(
				() => side.hasSent(side.isModern ? 'subscriptions/listen' : 'resources/subscribe', uri),
				'the wish',
			);
			side.notify('resources/updated', { uri });
			await eventually(() => changed.length > 0, 'the news');
			assert.deepEqual(changed, [uri]);
		},
	},
	{
		feature: 'Prompts',
		async prove(side) {
			side.answer('prompts/list', { prompts: [{ name: 'p', arguments: [{ name: 'x', required: true }] }] });
			side.answer('prompts/get', { messages });
			assert.equal((await side.client.listPrompts())[0]?.arguments?.[0]?.name, 'x');
			assert.equal((await side.client.getPrompt('p', { x: '1' })).messages.length, 1);
		},
	},
	{
		feature: 'Completion of arguments',
		async prove(side) {
			side.answer('completion/complete', { completion: { values: ['Paris'] } });
			const found = await side.client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'city', value: 'P' });
			assert.deepEqual(found.values, ['Paris']);
		},
	},
	{
		feature: 'Completion that knows the other arguments',
		since: '2025-06-18',
		async prove(side) {
			let context: unknown;
			side.methods['completion/complete'] = params => {
				context = params['context'];
				return side.result({ completion: { values: [] } });
			};
			const ref = { type: 'ref/prompt', name: 'p' } as const;
			await side.client.complete(ref, { name: 'city', value: '' }, { country: 'FR' });
			assert.deepEqual(context, { arguments: { country: 'FR' } });
		},
	},
	{
		feature: 'Lists that change',
		async prove(side) {
			const changed: string[] = [];
			side.own(side.client.onDidChangeList(it => changed.push(it)));
			side.notify('tools/list_changed');
			await eventually(() => changed.length > 0, 'the news');
			assert.deepEqual(changed, ['tools']);
		},
	},
	{
		feature: 'Log messages',
		async prove(side) {
			const said: unknown[] = [];
			side.own(side.client.onDidLog(it => said.push(it.data)));
			await side.client.setLoggingLevel('debug');
			side.answer('tools/call', { content: [] });
			await side.client.callTool('t', {});
			assert.ok(JSON.stringify(side.transport.sent).includes('"debug"'));
			side.transport.notify('notifications/message', { level: 'info', data: 'said' });
			await eventually(() => said.length > 0, 'the message');
			assert.deepEqual(said, ['said']);
		},
	},
	{
		feature: 'Progress',
		async prove(side) {
			const seen: number[] = [];
			side.methods['tools/call'] = ({ _meta }) => {
				const { progressToken } = _meta as JsonObject;
				side.transport.notify('notifications/progress', { progressToken, progress: 1, total: 2 });
				return side.result({ content: [] });
			};
			await side.client.callTool('t', {}, { onProgress: ({ progress }) => seen.push(progress) });
			assert.deepEqual(seen, [1]);
		},
	},
	{
		feature: 'Cancellation',
		async prove(side) {
			side.methods['tools/call'] = () => undefined;
			const stop = new AbortController();
			const call = side.client.callTool('t', {}, { signal: stop.signal });
			await eventually(() => side.hasSent('tools/call'), 'the call');
			stop.abort();
			await assert.rejects(call, { name: 'AbortError' });
			await eventually(() => side.hasSent('notifications/cancelled'), 'its end');
		},
	},
	{
		feature: 'Tasks',
		since: '2025-11-25',
		async prove(side) {
			const created = {
				taskId: '1',
				status: 'working',
				ttl: null,
				createdAt: now,
				lastUpdatedAt: now,
				pollInterval: 1,
			};
			const ended = { ...created, status: 'completed' };
			const result = { content: [text] };
			if (side.isModern) {
				side.methods['tools/call'] = () => ({ resultType: 'task', ...created, ttlMs: null, pollIntervalMs: 1 });
				side.answer('tasks/get', { ...ended, ttlMs: null, result });
			} else {
				side.answer('tools/call', { task: created });
				side.answer('tasks/get', ended);
				side.answer('tasks/result', result);
			}
			const tool = { name: 't', inputSchema: { type: 'object' }, taskSupport: 'required' } as const;
			assert.deepEqual((await side.client.callTool(tool, {})).content, [text]);
		},
	},
	{
		feature: 'Roots',
		async prove(side) {
			assert.deepEqual(await side.ask('roots/list'), { roots: [{ uri: 'file:///work', name: 'work' }] });
		},
	},
	{
		feature: 'Sampling',
		async prove(side) {
			assert.deepEqual(await side.ask('sampling/createMessage', { messages, maxTokens: 10 }), answer);
		},
	},
	{
		feature: 'Sampling with tools',
		since: '2025-11-25',
		async prove(side) {
			const tools = [{ name: 'look', inputSchema: { type: 'object' } }];
			assert.deepEqual(await side.ask('sampling/createMessage', { messages, maxTokens: 10, tools }), answer);
		},
	},
	{
		feature: 'Elicitation by form',
		since: '2025-06-18',
		async prove(side) {
			assert.deepEqual(await side.ask('elicitation/create', { message: 'Who?', requestedSchema: schema }), accepted);
		},
	},
	{
		feature: 'Elicitation by page',
		since: '2025-11-25',
		async prove(side) {
			const page = { mode: 'url', message: 'Go', url: 'https://example.org/', elicitationId: '1' };
			assert.deepEqual(await side.ask('elicitation/create', page), { action: 'accept' });
		},
	},
	{
		feature: 'Messages in batches',
		since: '2025-03-26',
		until: '2025-03-26',
		async prove(side) {
			const changed: string[] = [];
			side.own(side.client.onDidChangeList(it => changed.push(it)));
			const news = (list: string): JsonObject => ({ jsonrpc: '2.0', method: `notifications/${list}/list_changed` });
			side.transport.receive([news('tools'), news('prompts')]);
			await eventually(() => changed.length > 1, 'the news');
			assert.deepEqual(changed, ['tools', 'prompts']);
		},
	},
];

const now = '2026-01-01T00:00:00Z';

function isIn({ since, until }: Row, revision: Revision): boolean {
	return revision >= (since ?? revision) && revision <= (until ?? revision);
}

describe('the protocol', () => {
	const { own } = leakCheck();

	for (const revision of revisions) {
		describe(`at ${revision}`, () => {
			for (const row of rows.filter(it => isIn(it, revision))) {
				it(row.feature, async () => {
					const side = new Side(revision, own);
					own(side.client);
					const session = await side.client.connect(new AbortController().signal);
					assert.equal(session.protocolVersion, revision);
					await row.prove(side);
				});
			}
		});
	}

	it('is described by docs/protocol-support.md', () => {
		const page = fs.readFileSync(path.join(projectRoot, 'docs', 'protocol-support.md'), 'utf8').split('\n');
		const cells = (line: string): string[] =>
			line
				.split('|')
				.slice(1, -1)
				.map(it => it.trim());
		const begin = page.findIndex(it => it.startsWith('|') && cells(it).slice(1).join() === revisions.join());
		assert.ok(begin >= 0, 'no table has these revisions for its columns');
		const table = page.slice(begin + 2, page.indexOf('', begin)).map(cells);
		assert.deepEqual(
			table,
			rows.map(row => [row.feature, ...revisions.map(it => (isIn(row, it) ? '✓' : '–'))]),
		);
	});
});
