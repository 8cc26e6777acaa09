// What the suites of one stage have counted. A suite in the editor that failed is run once more, in a new editor:
// its last run counts, and what failed in an earlier one only is told as unsteady, never kept quiet.
import * as fs from 'node:fs';
import type { SkippedTest, SuiteCounts } from '../support/runMocha.js';

export interface Tally {
	passed: number;
	failed: number;
	readonly skipped: SkippedTest[];
	/** Of the last run of each suite. */
	readonly failures: string[];
	/** What failed in a run before the last one of its suite, and not in the last one. */
	readonly unsteady: string[];
	/** The suites whose last run has failures. */
	readonly failedSuites: string[];
}

export function emptyTally(): Tally {
	return { passed: 0, failed: 0, skipped: [], failures: [], unsteady: [], failedSuites: [] };
}

/** Adds what a file of counts (a line of JSON for each run of a suite) says; it may not exist. */
export function addCounts(tally: Tally, countsFile: string): Tally {
	const text = fs.existsSync(countsFile) ? fs.readFileSync(countsFile, 'utf8').trim() : '';
	const runs = new Map<string, SuiteCounts[]>();
	for (const line of text === '' ? [] : text.split('\n')) {
		const counts: SuiteCounts = JSON.parse(line);
		const key = `${counts.file} ${counts.suite}`;
		runs.set(key, [...(runs.get(key) ?? []), counts]);
	}
	for (const all of runs.values()) {
		const last = all.at(-1);
		tally.passed += last?.passed ?? 0;
		tally.failed += last?.failed ?? 0;
		tally.skipped.push(...(last?.skipped ?? []));
		tally.failures.push(...(last?.failures ?? []));
		if (last && last.failed > 0) {
			tally.failedSuites.push(last.suite);
		}
		const titles = new Set(last?.failures.map(titleOf));
		tally.unsteady.push(...all.slice(0, -1).flatMap(it => it.failures.filter(one => !titles.has(titleOf(one)))));
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
