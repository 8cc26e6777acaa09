import * as assert from 'node:assert/strict';
import { LineReader } from '../../../src/node/lineReader.js';

/** The lines of `bytes` when it arrives in pieces of `size`. */
function read(bytes: Buffer, size: number): string[] {
	const lines: string[] = [];
	const reader = new LineReader(line => lines.push(line));
	for (let start = 0; start < bytes.length; start += size) {
		// A copy each: a stream may use its buffer again.
		reader.push(Buffer.from(bytes.subarray(start, start + size)));
	}
	reader.end();
	return lines;
}

describe('LineReader', () => {
	const table: Readonly<Record<string, readonly [text: string | Buffer, ...lines: string[]]>> = {
		nothing: [''],
		'one line': ['a\n', 'a'],
		'several lines': ['a\nbb\nccc\n', 'a', 'bb', 'ccc'],
		'no newline at the end': ['a\nb', 'a', 'b'],
		'empty lines': ['\n\na\n\n', '', '', 'a', ''],
		'CR LF, and CR alone': ['a\r\nb\rc\r\n\r\nd\r', 'a', 'b\rc', '', 'd'],
		'only one CR belongs to the line break': ['a\r\r\n', 'a\r'],
		'a byte-order mark, at the very start only': ['\uFEFFa\n\uFEFFb\n', 'a', '\uFEFFb'],
		'a byte-order mark and nothing else': ['\uFEFF\n', ''],
		'characters of two, three and four bytes': ['äöü\n漢字\n😀👩‍👩‍👧\n', 'äöü', '漢字', '😀👩‍👩‍👧'],
		'characters that look like line breaks': ['a\u2028b\u0085c\u000Bd\n', 'a\u2028b\u0085c\u000Bd'],
		'bytes that are no UTF-8': [
			Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xe6, 0xbc, 0x0a, 0x63]),
			'a\uFFFDb',
			'\uFFFD',
			'c',
		],
		'a message': [
			'{"jsonrpc":"2.0","method":"ä","params":{"text":"a\\nb"}}\n',
			'{"jsonrpc":"2.0","method":"ä","params":{"text":"a\\nb"}}',
		],
	};

	for (const [name, [text, ...lines]] of Object.entries(table)) {
		it(`${name}, in pieces of every size`, () => {
			const bytes = Buffer.from(text);
			for (let size = 1; size <= bytes.length + 1; size++) {
				assert.deepEqual(read(bytes, size), lines, `in pieces of ${size}`);
			}
		});
	}

	// covers: stdio.framing
	it('every split of a stream in two gives the same lines', () => {
		const bytes = Buffer.from('\uFEFFä\r\n😀\n\n漢');
		for (let at = 0; at <= bytes.length; at++) {
			const lines: string[] = [];
			const reader = new LineReader(line => lines.push(line));
			reader.push(bytes.subarray(0, at));
			reader.push(bytes.subarray(at));
			reader.end();
			assert.deepEqual(lines, ['ä', '😀', '', '漢'], `split at ${at}`);
		}
	});

	it('gives each line as soon as it has ended', () => {
		const lines: string[] = [];
		const reader = new LineReader(line => lines.push(line));
		reader.push(Buffer.from('a\nb'));
		assert.deepEqual(lines, ['a']);
		reader.push(Buffer.from('c\n'));
		assert.deepEqual(lines, ['a', 'bc']);
		reader.end();
		reader.end();
		assert.deepEqual(lines, ['a', 'bc']);
	});

	it('takes time in proportion to a long line, however small its pieces', () => {
		// 4 MB in pieces of 64 bytes: joining what there is at each piece would copy 130 GB.
		const piece = Buffer.alloc(64, 'x');
		let length = 0;
		const reader = new LineReader(line => (length = line.length));
		for (let i = 0; i < 65_536; i++) {
			reader.push(piece);
		}
		reader.end();
		assert.equal(length, 4_194_304);
	});
});
