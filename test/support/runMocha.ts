// Runs the test files of a folder in this process, for plain Node and for the extension host alike, and records
// how many passed, failed and were skipped for the summary of `npm test`.
import * as fs from 'node:fs';
import * as path from 'node:path';

/** One run of one test file. */
export interface FileCounts {
	/** With the folder that it was looked for in: no two have the same. */
	readonly file: string;
	passed: number;
	/** Counts failed hooks as well. */
	failed: number;
	skipped: number;
	/** Each failed test or hook: its whole title, and below it why. */
	readonly failures: string[];
}

export interface MochaOptions {
	/** A folder of bundled tests. */
	readonly folder: string;
	/** Look into its folders too. */
	readonly recursive: boolean;
	/** Only these of its files. */
	readonly only?: readonly string[] | undefined;
	readonly grep?: string | undefined;
	/** Milliseconds a test may take unless it says otherwise. */
	readonly timeout: number;
	/** Of an error that nobody caught: true if what is tested has no part in it. */
	readonly isForeign?: (error: unknown) => boolean;
}

/** The variable that names the file to which every run appends its counts: for each test file a line of JSON. */
export const countsVariable = 'MCP_WORKBENCH_TEST_COUNTS';

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
		...(options.grep === undefined ? {} : { grep: new RegExp(options.grep) }),
	});
	const files = fs
		.readdirSync(options.folder, { recursive: options.recursive, encoding: 'utf8' })
		.filter(it => it.endsWith('.test.js'))
		.map(it => path.join(options.folder, it))
		.filter(it => options.only?.includes(path.relative(path.dirname(options.folder), it)) ?? true)
		.toSorted();
	for (const file of files) {
		mocha.addFile(file);
	}
	if (options.isForeign) {
		ignoreErrors(Mocha.Runner.prototype as unknown as UncaughtErrors, options.isForeign);
	}
	const runs = new Map<string, FileCounts>();
	const runOf = (file: string): FileCounts => {
		const name = path.relative(path.dirname(options.folder), file);
		const run = runs.get(name) ?? { file: name, passed: 0, failed: 0, skipped: 0, failures: [] };
		runs.set(name, run);
		return run;
	};
	const failed = await new Promise<number>(resolve => {
		const runner = mocha.run(resolve);
		runner.on('pass', test => runOf(test.file ?? '').passed++);
		runner.on('pending', test => runOf(test.file ?? '').skipped++);
		runner.on('fail', (test, error: unknown) => {
			const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
			const run = runOf(test.file ?? '');
			run.failed++;
			run.failures.push(`${test.fullTitle()}\n${reason.split('\n').slice(0, failureLines).join('\n')}`);
		});
	});
	const file = process.env[countsVariable];
	if (file !== undefined) {
		fs.appendFileSync(file, [...runs.values()].map(it => `${JSON.stringify(it)}\n`).join(''));
	}
	return failed;
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
