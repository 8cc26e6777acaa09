// Events of very many short lines, and lines that keep more in memory than they count.
import * as assert from 'node:assert/strict';
import { SseParser } from '../../../src/mcp/transport/sseStream.js';
import { garbageCollector } from '../../support/faults/growth.js';

describe('an attack by server-sent events', () => {
	it('of empty lines takes no more memory than the limit', () => {
		const told: string[] = [];
		const parser = new SseParser(
			{
				onEvent: () => told.push('event'),
				onOverlong: () => told.push('overlong'),
				onOversize: () => told.push('over'),
			},
			1_000_000,
		);
		for (let count = 0; count < 90; count++) {
			parser.push(Buffer.from('data:\n'.repeat(10_000)));
		}
		assert.deepEqual(told, ['overlong']);
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

		for (const [what, begin, text, count] of [
			['a short line of data in each chunk', '', `data: ${value}\n${filler(chunk)}`, 500],
			['an id in each chunk', '', `id: ${value}\ndata: x\n\n${filler(chunk)}`, 500],
			['an event name in each chunk', '', `event: ${value}\n${filler(chunk)}`, 500],
			['lines without a value, past the limit', filler(0), 'data\n'.repeat(chunk / 5), 300],
			['lines of a character, past the limit', filler(0), 'data:x\n'.repeat(chunk / 7), 300],
			['a line in very many chunks', 'data:', 'x', 900_000],
			['lines of data in very many chunks', '', 'data:\n', 60_000],
		] as const) {
			it(what, () => {
				const ids = new Set<string | undefined>();
				const parser: SseParser = new SseParser(
					{ onEvent: ({ id }) => ids.add(id), onOversize: () => undefined },
					limit,
				);
				const bytes = Buffer.from(text);
				parser.push(Buffer.from(begin));
				const before = usedMb();
				for (let at = 0; at < count; at++) {
					parser.push(Buffer.from(text.includes(value) ? text.replace('abcdef', String(100_000 + at)) : bytes));
				}
				const grown = usedMb() - before;
				assert.ok(grown < 8, `${grown.toFixed(0)} MB more`);
				// Used until here.
				assert.ok(ids.size <= count && parser.retryMs === undefined);
			});
		}
	});
});
