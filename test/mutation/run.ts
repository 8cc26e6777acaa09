// Mutates the files of one subject in a copy of the project, and runs the subject's unit tests for each mutant.
// Stryker puts all mutants into the sources at once and switches one on at a time, so the tests are bundled once.
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { globSync } from 'glob';
import { ensureStryker } from '../host/install.js';
import { programPath, projectRoot } from '../host/paths.js';
import { spawnProgram } from '../host/run.js';
import type { HostSession } from '../host/session.js';
import type { MutationReport } from './report.js';
import { subjects, type Subject, type SubjectName } from './subjects.js';

/** Where the bundle is made, and run, inside the copy. */
const bundleFile = 'out/mutation/tests.js';

/** Titles of tests that measure time, or take much: what is prepared for mutants is many times slower. */
const timed = 'takes? (?:no time|time|too long)|without delay|a million entries';

export interface MutationOptions {
	/** Instead of all files of the subject: globs, or `file:first-last` with lines. */
	readonly only: readonly string[];
	/** How many mutants are tried at the same time. */
	readonly concurrency: number;
	/** The pinned Node. */
	readonly node: string;
}

/** @throws if Stryker could not finish */
export async function mutate(
	name: SubjectName,
	options: MutationOptions,
	session: HostSession,
): Promise<MutationReport> {
	const stryker = await ensureStryker();
	const copy = path.join(session.folder, 'project');
	copyProject(copy, stryker.mocha);
	const reportFile = path.join(session.folder, 'mutation.json');
	const configFile = path.join(session.folder, 'stryker.json');
	fs.writeFileSync(configFile, JSON.stringify(strykerOptions(name, options, reportFile)));
	const code = await runIn(copy, options.node, [stryker.program, 'run', configFile], session);
	if (code !== 0 || !fs.existsSync(reportFile)) {
		throw new Error(`Stryker did not finish: exit code ${code}`);
	}
	return JSON.parse(fs.readFileSync(reportFile, 'utf8')) as MutationReport;
}

/** Stryker's configuration. All mutators are on, those that act while a file is loaded as well. */
export function strykerOptions(
	name: SubjectName,
	{ only, concurrency, node }: MutationOptions,
	reportFile: string,
): Readonly<Record<string, unknown>> {
	return {
		mutate: only.length > 0 ? only : subjects[name].files,
		// In the copy, which nobody needs afterwards.
		inPlace: true,
		// Stryker splits it at spaces, without a shell.
		buildCommand: [node, programPath('mutate'), `--bundle=${name}`].map(it => it.replaceAll(' ', '\\ ')).join(' '),
		testRunner: 'mocha',
		mochaOptions: { spec: [bundleFile], grep: `^(?!.*(?:${timed}))` },
		coverageAnalysis: 'perTest',
		concurrency,
		// The bundler looks at no types.
		disableTypeChecks: false,
		tsconfigFile: 'none',
		reporters: ['json', 'progress-append-only'],
		jsonReporter: { fileName: reportFile },
		allowConsoleColors: false,
	};
}

/** Bundles the tests of a subject in the current folder, as `esbuild.js` does for unit tests, but all into one file. */
export async function bundleTests(name: SubjectName): Promise<void> {
	const folder = process.cwd();
	const { entryPoints: _entries, outbase: _base, outdir: _folder, ...options } = unitOptions(folder);
	// Loaded when a test asks for it, constants of it would be made once, before their mutants are switched on.
	const isLazy = filesOf(subjects[name].files, folder).some(it => it.startsWith('src/mcp/auth/'));
	const engine = isLazy ? ['src/authorization.ts'] : [];
	const files = ['test/mutation/setup.ts', ...engine, ...filesOf(subjects[name].tests, folder)];
	await build({
		...options,
		absWorkingDir: folder,
		sourcemap: false,
		// As each of our files is; what ties them together is none of them.
		banner: { js: "'use strict';" },
		// Some mutants of patterns are no patterns. With `new RegExp` only these fail, and not the whole bundle.
		supported: { 'regexp-sticky-and-unicode-flags': false, 'regexp-set-notation': false },
		stdin: { contents: files.map(it => `import './${it}';`).join('\n'), resolveDir: folder },
		outfile: bundleFile,
	});
}

/** How `esbuild.js` bundles unit tests. @throws Error if it doesn't say */
export function unitOptions(folder = projectRoot): BuildOptions {
	const { bundles } = createRequire(path.join(folder, 'package.json'))('./esbuild.js') as {
		bundles?: readonly BuildOptions[];
	};
	const unit = bundles?.find(it => it.alias?.['vscode'] !== undefined);
	if (!unit) {
		throw new Error('esbuild.js has no bundle of unit tests.');
	}
	return unit;
}

/** The files that globs of a subject mean, from the project's folder, with `/`. */
export function filesOf(globs: Subject['files'], folder = projectRoot): string[] {
	return globSync([...globs], { cwd: folder, posix: true }).toSorted();
}

/** @param mocha its package, in the place of the project's own: Stryker's runner takes what it finds beside the tests */
function copyProject(copy: string, mocha: string): void {
	const leftOut = new Set(['.git', '.vscode-test', 'dist', 'node_modules', 'out']);
	fs.cpSync(projectRoot, copy, {
		recursive: true,
		filter: source => !leftOut.has(path.relative(projectRoot, source)) && !source.endsWith('.vsix'),
	});
	const packages = path.join(projectRoot, 'node_modules');
	const links = path.join(copy, 'node_modules');
	fs.mkdirSync(links);
	for (const name of fs.readdirSync(packages).filter(it => !it.startsWith('.'))) {
		fs.symlinkSync(name === 'mocha' ? mocha : path.join(packages, name), path.join(links, name), 'junction');
	}
}

async function runIn(cwd: string, command: string, args: readonly string[], session: HostSession): Promise<number> {
	const child = spawnProgram(command, args, { cwd, env: session.env, stdio: ['ignore', 'inherit', 'inherit'] });
	if (child.pid !== undefined) {
		session.adopt(child.pid);
		session.onClose(() => void child.kill('SIGTERM'));
	}
	return new Promise((resolve, reject) => {
		child.on('error', reject);
		child.on('close', code => {
			resolve(code ?? 1);
		});
	});
}
