/** Version 0.1.0, which start-up is compared with: built from the history of the repository. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { projectRoot } from '../host/paths.js';

/** "Version 0.1.0". */
const commit = '89a0c4d539eec215c02cf6737d0d506008689baf';

/**
 * Builds the main bundle of version 0.1.0 as it was shipped, with the packages that are installed now: they are the same.
 * @param outfile the bundle
 * @returns why it can't be built: a clone may lack the commit
 */
export async function buildRelease(outfile: string): Promise<string | undefined> {
	// Outside the repository, whose checks read every source in it.
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-release-'));
	try {
		const problem = takeOut(folder);
		if (problem === undefined) {
			fs.symlinkSync(path.join(projectRoot, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
			const { bundles } = createRequire(path.join(folder, 'esbuild.js'))('./esbuild.js') as { bundles: BuildOptions[] };
			await build({ ...bundles[0], absWorkingDir: folder, outfile, minify: true, sourcemap: false });
		}
		return problem;
	} finally {
		fs.rmSync(folder, { recursive: true });
	}
}

/** Writes the files of the commit, by an index of their own: the work tree's stays as it is. */
function takeOut(folder: string): string | undefined {
	const index = path.join(folder, 'index');
	const git = (...args: readonly string[]): void => {
		const env = { ...process.env, GIT_INDEX_FILE: index };
		execFileSync('git', args, { cwd: projectRoot, env, stdio: ['ignore', 'ignore', 'pipe'] });
	};
	try {
		git('cat-file', '-e', `${commit}^{commit}`);
	} catch {
		return 'not judged: the commit of 0.1.0 is not in this clone (git fetch --unshallow)';
	}
	git('read-tree', commit);
	git('checkout-index', '--all', `--prefix=${folder}${path.sep}`);
	return undefined;
}
