import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { addCounts, emptyTally, failedSuites, tellSkipped } from '../../host/tally.js';
import type { SkippedTest, SuiteCounts } from '../../support/runMocha.js';

const noWindows: SkippedTest = { title: 'pipes have names', reason: 'this is not Windows' };

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
			flaky: [],
		});
	});

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
