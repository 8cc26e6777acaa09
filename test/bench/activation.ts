/**
 * What the extension costs an editor that opens: CPU time to load the shipped bundle, and to activate it. In fresh
 * processes, against a stand-in for the editor that answers at once, so that what is measured is ours alone.
 */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { projectRoot } from '../host/paths.js';
import { median, rounded } from './median.js';
import type { Row } from './table.js';

export const activationNames = [
	'extension: load of the main bundle',
	'extension: activate without servers',
	'extension: activate with 20 servers configured',
] as const;

/** What one process says, in milliseconds of CPU time. */
interface Times {
	readonly load: number;
	readonly activate: number;
	/** Files of ours that were read beside the main bundle. */
	readonly others: readonly string[];
}

export async function measureActivation(folder: string, rounds: number): Promise<Row[]> {
	const bundle = await bundleExtension(path.join(folder, 'activation', 'extension.js'));
	const driver = path.join(projectRoot, 'out', 'bench', 'activate.js');
	const times: Record<0 | 20, Times[]> = { 0: [], 20: [] };
	for (let round = 0; round < rounds * 3; round++) {
		for (const count of [0, 20] as const) {
			const output = execFileSync(process.execPath, [driver, bundle, String(count)], { encoding: 'utf8' });
			times[count].push(JSON.parse(output) as Times);
		}
	}
	const others = [...times[0], ...times[20]].flatMap(it => it.others);
	if (others.length > 0) {
		throw new Error(`Loaded before it is needed: ${[...new Set(others)].join(', ')}`);
	}
	const row = (name: string, atMost: number, values: readonly number[]): Row => {
		return { name, unit: 'ms', target: { atMost }, values: { ours: rounded(median(values)) } };
	};
	return [
		row(
			activationNames[0],
			25,
			[...times[0], ...times[20]].map(it => it.load),
		),
		row(
			activationNames[1],
			10,
			times[0].map(it => it.activate),
		),
		row(
			activationNames[2],
			25,
			times[20].map(it => it.activate),
		),
	];
}

/** As it is shipped. */
async function bundleExtension(outfile: string): Promise<string> {
	const { bundles } = createRequire(__filename)(path.join(projectRoot, 'esbuild.js')) as { bundles: BuildOptions[] };
	await build({ ...bundles[0], absWorkingDir: projectRoot, outfile, minify: true, sourcemap: false });
	fs.rmSync(path.join(path.dirname(outfile), 'validator.js'), { force: true });
	return outfile;
}
