/** The reference server over HTTP, as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import * as path from 'node:path';
import { freePort } from '../../src/node/machine/ports.js';
import { eventually } from './support.js';

export interface Everything {
	readonly child: ChildProcess;
	readonly port: number;
}

/** Starts it on a free port of this machine; whoever starts it kills it. */
export async function startEverything(mode: 'streamableHttp' | 'sse'): Promise<Everything> {
	const port = await freePort();
	const project = process.env['MCP_WORKBENCH_PROJECT'] ?? '';
	const file = path.join(project, 'node_modules', '@modelcontextprotocol', 'server-everything', 'dist', 'index.js');
	const env = { ...process.env, PORT: String(port), ELECTRON_RUN_AS_NODE: '1' };
	const child = spawn(process.execPath, [file, mode], { env, stdio: ['ignore', 'ignore', 'pipe'] });
	let said = '';
	child.stderr.on('data', (chunk: Buffer) => {
		said += chunk.toString();
	});
	await eventually(`${mode} on port ${port}`, () => (said.includes(String(port)) ? true : undefined));
	return { child, port };
}
