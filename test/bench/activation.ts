/**
 * What the extension costs an editor that opens: CPU time to load the shipped bundle, and to activate it, beside version
 * 0.1.0. In fresh processes, against a stand-in for the editor that answers at once, so that what is measured is ours
 * alone.
 */
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { projectRoot } from '../host/paths.js';
import { activate, type Activation } from '../support/startup.js';
import { median, rounded } from './median.js';
import { buildRelease } from './release.js';
import type { Row, Target } from './table.js';

export const activationNames = [
	'extension: load of the main bundle',
	'extension: activate without servers',
	'extension: activate with 20 servers configured',
] as const;

const versions = ['release', 'ours'] as const;
type Version = (typeof versions)[number];

export async function measureActivation(folder: string, rounds: number): Promise<Row[]> {
	const ours = await bundleExtension(path.join(folder, 'activation', 'ours'));
	const release = path.join(folder, 'activation', '0.1.0', 'extension.js');
	const unjudged = await buildRelease(release);
	const bundles = unjudged === undefined ? { release, ours } : { ours };
	const measured: Record<Version, Record<0 | 20, Activation[]>> = {
		release: { 0: [], 20: [] },
		ours: { 0: [], 20: [] },
	};
	for (let round = 0; round < rounds * 4; round++) {
		// In turns, so that what else the machine does takes the same of each.
		const turns = Object.entries(bundles) as [Version, string][];
		for (const [version, bundle] of round % 2 === 0 ? turns : turns.toReversed()) {
			for (const count of [0, 20] as const) {
				measured[version][count].push(activate(bundle, count));
			}
		}
	}
	const others = [...measured.ours[0], ...measured.ours[20]].flatMap(it => it.others);
	if (others.length > 0) {
		throw new Error(`Loaded before it is needed: ${[...new Set(others)].join(', ')}`);
	}
	const row = (
		name: string,
		target: Target,
		valuesOf: (of: Record<0 | 20, Activation[]>) => readonly number[],
	): Row => {
		const values = versions.flatMap(it => {
			const all = valuesOf(measured[it]);
			return all.length > 0 ? [[it, rounded(median(all))] as const] : [];
		});
		return {
			name,
			unit: 'ms',
			target,
			values: Object.fromEntries(values),
			...('over' in target && unjudged !== undefined ? { unjudged } : {}),
		};
	};
	return [
		row(activationNames[0], { ratio: 0.75, over: 'release' }, it => [...it[0], ...it[20]].map(({ load }) => load)),
		row(activationNames[1], { ratio: 0.8, over: 'release' }, it => it[0].map(one => one.activate)),
		row(activationNames[2], { atMost: 25 }, it => it[20].map(one => one.activate)),
	];
}

/** As it is shipped. @returns the main bundle */
async function bundleExtension(outdir: string): Promise<string> {
	const { shipped } = createRequire(__filename)(path.join(projectRoot, 'esbuild.js')) as { shipped: BuildOptions[] };
	const extension = shipped.find(it => it.outdir === 'dist');
	if (!extension) {
		throw new Error('esbuild.js has no bundles of the extension.');
	}
	fs.rmSync(outdir, { recursive: true, force: true });
	await build({ ...extension, absWorkingDir: projectRoot, outdir, minify: true, sourcemap: false });
	return path.join(outdir, 'extension.js');
}
