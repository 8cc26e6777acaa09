// The tests: node out/host/bin/test.js [all] [--only=name,…] [--grep=…] [--suite=…] [--reversed]
// Without `all`, the levels that every change must pass (`npm test`, `npm cit`); with it, everything else (`npm run test:all`).
//   --only=…    these parts alone, by their names below; test/README.md says what each proves
//   --grep=…    tests whose titles match
//   --suite=…   of test/integration and test/editor, only suites or files whose names match
//   --reversed  runs the suites of each window of test/integration in the reversed order, which must change nothing
// The last line is "N passed, N failed" (", N flaky" and ", N skipped" may follow).
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runConformance } from '../../conformance/run.js';
import { editorWindows } from '../../editor/windows.js';
import { countsVariable } from '../../support/runMocha.js';
import { filesVariable, passedVariable, suitesVariable } from '../../support/suiteInWindow.js';
import { readWireCounts, wireVariable } from '../../support/wireLog.js';
import { ensureChromium } from '../debian.js';
import { ensureEditor, ensureNode } from '../install.js';
import { programPath, projectRoot } from '../paths.js';
import { IntegrationHost } from '../runIntegration.js';
import { progress } from '../run.js';
import { runInWindows } from '../runWindow.js';
import { HostSession, isEnding } from '../session.js';
import { findWindows, type WindowOptions } from '../suites.js';
import { addCounts, emptyTally, failedSuites, tellSkipped, titleOf } from '../tally.js';
import { editors, toolNode, type EditorName } from '../versions.js';

/** What is run, told and chosen as one. */
interface Part {
	/** `--only` chooses it by this name. */
	readonly name: string;
	/** Of those that every change must pass; left out where `npm run test:all` runs it. */
	readonly level?: 'L0' | 'L1' | 'L2' | 'L3' | 'L4';
	readonly hasTests: boolean;
	/** Its tests have servers run in editors, whose logs must show messages. */
	readonly hasWire?: boolean;
	/** It uses the packed extension. */
	readonly needsPackage?: boolean;
	/**
	 * @param countsFile where its test runs append their counts
	 * @param print shows a line of its output
	 */
	run(countsFile: string, print: Print): Promise<boolean>;
}

type Print = (line: string) => void;

const only = valueOf('only')?.split(',');
const grep = valueOf('grep');
const chosenSuite = valueOf('suite');
const isReversed = process.argv.includes('--reversed');
const session = new HostSession(20_000);
const wireFile = path.join(session.folder, 'wire.jsonl');
const report: string[] = [];
const tally = emptyTally();

const parts: readonly Part[] = [
	{ name: 'installation', level: 'L0', hasTests: false, run: install },
	{ name: 'package', level: 'L0', hasTests: false, run: packExtension },
	{ name: 'checks', level: 'L0', hasTests: false, run: runChecks },
	inNode('source', { level: 'L0' }),
	inNode('unit', { level: 'L1', shards: 2 }),
	inNode('pipes', { level: 'L2' }),
	{ name: 'conformance', level: 'L2', hasTests: true, run: conformance },
	{ name: 'editor', level: 'L3', hasTests: true, hasWire: true, run: runGateWindows },
	inNode('walk', { level: 'L4', hasWire: true, needsPackage: true, isRepeated: true }),
	inNode('pages', { level: 'L4', isRepeated: true }),
	inNode('hostile'),
	inNode('faults'),
	inNode('tools'),
	integration('newest'),
	integration('oldest'),
	inNode('lifetimes', { hasWire: true, needsPackage: true, isRepeated: true }),
	inNode('e2e', { hasWire: true, needsPackage: true, isRepeated: true }),
];

/** Names of parts: steps, one after the other, of lanes, side by side, of parts, one after the other. */
type Plan = readonly (readonly (readonly string[])[])[];

/** Editors run alone: two of them on two cores are what makes tests unsteady. */
const gate: Plan = [
	[['package', 'checks', 'source'], ['unit'], ['installation']],
	[['pipes'], ['conformance']],
	[['editor']],
	[['walk']],
	[['pages']],
];

const rest: Plan = [
	[['package'], ['installation']],
	...parts.filter(it => it.level === undefined).map(it => [[it.name]]),
];

function valueOf(option: string): string | undefined {
	return process.argv
		.slice(2)
		.find(it => it.startsWith(`--${option}=`))
		?.slice(option.length + 3);
}

/**
 * A folder of tests in plain Node.
 * @param options `shards`: into how many processes its files are divided; `isRepeated`: suites that fail run once more
 */
function inNode(
	name: string,
	{ shards = 1, isRepeated = false, ...options }: Partial<Part> & { shards?: number; isRepeated?: boolean } = {},
): Part {
	return {
		...options,
		name,
		hasTests: true,
		run: async (countsFile, print) => {
			const node = await ensureNode(toolNode);
			const mocha = (...more: readonly string[]): Promise<boolean> =>
				program(
					node,
					[
						// Deprecated modules of dependencies are not our news.
						'--no-deprecation',
						'--enable-source-maps',
						programPath('mocha'),
						name,
						...(grep === undefined ? [] : [`--grep=${grep}`]),
						...more,
					],
					countsFile,
					print,
				);
			const each = Array.from({ length: shards }, (_, index) => mocha(`--shard=${index + 1}/${shards}`));
			if ((await Promise.all(each)).every(Boolean)) {
				return true;
			}
			const failed = failedSuites(countsFile);
			return isRepeated && failed.length > 0 && mocha(`--suites=${JSON.stringify(failed)}`);
		},
	};
}

/** The suites of `test/integration` in one end of the range of editors, or in the editor that was asked for. */
function integration(editor: EditorName): Part {
	return {
		name: editor,
		hasTests: true,
		hasWire: true,
		run: async countsFile => {
			const host = await IntegrationHost.choose(editor);
			let ok = true;
			for (const window of findWindows(editor, new RegExp(chosenSuite ?? ''))) {
				const suites = isReversed ? window.suites.toReversed() : window.suites;
				const failed = await runInWindows(suites, them =>
					openWindow(host, editor, window, suitesVariable, them, countsFile),
				);
				ok &&= failed.length === 0;
			}
			await host.dispose();
			return ok;
		},
	};
}

/** Level L3: four fresh windows of the newest editor. */
async function runGateWindows(countsFile: string): Promise<boolean> {
	const host = await IntegrationHost.choose('newest');
	let ok = true;
	for (const window of editorWindows) {
		const files = window.files.filter(it => new RegExp(chosenSuite ?? '').test(it));
		const failed = await runInWindows(files, them =>
			openWindow(host, 'newest', window, filesVariable, them, countsFile),
		);
		ok &&= failed.length === 0;
	}
	await host.dispose();
	return ok;
}

/**
 * Opens a window for these items, which its extension host finds as JSON in the variable.
 * @returns how many of them have passed, up to the first that did not
 */
async function openWindow(
	host: IntegrationHost,
	editor: EditorName,
	window: WindowOptions,
	variable: typeof suitesVariable | typeof filesVariable,
	items: readonly unknown[],
	countsFile: string,
): Promise<number> {
	if (isEnding()) {
		return 0;
	}
	console.log(`--- window: ${window.name}`);
	const passedFile = path.join(session.folder, 'passed');
	fs.writeFileSync(passedFile, '');
	const folder = variable === filesVariable ? 'editor' : 'integration';
	const options = {
		extensionTestsPath: path.join(projectRoot, 'out', folder, 'index.js'),
		workspace: window.workspace ?? 'none',
		restricted: window.restricted ?? false,
		extensions: window.extensions ?? [],
		builtIns: window.builtIns ?? 'few',
		// What the tests start is theirs; those about consent switch it on.
		settings: { 'mcpWorkbench.confirmServers': 'never', ...window.settings },
		env: {
			...window.env?.(editor),
			[variable]: JSON.stringify(items),
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
			return items.length;
		}
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
	}
	const passed = fs.readFileSync(passedFile, 'utf8').split('\n').length - 1;
	// Whatever was wrong at the end, the last one is the nearest to it.
	return Math.min(passed, items.length - 1);
}

/** Installs the editors and Chromium. What can't be installed is told by the part that needs it. */
async function install(): Promise<boolean> {
	const wanted = Object.keys(editors).filter(it => it === 'newest' || process.argv.includes('all')) as EditorName[];
	await Promise.allSettled([...wanted.map(ensureEditor), ensureChromium()]);
	return true;
}

async function packExtension(countsFile: string, print: Print): Promise<boolean> {
	const ok = await program('npm', ['run', '--silent', 'package'], countsFile, print);
	// Packing has built what is shipped in place of what is tested.
	return (await program(process.execPath, ['esbuild.js', '--shipped'], countsFile, print)) && ok;
}

async function runChecks(countsFile: string, print: Print): Promise<boolean> {
	for (const check of ['types', 'lint', 'format']) {
		if (!(await program('npm', ['run', '--silent', `check:${check}`], countsFile, print))) {
			return false;
		}
	}
	return true;
}

async function program(command: string, args: readonly string[], countsFile: string, print: Print): Promise<boolean> {
	const env = { [countsVariable]: countsFile, [wireVariable]: wireFile };
	return (await session.run(command, args, env, print)) === 0;
}

async function conformance(countsFile: string, print: Print): Promise<boolean> {
	const counts = await runConformance(await ensureNode(toolNode), print);
	fs.appendFileSync(countsFile, `${JSON.stringify(counts)}\n`);
	return counts.failed === 0;
}

async function main(): Promise<void> {
	const started = Date.now();
	const unknown = only?.find(name => !parts.some(it => it.name === name));
	let ok = unknown === undefined;
	if (!ok) {
		console.error(`There is no part "${unknown}". Choose from: ${parts.map(it => it.name).join(', ')}`);
	}
	for (const step of ok ? choosePlan() : []) {
		const results = await Promise.all(step.map(lane => runLane(lane, step.length > 1)));
		ok &&= results.every(Boolean);
		if (isEnding()) {
			// The signal handler ends this process when everything is in order.
			await delay(60_000);
		}
		if (!ok && step.flat().some(name => ['package', 'checks'].includes(name))) {
			console.log('What does not compile needs no tests.');
			break;
		}
	}
	process.exitCode = ok ? 0 : 1;
	await session.dispose();
	progress('everything', started);
	console.log(`\n${summary()}`);
}

function choosePlan(): Plan {
	if (only === undefined) {
		return process.argv.includes('all') ? rest : gate;
	}
	const chosen = parts.filter(it => only.includes(it.name));
	const needsPackage = !only.includes('package') && chosen.some(it => it.needsPackage === true);
	return [...(needsPackage ? ['package'] : []), ...chosen.map(it => it.name)].map(name => [[name]]);
}

/** @param isBeside others run at the same time: each line begins with the name of its part then */
async function runLane(names: readonly string[], isBeside: boolean): Promise<boolean> {
	let ok = true;
	for (const part of parts.filter(it => names.includes(it.name))) {
		ok = (await runPart(part, isBeside ? line => console.log(`${part.name} | ${line}`) : console.log)) && ok;
	}
	return ok;
}

async function runPart(part: Part, print: Print): Promise<boolean> {
	const started = Date.now();
	print(`=== ${part.name}`);
	const countsFile = path.join(session.folder, `${part.name}.jsonl`);
	const before = readWireCounts(wireFile);
	const succeeded = await part.run(countsFile, print).catch((error: unknown) => {
		print(error instanceof Error ? error.message : String(error));
		return false;
	});
	const counted = addCounts(emptyTally(), countsFile);
	addCounts(tally, countsFile);
	const wire = readWireCounts(wireFile);
	const checked = wire.checked - before.checked;
	const isMissing =
		(part.hasTests && counted.passed + counted.failed === 0) || (part.hasWire === true && checked === 0);
	const ok = succeeded && (!isMissing || grep !== undefined || chosenSuite !== undefined);
	const tests = part.hasTests ? `, ${counted.passed} passed, ${counted.failed} failed` : '';
	const messages =
		part.hasWire === true ? `, ${checked} messages checked, ${wire.cut - before.cut} too long for that` : '';
	const seconds = ((Date.now() - started) / 1000).toFixed(0);
	report.push(`${ok ? 'ok    ' : 'FAILED'} ${part.level ?? '  '} ${part.name}, ${seconds} s${tests}${messages}`);
	print(`=== ${report.at(-1)}`);
	return ok;
}

/** Ends with what failed, in few lines: where only the last ones of a run are kept, they must tell. */
function summary(): string {
	const { passed, failed, skipped, failures, flaky } = tally;
	return [
		...tellSkipped(skipped),
		...failures.map(it => `FAILED ${it}\n`),
		...flaky.map(it => `FLAKY ${it}\n`),
		...report,
		'',
		...failures.map(it => `failed: ${titleOf(it)}`),
		...flaky.map(it => `flaky: ${titleOf(it)}`),
		[
			`${passed} passed, ${failed} failed`,
			...(flaky.length === 0 ? [] : [`${flaky.length} flaky`]),
			...(skipped.length === 0 ? [] : [`${skipped.length} skipped`]),
		].join(', '),
	].join('\n');
}

void main();
