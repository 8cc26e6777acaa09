// Command lines of programs that start no server: they install something, or add a server to another program.
import * as assert from 'node:assert/strict';
import { parsePasted } from '../../../../src/core/addServer/pastedServer.js';
import type { ServerEntry } from '../../../../src/core/config/serverEntry.js';
import { http, stdio } from '../../../support/pasted.js';

describe('a command line that installs', () => {
	const verbs: Readonly<Record<string, string>> = {
		npm: 'i install ci add',
		pnpm: 'i install add',
		yarn: 'install add',
		pip: 'install',
		pip3: 'install',
		pipx: 'install',
		uv: 'add sync pip venv',
		brew: 'install',
		git: 'clone',
		docker: 'pull build login',
		go: 'install get',
		cargo: 'install',
		dotnet: 'add build restore',
	};
	for (const [program, all] of Object.entries(verbs)) {
		it(`is one of ${program}`, () => {
			for (const verb of all.split(' ')) {
				assert.deepEqual(parsePasted(`${program} ${verb} thing`), {
					kind: 'problem',
					problem: { code: 'installs', command: `${program} ${verb}` },
				});
				for (const other of [`${verb}x`, `x${verb}`]) {
					assert.equal(parsePasted(`${program} ${other} thing`).kind, 'servers');
				}
			}
			assert.equal(parsePasted(program).kind, 'servers');
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
		['code x--add-mcp={}', undefined, stdio('code', ['x--add-mcp={}'])],
		['code --add-mcpx {}', undefined, stdio('code', ['--add-mcpx', '{}'])],
		['xcode --add-mcp {}', undefined, stdio('xcode', ['--add-mcp', '{}'])],
		['codex --add-mcp {}', undefined, stdio('codex', ['--add-mcp', '{}'])],
		...['claude', 'codex', 'gemini', 'droid', 'copilot', 'amp', 'kimi', 'qwen', 'claude.cmd'].map(
			it => [`${it} mcp add a npx b`, 'a', stdio('npx', ['b'])] as const,
		),
		['xclaude mcp add a npx', undefined, stdio('xclaude', ['mcp', 'add', 'a', 'npx'])],
		['claudex mcp add a npx', undefined, stdio('claudex', ['mcp', 'add', 'a', 'npx'])],
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
		['claude mcp add a -t ssex https://a.dev/mcp', 'a', http('https://a.dev/mcp')],
		['claude mcp add a -t xsse https://a.dev/mcp', 'a', http('https://a.dev/mcp')],
		['env A=1 cross-env B=2 x', undefined, stdio('x', [], { env: { A: '1', B: '2' } })],
		['A=1 A=2 x', undefined, stdio('x', [], { env: { A: '2' } })],
		['myenv A=1 x', undefined, stdio('myenv', ['A=1', 'x'])],
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
