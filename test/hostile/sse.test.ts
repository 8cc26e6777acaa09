// Events of very many short lines, and lines that keep more in memory than they count.
import * as assert from 'node:assert/strict';
import { McpError } from '../../src/mcp/jsonrpc/errors.js';
import { EventReader } from '../../src/mcp/transport/eventStream.js';
import { garbageCollector } from '../support/faults/growth.js';

/** Whether the reader takes the bytes. A refusal ends the stream. */
function takes(reader: EventReader, bytes: Uint8Array): boolean {
	try {
		reader.push(bytes);
		return true;
	} catch (error) {
		assert.equal(error instanceof McpError && error.failure.code, 'tooLarge');
		return false;
	}
}

describe('an attack by server-sent events', () => {
	it('of empty lines takes no more memory than the limit', () => {
		const reader = new EventReader({ lastEventId: undefined, retryMs: undefined }, 1_000_000, () => assert.fail());
		let count = 0;
		while (takes(reader, Buffer.from('data:\n'.repeat(10_000)))) {
			count++;
		}
		assert.ok(count <= 6, `${count} chunks`);
	});

	describe('takes no more memory than a few times the limit', () => {
		const limit = 1024 * 1024;
		const chunk = 64 * 1024;
		const collect = garbageCollector();
		const usedMb = (): number => {
			// Buffers are freed while JavaScript runs on: the second collection waits for the first.
			collect();
			collect();
			const { heapUsed, external } = process.memoryUsage();
			return (heapUsed + external) / 2 ** 20;
		};
		const filler = (length: number): string => `:${'x'.repeat(length)}\n`;
		const value = '0123456789abcdef';

		// `taken` chunks, of which each brings an event with an id of its own, or none does.
		for (const [what, begin, text, count, taken, ids] of [
			['a short line of data in each chunk', '', `data: ${value}\n${filler(chunk)}`, 500, 15, 0],
			['an id in each chunk', '', `id: ${value}\ndata: x\n\n${filler(chunk)}`, 500, 500, 500],
			['an event name in each chunk', '', `event: ${value}\n${filler(chunk)}`, 500, 15, 0],
			['lines without a value, past the limit', filler(0), 'data\n'.repeat(chunk / 5), 300, 3, 0],
			['lines of a character, past the limit', filler(0), 'data:x\n'.repeat(chunk / 7), 300, 4, 0],
			['a line in very many chunks', 'data:', 'x', 900_000, 61_679, 0],
			['lines of data in very many chunks', '', 'data:\n', 60_000, 27_594, 0],
		] as const) {
			it(`${what}: ${taken === count ? 'all are taken' : `refused after ${taken}`}`, () => {
				const seen = new Set<string | undefined>();
				const position = { lastEventId: undefined, retryMs: undefined };
				const reader = new EventReader(position, limit, ({ id }) => seen.add(id));
				const bytes = Buffer.from(text);
				reader.push(Buffer.from(begin));
				const before = usedMb();
				let at = 0;
				while (
					at < count &&
					takes(reader, Buffer.from(text.includes(value) ? text.replace('abcdef', String(100_000 + at)) : bytes))
				) {
					at++;
				}
				const grown = usedMb() - before;
				assert.ok(grown < 8, `${grown.toFixed(0)} MB more`);
				assert.deepEqual([at, seen.size], [taken, ids]);
			});
		}
	});
});
