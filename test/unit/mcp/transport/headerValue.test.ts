import * as assert from 'node:assert/strict';
import { encodeHeaderValue } from '../../../../src/mcp/transport/httpHeaders.js';

const sentinel = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/;

// covers: http.modern.headerValue
describe('encodeHeaderValue', () => {
	it('keeps visible ASCII, blanks within it, and nothing at all', () => {
		const plain = [
			'',
			'a',
			'!',
			'~',
			'us-west1',
			'Hello, world',
			'a  b',
			'file:///a%20b?c=d&e#f',
			'"quoted"',
			'a=?base64?YQ==?=',
			'=?base64?YQ==?= ?=!',
			'=?base64',
			'=?BASE64?YQ==?=',
			'=?utf-8?B?YQ==?=',
			'x'.repeat(10_000),
		];
		assert.deepEqual(plain.map(encodeHeaderValue), plain);
	});

	it('encodes everything else as base64 of its UTF-8, so that it can be read again', () => {
		const odd = [
			' ',
			' a',
			'a ',
			'\ta',
			'a\tb',
			'a\nb',
			'a\r\nX-Evil: 1',
			'\u0000',
			'\u007f',
			'\u00a0a',
			'grün',
			'日本語',
			'😀',
			'e\u0301',
			'=?base64?YQ==?=',
			'=?base64??=',
			'=?base64?not base64!?=',
			'ü'.repeat(100_000),
		];
		for (const text of odd) {
			const encoded = encodeHeaderValue(text);
			const [, data = ''] = sentinel.exec(encoded) ?? assert.fail(encoded.slice(0, 80));
			assert.equal(Buffer.from(data, 'base64').toString('utf8'), text);
			assert.doesNotMatch(encoded, /[^\x20-\x7e]/);
		}
	});

	it('writes what the specification shows', () => {
		assert.deepEqual(['Hello, 世界', ' padded ', 'line1\nline2', '=?base64?literal?='].map(encodeHeaderValue), [
			'=?base64?SGVsbG8sIOS4lueVjA==?=',
			'=?base64?IHBhZGRlZCA=?=',
			'=?base64?bGluZTEKbGluZTI=?=',
			'=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=',
		]);
	});
});
