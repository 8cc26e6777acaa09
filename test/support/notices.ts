/** The licences of what is shipped: of each package that esbuild has put into a bundle of `dist/`. */
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { projectRoot } from '../host/paths.js';

export const noticesFile = 'THIRD-PARTY-NOTICES.txt';

/** What the file has to say. @throws Error if a package has no licence to show */
export async function createNotices(): Promise<string> {
	const { shipped } = createRequire(path.join(projectRoot, 'package.json'))('./esbuild.js') as {
		shipped: readonly BuildOptions[];
	};
	const results = await Promise.all(
		shipped.map(it => build({ ...it, absWorkingDir: projectRoot, sourcemap: false, write: false, metafile: true })),
	);
	const inputs = results
		.flatMap(it => Object.values(it.metafile?.outputs ?? {}))
		.flatMap(it => Object.entries(it.inputs));
	const folders = new Set<string>();
	for (const [input, { bytesInOutput }] of inputs) {
		const [folder] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [];
		if (folder !== undefined && bytesInOutput > 0) {
			folders.add(folder);
		}
	}
	const notices = [...folders].toSorted().map(describePackage);
	const [head, rule] = ['MCP Workbench contains the following packages of others.', `\n${'-'.repeat(80)}\n`];
	return `${[head, ...notices].join(`\n${rule}\n`)}\n`;
}

function describePackage(folder: string): string {
	const absolute = path.join(projectRoot, folder);
	const { name, version, license } = JSON.parse(fs.readFileSync(path.join(absolute, 'package.json'), 'utf8')) as {
		name: string;
		version: string;
		license?: string;
	};
	const file = fs.readdirSync(absolute).find(it => /^licen[cs]e(\.\w+)?$/i.test(it));
	if (license === undefined || file === undefined) {
		throw new Error(`${name} has no licence to show.`);
	}
	const text = fs.readFileSync(path.join(absolute, file), 'utf8').replaceAll('\r\n', '\n').trim();
	return `${name} ${version}\n${license}\n\n${text}`;
}
