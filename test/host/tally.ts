// What the suites of one part of the tests have counted.
import * as fs from 'node:fs';
import type { SkippedTest, SuiteCounts } from '../support/runMocha.js';

export interface Tally {
	passed: number;
	failed: number;
	readonly skipped: SkippedTest[];
	/** Each failed test: its whole title, and below it why. */
	readonly failures: string[];
	/** The same of tests that passed when their suite was run once more. */
	readonly flaky: string[];
}

export function emptyTally(): Tally {
	return { passed: 0, failed: 0, skipped: [], failures: [], flaky: [] };
}

/** Every run of a suite, in order: a file has a line of JSON for each, and may not exist. */
export function readCounts(countsFile: string): SuiteCounts[] {
	const text = fs.existsSync(countsFile) ? fs.readFileSync(countsFile, 'utf8').trim() : '';
	return text === '' ? [] : text.split('\n').map(it => JSON.parse(it) as SuiteCounts);
}

/** The titles of the suites that failed in their last run. */
export function failedSuites(countsFile: string): string[] {
	return [...lastRuns(readCounts(countsFile)).values()].filter(it => it.failed > 0).map(it => it.suite);
}

/** Adds the last run of each suite. What failed before that run is flaky if that run passed. */
export function addCounts(tally: Tally, countsFile: string): Tally {
	const runs = readCounts(countsFile);
	const last = lastRuns(runs);
	for (const { passed, failed, skipped, failures } of last.values()) {
		tally.passed += passed;
		tally.failed += failed;
		tally.skipped.push(...skipped);
		tally.failures.push(...failures);
	}
	for (const run of runs) {
		const final = last.get(keyOf(run));
		if (final !== run && final?.failed === 0) {
			tally.flaky.push(...run.failures);
		}
	}
	return tally;
}

function lastRuns(runs: readonly SuiteCounts[]): Map<string, SuiteCounts> {
	return new Map(runs.map(it => [keyOf(it), it]));
}

function keyOf({ file, suite }: SuiteCounts): string {
	return `${file} ${suite}`;
}

/** The first line of a failure; the others say why. */
export function titleOf(failure: string): string {
	return failure.split('\n', 1)[0] ?? '';
}

/** Each test that was skipped, below the reason; the same test in another editor is told once. */
export function tellSkipped(skipped: readonly SkippedTest[]): string[] {
	const titles = new Map<string, Set<string>>();
	for (const { title, reason } of skipped) {
		titles.set(reason, (titles.get(reason) ?? new Set()).add(title));
	}
	return Array.from(titles, ([reason, tests]) => [
		`SKIPPED, because ${reason}:`,
		...Array.from(tests, it => `  ${it}`),
		'',
	]).flat();
}
