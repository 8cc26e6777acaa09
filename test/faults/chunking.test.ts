// Any chunking of any bytes gives the same messages: lines of stdio and events of SSE, against a reader that has all
// bytes at once. Tables of what they read are in lineReader.test.ts and eventStream.test.ts.
import * as assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { LineReader, type LongLine } from '../../src/node/process/lineReader.js';
import { McpError } from '../../src/mcp/jsonrpc/errors.js';
import { EventReader } from '../../src/mcp/transport/eventStream.js';

/** Bytes cut at these places, each piece a copy. */
function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
	const places = [...new Set(cuts.map(it => it % (bytes.length + 1)))].sort((a, b) => a - b);
	return [0, ...places].map((start, index) => Buffer.from(bytes.subarray(start, places[index] ?? bytes.length)));
}

const cuts = fc.array(fc.nat(), { maxLength: 20 });

/** Text and bytes that are none, with much of what means something to the readers. */
const bytes = fc
	.array(
		fc.oneof(
			fc.constantFrom(
				'\n',
				'\r\n',
				'\r',
				'\uFEFF',
				'ä',
				'漢',
				'😀',
				'\u2028',
				'\0',
				' ',
				':',
				'{"id":1}',
				'\n\n',
				'\r\r',
			),
			fc.constantFrom(
				'data: ',
				'data:',
				'data',
				'id: 7',
				'id',
				'event: x',
				'retry: 5',
				':',
				'data: ä\n',
				'\ndata: b\n\n',
			),
			fc.string({ maxLength: 8 }),
			fc.uint8Array({ maxLength: 4 }),
		),
		{ maxLength: 30 },
	)
	.map(parts => Buffer.concat(parts.map(it => Buffer.from(it as string))));

describe('chunking', function () {
	this.timeout(20_000);

	describe('of lines', () => {
		function longLine({ head, tail, bytes: length }: LongLine): string {
			return `[${head.toString('hex')} ${tail.toString('hex')} ${length}]`;
		}

		/** What `LineReader` promises, said of all bytes at once; too long lines, which are shorter than what is kept, in brackets. */
		function linesOf(all: Buffer, maxBytes: number): string[] {
			const lines: string[] = [];
			let start = 0;
			while (start < all.length) {
				const newline = all.indexOf(0x0a, start);
				const end = newline === -1 ? all.length : newline;
				const line = all.subarray(start, end);
				if (line.length > maxBytes) {
					lines.push(longLine({ head: line, tail: line, bytes: line.length }));
				} else {
					const text = line.toString('utf8');
					const whole = line.at(-1) === 0x0d ? text.slice(0, -1) : text;
					lines.push(start === 0 && whole.startsWith('\uFEFF') ? whole.slice(1) : whole);
				}
				start = end + 1;
			}
			return lines;
		}

		it('gives the same lines, long ones among them', () => {
			fc.assert(
				fc.property(bytes, cuts, fc.constantFrom(0, 1, 3, 8, 20, 1000), (all, places, maxBytes) => {
					const told: string[] = [];
					const reader = new LineReader(line => told.push(line), {
						maxBytes,
						onLongLine: line => told.push(longLine(line)),
					});
					for (const chunk of cut(all, places)) {
						reader.push(chunk);
					}
					reader.end();
					assert.deepEqual(told, linesOf(all, maxBytes));
				}),
				{ numRuns: 2000 },
			);
		});

		it('gives the same messages, whatever is in them', () => {
			const messages = fc.array(fc.jsonValue({ stringUnit: 'binary', maxDepth: 3 }), { maxLength: 5 });
			fc.assert(
				fc.property(messages, cuts, fc.constantFrom('\n', '\r\n'), fc.boolean(), (sent, places, end, isMarked) => {
					const text = sent.map(it => JSON.stringify(it) + end).join('');
					const received: unknown[] = [];
					const reader = new LineReader(line => received.push(JSON.parse(line)));
					for (const chunk of cut(Buffer.from(`${isMarked && text !== '' ? '\uFEFF' : ''}${text}`), places)) {
						reader.push(chunk);
					}
					reader.end();
					assert.deepEqual(received, JSON.parse(JSON.stringify(sent)));
				}),
				{ numRuns: 100 },
			);
		});
	});

	describe('of event streams', () => {
		interface Told {
			readonly events: string[];
			id: string | undefined;
			retry: number | undefined;
		}

		/** The HTML standard, "Interpreting an event stream", word by word, on all bytes at once. */
		function eventsOf(all: Buffer): Told {
			const told: Told = { events: [], id: undefined, retry: undefined };
			const text = new TextDecoder('utf-8').decode(all);
			const lines = text.split(/\r\n|\n|\r/);
			// What no line end has ended is no line.
			lines.pop();
			let data: string[] = [];
			let type = '';
			let id: string | undefined;
			for (const line of lines) {
				const [, name = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/su.exec(line) ?? [];
				if (line === '') {
					told.id = id ?? told.id;
					if (data.length > 0) {
						told.events.push(`${type || 'message'}|${data.join('\n')}`);
					}
					data = [];
					type = '';
				} else if (name === 'data') {
					data.push(value);
				} else if (name === 'event') {
					type = value;
				} else if (name === 'id' && !value.includes('\0')) {
					id = value;
				} else if (name === 'retry' && /^\d{1,9}$/.test(value)) {
					told.retry = Number(value);
				}
			}
			// Ids that no header can hold are not kept.
			return { ...told, id: told.id?.match(/^\P{Cc}+$/u)?.[0] };
		}

		function parse(chunks: readonly Buffer[], maxLength: number): Told {
			const events: string[] = [];
			const position = { lastEventId: undefined, retryMs: undefined };
			const reader = new EventReader(position, maxLength, ({ event, data }) => events.push(`${event}|${data}`));
			try {
				for (const chunk of chunks) {
					reader.push(chunk);
				}
			} catch (error) {
				assert.equal(error instanceof McpError && error.failure.code, 'tooLarge');
				events.push('TOO LARGE');
			}
			return { events, id: position.lastEventId, retry: position.retryMs };
		}

		it('gives the same events', () => {
			fc.assert(
				fc.property(bytes, cuts, (all, places) => {
					assert.deepEqual(parse(cut(all, places), 10_000), eventsOf(all));
				}),
				{ numRuns: 2000 },
			);
		});

		it('gives the events before one that is too large, and nothing after it', () => {
			const limit = 2000;
			// What is nearly as large as the limit may be either, as it comes: each chunk and each line counts, too.
			const lengths = fc.array(fc.oneof(fc.nat(limit / 2), fc.integer({ min: limit + 1, max: limit * 5 })), {
				maxLength: 10,
			});
			fc.assert(
				fc.property(lengths, cuts, fc.constantFrom('\n', '\r', '\r\n'), (sizes, places, end) => {
					const text = sizes.map(size => `data: ${'x'.repeat(size)}${end}${end}`).join('');
					const first = sizes.findIndex(it => it > limit);
					const before = (first === -1 ? sizes : sizes.slice(0, first)).map(it => `message|${'x'.repeat(it)}`);
					assert.deepEqual(
						parse(cut(Buffer.from(text), places), limit).events,
						first === -1 ? before : [...before, 'TOO LARGE'],
					);
				}),
				{ numRuns: 1000 },
			);
		});
	});
});
