// What the test files of one stage have counted. A file of editor tests that failed is run once more, in a new editor:
// its last run counts, and what failed in an earlier one only is told as unsteady, never kept quiet.
import * as fs from 'node:fs';
import type { FileCounts } from '../support/runMocha.js';

export interface Tally {
	passed: number;
	failed: number;
	skipped: number;
	/** Of the last run of each file. */
	readonly failures: string[];
	/** What failed in a run before the last one of its file, and not in the last one. */
	readonly unsteady: string[];
	/** The files whose last run has failures. */
	readonly failedFiles: string[];
}

export function emptyTally(): Tally {
	return { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [], failedFiles: [] };
}

/** Adds what a file of counts (a line of JSON for each run of a test file) says; it may not exist. */
export function addCounts(tally: Tally, countsFile: string): Tally {
	const text = fs.existsSync(countsFile) ? fs.readFileSync(countsFile, 'utf8').trim() : '';
	const runs = new Map<string, FileCounts[]>();
	for (const line of text === '' ? [] : text.split('\n')) {
		const counts: FileCounts = JSON.parse(line);
		runs.set(counts.file, [...(runs.get(counts.file) ?? []), counts]);
	}
	for (const [file, all] of runs) {
		const last = all.at(-1);
		tally.passed += last?.passed ?? 0;
		tally.failed += last?.failed ?? 0;
		tally.skipped += last?.skipped ?? 0;
		tally.failures.push(...(last?.failures ?? []));
		if (last && last.failed > 0) {
			tally.failedFiles.push(file);
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
