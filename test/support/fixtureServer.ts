// Fixture servers as real child processes.
import * as path from 'node:path';
import { type StdioLaunch, type StdioOptions, StdioTransport } from '../../src/node/process/stdioTransport.js';
import { projectRoot } from '../host/paths.js';

/** Runs `test/fixtures/servers/<name>.mjs` with the Node that runs the tests. */
export function fixtureLaunch(name: string): StdioLaunch {
	const file = path.join(projectRoot, 'test', 'fixtures', 'servers', `${name}.mjs`);
	return { command: process.execPath, args: [file], cwd: projectRoot, env: inherited() };
}

export function fixtureTransport(
	name: string,
	options: Partial<StdioOptions> = {},
	args: readonly string[] = [],
): StdioTransport {
	const launch = fixtureLaunch(name);
	return new StdioTransport(
		{ ...launch, args: [...launch.args, ...args] },
		{ graceMs: 3000, onStderr: () => undefined, ...options },
	);
}

/** Our environment, without undefined values. */
export function inherited(): Record<string, string> {
	return Object.fromEntries(Object.entries(process.env).filter((it): it is [string, string] => it[1] !== undefined));
}
