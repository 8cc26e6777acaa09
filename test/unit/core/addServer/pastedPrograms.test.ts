// Command lines of programs that start no server: they install something, or add a server to another program.
import * as assert from 'node:assert/strict';
import { parsePasted } from '../../../../src/core/addServer/pastedServer.js';
import type { ServerEntry } from '../../../../src/core/config/serverEntry.js';
import { http, stdio } from '../../../support/pasted.js';

describe('a command line that installs', () => {
	for (const line of [
		'npm i',
		'npm install',
		'pnpm add',
		'pip install',
		'uv add',
		'git clone',
		'docker pull',
		'dotnet build',
	]) {
		it(line, () => {
			assert.deepEqual(parsePasted(`${line} thing`), {
				kind: 'problem',
				problem: { code: 'installs', command: line },
			});
			assert.equal(parsePasted(`${line}x thing`).kind, 'servers');
		});
	}
});

describe('a command line of another program', () => {
	const json = '\'{"name":"a","command":"x"}\'';
	/** The name and the entry of what is found, or the code of the problem. */
	const table: readonly (readonly [line: string, name: string | undefined, entry: ServerEntry | string])[] = [
		...['code', 'code-insiders', 'code-oss', 'codium', 'cursor', 'code.cmd'].flatMap(it => [
			[`${it} --add-mcp ${json}`, 'a', stdio('x')] as const,
			[`${it} -r --add-mcp=${json}`, 'a', stdio('x')] as const,
		]),
		['code --add-mcp', undefined, 'noServer'],
		['code --add-mcp={', undefined, 'json'],
		['code .', undefined, stdio('code', ['.'])],
		...['claude', 'codex', 'gemini', 'droid', 'copilot', 'amp', 'kimi', 'qwen', 'claude.cmd'].map(
			it => [`${it} mcp add a npx b`, 'a', stdio('npx', ['b'])] as const,
		),
		['claude x add a npx', undefined, stdio('claude', ['x', 'add', 'a', 'npx'])],
		['claude mcp list', undefined, stdio('claude', ['mcp', 'list'])],
		['claude mcp', undefined, stdio('claude', ['mcp'])],
		['other mcp add a npx', undefined, stdio('other', ['mcp', 'add', 'a', 'npx'])],
		['claude mcp add', undefined, 'noServer'],
		['claude mcp add a', undefined, 'noServer'],
		['claude mcp add a --url', undefined, 'noServer'],
		['claude mcp add a npx --', 'a', stdio('npx')],
		['claude mcp add a -- npx', 'a', stdio('npx')],
		['claude mcp add a x -- npx b', 'a', stdio('npx', ['b'])],
		['claude mcp add-json a', undefined, 'noServer'],
		['claude mcp add-json a {', undefined, 'json'],
		[`claude mcp add-json b ${json}`, 'b', stdio('x')],
		['claude mcp add a https://a.dev/sse', 'a', { type: 'sse', url: 'https://a.dev/sse' }],
		['claude mcp add a https://a.dev/mcp', 'a', http('https://a.dev/mcp')],
		['claude mcp add a -t SSE https://a.dev/mcp', 'a', { type: 'sse', url: 'https://a.dev/mcp' }],
		['claude mcp add a -t http https://a.dev/sse', 'a', http('https://a.dev/sse')],
		['env A=1 cross-env B=2 x', undefined, stdio('x', [], { env: { A: '1', B: '2' } })],
		['A=1 A=2 x', undefined, stdio('x', [], { env: { A: '2' } })],
		['envy A=1 x', undefined, stdio('envy', ['A=1', 'x'])],
		['env', undefined, 'empty'],
	];
	for (const [line, name, entry] of table) {
		it(line, () => {
			const pasted = parsePasted(line);
			if (typeof entry === 'string') {
				assert.equal(pasted.kind === 'problem' ? pasted.problem.code : pasted, entry);
			} else {
				assert.deepEqual(pasted, { kind: 'servers', servers: [{ name, entry, leftOut: [] }], inputs: [] });
			}
		});
	}
});
