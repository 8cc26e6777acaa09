import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { addCounts, emptyTally, tellSkipped } from '../../host/tally.js';
import type { SkippedTest, SuiteCounts } from '../../support/runMocha.js';

const noWindows: SkippedTest = { title: 'pipes have names', reason: 'this is not Windows' };

describe('the tally of a stage', () => {
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
			skipped: [noWindows],
			failures,
		};
		fs.appendFileSync(file, `${JSON.stringify(counts)}\n`);
	}

	it('is empty where nothing ran', () => {
		assert.deepEqual(addCounts(emptyTally(), file), emptyTally());
	});

	it('adds up suites, and what was there before', () => {
		ran('a', 2);
		ran('b', 3, 'one\nwhy');
		const tally = addCounts({ ...emptyTally(), passed: 10 }, file);
		assert.deepEqual(tally, {
			passed: 15,
			failed: 1,
			skipped: [noWindows, noWindows],
			failures: ['one\nwhy'],
			unsteady: [],
			failedSuites: ['b'],
		});
	});

	it('takes suites of one title in several bundles for several', () => {
		ran('a', 1, 'one\nwhy');
		const counts: SuiteCounts = { file: 'y.js', suite: 'a', passed: 1, failed: 0, skipped: [], failures: [] };
		fs.appendFileSync(file, `${JSON.stringify(counts)}\n`);
		assert.deepEqual(addCounts(emptyTally(), file).failures, ['one\nwhy']);
	});

	it('counts the last run of a suite, and tells what failed before and does not now', () => {
		ran('a', 1, 'one\nwhy', 'two\nwhy');
		ran('b', 3);
		ran('a', 2, 'two\nfor another reason');
		assert.deepEqual(addCounts(emptyTally(), file), {
			passed: 5,
			failed: 1,
			skipped: [noWindows, noWindows],
			failures: ['two\nfor another reason'],
			unsteady: ['one\nwhy'],
			failedSuites: ['a'],
		});
	});
});

describe('skipped tests', () => {
	it('are told once each, below their reason', () => {
		const [one, two] = ['drives', 'shares'].map(title => ({ title, reason: noWindows.reason })) as [
			SkippedTest,
			SkippedTest,
		];
		assert.deepEqual(tellSkipped([noWindows, { title: 'x', reason: 'it is late' }, one, noWindows, two]), [
			'SKIPPED, because this is not Windows:',
			'  pipes have names',
			'  drives',
			'  shares',
			'',
			'SKIPPED, because it is late:',
			'  x',
			'',
		]);
	});
});
