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
import { runSuites } from '../runWindow.js';
import { findWindows, longestWindow, screens, type TestWindow, walks } from '../suites.js';
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
		run: countsFile => mocha('lifetimes', countsFile),
	},
	{
		name: 'end to end, one walk for each feature',
		words: ['e2e', 'walks'],
		hasTests: true,
		hasWire: true,
		// What is looked for may be in any suite: one stage looks through all of them.
		run: countsFile => mocha('e2e', countsFile, grep === undefined ? { suites: walks } : {}),
	},
	{
		name: 'end to end, all screens',
		words: ['e2e', 'screens'],
		hasTests: true,
		hasWire: true,
		run: async countsFile => grep !== undefined || mocha('e2e', countsFile, { suites: screens }),
	},
	{
		name: 'end to end, the rest',
		words: ['e2e', 'drawn'],
		hasTests: true,
		hasWire: true,
		run: async countsFile => grep !== undefined || mocha('e2e', countsFile, { without: [...walks, ...screens] }),
	},
];

/** What everything else needs. */
const preparation = [['check'], ['package']] as const;
const preparationOfRest = [['package']] as const;

/** What needs no editor starts while one is being installed, which waits for the network most of the time. */
const needsNoEditor: readonly string[] = ['unit', 'conformance'];

/** What takes longest comes first. */
const sideBySide = [['suites'], ['walks'], ['unit'], ['conformance'], ['windows']] as const;
const sideBySideOfRest = [['drawn'], ['oldest'], ['ending'], ['screens']] as const;

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
		const installation = runLanes(session, [['installation']], 1, outcome);
		await runLanes(session, isRest ? preparationOfRest : preparation, 2, outcome);
		// Packing has built what is shipped in place of what is tested.
		await session.run(process.execPath, ['esbuild.js']);
		const ready = async ([name = '']: readonly string[]): Promise<void> =>
			needsNoEditor.includes(name) ? undefined : installation;
		// What does not compile needs no tests.
		await (outcome.ok && runLanes(session, lanes, width, outcome, ready));
		await installation;
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
		const ok = succeeded && (!isMissing || grep !== undefined || chosenSuite !== undefined);
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
function summary({ report, tally: { passed, failed, skipped, failures } }: Outcome): string {
	return [
		...tellSkipped(skipped),
		...failures.map(it => `FAILED ${it}\n`),
		...report,
		'',
		...failures.map(it => `failed: ${titleOf(it)}`),
		`${passed} passed, ${failed} failed${skipped.length === 0 ? '' : `, ${skipped.length} skipped`}`,
	].join('\n');
}

/** Stages for each end of the range of editors, or one for the editor that was asked for. */
function integrationStages(): Stage[] {
	if (hostOverride() !== undefined) {
		return [integrationStage('newest', ['suites'], `MCP_WORKBENCH_HOST=${hostOverride()}`)];
	}
	const isLongest = ({ name }: TestWindow): boolean => name === longestWindow;
	return [
		integrationStage('newest', ['suites'], 'newest editor, one folder', isLongest),
		integrationStage('newest', ['windows'], 'newest editor, all other windows', it => !isLongest(it)),
		integrationStage('oldest', [], 'oldest editor'),
	];
}

function integrationStage(
	editor: EditorName,
	words: readonly string[],
	where: string,
	isOurs?: (window: TestWindow) => boolean,
): Stage {
	return {
		name: `integration, ${where}`,
		words: ['integration', editor, ...words],
		hasTests: true,
		hasWire: true,
		run: countsFile => integration(editor, countsFile, isOurs),
	};
}

async function integration(
	editor: EditorName,
	countsFile: string,
	isOurs: (window: TestWindow) => boolean = () => true,
): Promise<boolean> {
	const host = await IntegrationHost.choose(editor);
	let ok = true;
	for (const window of findWindows(editor, new RegExp(chosenSuite ?? '')).filter(isOurs)) {
		const suites = isReversed ? window.suites.toReversed() : window.suites;
		const failed = await runSuites(suites, them => openWindow(window, them, host, editor, countsFile));
		ok &&= failed.length === 0;
		if (isEnding()) {
			return false;
		}
	}
	await host.dispose();
	return ok;
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
	try {
		const result = await host.run(options);
		if (result === 'unsupported') {
			console.log('(this host cannot run it)');
		}
		if (result === 0 || result === 'unsupported') {
			return suites.length;
		}
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
	}
	const passed = fs.readFileSync(passedFile, 'utf8').split('\n').length - 1;
	// Whatever was wrong at the end, the last suite is the nearest to it.
	return Math.min(passed, suites.length - 1);
}

/** Titles of the suites that are run, or are not; all are where neither is given. */
type Choice = Readonly<Partial<Record<'suites' | 'without', readonly string[]>>>;

async function mocha(folder: string, countsFile: string, choice: Choice = {}): Promise<boolean> {
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
		...Object.entries(choice).map(([name, titles]) => `--${name}=${JSON.stringify(titles)}`),
	];
	return program(await ensureNode(toolNode), args, countsFile);
}

async function program(command: string, args: readonly string[], countsFile: string): Promise<boolean> {
	const code = await session.run(command, args, { [countsVariable]: countsFile, [wireVariable]: wireFile });
	return code === 0;
}

void main();
