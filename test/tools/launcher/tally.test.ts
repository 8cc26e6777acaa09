import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { addCounts, emptyTally, failedSuites } from '../../host/tally.js';
import type { SuiteCounts } from '../../support/runMocha.js';

describe('the tally of a part', () => {
	let folder: string;
	let file: string;

	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-'));
		file = path.join(folder, 'counts.jsonl');
	});

	afterEach(() => fs.rmSync(folder, { recursive: true }));

	function ran(name: string, passed: number, ...failures: string[]): void {
		const counts: SuiteCounts = {
			file: 'x.js',
			suite: name,
			passed,
			failed: failures.length,
			skipped: [],
			failures,
		};
		fs.appendFileSync(file, `${JSON.stringify(counts)}\n`);
	}

	it('counts the last run of a suite, and calls flaky what failed before it and passed then', () => {
		ran('a', 1, 'one\nwhy');
		ran('b', 1, 'two\nwhy');
		ran('a', 2);
		ran('b', 1, 'two\nwhy again');
		const { passed, failed, failures, flaky } = addCounts(emptyTally(), file);
		assert.deepEqual(
			{ passed, failed, failures, flaky },
			{
				passed: 3,
				failed: 1,
				failures: ['two\nwhy again'],
				flaky: ['one\nwhy'],
			},
		);
		assert.deepEqual(failedSuites(file), ['b']);
	});
});
