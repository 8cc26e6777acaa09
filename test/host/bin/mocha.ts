// Runs the tests of a folder below `out/` in plain Node: node out/host/bin/mocha.js <folder> [--grep=…] [--suites=<JSON of titles>] [--without=<JSON of titles>]
import * as path from 'node:path';
import { configureGlobal } from 'fast-check';
import { runMocha } from '../../support/runMocha.js';
import { projectRoot } from '../paths.js';

// The same cases in every run: what a change breaks is the change's. FAST_CHECK_SEED=$RANDOM looks for new ones.
configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 1) });

async function main(): Promise<void> {
	const [folder = 'unit', ...options] = process.argv.slice(2);
	const valueOf = (name: string): string | undefined =>
		options.find(it => it.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
	const titlesOf = (name: string): string[] | undefined => {
		const titles = valueOf(name);
		return titles === undefined ? undefined : (JSON.parse(titles) as string[]);
	};
	const failed = await runMocha({
		folder: path.join(projectRoot, 'out', folder),
		recursive: true,
		grep: valueOf('grep'),
		suites: titlesOf('suites'),
		without: titlesOf('without'),
		// A machine that does other things as well is slow, and proves nothing by that.
		timeout: ['e2e', 'lifetimes', 'pages', 'walk'].includes(folder) ? 180_000 : 20_000,
	});
	// Not `exitCode`: a test that leaves a handle open must not hang the run.
	process.exit(failed === 0 ? 0 : 1);
}

void main();
