// The request that waits for a message of which only the beginning and the end are kept.
import * as assert from 'node:assert/strict';
import { findLostRequest } from '../../../../src/mcp/transport/longMessage.js';

describe('findLostRequest', () => {
	const kept = 100;
	const long = 'x'.repeat(3 * kept);
	const failure = { code: 'tooLarge', limit: 5 };

	function lost(text: string): unknown {
		const found = findLostRequest(text.slice(0, kept), text.slice(-kept), 5);
		assert.deepEqual(found?.error.failure, found && failure);
		return found && [found.id, found.isRequest === true ? 'request' : 'answer'];
	}

	const table: readonly (readonly [text: string, id?: number | string | undefined, kind?: 'answer' | 'request'])[] = [
		// The id first, as Python, Go, Rust and Java write it.
		[`{"jsonrpc":"2.0","id":7,"result":{"text":"${long}"}}`, 7, 'answer'],
		[`{"jsonrpc": "2.0", "id": 7, "error": {"message": "${long}"}}`, 7, 'answer'],
		[`{"id":"a-ä","jsonrpc":"2.0","result":{"text":"${long}"}}`, 'a-ä', 'answer'],
		[`{"jsonrpc":"2.0","id":-1,"method":"roots/list","params":{"text":"${long}","id":8}}`, -1, 'request'],
		[`\ufeff { "id" : 7 , "result" : "${long}" } \r`, 7, 'answer'],
		// The id last, as the TypeScript SDK and C# write it.
		[`{"result":{"id":8,"text":"${long}"},"jsonrpc":"2.0","id":7}`, 7, 'answer'],
		[`{"result":{"text":"${long}"},"id":"7","jsonrpc":"2.0"}\r`, '7', 'answer'],
		[`{"jsonrpc":"2.0","error":{"message":"${long}"}, "id": 7 }`, 7, 'answer'],
		[`{"method":"roots/list","params":{"text":"${long}"},"jsonrpc":"2.0","id":0}`, 0, 'request'],
		[`{"params":{"text":"${long}","id":8},"method":"roots/list","id":7}`, 7, 'request'],
		[`{"jsonrpc":"2.0","id":7,"params":{"text":"${long}"},"method":"roots/list"}`, 7, 'request'],
		// A response whose id is not certain.
		[`{"jsonrpc":"2.0","result":"${long}","id":7,"_meta":{"text":"${long}"}}`, undefined, 'answer'],
		[`{"jsonrpc":"2.0","id":7,"result":"${long}","id":8}`, undefined, 'answer'],
		[`{"x":1,"jsonrpc":"2.0","id":7,"result":"${long}"}`, undefined, 'answer'],
		[`{"x":1,"result":"${long}","jsonrpc":"2.0","id":7}`, undefined, 'answer'],
		[`{"jsonrpc":"2.0","result":"${long}"}{"result":{},"id":7}`, undefined, 'answer'],
		[`{"jsonrpc":"2.0","id":null,"error":{"message":"${long}"}}`, undefined, 'answer'],
		[`{"jsonrpc":"2.0","id":1.5,"result":"${long}"}`, undefined, 'answer'],
		[`{"jsonrpc":"2.0","id":9007199254740993,"result":"${long}"}`, undefined, 'answer'],
		[`{"jsonrpc":"2.0","id":"${long}","result":1}`, undefined, 'answer'],
		[`{"jsonrpc":"2.0","id":"a\\n","result":"${long}"}`, undefined, 'answer'],
		// Two messages on one line: the first one is lost.
		[`{"jsonrpc":"2.0","id":8,"result":"${long}"}{"jsonrpc":"2.0","result":{},"id":7}`, 8, 'answer'],
		[`{"jsonrpc":"2.0","method":"notifications/message","params":"${long}"}{"result":{},"id":7}`],
		[`{"jsonrpc":"2.0","method":"notifications/message","params":"${long}"} { "result":{},"id":7}`],
		[`{"jsonrpc":"2.0","method":"notifications/message","params":"x"}{"result":"${long}","id":7}`],
		// Neither a response nor a request with a certain id.
		[`{"jsonrpc":"2.0","id":7,"method":"roots/list","params":"${long}","id":8}`],
		[`{"jsonrpc":"2.0","method":"notifications/message","params":{"text":"${long}"}}`],
		[`{"jsonrpc":"2.0","params":{"text":"${long}"},"method":"notifications/message"}`],
		[`{"params":{"text":"${long}","id":7},"jsonrpc":"2.0","method":"notifications/message"}`],
		[`{"jsonrpc":"2.0","method":"m","params":{"text":"${long}","id":7}}`],
		[`{"jsonrpc":"2.0","method":"m","params":["${long}",{"a":1,"id":7}]}`],
		[`{"jsonrpc":"2.0","method":"m","params":{"text":"${long},\\"id\\":7}"}}`],
		[`[{"jsonrpc":"2.0","id":7,"result":"${long}"}]`],
		[`log: {"id":7,"result":"${long}"}`],
		[`${long},"id":7}`],
		[long],
		[''],
	];
	for (const [text, ...expected] of table) {
		it(text.replaceAll(long, '…') || 'nothing', () => {
			assert.deepEqual(lost(text), expected.length === 0 ? undefined : expected);
		});
	}
});
