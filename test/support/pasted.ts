/** What is found in a text that was pasted. */

import * as assert from 'node:assert/strict';
import type { PasteProblem } from '../../src/core/addServer/foundServer.js';
import { parsePasted } from '../../src/core/addServer/pastedServer.js';
import { type ServerEntry } from '../../src/core/config/serverEntry.js';
import { nameOf } from '../../src/core/addServer/serverName.js';

export type Row = [pasted: string, name: string, entry: ServerEntry];

export function stdio(command: string, args: string[] = [], more: object = {}): ServerEntry {
	return { type: 'stdio', command, ...(args.length > 0 && { args }), ...more };
}

export function http(url: string, headers?: Record<string, string>): ServerEntry {
	return { type: 'http', url, ...(headers && { headers }) };
}

/** The servers in a text, under the names they would get. */
export function found(text: string): [string, ServerEntry][] {
	const pasted = parsePasted(text);
	assert.equal(pasted.kind, 'servers', JSON.stringify(pasted));
	return pasted.kind === 'servers' ? pasted.servers.map(it => [it.name ?? nameOf(it.entry), it.entry]) : [];
}

export function problem(text: string): PasteProblem | undefined {
	const pasted = parsePasted(text);
	return pasted.kind === 'problem' ? pasted.problem : undefined;
}

export const github = {
	type: 'stdio',
	command: 'docker',
	args: ['run', '-i', '--rm', '-e', 'GITHUB_TOKEN', 'ghcr.io/github/github-mcp-server'],
};

export const base64 = Buffer.from(JSON.stringify({ command: 'npx', args: ['-y', '@scope/thing-mcp'] })).toString(
	'base64',
);
