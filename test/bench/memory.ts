/** What the tree's lists cost to hold, beside the same lists as they come out of the parser. */
import { execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';
import { median, rounded } from './median.js';
import type { Row } from './table.js';

export const memoryName = 'heap of 100,000 resources and 10,000 tools, held for the tree';

/** A fresh process each: nothing of before is counted. The floor is the parsed lists in an array. */
export function measureMemory(rounds: number): Row {
	const program = path.join(projectRoot, 'out', 'bench', 'hold.js');
	const hold = (what: 'plain' | 'catalog'): number =>
		Number(execFileSync(process.execPath, ['--expose-gc', program, what], { encoding: 'utf8' }));
	const values = (what: 'plain' | 'catalog'): number =>
		rounded(median(Array.from({ length: Math.min(rounds, 3) }, () => hold(what))));
	return {
		name: memoryName,
		unit: 'MB',
		target: { ratio: 1.5 },
		values: { floor: values('plain'), ours: values('catalog') },
	};
}
