/**
 * The modules that start-up runs, without servers and with some: what activation uses, and what is done in the background
 * right after it. `startup.txt` lists them.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { projectRoot } from '../host/paths.js';

export const startupFile = 'startup.txt';

const head = [
	'# The modules that start-up runs: they are `dist/extension.js`. Every other module is in a bundle that loads when',
	'# something of it is first used. Written by `npm run startup`; see ARCHITECTURE.md, "Start-up".',
];

/** What `esbuild.js` gives to tests. */
interface Bundler {
	/** How the extension is built when its modules are in these bundles. */
	readonly extension: (bundleOf: (module: string) => string) => BuildOptions;
}

/** What one process of `test/bench/activate.ts` says. */
export interface Activation {
	/** Milliseconds of CPU time. */
	readonly load: number;
	readonly activate: number;
	/** Files that were read beside the bundle, by their paths from it. */
	readonly others: readonly string[];
}

/**
 * Loads and activates a bundle of the extension in a fresh process, with this many servers configured.
 * @param settles whether what is done in the background after activation belongs to it
 */
export function activate(bundle: string, servers: number, settles = false): Activation {
	const driver = path.join(projectRoot, 'out', 'bench', 'activate.js');
	const args = [driver, bundle, String(servers), ...(settles ? ['settle'] : [])];
	return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 })) as Activation;
}

/** The text that the file should have: found by a build in which every module is a bundle of its own. */
export async function writeStartup(): Promise<string> {
	const { extension } = createRequire(path.join(projectRoot, 'package.json'))('./esbuild.js') as Bundler;
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-startup-'));
	try {
		const root = 'src/extension.ts';
		const options = extension(module => (module === root ? 'extension' : module.replace(/\.ts$/, '')));
		await build({ ...options, absWorkingDir: projectRoot, outdir: folder, sourcemap: false });
		const bundle = path.join(folder, 'extension.js');
		const others = [0, 20].flatMap(servers => activate(bundle, servers, true).others);
		const modules = new Set([root, ...others.map(it => it.replace(/\.js$/, '.ts'))]);
		return `${[...head, ...[...modules].toSorted()].join('\n')}\n`;
	} finally {
		fs.rmSync(folder, { recursive: true });
	}
}
