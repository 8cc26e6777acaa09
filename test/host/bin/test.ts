// `npm test` after the static checks: node out/host/bin/test.js [stage…] [--grep=…] [--suite=…]
// `--suite` is a part of the name of an integration suite: only those that match are run.
// The last line is "N passed, N failed" (", N skipped" may follow).
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { runConformance } from '../../conformance/run.js';
import { countsVariable, type TestCounts } from '../../support/runMocha.js';
import { readWireCounts, wireVariable } from '../../support/wireLog.js';
import { hostOverride } from '../chooseHost.js';
import { ensureNode } from '../install.js';
import { programPath, projectRoot } from '../paths.js';
import { runIntegration } from '../runIntegration.js';
import { HostSession, isEnding } from '../session.js';
import { findSuites } from '../suites.js';
import { toolNode, type EditorName } from '../versions.js';

interface Stage {
	readonly name: string;
	/** The words on the command line that choose it. */
	readonly words: readonly string[];
	readonly hasTests: boolean;
	/** Its tests have servers run in editors: messages must be found in their logs. */
	readonly hasWire?: boolean;
	run(): Promise<boolean>;
}

const words = process.argv.slice(2).filter(it => !it.startsWith('--'));
const grep = valueOf('grep');
const chosenSuite = valueOf('suite');
const session = new HostSession(20_000);
const countsFile = path.join(session.folder, 'counts.jsonl');
const wireFile = path.join(session.folder, 'wire.jsonl');

const stages: readonly Stage[] = [
	{ name: 'unit', words: ['unit'], hasTests: true, run: () => mocha('unit') },
	{
		name: 'conformance',
		words: ['conformance'],
		hasTests: true,
		run: async () => {
			const counts = await runConformance(await ensureNode(toolNode));
			fs.appendFileSync(countsFile, `${JSON.stringify(counts)}\n`);
			return counts.failed === 0;
		},
	},
	...integrationStages(),
	{
		name: 'package',
		words: ['package', 'e2e'],
		hasTests: false,
		run: () => program('npm', ['run', '--silent', 'package']),
	},
	{ name: 'end to end', words: ['e2e'], hasTests: true, hasWire: true, run: () => mocha('e2e') },
];

function valueOf(option: string): string | undefined {
	return process.argv
		.slice(2)
		.find(it => it.startsWith(`--${option}=`))
		?.slice(option.length + 3);
}

async function main(): Promise<void> {
	const chosen = stages.filter(it => words.length === 0 || it.words.some(word => words.includes(word)));
	const report: string[] = [];
	for (const stage of chosen) {
		const started = Date.now();
		console.log(`\n=== ${stage.name}`);
		const before = readCounts();
		const wireBefore = readWireCounts(wireFile);
		const succeeded = await stage.run().catch((error: unknown) => {
			console.error(error instanceof Error ? error.message : error);
			return false;
		});
		if (isEnding()) {
			// The signal handler ends this process when everything is in order.
			await delay(60_000);
		}
		const after = readCounts();
		const ran = after.passed + after.failed > before.passed + before.failed;
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
		process.exitCode = ok ? process.exitCode : 1;
	}
	const { passed, failed, skipped, failures } = readCounts();
	if (passed + failed === 0) {
		process.exitCode = 1;
	}
	await session.dispose();
	// Once more, at the end: where only the last lines of a run are kept, they must tell what failed.
	console.log(`\n${[...failures.map(it => `FAILED ${it}\n`), ...report].join('\n')}\n`);
	console.log(`${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
}

/** One stage for each end of the range of editors, or one for the editor that was asked for. */
function integrationStages(): Stage[] {
	return hostOverride() === undefined
		? [integrationStage('newest', 'newest editor'), integrationStage('oldest', 'oldest editor')]
		: [integrationStage('newest', `MCP_WORKBENCH_HOST=${hostOverride()}`)];
}

function integrationStage(editor: EditorName, where: string): Stage {
	const words = ['integration', editor];
	return { name: `integration, ${where}`, words, hasTests: true, hasWire: true, run: () => integration(editor) };
}

async function integration(editor: EditorName): Promise<boolean> {
	let ok = true;
	for (const suite of findSuites().filter(it => it.name.includes(chosenSuite ?? ''))) {
		console.log(`--- ${suite.name}`);
		const result = await runIntegration({
			editor,
			extensionTestsPath: path.join(projectRoot, 'out', 'integration', 'index.js'),
			workspace: suite.workspace,
			restricted: suite.restricted ?? false,
			extensions: suite.extensions ?? [],
			// What the tests start is theirs; those about consent switch it on.
			settings: { 'mcpWorkbench.confirmServers': 'never' },
			env: {
				...suite.env?.(editor),
				MCP_WORKBENCH_TEST_SUITE: suite.folder,
				// Fixture workspaces are copied: this is how their configuration finds servers of the project.
				MCP_WORKBENCH_PROJECT: projectRoot,
				[countsVariable]: countsFile,
				[wireVariable]: wireFile,
				...(grep === undefined ? {} : { MCP_WORKBENCH_TEST_GREP: grep }),
			},
		});
		if (result === 'unsupported') {
			console.log('(this host cannot run it)');
		}
		ok &&= result === 0 || result === 'unsupported';
		if (isEnding()) {
			return false;
		}
	}
	return ok;
}

async function mocha(folder: string): Promise<boolean> {
	if (!fs.existsSync(path.join(projectRoot, 'out', folder))) {
		return true;
	}
	return program(await ensureNode(toolNode), [
		// Deprecated modules of dependencies are not our news.
		'--no-deprecation',
		'--enable-source-maps',
		programPath('mocha'),
		folder,
		...(grep === undefined ? [] : [`--grep=${grep}`]),
	]);
}

async function program(command: string, args: readonly string[]): Promise<boolean> {
	const code = await session.run(command, args, { [countsVariable]: countsFile, [wireVariable]: wireFile });
	return code === 0;
}

function readCounts(): Required<TestCounts> {
	const total = { passed: 0, failed: 0, skipped: 0, failures: [] as string[] };
	for (const line of fs.existsSync(countsFile) ? fs.readFileSync(countsFile, 'utf8').trimEnd().split('\n') : []) {
		const counts: TestCounts = JSON.parse(line);
		total.passed += counts.passed;
		total.failed += counts.failed;
		total.skipped += counts.skipped;
		total.failures.push(...(counts.failures ?? []));
	}
	return total;
}

void main();
