import * as assert from 'node:assert/strict';
import { type LineLimit, LineReader } from '../../../../src/node/process/lineReader.js';

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

	describe('with a limit', () => {
		const maxBytes = 6;

		/** Lines, and in brackets how those that are too long begin. */
		function readLimited(bytes: Buffer, size: number): string[] {
			const told: string[] = [];
			const reader = new LineReader(line => told.push(line), {
				maxBytes,
				onLongLine: ({ head, tail, bytes: length }) => {
					assert.deepEqual([tail.toString(), length], [head.toString(), head.length]);
					told.push(`[${head.toString()}]`);
				},
			});
			for (let start = 0; start < bytes.length; start += size) {
				reader.push(Buffer.from(bytes.subarray(start, start + size)));
			}
			reader.end();
			return told;
		}

		for (const [name, text, ...expected] of [
			['lines as long as it are read', '123456\näöü\n', '123456', 'äöü'],
			['a longer one is told apart', 'a\n1234567\nb\n', 'a', '[1234567]', 'b'],
			['one after another', '1234567\n12345678901234\n123456\n', '[1234567]', '[12345678901234]', '123456'],
			['characters stay whole', 'äöüä\n漢字漢字\nä', '[äöüä]', '[漢字漢字]', 'ä'],
			['without an end', 'a\n12345678', 'a', '[12345678]'],
			['the first, with a byte-order mark that counts', '\uFEFF1234\n\uFEFF\n', '[\uFEFF1234]', '\uFEFF'],
		] as const) {
			it(`${name}, in pieces of every size`, () => {
				const bytes = Buffer.from(text);
				for (let size = 1; size <= bytes.length + 1; size++) {
					assert.deepEqual(readLimited(bytes, size), expected, `in pieces of ${size}`);
				}
			});
		}

		it('tells how a longer one begins as soon as it is longer, once', () => {
			const told: string[] = [];
			const reader = new LineReader(() => assert.fail('a line'), {
				maxBytes,
				onOverflow: start => told.push(start.toString()),
			});
			const seen: string[] = [];
			for (const text of ['123', '456', '78', '9', '\n']) {
				reader.push(Buffer.from(text));
				seen.push(told.splice(0).join('|'));
			}
			reader.end();
			assert.deepEqual(seen, ['', '', '123456', '', '']);
		});

		it('keeps both ends of a longer one, in pieces of every size', () => {
			const line = Buffer.from(Array.from({ length: 1000 }, (_, at) => String(at).padStart(4, '0')).join(''));
			for (const size of [1, 7, 1000, 1024, 3000, 4000, 4001]) {
				let count = 0;
				const onLongLine: LineLimit['onLongLine'] = ({ head, tail, bytes }) => {
					count++;
					assert.deepEqual(
						[head, tail, bytes],
						[line.subarray(0, 1024), line.subarray(-1024), 4000],
						`pieces of ${size}`,
					);
				};
				const reader = new LineReader(() => assert.fail('a line'), { maxBytes: 1500, onLongLine });
				const bytes = Buffer.concat([line, Buffer.from('\n'), line]);
				for (let start = 0; start < bytes.length; start += size) {
					reader.push(Buffer.from(bytes.subarray(start, start + size)));
				}
				reader.end();
				assert.equal(count, 2);
			}
		});
	});
});
