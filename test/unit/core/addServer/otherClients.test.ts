import * as assert from 'node:assert/strict';
import { clientFiles, type ClientPaths, readClientFile } from '../../../../src/core/addServer/otherClients.js';

function machine(platform: string, home: string, env: Record<string, string> = {}): ClientPaths {
	return { platform, home, get: name => env[name] };
}

function paths(...args: Parameters<typeof clientFiles>): string[] {
	return clientFiles(...args).map(it => `${it.client}: ${it.path}`);
}

describe('clientFiles', () => {
	it('on Linux', () => {
		assert.deepEqual(paths(machine('linux', '/home/me'), ['/w/a', '/w/b']), [
			'Claude Desktop: /home/me/.config/Claude/claude_desktop_config.json',
			'Claude Code: /home/me/.claude.json',
			'Cursor: /home/me/.cursor/mcp.json',
			'Windsurf: /home/me/.codeium/windsurf/mcp_config.json',
			'VS Code: /home/me/.config/Code/User/mcp.json',
			'VS Code Insiders: /home/me/.config/Code - Insiders/User/mcp.json',
			'VSCodium: /home/me/.config/VSCodium/User/mcp.json',
			'Cursor: /w/a/.cursor/mcp.json',
			'Cursor: /w/b/.cursor/mcp.json',
		]);
	});

	it('on macOS', () => {
		assert.deepEqual(paths(machine('darwin', '/Users/me'), []), [
			'Claude Desktop: /Users/me/Library/Application Support/Claude/claude_desktop_config.json',
			'Claude Code: /Users/me/.claude.json',
			'Cursor: /Users/me/.cursor/mcp.json',
			'Windsurf: /Users/me/.codeium/windsurf/mcp_config.json',
			'VS Code: /Users/me/Library/Application Support/Code/User/mcp.json',
			'VS Code Insiders: /Users/me/Library/Application Support/Code - Insiders/User/mcp.json',
			'VSCodium: /Users/me/Library/Application Support/VSCodium/User/mcp.json',
		]);
	});

	it('on Windows', () => {
		assert.deepEqual(paths(machine('win32', 'C:\\Users\\me', { APPDATA: 'D:\\Roaming' }), ['C:\\w']), [
			'Claude Desktop: D:\\Roaming\\Claude\\claude_desktop_config.json',
			'Claude Code: C:\\Users\\me\\.claude.json',
			'Cursor: C:\\Users\\me\\.cursor\\mcp.json',
			'Windsurf: C:\\Users\\me\\.codeium\\windsurf\\mcp_config.json',
			'VS Code: D:\\Roaming\\Code\\User\\mcp.json',
			'VS Code Insiders: D:\\Roaming\\Code - Insiders\\User\\mcp.json',
			'VSCodium: D:\\Roaming\\VSCodium\\User\\mcp.json',
			'Cursor: C:\\w\\.cursor\\mcp.json',
		]);
		assert.equal(
			paths(machine('win32', 'C:\\Users\\me'), [])[0],
			'Claude Desktop: C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
		);
	});

	it('where the environment says so', () => {
		const env = { XDG_CONFIG_HOME: '/x', CLAUDE_CONFIG_DIR: '/c', VSCODE_PORTABLE: '/p' };
		const found = paths(machine('linux', '/home/me', env), []);
		assert.deepEqual(found.slice(0, 2), [
			'Claude Desktop: /x/Claude/claude_desktop_config.json',
			'Claude Code: /c/.claude.json',
		]);
		assert.ok(found.includes('VS Code: /p/user-data/User/mcp.json'));
	});
});

describe('readClientFile', () => {
	it('reads servers for all and for one folder, and passes over everything else', () => {
		const text = JSON.stringify({
			numStartups: 5,
			mcpServers: { a: { command: 'a' }, bad: {}, worse: 1 },
			projects: { '/w': { mcpServers: { b: { type: 'http', url: 'https://b.dev' } } }, '/empty': {}, '/odd': 1 },
		});
		assert.deepEqual(
			readClientFile(text)?.map(it => [it.project, it.servers.map(({ name }) => name)]),
			[
				[undefined, ['a']],
				['/w', ['b']],
			],
		);
	});

	it("reads VS Code's own file with comments and inputs", () => {
		const input = { id: 'k', type: 'promptString', description: 'K' };
		const groups = readClientFile(
			`{ // mine\n"servers": { "a": { "command": "a" }, }, "inputs": [${JSON.stringify(input)}] }`,
		);
		assert.deepEqual(groups?.[0]?.inputs, [input]);
	});

	it('reads nothing that is nested too deeply', () => {
		const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
		assert.deepEqual(
			[255, 256].map(it => readClientFile(deep(it))),
			[[], undefined],
		);
	});

	it('reads a project that is none as one without servers', () => {
		const text = '{"projects":{"a":5,"b":{"mcpServers":{"x":{"command":"x"}},"inputs":[{"id":"a","type":"b"}]}}}';
		assert.deepEqual(readClientFile(text), [
			{ project: 'b', servers: [{ name: 'x', entry: { type: 'stdio', command: 'x' }, leftOut: [] }], inputs: [] },
		]);
	});

	it('tells nothing from what cannot be read', () => {
		assert.deepEqual(['', ' \n', '{}', '{"mcpServers":{}}', '{"mcpServers":[]}'].map(readClientFile), [
			[],
			[],
			[],
			[],
			[],
		]);
		assert.deepEqual(['{', '[]', '1', '{ "mcpServers": { }'].map(readClientFile), [
			undefined,
			undefined,
			undefined,
			undefined,
		]);
	});
});
