import * as assert from 'node:assert/strict';
import { classify, isObject, isSameId } from '../../../../src/mcp/jsonrpc/messages.js';

describe('classify', () => {
	it('recognises messages by their shape', () => {
		const table: readonly (readonly [message: unknown, kind: string])[] = [
			[{ jsonrpc: '2.0', id: 1, method: 'a' }, 'request'],
			[{ jsonrpc: '2.0', id: 'x', method: 'a', params: {} }, 'request'],
			[{ jsonrpc: '2.0', id: 0, method: 'a' }, 'request'],
			[{ jsonrpc: '2.0', id: '', method: 'a' }, 'request'],
			[{ jsonrpc: '2.0', method: 'a' }, 'notification'],
			[{ jsonrpc: '2.0', method: 'a', params: {} }, 'notification'],
			[{ jsonrpc: '2.0', id: 1, result: {} }, 'result'],
			[{ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'm' } }, 'error'],
			[{ jsonrpc: '2.0', id: null, error: { code: -1, message: 'm' } }, 'error'],
			[{ jsonrpc: '2.0', error: { code: -1, message: 'm', data: 5 } }, 'error'],
			// Some servers omit `jsonrpc`, or send another value.
			[{ id: 1, result: {} }, 'result'],
			[{ jsonrpc: '1.0', method: 'a' }, 'notification'],
			// A null beside the other member is accepted.
			[{ id: 1, result: {}, error: null }, 'result'],
			[{ id: 1, result: null, error: { code: -1, message: 'm' } }, 'error'],
			// Unknown members are ignored.
			[{ jsonrpc: '2.0', method: 'a', extra: 1 }, 'notification'],
		];
		assert.deepEqual(
			table.map(([message]) => [message, classify(message).kind]),
			table.map(([message, kind]) => [message, kind]),
		);
	});

	// covers: jsonrpc.shapes
	it('says what is wrong with what is none, and which request it may belong to', () => {
		const notAnObject = { why: 'not an object', id: undefined };
		const table: readonly (readonly [message: unknown, invalid: { why: string; id: unknown }])[] = [
			[null, notAnObject],
			[undefined, notAnObject],
			[5, notAnObject],
			['text', notAnObject],
			// Batches existed in 2025-03-26 only.
			[[{ jsonrpc: '2.0', method: 'a' }], notAnObject],
			[{}, { why: 'neither a request nor a response', id: undefined }],
			[{ id: 3 }, { why: 'neither a request nor a response', id: 3 }],
			[
				{ id: 3, method: 5 },
				{ why: 'neither a request nor a response', id: 3 },
			],
			[
				{ id: 3, method: 'a', params: [1] },
				{ why: 'params is not an object', id: undefined },
			],
			[
				{ method: 'a', params: null },
				{ why: 'params is not an object', id: undefined },
			],
			[
				{ id: null, method: 'a' },
				{ why: 'request id is neither a string nor a number', id: undefined },
			],
			[
				{ id: {}, method: 'a' },
				{ why: 'request id is neither a string nor a number', id: undefined },
			],
			[
				{ id: 3, result: {}, error: { code: 1, message: 'm' } },
				{ why: 'both result and error', id: 3 },
			],
			[
				{ id: 3, result: 'text' },
				{ why: 'result is not an object', id: 3 },
			],
			[
				{ id: 3, result: null },
				{ why: 'result is not an object', id: 3 },
			],
			[
				{ id: 3, result: null, error: null },
				{ why: 'result is not an object', id: 3 },
			],
			[
				{ id: 3, error: null },
				{ why: 'error without a numeric code and a message', id: 3 },
			],
			[
				{ id: 3, result: [] },
				{ why: 'result is not an object', id: 3 },
			],
			[{ result: {} }, { why: 'response without an id', id: undefined }],
			[
				{ id: null, result: {} },
				{ why: 'response without an id', id: undefined },
			],
			[
				{ id: 3, error: 'text' },
				{ why: 'error without a numeric code and a message', id: 3 },
			],
			[
				{ id: 3, error: { code: '1', message: 'm' } },
				{ why: 'error without a numeric code and a message', id: 3 },
			],
			[
				{ id: 0.1, method: 'a' },
				{ why: "request id isn't a safe integer", id: undefined },
			],
			[
				{ id: 2 ** 53, method: 'a' },
				{ why: "request id isn't a safe integer", id: undefined },
			],
			[
				{ id: 3, error: { code: 1 } },
				{ why: 'error without a numeric code and a message', id: 3 },
			],
		];
		assert.deepEqual(
			table.map(([message]) => [message, classify(message)]),
			table.map(([message, { why, id }]) => [message, { kind: 'invalid', why, id }]),
		);
	});

	it('knows objects', () => {
		assert.deepEqual([{}, Object.create(null), [], null, 'x', undefined, 1].map(isObject), [
			true,
			true,
			false,
			false,
			false,
			false,
			false,
		]);
	});
});

describe('the id of an answer', () => {
	it('is ours, or our number as a string, and nothing that is only like it', () => {
		for (const it of [7, '7']) {
			assert.ok(isSameId(7, it), JSON.stringify(it));
		}
		for (const it of ['07', '7.0', ' 7', '7e0', '+7', '', 8, null, undefined, [7], { id: 7 }, true]) {
			assert.ok(!isSameId(7, it), JSON.stringify(it));
		}
		assert.ok(isSameId('a', 'a'));
		assert.ok(!isSameId('7', 7));
	});
});
