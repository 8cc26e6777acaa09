/** What long lists cost, beside what they may. */
import { execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { median, rounded } from './median.js';
import type { Row } from './table.js';

const kinds: Readonly<Record<string, string>> = {
	'100,000 resources: the first lines, while the rest loads': 'first',
	'100,000 resources: a key of a filter, at the worst': 'filter',
	'100,000 resources: the first level of folders': 'folder',
	'100,000 resources: a key of Go to Resource, at the worst': 'goTo',
	'an update, from the answer to the editor, at the worst': 'update',
};

/** A fresh process each. */
export function measureResources(only: RegExp, rounds: number): Row[] {
	return Object.entries(kinds)
		.filter(([name]) => only.test(name))
		.map(([name, what]) => {
			const program = path.join(projectRoot, 'out', 'bench', 'resource.js');
			const run = (): number => Number(execFileSync(process.execPath, [program, what], { encoding: 'utf8' }));
			const value = median(Array.from({ length: Math.min(rounds, 3) }, run));
			return { name, unit: 'ms', target: { atMost: 100 }, values: { ours: rounded(value) } };
		});
}
