import * as assert from 'node:assert/strict';
import { LineReader, type LongLine } from '../../../../src/node/process/lineReader.js';

/** The lines of `bytes` when it arrives in pieces of `size`. */
function read(bytes: Buffer, size: number): string[] {
	const lines: string[] = [];
	const reader = new LineReader(line => lines.push(line));
	for (let start = 0; start < bytes.length; start += size) {
		// A copy each: a stream may use its buffer again.
		reader.push(Buffer.from(bytes.subarray(start, start + size)));
	}
	void reader.end();
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
			void reader.end();
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
		void reader.end();
		void reader.end();
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
		void reader.end();
		assert.equal(length, 4_194_304);
	});

	describe('with a limit', () => {
		const maxBytes = 6;

		/** Lines, and in brackets what was passed on of those that are too long. */
		function readLimited(bytes: Buffer, size: number): string[] {
			const told: string[] = [];
			const onLongLine = (): LongLine => {
				const parts: Uint8Array[] = [];
				return { push: part => void parts.push(part), end: () => told.push(`[${Buffer.concat(parts).toString()}]`) };
			};
			const reader = new LineReader(line => told.push(line), { maxBytes, onLongLine });
			for (let start = 0; start < bytes.length; start += size) {
				reader.push(Buffer.from(bytes.subarray(start, start + size)));
			}
			void reader.end();
			return told;
		}

		for (const [name, text, ...expected] of [
			['lines as long as it are read', '123456\näöü\n', '123456', 'äöü'],
			['a longer one is passed on whole', 'a\n1234567\nb\n', 'a', '[1234567]', 'b'],
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

		it('passes on at once what comes after it: nothing waits for the end', () => {
			const passed: string[] = [];
			const onLongLine = (): LongLine => ({
				push: part => void passed.push(Buffer.from(part).toString()),
				end: () => passed.push('.'),
			});
			const reader = new LineReader(() => assert.fail('a line'), { maxBytes, onLongLine });
			const seen: string[] = [];
			for (const text of ['123', '456', '7', '8', '\n']) {
				reader.push(Buffer.from(text));
				seen.push(passed.splice(0).join('|'));
			}
			assert.deepEqual(seen, ['', '', '123|456|7', '8', '.']);
		});

		describe('of which there is much already', () => {
			const chunk = 64 * 1024;
			const kept = 8 * 1024 * 1024;

			/** A reader that has kept all it may, and what it passes on from then on. */
			function full(): { readonly reader: LineReader; readonly told: string[]; readonly taken: () => number } {
				const told: string[] = [];
				let bytes = 0;
				let all = 0;
				const onLongLine = (): LongLine => ({
					push(part) {
						bytes += part.length;
						all += part.length;
					},
					end: () => told.push(`[${all}]`),
				});
				const reader = new LineReader(line => told.push(line), { maxBytes: kept, onLongLine });
				for (let at = 0; at < kept; at += chunk) {
					reader.push(Buffer.alloc(chunk, 'x'));
				}
				const taken = (): number => {
					const now = bytes;
					bytes = 0;
					return now;
				};
				return { reader, told, taken };
			}

			it('passes on a little at a time, but faster than more comes', async () => {
				const { reader, told, taken } = full();
				assert.equal(taken(), 0);
				const steps: number[] = [];
				for (let at = 0; at < 200; at++) {
					reader.push(Buffer.alloc(chunk, 'x'));
					steps.push(taken() / chunk);
				}
				assert.ok(Math.max(...steps) <= 3, steps.join(', '));
				assert.deepEqual(new Set(steps.slice(-50)), new Set([1]));
				reader.push(Buffer.from('\n'));
				assert.deepEqual(told, [`[${kept + 200 * chunk}]`]);
				await reader.end();
			});

			it('shares the turns among lines that follow each other', async () => {
				const { reader, told, taken } = full();
				const steps: number[] = [];
				let [given, passed, mostHeld] = [kept, 0, 0];
				const push = (bytes: Buffer): void => {
					reader.push(bytes);
					const now = taken();
					[given, passed] = [given + bytes.length, passed + now];
					mostHeld = Math.max(mostHeld, given - passed);
					steps.push(now);
				};
				for (let line = 0; line < 5; line++) {
					push(Buffer.from('x\n'));
					for (let at = 0; at < kept; at += chunk) {
						push(Buffer.alloc(chunk, 'x'));
					}
				}
				push(Buffer.from('x\n'));
				await reader.end();
				// All bytes so far, at the end of each line.
				assert.deepEqual(
					told,
					Array.from({ length: 6 }, (_, at) => `[${(at + 1) * (kept + 1)}]`),
				);
				assert.ok(mostHeld <= kept + 4 * chunk, `${mostHeld} bytes were held`);
				assert.ok(Math.max(...steps) <= 512 * 1024, steps.join(', '));
			});

			it('lets the event loop come round when the line ends, and the next line does not wait', async () => {
				const { reader, told, taken } = full();
				reader.push(Buffer.from('x\nnext\n'));
				assert.deepEqual(told, ['next']);
				const steps = [taken()];
				while (told.length === 1) {
					await new Promise(resolve => {
						setImmediate(resolve);
					});
					steps.push(taken());
				}
				assert.deepEqual(told, ['next', `[${kept + 1}]`]);
				assert.ok(Math.max(...steps) <= 512 * 1024, steps.join(', '));
			});

			it('lets the event loop come round at the end of the stream', async () => {
				const { reader, told, taken } = full();
				reader.push(Buffer.from('x'));
				taken();
				const ended = reader.end();
				const steps = [taken()];
				while (told.length === 0) {
					await new Promise(resolve => {
						setTimeout(resolve, 0);
					});
					steps.push(taken());
				}
				await ended;
				assert.deepEqual(told, [`[${kept + 1}]`]);
				assert.ok(Math.max(...steps) <= 512 * 1024, steps.join(', '));
			});
		});
	});

	it('a long line in tiny pieces takes little more memory than its bytes', () => {
		const reader = new LineReader(() => undefined);
		// Would be 100 MB of objects if each piece were kept as one.
		const before = process.memoryUsage();
		for (let at = 0; at < 1_000_000; at++) {
			reader.push(Buffer.from('x'));
		}
		const after = process.memoryUsage();
		const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers;
		assert.ok(grown < 60_000_000, `${grown} bytes`);
		void reader.end();
	});
});
