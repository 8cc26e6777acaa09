// HTML standard, "Parsing an event stream": any chunking of the same bytes gives the same events.
import * as assert from 'node:assert/strict';
import { SseParser } from '../../../../src/mcp/transport/sseStream.js';

const limit = 1000;

/** Everything that a parser tells of the bytes, in chunks of one size; events as `event|data`. */
function told(bytes: Uint8Array, size: number, maxBytes = limit): unknown {
	const events: string[] = [];
	const parser = new SseParser(
		{ onEvent: ({ event, data }) => events.push(`${event}|${data}`), onOversize: () => events.push('OVERSIZE') },
		maxBytes,
	);
	for (let start = 0; start < bytes.length; start += size) {
		parser.push(bytes.subarray(start, start + size));
		parser.push(new Uint8Array(0));
	}
	return { events, id: parser.lastEventId, retry: parser.retryMs };
}

// covers: sse.comments
describe('SseParser', () => {
	interface Expected {
		readonly events: readonly string[];
		readonly id?: string;
		readonly retry?: number;
	}
	const table: readonly (readonly [text: string, expected: Expected])[] = [
		['', { events: [] }],
		['data: a\n\n', { events: ['message|a'] }],
		['data:a\n\ndata:  b\n\n', { events: ['message|a', 'message| b'] }],
		['data\n\ndata:\n\n', { events: ['message|', 'message|'] }],
		['data: a\ndata: b\ndata\n\n', { events: ['message|a\nb\n'] }],
		['event: endpoint\ndata: /x\n\ndata: y\n\n', { events: ['endpoint|/x', 'message|y'] }],
		['event: lost\n\ndata: y\n\n', { events: ['message|y'] }],
		['data: a\r\n\r\ndata: b\r\n\r\n', { events: ['message|a', 'message|b'] }],
		['data: a\r\rdata: b\r\r', { events: ['message|a', 'message|b'] }],
		['data: a\n\r\ndata: b\r\n\rdata: c\r\n\n', { events: ['message|a', 'message|b', 'message|c'] }],
		['\n\n\r\r\n', { events: [] }],
		['\ufeffdata: a\n\n\ufeffdata: b\n\n', { events: ['message|a'] }],
		[': comment\ndata: a\n:\n: data: no\n\n', { events: ['message|a'] }],
		['data: ä漢😀\u2028\ufeff\n\n', { events: ['message|ä漢😀\u2028\ufeff'] }],
		['data: a:b: c\n\n', { events: ['message|a:b: c'] }],
		['unknown: x\nDATA: x\ndatax: x\n data: x\ndata: a\n\n', { events: ['message|a'] }],
		['id: 1\ndata: a\n\ndata: b\n\n', { events: ['message|a', 'message|b'], id: '1' }],
		['id: 1\n\n', { events: [], id: '1' }],
		['id: 1\ndata: \n\n', { events: ['message|'], id: '1' }],
		['id: 1\ndata: a\n\nid: 2\ndata: b', { events: ['message|a'], id: '1' }],
		['id: 1\ndata: a\n\nid\ndata: b\n\n', { events: ['message|a', 'message|b'], id: '' }],
		['id: 1\n\nid: 2\0\n\n', { events: [], id: '1' }],
		['retry: 500\n', { events: [], retry: 500 }],
		['retry: 500\nretry: 5s\nretry:\nretry: -1\nretry: 1e3\n', { events: [], retry: 500 }],
		['data: cut off\n', { events: [] }],
	];
	for (const [text, { events, id, retry }] of table) {
		it(JSON.stringify(text), () => {
			const bytes = new TextEncoder().encode(text);
			for (let size = 1; size <= bytes.length; size++) {
				assert.deepEqual(told(bytes, size), { events, id, retry }, `chunks of ${size}`);
			}
		});
	}

	it('broken UTF-8 is replaced, and the stream goes on', () => {
		const bytes = Uint8Array.from([...Buffer.from('data: '), 0xe6, 0xbc, 0x0a, 0x0a, ...Buffer.from('data: b\n\n')]);
		for (let size = 1; size <= bytes.length; size++) {
			assert.deepEqual(told(bytes, size), { events: ['message|\ufffd', 'message|b'], id: undefined, retry: undefined });
		}
	});

	it('an event past the limit is skipped whole, however it is made up', () => {
		const long = 'x'.repeat(limit + 1);
		const lines = 'data: yyyyyyyyy\n'.repeat(limit / 10 + 1);
		const text = `data: a\n\nevent: ${long}\ndata: b\nid: 1\n\ndata: c\n\n${lines}\ndata: ${long}\ndata: d\n\nid: 2\ndata: e\n\n`;
		const bytes = new TextEncoder().encode(text);
		const expected = { id: '2', retry: undefined };
		for (const size of [1, 2, 3, 7, 100, 999, 1000, 1001]) {
			assert.deepEqual(
				told(bytes, size),
				{ events: ['message|a', 'OVERSIZE', 'message|c', 'OVERSIZE', 'OVERSIZE', 'message|e'], ...expected },
				`chunks of ${size}`,
			);
		}
	});

	it('an event past the limit is looked through for its id, however it comes', () => {
		const long = 'x'.repeat(limit);
		const table: readonly (readonly [text: string, ...found: unknown[]])[] = [
			[`id: e\ndata: {"id":7,"result":"${long}"}\n\n`, 7, undefined, 'message', 'e'],
			[`data:{"result":"${long}",\ndata:"id":"ä😀"}\nid: e\n\n`, 'ä😀', undefined, 'message', 'e'],
			[`data\ndata: {"result":[\n${'data: "xxxxxxxxx",\n'.repeat(100)}data: 1],"id":7}\n\n`, 7, undefined, 'message'],
			[`data: {"id":"q","method":"m","params":"${long}"}\n\n`, undefined, 'q', 'message'],
			[`event: a\r\n: x\r\ndata: {"id":7,"result":"${long}"}\r\n\r\n`, 7, undefined, 'a'],
			[`data: {"id":7}\rdatum: {"${long}":1}\r\r`, 7, undefined, 'message'],
			[`data: "${long}"\n\n`, undefined, undefined, 'message'],
			[`\ufeffdata: {"id":7,"result":"${long}"}\n\n`, 7, undefined, 'message'],
			[`\ufeff: ${long}\n\ufeffdata: {"id":8}\ndata: {"id":7}\n\n`, 7, undefined, 'message'],
		];
		for (const [text, ...expected] of table) {
			const bytes = new TextEncoder().encode(`${text}data: next\n\n`);
			for (const size of [1, 2, 3, 7, 100, 999, 1000, 1001, bytes.length]) {
				const found: unknown[] = [];
				const parser = new SseParser(
					{
						onEvent: ({ data }) => found.push(data),
						onOversize: ({ responseId, requestId }, { event, id }) =>
							found.push(responseId, requestId, event, ...(id === undefined ? [] : [id])),
					},
					limit,
				);
				for (let start = 0; start < bytes.length; start += size) {
					parser.push(bytes.subarray(start, start + size));
				}
				assert.deepEqual(found, [...expected, 'next'], `${text.slice(0, 40)} in chunks of ${size}`);
			}
		}
	});

	it('an event that is too large is told once, as soon as it has no end in its chunk', () => {
		const told: string[] = [];
		const parser = new SseParser(
			{
				onEvent: () => told.push('event'),
				onOversize: () => told.push('oversize'),
				onOverlong: () => told.push('overlong'),
			},
			limit,
		);
		const push = (text: string): unknown => {
			parser.push(Buffer.from(text));
			return told.splice(0).join();
		};
		const half = 'x'.repeat(limit / 2);
		assert.deepEqual(
			[push(`data: ${half}`), push(`${half}\n`), push(`data: ${half}\n`), push('\n')],
			['', 'overlong', '', 'oversize'],
		);
		assert.deepEqual([push(`data: ${half}`), push(`${half}\n\ndata: next\n\n`)], ['', 'oversize,event']);
	});

	it('an event is told as soon as its last byte is there', () => {
		for (const text of ['data: a\n\n', 'data: a\r\n\r', 'data: a\r\r']) {
			const events: string[] = [];
			const parser = new SseParser({ onEvent: it => events.push(it.data), onOversize: assert.fail }, limit);
			for (const byte of Buffer.from(text)) {
				assert.deepEqual(events, []);
				parser.push(Uint8Array.of(byte));
			}
			assert.deepEqual(events, ['a']);
		}
	});

	it('one event in very many chunks costs no more than its bytes', () => {
		const bytes = Buffer.from(`data: ${'x'.repeat(4_000_000)}\n\n`);
		let length = 0;
		const began = process.cpuUsage();
		const parser = new SseParser({ onEvent: it => (length = it.data.length), onOversize: assert.fail }, 1e7);
		for (let start = 0; start < bytes.length; start += 100) {
			parser.push(bytes.subarray(start, start + 100));
		}
		const { user } = process.cpuUsage(began);
		assert.equal(length, 4_000_000);
		// Quadratic joining would need minutes.
		assert.ok(user < 3_000_000, `${user / 1000} ms`);
	});
});
