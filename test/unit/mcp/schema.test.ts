// Every message that our client sends in any test is checked by test/support/officialSchema.ts and its callers. Here:
// that the check itself can fail.
import * as assert from 'node:assert/strict';
import type { Message } from '../../../src/mcp/jsonrpc/messages.js';
import { type Revision, revisions, type SentContext, validateSent } from '../../support/officialSchema.js';

const jsonrpc = '2.0';
const clientInfo = { name: 'n', version: 'v' };

/** What is wrong with a message, in its first line. */
function complaint(message: unknown, context?: string | Partial<SentContext>): string {
	const given = typeof context === 'string' ? { answered: context } : context;
	try {
		validateSent(message as Message, { revision: '2025-11-25', ...given });
		return 'fine';
	} catch (error) {
		return String((error as Error).message.split('\n')[0]);
	}
}

// covers: schema.everyMessage
describe('the official schema', () => {
	it('accepts what a client sends', () => {
		const messages: readonly (readonly [message: unknown, answered?: string])[] = [
			[
				{
					jsonrpc,
					id: 1,
					method: 'initialize',
					params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
				},
			],
			[{ jsonrpc, method: 'notifications/initialized' }],
			[{ jsonrpc, method: 'notifications/cancelled', params: { requestId: 1, reason: 'r' } }],
			[{ jsonrpc, id: 'x', method: 'tools/call', params: { name: 't', arguments: {}, _meta: { progressToken: 1 } } }],
			[{ jsonrpc, id: 1, result: {} }, 'ping'],
			[{ jsonrpc, id: 1, result: { roots: [{ uri: 'file:///a' }] } }, 'roots/list'],
			[
				{ jsonrpc, id: 1, result: { action: 'accept', content: { n: 95.5, s: '', b: true, l: ['a'] } } },
				'elicitation/create',
			],
			[{ jsonrpc, id: 1, error: { code: -32601, message: 'm' } }],
		];
		assert.deepEqual(
			messages.map(([message, answered]) => complaint(message, answered)),
			messages.map(() => 'fine'),
		);
	});

	it('refuses what a client must not send', () => {
		const table: readonly (readonly [complaint: RegExp, message: unknown, answered?: string])[] = [
			[
				/must have required property 'clientInfo'/,
				{ jsonrpc, id: 1, method: 'initialize', params: { protocolVersion: '1', capabilities: {} } },
			],
			[/must have required property 'name'/, { jsonrpc, id: 1, method: 'tools/call', params: {} }],
			[
				/level must be equal to one of the allowed values/,
				{ jsonrpc, id: 1, method: 'logging/setLevel', params: { level: 'loud' } },
			],
			[/request id isn't a safe integer/, { jsonrpc, id: 1.5, method: 'ping' }],
			[/must have required property 'jsonrpc'/, { id: 1, method: 'ping' }],
			[/knows no method no\/such/, { jsonrpc, id: 1, method: 'no/such' }],
			[/never sends roots\/list/, { jsonrpc, id: 1, method: 'roots/list' }],
			[
				/never sends notifications\/message/,
				{ jsonrpc, method: 'notifications/message', params: { level: 'info', data: 1 } },
			],
			[/never sends ping/, { jsonrpc, method: 'ping' }],
			[/must have required property 'roots'/, { jsonrpc, id: 1, result: {} }, 'roots/list'],
			[/uri must match format "uri"/, { jsonrpc, id: 1, result: { roots: [{ uri: '/a' }] } }, 'roots/list'],
			[
				/action must be equal to one of the allowed values/,
				{ jsonrpc, id: 1, result: { action: 'reject' } },
				'elicitation/create',
			],
			[/code must be integer/, { jsonrpc, id: 1, error: { code: 1.5, message: 'm' } }],
			[/No JSON-RPC message/, { jsonrpc, id: 1, result: {}, error: { code: 1, message: 'm' } }],
		];
		for (const [expected, message, answered] of table) {
			assert.match(complaint(message, answered), expected);
		}
	});

	const _meta = {
		'io.modelcontextprotocol/protocolVersion': '2026-07-28',
		'io.modelcontextprotocol/clientCapabilities': {},
	};

	it('knows every revision', () => {
		const call = { jsonrpc, id: 1, method: 'tools/call', params: { name: 't', arguments: { n: 1.5, z: null } } };
		for (const revision of [...revisions, '2024-10-07']) {
			const isModern = revision === '2026-07-28';
			const sent = isModern ? { ...call, params: { ...call.params, _meta } } : call;
			assert.equal(complaint(sent, { revision }), 'fine', revision);
			const wrong = { ...sent, params: { ...sent.params, name: 5 } };
			assert.match(complaint(wrong, { revision }), /name must be string/, revision);
			const initialize = { protocolVersion: revision, capabilities: {}, clientInfo };
			assert.match(
				complaint({ jsonrpc, id: 1, method: 'initialize', params: initialize }, { revision }),
				isModern ? /knows no method initialize/ : /^fine$/,
				revision,
			);
			assert.match(
				complaint({ jsonrpc, id: 1, result: { roots: [] } }, { revision, answered: 'roots/list' }),
				isModern ? /sends no responses/ : /^fine$/,
				revision,
			);
			assert.match(
				complaint({ jsonrpc, id: 1, error: { code: -32601, message: 'm' } }, { revision }),
				isModern ? /sends no responses/ : /^fine$/,
				revision,
			);
		}
		assert.throws(() => validateSent(call as Message, { revision: '1999-01-01' }), /ENOENT/);
	});

	it('tells the revisions apart', () => {
		const table: readonly (readonly [method: string, since: Revision, until: Revision, params: object])[] = [
			['ping', '2024-11-05', '2025-11-25', {}],
			['logging/setLevel', '2024-11-05', '2025-11-25', { level: 'info' }],
			['resources/subscribe', '2024-11-05', '2025-11-25', { uri: 'a:b' }],
			['tasks/get', '2025-11-25', '2026-07-28', { taskId: 't' }],
			['tasks/list', '2025-11-25', '2025-11-25', {}],
			['tasks/update', '2026-07-28', '2026-07-28', { taskId: 't', inputResponses: { k: { action: 'decline' } } }],
			['server/discover', '2026-07-28', '2026-07-28', {}],
			['subscriptions/listen', '2026-07-28', '2026-07-28', { notifications: { toolsListChanged: true } }],
		];
		for (const [method, since, until, params] of table) {
			for (const revision of revisions) {
				const sent = { jsonrpc, id: 1, method, params: revision === '2026-07-28' ? { ...params, _meta } : params };
				const known = revision >= since && revision <= until;
				assert.match(complaint(sent, { revision }), known ? /^fine$/ : /knows no method/, `${method} ${revision}`);
			}
		}
		const answer = (revision: string, content: object): string =>
			complaint(
				{ jsonrpc, id: 1, result: { action: 'accept', content } },
				{ revision, answered: 'elicitation/create' },
			);
		assert.equal(answer('2025-06-18', { n: 95.5 }), 'fine');
		assert.match(answer('2025-06-18', { l: ['a'] }), /must be string,number,boolean/);
		assert.equal(answer('2025-11-25', { l: ['a'] }), 'fine');
		assert.match(answer('2025-11-25', { l: [1] }), /must be/);
	});

	it('modern requests carry their metadata, and any JSON in settings', () => {
		const revision = '2026-07-28';
		const list = { jsonrpc, id: 1, method: 'tools/list', params: {} };
		assert.match(complaint(list, { revision }), /must have required property '_meta'/);
		const settings = { extensions: { 'x/y': { a: null, b: 1.5, c: [{}] } } };
		const capabilities = { ..._meta, 'io.modelcontextprotocol/clientCapabilities': settings };
		assert.equal(complaint({ ...list, params: { _meta: capabilities } }, { revision }), 'fine');
		const cancelled = { jsonrpc, method: 'notifications/cancelled', params: { requestId: 1 } };
		assert.equal(complaint(cancelled, { revision }), 'fine');
		assert.match(complaint({ jsonrpc, method: 'notifications/initialized' }, { revision }), /knows no method/);
		const inputResponses = { k: { action: 'accept', content: { n: 0.5 } } };
		const retry = { name: 't', inputResponses, requestState: 's', _meta };
		assert.equal(complaint({ jsonrpc, id: 2, method: 'tools/call', params: retry }, { revision }), 'fine');
	});

	it('batches exist in one revision', () => {
		const batch = [
			{ jsonrpc, id: 1, method: 'ping' },
			{ jsonrpc, method: 'notifications/initialized' },
		];
		const answers = [
			{ jsonrpc, id: 1, result: {} },
			{ jsonrpc, id: 2, error: { code: 1, message: 'm' } },
		];
		const initialize = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo };
		for (const revision of revisions) {
			assert.match(complaint(batch, { revision }), revision === '2025-03-26' ? /^fine$/ : /No batch here/);
		}
		const revision = '2025-03-26';
		assert.equal(complaint(answers, { revision }), 'fine');
		assert.match(complaint([], { revision }), /No batch here/);
		assert.match(complaint([...batch, ...answers], { revision }), /Against the schema/);
		assert.match(
			complaint([{ jsonrpc, id: 1, method: 'initialize', params: initialize }], { revision }),
			/MUST NOT be part of a batch/,
		);
	});

	it('answers of tasks in 2025-11-25', () => {
		const task = { taskId: 't', status: 'working', createdAt: 'x', lastUpdatedAt: 'x', ttl: null };
		assert.equal(complaint({ jsonrpc, id: 1, result: { task } }, 'sampling/createMessage'), 'fine');
		assert.equal(complaint({ jsonrpc, id: 1, result: task }, 'tasks/get'), 'fine');
		assert.match(complaint({ jsonrpc, id: 1, result: {} }, 'tasks/get'), /must have required property/);
	});
});
