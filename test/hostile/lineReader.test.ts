// The memory that a line takes, for every length and every split into chunks.
import * as assert from 'node:assert/strict';
import { LineReader } from '../../src/node/process/lineReader.js';
import { garbageCollector } from '../support/faults/growth.js';

describe('memory of LineReader', () => {
	it('keeps only the beginning and end of a line over the limit', () => {
		const reader = new LineReader(() => assert.fail('a line'), { maxBytes: 1_000_000 });
		const before = process.memoryUsage().arrayBuffers;
		for (let count = 0; count < 1000; count++) {
			reader.push(Buffer.alloc(64 * 1024, 'x'));
		}
		// Buffers are freed while JavaScript runs on: the second collection waits for the first.
		garbageCollector()();
		garbageCollector()();
		assert.ok(process.memoryUsage().arrayBuffers - before < 4_000_000);
		reader.end();
	});
});
