// Runs the tests of a folder below `out/` in plain Node: node out/host/bin/mocha.js <folder> [option…]
//   --grep=…     tests whose titles match
//   --suites=…   JSON of titles: only these suites of the highest level
//   --shard=1/2  the first half of the files
import * as path from 'node:path';
import { configureGlobal } from 'fast-check';
import { keepPure } from '../../support/pureTests.js';
import { runMocha } from '../../support/runMocha.js';
import { projectRoot } from '../paths.js';

// The same cases in every run: what a change breaks is the change's. FAST_CHECK_SEED=$RANDOM looks for new ones.
configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 1) });

async function main(): Promise<void> {
	const [folder = 'unit', ...options] = process.argv.slice(2);
	const valueOf = (name: string): string | undefined =>
		options.find(it => it.startsWith(`--${name}=`))?.slice(`--${name}=`.length);
	const suites = valueOf('suites');
	const [shard, shards] = valueOf('shard')?.split('/').map(Number) ?? [];
	if (folder === 'unit') {
		keepPure();
	}
	const failed = await runMocha({
		folder: path.join(projectRoot, 'out', folder),
		recursive: true,
		grep: valueOf('grep'),
		suites: suites === undefined ? undefined : (JSON.parse(suites) as string[]),
		shard: shard === undefined || shards === undefined ? undefined : { index: shard - 1, count: shards },
		// A machine that does other things as well is slow, and proves nothing by that.
		timeout: ['e2e', 'lifetimes', 'pages', 'walk'].includes(folder) ? 180_000 : 20_000,
	});
	// Not `exitCode`: a test that leaves a handle open must not hang the run.
	process.exit(failed === 0 ? 0 : 1);
}

void main();
