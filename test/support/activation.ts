/** Loads and activates the extension in a process of its own. */
import { execFileSync } from 'node:child_process';
import * as path from 'node:path';
import { projectRoot } from '../host/paths.js';

/** What one process of `test/bench/activate.ts` measures. */
export interface Activation {
	/** Milliseconds of CPU time. */
	readonly load: number;
	readonly activate: number;
	/** Files that were read beside the bundle, by their paths from it. */
	readonly others: readonly string[];
}

/** Loads and activates a bundle of the extension in a fresh process, with this many servers configured. */
export function activate(bundle: string, servers: number): Activation {
	const driver = path.join(projectRoot, 'out', 'bench', 'activate.js');
	const args = [driver, bundle, String(servers)];
	return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', timeout: 30_000 })) as Activation;
}
