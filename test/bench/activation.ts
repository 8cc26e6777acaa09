/**
 * What the extension costs an editor that opens: CPU time to load the shipped bundle and to activate it. In fresh
 * processes, against a stand-in for the editor that answers at once, so that what is measured is ours alone.
 */
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { projectRoot } from '../host/paths.js';
import { activate, type Activation } from '../support/activation.js';
import { median, rounded } from './median.js';
import type { Row } from './table.js';

export const activationNames = [
	'extension: load and activate without servers',
	'extension: activate with 20 servers configured',
] as const;

export async function measureActivation(folder: string, rounds: number): Promise<Row[]> {
	const bundle = await bundleExtension(path.join(folder, 'activation'));
	const measured: Record<0 | 20, Activation[]> = { 0: [], 20: [] };
	for (let round = 0; round < rounds * 4; round++) {
		for (const count of [0, 20] as const) {
			measured[count].push(activate(bundle, count));
		}
	}
	const row = (name: string, atMost: number, values: readonly number[]): Row => {
		return { name, unit: 'ms', target: { atMost }, values: { ours: rounded(median(values)) } };
	};
	return [
		row(
			activationNames[0],
			60,
			measured[0].map(it => it.load + it.activate),
		),
		row(
			activationNames[1],
			25,
			measured[20].map(it => it.activate),
		),
	];
}

/** As it is shipped. @returns the main bundle */
async function bundleExtension(outdir: string): Promise<string> {
	const { shipped } = createRequire(__filename)(path.join(projectRoot, 'esbuild.js')) as { shipped: BuildOptions[] };
	const extension = shipped.find(it => it.outfile === 'dist/extension.js');
	if (!extension) {
		throw new Error('esbuild.js has no bundle of the extension.');
	}
	fs.rmSync(outdir, { recursive: true, force: true });
	const outfile = path.join(outdir, 'extension.js');
	await build({ ...extension, absWorkingDir: projectRoot, outfile, minify: true, sourcemap: false });
	return outfile;
}
