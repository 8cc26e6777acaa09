/** What approving and remembering cost, beside what they may. */
import { execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { median, rounded } from './median.js';
import type { Row } from './table.js';

const kinds = {
	'one decision, 1,000 rules and 10,000 tools': { what: 'decide', atMost: 0.05 },
	'first page of a history of 100,000 calls': { what: 'open', atMost: 200 },
	'one call more in that history': { what: 'add', atMost: 0.1 },
} as const;

/** A fresh process each. */
export function measureRecords(only: RegExp, rounds: number): Row[] {
	const program = path.join(projectRoot, 'out', 'bench', 'record.js');
	return Object.entries(kinds)
		.filter(([name]) => only.test(name))
		.map(([name, { what, atMost }]) => {
			const run = (): number => Number(execFileSync(process.execPath, [program, what], { encoding: 'utf8' }));
			const value = median(Array.from({ length: Math.min(rounds, 3) }, run));
			return { name, unit: 'ms', target: { atMost }, values: { ours: rounded(value) } };
		});
}
