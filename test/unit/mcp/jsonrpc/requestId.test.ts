// Ids that name the same request, and ids that lose digits.
import * as assert from 'node:assert/strict';
import { isExactId, isSameId } from '../../../../src/mcp/jsonrpc/requestId.js';

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

describe('the id of a request', () => {
	const read = (written: string): boolean => {
		const text = `{"jsonrpc":"2.0","id" : ${written},"method":"ping","params":{"id":0.30000000000000000001}}`;
		return isExactId((JSON.parse(text) as { id: string | number }).id, text);
	};

	it('is exact where it can be given back as it came', () => {
		for (const it of [
			'0',
			'-1',
			'1.0',
			'1e3',
			'1.50E+2',
			'9007199254740991',
			'-9007199254740991',
			'1.0000000000000000000000',
			'"9007199254740993"',
			'"1.00000000000000000001"',
		]) {
			assert.ok(read(it), it);
		}
	});

	it('is not where digits are lost, or with a fraction, which MCP does not allow', () => {
		for (const it of [
			'0.1',
			'0.12345678901234566',
			'9007199254740992',
			'9007199254740993',
			'-9007199254740993',
			'12345678901234567890',
			'1e400',
			'1e-400',
			'1e20',
			'1.00000000000000000001',
			'0.1234567890123456789',
			`1.${'0'.repeat(100_000)}1`,
		]) {
			assert.ok(!read(it), it.slice(0, 40));
		}
	});
});
