/** How large a client is when it is bundled, and how long a fresh process takes to load the bundle. */
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { build } from 'esbuild';
import { projectRoot } from '../host/paths.js';
import { type ClientName, clientNames } from './clients/client.js';
import { median, rounded } from './median.js';
import type { Row } from './table.js';

export const footprintNames = ['client bundle, minified', 'require of that bundle'] as const;

/** The same of each: a client over stdio, Streamable HTTP and HTTP+SSE. The rivals' have authorization inside. */
const entries: Readonly<Partial<Record<ClientName, string>>> = {
	sdkV1: `
		export { Client } from '@modelcontextprotocol/sdk/client/index.js';
		export { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
		export { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
		export { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';`,
	sdkV2: `
		export { Client, StreamableHTTPClientTransport, SSEClientTransport } from '@modelcontextprotocol/client';
		export { StdioClientTransport } from '@modelcontextprotocol/client/stdio';`,
	ours: `
		export { Client, DeadlineValidator, LegacySse, StreamableHttp } from './src/mcp/index.js';
		export { createHttpFetch } from './src/node/http/httpFetch.js';
		export { StdioTransport } from './src/node/process/stdioTransport.js';`,
};

/** Prints the milliseconds of CPU time that `require` takes. */
const load = `
	const before = process.cpuUsage();
	require(process.argv[1]);
	const { user, system } = process.cpuUsage(before);
	console.log((user + system) / 1000);`;

export async function measureFootprint(folder: string, rounds: number): Promise<Row[]> {
	const clients = clientNames.filter(it => entries[it] !== undefined);
	const files = new Map<ClientName, string>();
	for (const client of clients) {
		files.set(client, await bundle(entries[client] ?? '', path.join(folder, `${client}.js`)));
	}
	const times = new Map(clients.map(it => [it, [] as number[]]));
	for (let round = 0; round < rounds * 3; round++) {
		for (const [client, file] of files) {
			const output = execFileSync(process.execPath, ['-e', load, file], { encoding: 'utf8' });
			times.get(client)?.push(Number(output));
		}
	}
	return [
		{
			name: footprintNames[0],
			unit: 'KB',
			target: { atMost: 180 },
			values: Object.fromEntries(Array.from(files, ([it, file]) => [it, rounded(fs.statSync(file).size / 1000)])),
		},
		{
			name: footprintNames[1],
			unit: 'ms',
			target: { ratio: 0.33, over: 'sdkV2' },
			values: Object.fromEntries(Array.from(times, ([it, values]) => [it, rounded(median(values))])),
		},
	];
}

async function bundle(contents: string, outfile: string): Promise<string> {
	await build({
		stdin: { contents, resolveDir: projectRoot, loader: 'ts' },
		outfile,
		bundle: true,
		minify: true,
		platform: 'node',
		target: 'node20',
		format: 'cjs',
		mainFields: ['module', 'main'],
		legalComments: 'none',
		logLevel: 'error',
	});
	return outfile;
}
