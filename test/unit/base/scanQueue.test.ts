import * as assert from 'node:assert/strict';
import { type ScanJob, ScanQueue } from '../../../src/base/scanQueue.js';
import { settled } from '../../support/waiting.js';

/** A job of so many bytes in parts of one length. */
function jobOf(length: number, part: number, onDone: () => void): ScanJob & { isEnded: boolean; left: number } {
	return {
		isEnded: false,
		left: length,
		processNext() {
			const bytes = Math.min(part, this.left);
			this.left -= bytes;
			return bytes > 0 ? bytes : undefined;
		},
		finish: onDone,
	};
}

describe('ScanQueue', () => {
	it('processes more than is received, whatever the length of chunks and parts', () => {
		for (const part of [1, 100, 64 * 1024]) {
			for (const chunk of [1, 100, 64 * 1024]) {
				const queue = new ScanQueue();
				const job = jobOf(1_000_000, part, () => undefined);
				queue.add(job);
				const cost = 1_000_000 + 32 * Math.ceil(1_000_000 / part);
				for (let count = 0; job.left > 0; count++) {
					const before = job.left;
					queue.didReceive(chunk);
					assert.ok(before - job.left <= 2 * chunk + 256 + part, 'a bounded step');
					assert.ok(count * (2 * chunk + 256) <= cost, 'the end is reached');
				}
			}
		}
	});

	it('finishes jobs in their order, each when it has ended, and the rest in later turns', async () => {
		const done: number[] = [];
		const queue = new ScanQueue();
		const jobs = [1, 2, 3].map(name => jobOf(300 * 1024, 1024, () => done.push(name)));
		for (const job of jobs) {
			queue.add(job);
			job.isEnded = true;
		}
		assert.equal(queue.processShort(), false);
		assert.deepEqual(done, []);
		const empty = queue.empty();
		assert.deepEqual(done, [1]);
		await empty;
		assert.deepEqual(done, [1, 2, 3]);
		await queue.empty();
	});

	it('waits for a job that has not ended', async () => {
		const done: number[] = [];
		const queue = new ScanQueue();
		const job = jobOf(10, 10, () => done.push(1));
		queue.add(job);
		queue.didReceive(100);
		await settled();
		assert.deepEqual([job.left, done], [0, []]);
		job.isEnded = true;
		assert.equal(queue.processShort(), true);
		assert.deepEqual(done, [1]);
	});
});
