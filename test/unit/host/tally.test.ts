import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { addCounts, emptyTally } from '../../host/tally.js';
import type { FileCounts } from '../../support/runMocha.js';

describe('the tally of a stage', () => {
	let folder: string;
	let file: string;

	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tally-'));
		file = path.join(folder, 'counts.jsonl');
	});

	afterEach(() => fs.rmSync(folder, { recursive: true }));

	function ran(name: string, passed: number, ...failures: string[]): void {
		const counts: FileCounts = { file: name, passed, failed: failures.length, skipped: 1, failures };
		fs.appendFileSync(file, `${JSON.stringify(counts)}\n`);
	}

	it('is empty where nothing ran', () => {
		assert.deepEqual(addCounts(emptyTally(), file), emptyTally());
	});

	it('adds up files, and what was there before', () => {
		ran('a', 2);
		ran('b', 3, 'one\nwhy');
		const tally = addCounts({ ...emptyTally(), passed: 10 }, file);
		assert.deepEqual(tally, {
			passed: 15,
			failed: 1,
			skipped: 2,
			failures: ['one\nwhy'],
			unsteady: [],
			failedFiles: ['b'],
		});
	});

	it('counts the last run of a file, and tells what failed before and does not now', () => {
		ran('a', 1, 'one\nwhy', 'two\nwhy');
		ran('b', 3);
		ran('a', 2, 'two\nfor another reason');
		assert.deepEqual(addCounts(emptyTally(), file), {
			passed: 5,
			failed: 1,
			skipped: 2,
			failures: ['two\nfor another reason'],
			unsteady: ['one\nwhy'],
			failedFiles: ['a'],
		});
	});
});
