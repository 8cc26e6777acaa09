// `npm test`: node out/host/bin/test.js [stage…] [--grep=…] [--suite=…]
// Without a stage, what every change must pass; `rest` is what `npm run test:rest` runs. `--suite` is a regular expression: of
// the integration suites, only those whose names match are run. `--reversed` has the suites of each window run in the
// reversed order, which must change nothing.
// Both do several things at a time; MCP_WORKBENCH_TEST_LANES=1 has one after another.
// The last line is "N passed, N failed" (", N skipped" may follow).
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runConformance } from '../../conformance/run.js';
import { countsVariable } from '../../support/runMocha.js';
import { passedVariable, type SuiteInWindow, suitesVariable } from '../../support/suiteInWindow.js';
import { readWireCounts, wireVariable } from '../../support/wireLog.js';
import { hostOverride } from '../chooseHost.js';
import { ensureChromium } from '../debian.js';
import { ensureEditor, ensureNode } from '../install.js';
import { type Outcome, runLanes, tellOutcome } from '../lanes.js';
import { programPath, projectRoot } from '../paths.js';
import { IntegrationHost } from '../runIntegration.js';
import { progress } from '../run.js';
import { HostSession, isEnding } from '../session.js';
import { type OpenWindow, runSuites } from '../runWindow.js';
import { findWindows, type TestWindow, walks } from '../suites.js';
import { addCounts, emptyTally, tellSkipped, titleOf } from '../tally.js';
import { toolNode, type EditorName } from '../versions.js';

interface Stage {
	readonly name: string;
	/** The words on the command line that choose it. */
	readonly words: readonly string[];
	readonly hasTests: boolean;
	/** Its tests have servers run in editors: messages must be found in their logs. */
	readonly hasWire?: boolean;
	/** @param countsFile where its runs append their counts */
	run(countsFile: string): Promise<boolean>;
}

const words = process.argv.slice(2).filter(it => !it.startsWith('--'));
const grep = valueOf('grep');
const chosenSuite = valueOf('suite');
const isReversed = process.argv.includes('--reversed');
const session = new HostSession(20_000);
const wireFile = path.join(session.folder, 'wire.jsonl');

const stages: readonly Stage[] = [
	{
		name: 'static checks',
		words: ['check'],
		hasTests: false,
		run: async countsFile => {
			for (const check of ['types', 'lint', 'format']) {
				if (!(await program('npm', ['run', '--silent', `check:${check}`], countsFile))) {
					return false;
				}
			}
			return true;
		},
	},
	{ name: 'installation', words: ['installation'], hasTests: false, run: install },
	{ name: 'unit', words: ['unit'], hasTests: true, run: countsFile => mocha('unit', countsFile) },
	{
		name: 'conformance',
		words: ['conformance'],
		hasTests: true,
		run: async countsFile => {
			const counts = await runConformance(await ensureNode(toolNode));
			fs.appendFileSync(countsFile, `${JSON.stringify(counts)}\n`);
			return counts.failed === 0;
		},
	},
	...integrationStages(),
	{
		name: 'package',
		words: ['package', 'e2e', 'lifetimes'],
		hasTests: false,
		run: countsFile => program('npm', ['run', '--silent', 'package'], countsFile),
	},
	{
		name: 'lifetimes',
		words: ['lifetimes', 'ending'],
		hasTests: true,
		hasWire: true,
		run: countsFile => inWorkbench('lifetimes', countsFile),
	},
	{
		name: 'end to end, one walk for each feature',
		words: ['e2e', 'walks'],
		hasTests: true,
		hasWire: true,
		run: countsFile => inWorkbench('e2e', countsFile, walks),
	},
	{
		name: 'end to end, the rest',
		words: ['e2e', 'drawn'],
		hasTests: true,
		hasWire: true,
		run: countsFile => inWorkbench('e2e', countsFile, walks, true),
	},
];

/** What everything else needs, all at once: the network is waited for most of the time. */
const preparation = [['check'], ['installation'], ['package']] as const;
const preparationOfRest = [['installation'], ['package']] as const;

/** What takes longest comes first. */
const sideBySide = [['newest'], ['walks'], ['unit'], ['conformance']] as const;
const sideBySideOfRest = [['drawn'], ['oldest'], ['ending']] as const;

/** What goes on at a time: a lane of an editor needs 0.8 of a core. */
const width = 3;

function valueOf(option: string): string | undefined {
	return process.argv
		.slice(2)
		.find(it => it.startsWith(`--${option}=`))
		?.slice(option.length + 3);
}

async function main(): Promise<void> {
	const started = Date.now();
	const outcome: Outcome = { report: [], tally: emptyTally(), ok: true };
	const isRest = words.length === 1 && words[0] === 'rest';
	const lanes = isRest ? sideBySideOfRest : sideBySide;
	if (words.length > 0 && !isRest) {
		await runStages(stagesFor(words), outcome);
	} else if (grep === undefined && chosenSuite === undefined && hasLanes()) {
		await runLanes(session, isRest ? preparationOfRest : preparation, 3, outcome);
		// Packing has built what is shipped in place of what is tested.
		await session.run(process.execPath, ['esbuild.js']);
		// What does not compile needs no tests.
		await (outcome.ok && runLanes(session, lanes, width, outcome));
	} else {
		await runStages(stagesFor(['check', 'package', ...lanes.flat()]), outcome);
	}
	const { passed, failed } = outcome.tally;
	const chosen = stagesFor(words);
	const needsTests = chosen.length === 0 || chosen.some(it => it.hasTests);
	process.exitCode = outcome.ok && (!needsTests || passed + failed > 0) ? 0 : 1;
	tellOutcome(outcome);
	await session.dispose();
	progress('everything', started);
	console.log(`\n${summary(outcome)}`);
}

function stagesFor(chosen: readonly string[]): Stage[] {
	return stages.filter(it => it.words.some(word => chosen.includes(word)));
}

/** A host that was asked for is one that shows itself on the person's screen. */
function hasLanes(): boolean {
	const one = process.env['MCP_WORKBENCH_TEST_LANES'] === '1' || hostOverride() !== undefined;
	return !one && os.availableParallelism() > 1;
}

/** What several lanes need. What can't be installed is said where it is needed. The lane of the oldest editor installs that. */
async function install(): Promise<boolean> {
	await Promise.allSettled([ensureEditor('newest'), ensureChromium()]);
	return true;
}

async function runStages(chosen: readonly Stage[], outcome: Outcome): Promise<void> {
	const { report, tally: total } = outcome;
	for (const stage of chosen) {
		const started = Date.now();
		console.log(`\n=== ${stage.name}`);
		const countsFile = path.join(session.folder, `${stage.name.replaceAll(/\W+/g, '-')}.jsonl`);
		const wireBefore = readWireCounts(wireFile);
		const succeeded = await stage.run(countsFile).catch((error: unknown) => {
			console.error(error instanceof Error ? error.message : error);
			return false;
		});
		if (isEnding()) {
			// The signal handler ends this process when everything is in order.
			await delay(60_000);
		}
		const { passed, failed } = addCounts(emptyTally(), countsFile);
		addCounts(total, countsFile);
		const ran = passed + failed > 0;
		const wire = readWireCounts(wireFile);
		const checked = wire.checked - wireBefore.checked;
		const isMissing = (stage.hasTests && !ran) || (stage.hasWire === true && checked === 0);
		const ok = succeeded && (!isMissing || grep !== undefined);
		const why = !succeeded || ok ? '' : ran ? ' (no message was found in the logs)' : ' (no test ran)';
		const cut = wire.cut - wireBefore.cut;
		const messages = stage.hasWire === true ? `, ${checked} messages checked, ${cut} too long for that` : '';
		const seconds = ((Date.now() - started) / 1000).toFixed(1);
		report.push(`${ok ? 'ok    ' : 'FAILED'} ${stage.name}${why}, ${seconds} s${messages}`);
		console.log(`=== ${report.at(-1)}`);
		outcome.ok &&= ok;
	}
}

/** Ends with what failed, in few lines: where only the last ones of a run are kept, they must tell. */
function summary({ report, tally: { passed, failed, skipped, failures, unsteady } }: Outcome): string {
	return [
		...tellSkipped(skipped),
		...unsteady.map(it => `UNSTEADY (failed, and passed in another run) ${it}\n`),
		...failures.map(it => `FAILED ${it}\n`),
		...report,
		'',
		...unsteady.map(it => `unsteady: ${titleOf(it)}`),
		...failures.map(it => `failed: ${titleOf(it)}`),
		`${passed} passed, ${failed} failed${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}${unsteady.length === 0 ? '' : `, ${unsteady.length} unsteady`}`,
	].join('\n');
}

/** One stage for each end of the range of editors, or one for the editor that was asked for. */
function integrationStages(): Stage[] {
	return hostOverride() === undefined
		? [integrationStage('newest', 'newest editor'), integrationStage('oldest', 'oldest editor')]
		: [integrationStage('newest', `MCP_WORKBENCH_HOST=${hostOverride()}`)];
}

function integrationStage(editor: EditorName, where: string): Stage {
	const words = ['integration', editor];
	return {
		name: `integration, ${where}`,
		words,
		hasTests: true,
		hasWire: true,
		run: countsFile => integration(editor, countsFile),
	};
}

async function integration(editor: EditorName, countsFile: string): Promise<boolean> {
	const host = await IntegrationHost.choose(editor);
	let ok = true;
	for (const window of findWindows(editor, new RegExp(chosenSuite ?? ''))) {
		const open: OpenWindow = suites => openWindow(window, suites, host, editor, countsFile);
		const failed = await runSuites(isReversed ? window.suites.toReversed() : window.suites, open);
		ok &&= failed.length === 0 || (mayRunAgain() && (await runEachAgain(failed, open)));
		if (isEnding()) {
			return false;
		}
	}
	await host.dispose();
	return ok;
}

async function runEachAgain(suites: readonly SuiteInWindow[], open: OpenWindow): Promise<boolean> {
	let ok = true;
	for (const suite of suites) {
		ok = (await open([suite])) === 1 && ok;
	}
	return ok;
}

/** Whoever looks for something wants to see the first run. */
function mayRunAgain(): boolean {
	const may = grep === undefined && !isEnding();
	if (may) {
		console.log('--- once more, in a new editor: what passes now is told as unsteady');
	}
	return may;
}

async function once(run: () => Promise<boolean>): Promise<boolean> {
	return run().catch((error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		return false;
	});
}

/** @returns how many of these suites have passed, up to the first that did not */
async function openWindow(
	window: TestWindow,
	suites: readonly SuiteInWindow[],
	host: IntegrationHost,
	editor: EditorName,
	countsFile: string,
): Promise<number> {
	if (isEnding()) {
		return 0;
	}
	console.log(`--- window: ${window.name}`);
	const passedFile = path.join(session.folder, 'passed');
	fs.writeFileSync(passedFile, '');
	const options = {
		extensionTestsPath: path.join(projectRoot, 'out', 'integration', 'index.js'),
		workspace: window.workspace ?? 'none',
		restricted: window.restricted ?? false,
		extensions: window.extensions ?? [],
		builtIns: window.builtIns ?? 'few',
		// What the tests start is theirs; those about consent switch it on.
		settings: { 'mcpWorkbench.confirmServers': 'never', ...window.settings },
		env: {
			...window.env?.(editor),
			[suitesVariable]: JSON.stringify(suites),
			[passedVariable]: passedFile,
			// Fixture workspaces are copied: this is how their configuration finds servers of the project.
			MCP_WORKBENCH_PROJECT: projectRoot,
			[countsVariable]: countsFile,
			[wireVariable]: wireFile,
			...(grep === undefined ? {} : { MCP_WORKBENCH_TEST_GREP: grep }),
		},
	};
	const isOver = await once(async () => {
		const result = await host.run(options);
		if (result === 'unsupported') {
			console.log('(this host cannot run it)');
		}
		return result === 0 || result === 'unsupported';
	});
	if (isOver) {
		return suites.length;
	}
	const passed = fs.readFileSync(passedFile, 'utf8').split('\n').length - 1;
	// Whatever was wrong at the end, the last suite is the nearest to it.
	return Math.min(passed, suites.length - 1);
}

/** The suites that fail are run once more. */
async function inWorkbench(
	folder: string,
	countsFile: string,
	suites: readonly string[] = [],
	isInverted = false,
): Promise<boolean> {
	if (grep !== undefined) {
		// What is looked for may be in any suite: one stage looks through all of them.
		return isInverted || mocha(folder, countsFile);
	}
	if (await once(() => mocha(folder, countsFile, suites, isInverted))) {
		return true;
	}
	const { failedSuites } = addCounts(emptyTally(), countsFile);
	return mayRunAgain() && mocha(folder, countsFile, failedSuites);
}

/** @param isInverted runs all suites but these */
async function mocha(
	folder: string,
	countsFile: string,
	suites: readonly string[] = [],
	isInverted = false,
): Promise<boolean> {
	if (!fs.existsSync(path.join(projectRoot, 'out', folder))) {
		return true;
	}
	const args = [
		// Deprecated modules of dependencies are not our news.
		'--no-deprecation',
		'--enable-source-maps',
		programPath('mocha'),
		folder,
		...(grep === undefined ? [] : [`--grep=${grep}`]),
		...(suites.length === 0 ? [] : [`--${isInverted ? 'without' : 'suites'}=${JSON.stringify(suites)}`]),
	];
	return program(await ensureNode(toolNode), args, countsFile);
}

async function program(command: string, args: readonly string[], countsFile: string): Promise<boolean> {
	const code = await session.run(command, args, { [countsVariable]: countsFile, [wireVariable]: wireFile });
	return code === 0;
}

void main();
