// What the suites of one stage have counted.
import * as fs from 'node:fs';
import type { SkippedTest, SuiteCounts } from '../support/runMocha.js';

export interface Tally {
	passed: number;
	failed: number;
	readonly skipped: SkippedTest[];
	readonly failures: string[];
}

export function emptyTally(): Tally {
	return { passed: 0, failed: 0, skipped: [], failures: [] };
}

/** Adds what a file of counts (a line of JSON for each suite) says; it may not exist. */
export function addCounts(tally: Tally, countsFile: string): Tally {
	const text = fs.existsSync(countsFile) ? fs.readFileSync(countsFile, 'utf8').trim() : '';
	for (const line of text === '' ? [] : text.split('\n')) {
		const { passed, failed, skipped, failures }: SuiteCounts = JSON.parse(line);
		tally.passed += passed;
		tally.failed += failed;
		tally.skipped.push(...skipped);
		tally.failures.push(...failures);
	}
	return tally;
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
