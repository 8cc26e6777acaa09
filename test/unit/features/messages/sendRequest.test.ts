/** The door that a written request passes: policy, disabled tools, changed tools, and the history. */
import * as assert from 'node:assert/strict';
import { emptyPolicy, type PolicyRule } from '../../../../src/core/approvals/approval.js';
import { Approver } from '../../../../src/core/approvals/approver.js';
import { type Call, Calls } from '../../../../src/core/calls/calls.js';
import { Interactions } from '../../../../src/core/calls/interactions.js';
import { CallDeniedError, ReadDeniedError, ToolDisabledError } from '../../../../src/core/calls/toolAccess.js';
import { MessageRing } from '../../../../src/core/messages/messageRing.js';
import { Server } from '../../../../src/core/servers/server.js';
import { sendRequest } from '../../../../src/features/messages/sendRequest.js';
import type { JsonObject } from '../../../../src/mcp/index.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { messagesOf } from '../../../support/callMessages.js';
import { MemoryTools } from '../../../support/memoryTools.js';
import { definition, ModelFixture } from '../../../support/modelFixture.js';

describe('a written request', () => {
	const cleanup = leakCheck();
	const { own } = cleanup;
	let fixture: ModelFixture;
	let server: Server;
	let ring: MessageRing;
	let rules: PolicyRule[];
	let isDenied: boolean;
	let recorded: string[];
	let send: (method: string, params?: object, by?: 'person' | 'history') => Promise<void>;

	beforeEach(() => {
		fixture = new ModelFixture(cleanup);
		rules = [];
		isDenied = false;
		recorded = [];
		ring = own(new MessageRing());
		fixture.server = {
			capabilities: { tools: {}, resources: {}, prompts: {} },
			methods: {
				'tools/list': () => ({ tools: [{ name: 'water', inputSchema: {} }] }),
				'tools/call': () => ({ content: [] }),
				'resources/list': () => ({ resources: [] }),
				'resources/templates/list': () => ({ resourceTemplates: [] }),
				'resources/read': () => ({ contents: [] }),
				'prompts/list': () => ({ prompts: [] }),
				'prompts/get': () => ({ messages: [] }),
				'completion/complete': () => ({ completion: { values: [] } }),
			},
		};
		server = own(new Server(definition('garden'), { ...fixture.deps, messages: ring }));
		const approver = new Approver({
			policies: {
				ofDefinition: async () => ({ kind: 'read', policy: { rules, otherwise: 'ask' } }),
				ofUser: () => ({ kind: 'read', policy: emptyPolicy }),
			},
			tools: new MemoryTools(),
			grants: { list: () => [], add: async () => undefined },
			isTrusted: () => true,
			isAuthored: async () => false,
			roots: () => [],
			ignoresCase: false,
			open: () => ({
				ask: async ({ request }) => {
					recorded.push(`asked about ${request.caller.kind}`);
					return { kind: 'deny', arguments: request.arguments, lasts: 'once', about: 'tool' };
				},
				dispose: () => undefined,
			}),
		});
		const calls = own(
			new Calls(
				approver,
				() => false,
				async () => undefined,
			),
		);
		own(calls.onDidCall(({ caller, tool, end }) => recorded.push(`${caller.kind} ${tool} ${end.kind}`)));
		const interactions = own(
			new Interactions(
				async () => isDenied,
				() => false,
			),
		);
		own(
			interactions.onDidEnd(it =>
				recorded.push(`${it.kind} ${it.kind === 'resource' ? it.uri : JSON.stringify(it.params)} ${it.end.kind}`),
			),
		);
		const callTool = (call: Call, others: JsonObject): Promise<unknown> =>
			calls.make({ ...call, id: 'c' }, async (args, tool, _, signal) => {
				const origin = { callId: 'c', caller: call.caller };
				return (await server.use()).callTool(tool, args, { signal, origin, others });
			});
		send = (method, params = {}, by = 'person') =>
			sendRequest({ callTool, interactions }, { server, method, params: JSON.stringify(params), caller: { kind: by } });
	});

	const sentMethods = (): string[] =>
		ring.records
			.filter(({ facts }) => facts.kind === 'request' && !/^initialize|discover$|list$|setLevel/.test(facts.method))
			.map(it => it.text.replace(/^.*"method"/, '"method"'));

	it('to call a tool is sent with all its parameters, and is added to the history', async () => {
		await send('tools/call', { name: 'water', arguments: { bed: 1 }, _meta: { trace: 'x' } });
		assert.deepEqual(sentMethods(), [
			'"method":"tools/call","params":{"_meta":{"trace":"x"},"name":"water","arguments":{"bed":1}}}',
		]);
		assert.deepEqual(recorded, ['person water answered']);
		assert.equal(messagesOf(ring, 'c')[0]?.first.facts.target, 'water');
	});

	it('to call a tool can be denied by a rule, or by the person if a model or an extension chose the arguments', async () => {
		await assert.rejects(send('tools/call', { name: 'water' }, 'history'), CallDeniedError);
		rules = [{ decision: 'deny', tools: ['water'] }];
		await assert.rejects(send('tools/call', { name: 'water' }), CallDeniedError);
		assert.deepEqual(sentMethods(), []);
		assert.deepEqual(recorded, ['asked about history', 'history water denied', 'person water denied']);
	});

	it('to call a disabled tool is not sent', async () => {
		fixture.tools = { garden: { disabled: ['water'] } };
		await assert.rejects(send('tools/call', { name: 'water' }), ToolDisabledError);
		assert.deepEqual(sentMethods(), []);
	});

	it('to read a resource is added to the history, and follows deny rules if others chose it', async () => {
		await send('resources/read', { uri: 'demo://a' });
		assert.deepEqual(recorded, ['resource demo://a answered']);
		await assert.rejects(send('resources/read', { uri: 'demo://a' }, 'history'), ReadDeniedError);
		isDenied = true;
		await assert.rejects(send('prompts/get', { name: 'plant' }, 'history'), ReadDeniedError);
		assert.equal(recorded.at(-1), 'prompt {"name":"plant"} denied');
		assert.equal(sentMethods().length, 1);
	});

	it('of another method is sent unchanged', async () => {
		const params = { ref: { type: 'ref/prompt', name: 'plant' }, argument: { name: 'a', value: '1' } };
		await send('completion/complete', params);
		await send('prompts/get', { name: 'plant' });
		assert.deepEqual(sentMethods(), [
			`"method":"completion/complete","params":${JSON.stringify(params)}}`,
			'"method":"prompts/get","params":{"name":"plant"}}',
		]);
		assert.deepEqual(recorded, ['prompt {"name":"plant"} answered']);
	});

	for (const [method, params] of [
		['initialize', {}],
		['notifications/cancelled', { requestId: 1 }],
		['', {}],
		['tools/call', { name: 1 }],
		['tools/call', { name: 'water', arguments: [] }],
		['resources/read', { uri: 'demo://a', more: 1 }],
		['ping', []],
	] as const) {
		it(`is not sent: ${method} ${JSON.stringify(params)}`, async () => {
			await assert.rejects(send(method, params), { name: 'Error' });
			assert.deepEqual(sentMethods(), []);
		});
	}
});
