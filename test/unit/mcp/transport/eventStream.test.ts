// HTML standard, "Parsing an event stream": any chunking of the same bytes gives the same events.
import * as assert from 'node:assert/strict';
import { EventReader } from '../../../../src/mcp/transport/eventStream.js';
import { McpError } from '../../../../src/mcp/jsonrpc/errors.js';

const limit = 1000;

interface Told {
	readonly events: readonly string[];
	readonly id: string | undefined;
	readonly retry: number | undefined;
}

function nowhere(): { lastEventId: string | undefined; retryMs: number | undefined } {
	return { lastEventId: undefined, retryMs: undefined };
}

/** The output of a reader for the bytes in chunks of one size, events as `event|data`, until it refuses an event. */
function told(bytes: Uint8Array, size: number, maxLength = limit): Told {
	const events: string[] = [];
	const position = nowhere();
	const reader = new EventReader(position, maxLength, ({ event, data }) => events.push(`${event}|${data}`));
	try {
		for (let start = 0; start < bytes.length; start += size) {
			reader.push(bytes.subarray(start, start + size));
			reader.push(new Uint8Array(0));
		}
	} catch (error) {
		assert.deepEqual(error instanceof McpError && error.failure, { code: 'tooLarge', limit: maxLength });
		events.push('TOO LARGE');
	}
	return { events, id: position.lastEventId, retry: position.retryMs };
}

// covers: sse.comments
describe('EventReader', () => {
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
		['id: 1\ndata: a\n\nid\ndata: b\n\n', { events: ['message|a', 'message|b'] }],
		['id: →é😀\n\n', { events: [], id: '→é😀' }],
		['id: 1\n\nid: a\u0001b\n\n', { events: [] }],
		['id: 1\n\nid: a\tb\n\n', { events: [] }],
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

	it('an event past the limit ends the stream, however it is made up', () => {
		const long = 'x'.repeat(3 * limit);
		const lines = 'data: yyyyyyyyy\n'.repeat(limit / 10 + 1);
		const table = [`event: ${long}\ndata: b\nid: 2\n\n`, `${lines}\n`, `data: ${long}\ndata: d\n\n`, `id: ${long}`];
		for (const text of table) {
			const bytes = new TextEncoder().encode(`id: 1\ndata: a\n\n${text}`);
			for (const size of [1, 2, 3, 7, 100, 999, 1000, 1001]) {
				const { events, id } = told(bytes, size);
				assert.deepEqual({ events, id }, { events: ['message|a', 'TOO LARGE'], id: '1' }, `chunks of ${size}`);
			}
		}
	});

	it('an event that is too large is refused before its end', () => {
		const half = 'x'.repeat(limit / 2);
		assert.deepEqual(told(Buffer.from(`data: ${half}`), 600).events, []);
		assert.deepEqual(told(Buffer.from(`data: ${half}${half}`), 600).events, ['TOO LARGE']);
		assert.deepEqual(told(Buffer.from(`data: ${half}\ndata: ${half}\n`), 600).events, ['TOO LARGE']);
	});

	it('an event is told as soon as its last byte is there', () => {
		for (const text of ['data: a\n\n', 'data: a\r\n\r', 'data: a\r\r']) {
			const events: string[] = [];
			const reader = new EventReader(nowhere(), limit, it => events.push(it.data));
			for (const byte of Buffer.from(text)) {
				assert.deepEqual(events, []);
				reader.push(Uint8Array.of(byte));
			}
			assert.deepEqual(events, ['a']);
		}
	});
});
