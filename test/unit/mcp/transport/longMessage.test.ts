// The request that waits for a message of which only the beginning and the end are kept.
import * as assert from 'node:assert/strict';
import { findAnsweredId } from '../../../../src/mcp/transport/longMessage.js';

describe('findAnsweredId', () => {
	const kept = 100;
	const long = 'x'.repeat(3 * kept);

	const table: readonly (readonly [text: string, id?: number | string])[] = [
		// The id first, as Python, Go, Rust and Java write it.
		[`{"jsonrpc":"2.0","id":7,"result":{"text":"${long}"}}`, 7],
		[`{"jsonrpc": "2.0", "id": 7, "error": {"message": "${long}"}}`, 7],
		[`{"id":"a-ä","jsonrpc":"2.0","result":{"text":"${long}"}}`, 'a-ä'],
		// The id last, as the TypeScript SDK and C# write it.
		[`{"result":{"id":8,"text":"${long}"},"jsonrpc":"2.0","id":7}`, 7],
		[`{"result":{"text":"${long}"},"id":"7","jsonrpc":"2.0"}\r`, '7'],
		[`{"jsonrpc":"2.0","error":{"message":"${long}"}, "id": 0 }`, 0],
		// An id that is not certain.
		[`{"jsonrpc":"2.0","result":"${long}","id":7,"_meta":{"text":"${long}"}}`],
		[`{"jsonrpc":"2.0","id":9007199254740993,"result":"${long}"}`],
		[`{"jsonrpc":"2.0","result":"${long},\\"id\\":7}"}`],
		// No answer.
		[`{"jsonrpc":"2.0","id":7,"method":"roots/list","params":{"text":"${long}"}}`],
		[`{"method":"notifications/message","params":{"text":"${long}"},"jsonrpc":"2.0","id":7}`],
		[`log: {"id":7,"result":"${long}"}`],
		[''],
	];
	for (const [text, expected] of table) {
		it(text.replaceAll(long, '…') || 'nothing', () => {
			assert.equal(findAnsweredId(text.slice(0, kept), text.slice(-kept)), expected);
		});
	}
});
