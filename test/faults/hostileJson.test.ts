// Any JSON as any message, result or parameter: a caller gets a value of the promised shape or one of the errors it was
// promised, and nothing is thrown anywhere else.
import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Client, type EraMode, type Transport } from '../../src/mcp/index.js';
import { isObject } from '../../src/mcp/jsonrpc/messages.js';
import { HostileTransport } from '../support/faults/hostileTransport.js';
import { outcomeOf } from '../support/faults/outcome.js';
import { leakCheck } from '../support/leakCheck.js';
import { SentCheck } from '../support/sentCheck.js';
import { TestLogger } from '../support/testLogger.js';
import { settled } from '../support/waiting.js';

/** Deeper than `JSON.stringify` reaches, though `JSON.parse` does. */
const depth = 10_000;

const leaf = fc.oneof(
	{
		weight: 12,
		arbitrary: fc.constantFrom(
			...(
				'null true false 0 -0 1 1e400 -1e400 9007199254740993 1e-400 0.1 "" "\\ud800" "\\udc00\\ud800" ' +
				'"\\u0000" "__proto__" "text" "resource" "resource_link" "2025-11-25" "2026-07-28" "input_required" ' +
				'"task" "complete" "working" "completed" "failed" "roots/list" "elicitation/create" ' +
				'"sampling/createMessage" "form" "url" [] {}'
			).split(' '),
		),
	},
	{
		weight: 1,
		arbitrary: fc.constantFrom('['.repeat(depth) + ']'.repeat(depth), '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)),
	},
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }).map(it => JSON.stringify(it)) },
);

const keys = fc.constantFrom(
	'',
	...(
		'__proto__ constructor toString valueOf hasOwnProperty then toJSON length get jsonrpc id method ' +
		'params result error code message data _meta progressToken tools resources prompts contents content ' +
		'messages completion values nextCursor ttlMs name title uri type text role inputSchema properties ' +
		'arguments annotations isError resultType task taskId status inputRequests requestState pollInterval ' +
		'mode requestedSchema protocolVersion supportedVersions supported capabilities serverInfo ' +
		'elicitations requestId reason'
	).split(' '),
);

const { json } = fc.letrec<{ json: string; object: string; array: string }>(tie => ({
	json: fc.oneof({ maxDepth: 4, withCrossShrink: true }, leaf, tie('object'), tie('array')),
	array: fc.array(tie('json'), { maxLength: 3 }).map(it => `[${it.join()}]`),
	object: fc
		.array(fc.tuple(keys, tie('json')), { maxLength: 5 })
		.map(it => `{${it.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join()}}`),
}));

/** The right members around anything: what gets past the first check. */
const shaped = fc.oneof(
	json,
	fc
		.tuple(
			fc.constantFrom('tools', 'resources', 'prompts', 'resourceTemplates', 'contents', 'content', 'messages'),
			json,
			json,
		)
		.map(
			([key, entry, other]) =>
				`{"${key}":[${entry},{"name":"n","uri":"u","role":"user","content":${other},"inputSchema":${other}}]}`,
		),
	json.map(it => `{"completion":{"values":["a",${it}],"total":${it}}}`),
	json.map(it => `{"resultType":${it},"content":${it}}`),
	json.map(
		it =>
			`{"resultType":"input_required","inputRequests":{"a":${it},"__proto__":{"method":"elicitation/create","params":${it}}}}`,
	),
	json.map(
		it => `{"resultType":"task","taskId":"t","status":"failed","error":{"code":1,"message":${it},"data":${it}}}`,
	),
	json.map(it => `{"task":{"taskId":"t","status":"completed","statusMessage":${it}},"result":${it}}`),
	json.map(it => `{"protocolVersion":"2025-11-25","capabilities":${it},"serverInfo":${it},"instructions":${it}}`),
	json.map(
		it =>
			`{"supportedVersions":["2026-07-28",${it}],"capabilities":${it},"_meta":{"io.modelcontextprotocol/serverInfo":${it}}}`,
	),
	json.map(it => `{"supportedVersions":[${it}],"capabilities":${it}}`),
);

/** An answer; `$` stands for the id. */
const answer = fc.oneof(
	{ weight: 4, arbitrary: shaped.map(it => `{"jsonrpc":"2.0","id":$,"result":${it}}`) },
	fc.tuple(json, json).map(([code, data]) => `{"id":$,"error":{"code":${code},"message":"m","data":${data}}}`),
	fc
		.tuple(fc.constantFrom(-32001, -32020, -32022, -32042, -32601, -32602), json)
		.map(([code, data]) => `{"id":$,"error":{"code":${code},"message":"m","data":${data}}}`),
	json.map(it => `{"id":$,"error":${it}}`),
);

/** Something unasked. */
const unasked = fc.oneof(
	json,
	json.map(id => `{"id":${id},"error":{"code":1,"message":"m"}}`),
	json.map(id => `{"id":${id},"result":{}}`),
	fc
		.tuple(
			fc.constantFrom(
				'notifications/cancelled',
				'notifications/progress',
				'notifications/message',
				'notifications/tasks',
				'__proto__',
				'notifications/resources/updated',
				'notifications/elicitation/complete',
				'notifications/tasks/status',
				'notifications/subscriptions/acknowledged',
				'notifications/tools/list_changed',
				'constructor',
			),
			json,
		)
		.map(
			([method, it]) =>
				`{"method":"${method}","params":{"requestId":1,"progress":1,"progressToken":1,"reason":${it},"data":${it},"taskId":${it},"uri":${it},"_meta":${it},"notifications":${it}}}`,
		),
	fc
		.tuple(
			fc.constantFrom(
				'roots/list',
				'elicitation/create',
				'sampling/createMessage',
				'ping',
				'tasks/get',
				'tasks/cancel',
				'toString',
			),
			json,
			json,
		)
		.map(
			([method, id, it]) =>
				`{"method":"${method}","id":${id},"params":{"mode":${it},"messages":[${it}],"tools":${it},"task":${it},"taskId":${it},"_meta":${it}}}`,
		),
);

const isText = (value: unknown): boolean => typeof value === 'string';
const named = (value: unknown): boolean => isObject(value) && isText(value['name']);

/** What each call promises. */
const calls: Readonly<
	Record<
		string,
		readonly [ask: (client: Client, signal: AbortSignal) => Promise<unknown>, isRight: (value: unknown) => boolean]
	>
> = {
	listTools: [
		(client, signal) => client.listTools(signal),
		value => Array.isArray(value) && value.every(it => named(it) && isObject(it.inputSchema)),
	],
	listResources: [
		(client, signal) => client.listResources(signal),
		value => Array.isArray(value) && value.every(it => named(it) && isText(it.uri)),
	],
	listPrompts: [
		(client, signal) => client.listPrompts(signal),
		value => Array.isArray(value) && value.every(it => named(it) && Array.isArray(it.arguments)),
	],
	callTool: [
		(client, signal) => client.callTool('t', { a: 1 }, { signal, onProgress: () => undefined }),
		value =>
			isObject(value) &&
			typeof value['isError'] === 'boolean' &&
			Array.isArray(value['content']) &&
			value['content'].every(it => isObject(it) && isText(it['type'])),
	],
	readResource: [
		(client, signal) => client.readResource('u:1', { signal }),
		value => Array.isArray(value) && value.every(it => isObject(it) && isText(it['uri'])),
	],
	getPrompt: [
		(client, signal) => client.getPrompt('p', {}, { signal }),
		value => isObject(value) && Array.isArray(value['messages']) && value['messages'].every(it => isObject(it.content)),
	],
	complete: [
		(client, signal) => client.complete({ type: 'ref/prompt', name: 'p' }, { name: 'a', value: '' }, {}, { signal }),
		value => isObject(value) && Array.isArray(value['values']) && value['values'].every(isText),
	],
	resumeTask: [
		(client, signal) => client.resumeTask('t', { signal }),
		value => isObject(value) && Array.isArray(value['content']),
	],
};

describe('hostile JSON', function () {
	this.timeout(30_000);
	const { own } = leakCheck();

	function createClient(
		mode: EraMode,
		kind: Transport['kind'],
		reply: ConstructorParameters<typeof HostileTransport>[1],
	): Client {
		const handlers = {
			roots: () => [{ uri: 'file:///w' }],
			elicitation: { form: async () => ({ action: 'decline' }), url: async () => ({ action: 'decline' }) },
			sampling: {
				tools: false,
				handle: async () => ({ role: 'assistant', content: { type: 'text', text: '' }, model: 'm' }),
			},
		};
		const client = own(
			new Client({
				clientInfo: { name: 'test', version: '1' },
				open: () => new HostileTransport(kind, reply),
				mode,
				probeMs: 1,
				timeoutMs: 0,
				handlers,
				log: new TestLogger(),
			}),
		);
		// Whoever reads the wire must be able to.
		own(client.onDidTransfer(it => (it.kind === 'message' && it.direction === 'received' ? it.size : 0)));
		return client;
	}

	/** What comes of it in a moment; it is taken back if nothing does. */
	async function outcome(
		run: (signal: AbortSignal) => Promise<unknown>,
	): Promise<Awaited<ReturnType<typeof outcomeOf>>> {
		const controller = new AbortController();
		const coming = outcomeOf(run(controller.signal));
		await settled();
		controller.abort();
		return coming;
	}

	function assertPromised(it: Awaited<ReturnType<typeof outcomeOf>>, isRight: (value: unknown) => boolean): void {
		assert.ok(!('mistake' in it), 'mistake' in it ? it.mistake : '');
		assert.ok(!('value' in it) || isRight(it.value));
	}

	const withId = (text: string, id: unknown): string => text.replace('"id":$', `"id":${JSON.stringify(id)}`);
	const handshake =
		'{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"logging":{}},"serverInfo":{}}';

	it('instead of a handshake', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom('auto', 'legacy', 'modern'),
				fc.constantFrom('stdio', 'http'),
				fc.array(unasked, { maxLength: 2 }),
				fc.array(answer, { minLength: 1, maxLength: 3 }),
				async (mode, kind, before, answers) => {
					let count = 0;
					const client = createClient(mode, kind, (_, id) => [
						...before,
						withId(answers[count++ % answers.length] ?? '', id),
					]);
					const isSession = (value: unknown): boolean =>
						isObject(value) && isText(value['protocolVersion']) && named(value['serverInfo']);
					assertPromised(await outcome(signal => client.connect(signal)), isSession);
					await client.close();
					client.dispose();
				},
			),
			{ numRuns: 50 },
		);
	});

	it('in the words of a task that failed', async () => {
		for (const message of [
			'{"toString":1,"valueOf":1}',
			'['.repeat(depth) + ']'.repeat(depth),
			'null',
			'{"__proto__":null}',
		]) {
			const task = `{"resultType":"task","taskId":"t","status":"failed","error":{"code":1,"message":${message}}}`;
			const client = createClient('modern', 'stdio', (_, id) => [`{"id":${JSON.stringify(id)},"result":${task}}`]);
			await client.connect(new AbortController().signal);
			assert.deepEqual(await outcomeOf(client.callTool('t', {})), { rpc: [1, ''] });
			await client.close();
		}
	});

	for (const [name, [ask, isRight]] of Object.entries(calls)) {
		it(`as an answer to ${name}`, async () => {
			await fc.assert(
				fc.asyncProperty(
					fc.constantFrom('legacy', 'modern'),
					fc.constantFrom('stdio', 'http'),
					fc.array(unasked, { maxLength: 2 }),
					fc.array(answer, { minLength: 1, maxLength: 3 }),
					async (mode, kind, before, answers) => {
						let count = 0;
						const client = createClient(mode, kind, (method, id) =>
							method === 'initialize'
								? [`{"id":${JSON.stringify(id)},"result":${handshake}}`]
								: [...before, withId(answers[count++ % answers.length] ?? '', id)],
						);
						// Not above: before anything is agreed on, what is sent may be of either era.
						own(client.onDidTransfer(new SentCheck().follow));
						await client.connect(new AbortController().signal);
						assertPromised(await outcome(signal => ask(client, signal)), isRight);
						await client.close();
						client.dispose();
					},
				),
				{ numRuns: 50 },
			);
		});
	}
});
