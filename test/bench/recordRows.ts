/** What approving, remembering and long lists cost, beside what they may. */
import { execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { median, rounded } from './median.js';
import type { Row } from './table.js';

const kinds: Readonly<Record<string, { what: string; atMost: number; program?: string }>> = {
	'one decision, 1,000 rules and 10,000 tools': { what: 'decide', atMost: 0.05 },
	'first page of a history of 100,000 calls': { what: 'open', atMost: 200 },
	'one call more in that history': { what: 'add', atMost: 0.1 },
	'100,000 resources: the first lines, while the rest loads': { what: 'first', atMost: 100, program: 'resource' },
	'100,000 resources: a key of a filter, at the worst': { what: 'filter', atMost: 100, program: 'resource' },
	'100,000 resources: the first level of folders': { what: 'folder', atMost: 100, program: 'resource' },
	'100,000 resources: a key of Go to Resource, at the worst': { what: 'goTo', atMost: 100, program: 'resource' },
	'an update, from the answer to the editor, at the worst': { what: 'update', atMost: 100, program: 'resource' },
};

/** A fresh process each. */
export function measureRecords(only: RegExp, rounds: number): Row[] {
	return Object.entries(kinds)
		.filter(([name]) => only.test(name))
		.map(([name, { what, atMost, program: file = 'record' }]) => {
			const program = path.join(projectRoot, 'out', 'bench', `${file}.js`);
			const run = (): number => Number(execFileSync(process.execPath, [program, what], { encoding: 'utf8' }));
			const value = median(Array.from({ length: Math.min(rounds, 3) }, run));
			return { name, unit: 'ms', target: { atMost }, values: { ours: rounded(value) } };
		});
}
