// Every message that our client sends in any test is checked by test/support/officialSchema.ts. Here: that the check
// itself can fail.
import * as assert from 'node:assert/strict';
import type { Message } from '../../../src/mcp/jsonrpc/messages.js';
import { validateSent } from '../../support/officialSchema.js';

const jsonrpc = '2.0';
const clientInfo = { name: 'n', version: 'v' };

/** What is wrong with a message, in its first line. */
function complaint(message: unknown, answered?: string): string {
	try {
		validateSent(message as Message, answered);
		return 'fine';
	} catch (error) {
		return String((error as Error).message.split('\n')[0]);
	}
}

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
			[/id must be string,integer/, { jsonrpc, id: 1.5, method: 'ping' }],
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
});
