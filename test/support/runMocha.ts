// Runs the test files of a folder in this process, for plain Node and for the extension host alike, and records
// how many passed, failed and were skipped for the summary of `npm test`.
import * as fs from 'node:fs';
import * as path from 'node:path';
import { skipReasonOf } from './skip.js';

export interface SkippedTest {
	/** Its whole title. */
	readonly title: string;
	readonly reason: string;
}

/** One run of one suite of the highest level. */
export interface SuiteCounts {
	/** The bundle it is in. */
	readonly file: string;
	/** Its title. */
	readonly suite: string;
	passed: number;
	/** Counts failed hooks as well. */
	failed: number;
	readonly skipped: SkippedTest[];
	/** Each failed test or hook: its whole title, and below it why. */
	readonly failures: string[];
}

export interface MochaOptions {
	/** A folder of bundled tests. */
	readonly folder: string;
	/** Look into its folders too. */
	readonly recursive: boolean;
	/** Names of the test files to run, without `.test.js`; all if left out. @throws Error if one isn't there */
	readonly files?: readonly string[] | undefined;
	/** Only these suites of the highest level. */
	readonly suites?: readonly string[] | undefined;
	/** Every `count`th file, beginning with `index`, which counts from 0. */
	readonly shard?: { readonly index: number; readonly count: number } | undefined;
	readonly grep?: string | undefined;
	/** Milliseconds a test may take unless it says otherwise. */
	readonly timeout: number;
	/** Of an error that nobody caught: true if what is tested has no part in it. */
	readonly isForeign?: (error: unknown) => boolean;
	/** Run before the first and after the last test of the folder; where they fail, it does. */
	readonly hooks?: { readonly beforeAll: () => Promise<void>; readonly afterAll: () => Promise<void> };
}

/** The variable that names the file to which every run appends its counts: for each suite a line of JSON. */
export const countsVariable = 'MCP_WORKBENCH_TEST_COUNTS';

/** What a suite takes besides its tests is told where it is more than this, in milliseconds. */
const slowHookMs = 1000;

/** What the summary repeats of a failure: enough to know the line. */
const failureLines = 12;

/** Runs them and resolves with the number of failures. */
export async function runMocha(options: MochaOptions): Promise<number> {
	// mocha is an ES module, and not every Node that we meet can `require` one.
	const { Mocha } = await import('mocha').then(it => ({ Mocha: it.default }));
	const mocha = new Mocha({
		ui: 'bdd',
		timeout: options.timeout,
		color: process.env['NO_COLOR'] === undefined && process.env['FORCE_COLOR'] !== undefined,
		...grepOf(options),
		...(options.hooks && { rootHooks: options.hooks }),
	});
	const files = findFiles(options);
	for (const file of files) {
		mocha.addFile(file);
	}
	if (options.isForeign) {
		ignoreErrors(Mocha.Runner.prototype as unknown as UncaughtErrors, options.isForeign);
	}
	const runs = new Map<string, SuiteCounts>();
	const runOf = (test: Nested): SuiteCounts => {
		// The hooks of the folder stand in no file.
		const { file = options.folder } = test;
		const suite = test.file === undefined ? '' : suiteOf(test);
		const run = runs.get(`${file} ${suite}`) ?? { file, suite, passed: 0, failed: 0, skipped: [], failures: [] };
		runs.set(`${file} ${suite}`, run);
		return run;
	};
	if (options.hooks) {
		// Also where they pass: what failed in an earlier run has passed then.
		runOf({ title: '' });
	}
	const failed = await new Promise<number>(resolve => {
		const runner = mocha.run(resolve);
		runner.on('pass', test => runOf(test).passed++);
		runner.on('hook end', ({ title, duration = 0 }) => {
			if (duration > slowHookMs) {
				console.log(`    ${title} (${duration}ms)`);
			}
		});
		runner.on('pending', test => {
			runOf(test).skipped.push({ title: test.fullTitle(), reason: skipReasonOf(test) ?? 'no reason was given' });
		});
		runner.on('fail', (test, error: unknown) => {
			const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
			const run = runOf(test);
			run.failed++;
			const title = `${test.file === undefined ? `${path.basename(options.folder)}: ` : ''}${test.fullTitle()}`;
			run.failures.push(`${title}\n${reason.split('\n').slice(0, failureLines).join('\n')}`);
		});
	});
	const file = process.env[countsVariable];
	if (file !== undefined) {
		fs.appendFileSync(file, [...runs.values()].map(it => `${JSON.stringify(it)}\n`).join(''));
	}
	return failed;
}

function findFiles({ folder, recursive, files, shard }: MochaOptions): string[] {
	const all = fs.readdirSync(folder, { recursive, encoding: 'utf8' }).filter(it => it.endsWith('.test.js'));
	const chosen = files?.map(it => `${it}.test.js`) ?? all;
	const missing = chosen.filter(it => !all.includes(it));
	if (missing.length > 0) {
		throw new Error(`Not in ${folder}: ${missing.join(', ')}`);
	}
	const sorted = chosen.map(it => path.join(folder, it)).toSorted();
	return shard === undefined ? sorted : sorted.filter((_, index) => index % shard.count === shard.index);
}

interface Nested {
	readonly title: string;
	readonly file?: string | undefined;
	readonly parent?: Nested | undefined;
}

/** The suite of the highest level; the root above it has no title. */
function suiteOf(test: Nested): string {
	let top = test;
	while (top.parent && top.parent.title !== '') {
		top = top.parent;
	}
	return top.title;
}

function grepOf({ grep, suites }: MochaOptions): { readonly grep?: RegExp } {
	if (suites) {
		const titles = suites.map(it => it.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
		return { grep: new RegExp(`^(?:${titles.join('|')})(?: |$)`) };
	}
	return grep === undefined ? {} : { grep: new RegExp(grep) };
}

interface UncaughtErrors {
	_uncaught: (this: unknown, error: unknown) => void;
}

/** mocha blames the test that happens to run for whatever nobody caught in this process, which others share. */
function ignoreErrors(runner: UncaughtErrors, isForeign: (error: unknown) => boolean): void {
	const uncaught = runner._uncaught;
	runner._uncaught = function (error): void {
		if (isForeign(error)) {
			console.log(`(not ours: ${error instanceof Error ? error.stack : String(error)})`);
		} else {
			uncaught.call(this, error);
		}
	};
}
