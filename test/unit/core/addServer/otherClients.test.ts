import * as assert from 'node:assert/strict';
import { clientFiles, type ClientPaths, storeApps } from '../../../../src/core/addServer/otherClients.js';

function machine(platform: string, home: string, env: Record<string, string> = {}): ClientPaths {
	return { platform, home, get: name => env[name] };
}

function paths(computer: ClientPaths, folders: readonly string[] = [], apps: readonly string[] = []): string[] {
	return clientFiles(computer, folders, apps).map(it => `${it.client}: ${it.path}`);
}

describe('clientFiles', () => {
	it('on Linux', () => {
		const files = paths(machine('linux', '/home/me'), ['/w/a', '/w/b']);
		assert.deepEqual(
			files.filter(it => !it.includes('globalStorage')),
			[
				'Claude Desktop: /home/me/.config/Claude/claude_desktop_config.json',
				'Claude Code: /home/me/.claude.json',
				'Codex: /home/me/.codex/config.toml',
				'Gemini CLI: /home/me/.gemini/settings.json',
				'Cursor: /home/me/.cursor/mcp.json',
				'Windsurf: /home/me/.codeium/windsurf/mcp_config.json',
				'VS Code: /home/me/.config/Code/User/mcp.json',
				'VS Code Insiders: /home/me/.config/Code - Insiders/User/mcp.json',
				'VSCodium: /home/me/.config/VSCodium/User/mcp.json',
				'VS Code: /home/me/.vscode-server/data/User/mcp.json',
				'Cline: /home/me/.cline/data/settings/cline_mcp_settings.json',
				'Zed: /home/me/.config/zed/settings.json',
				'opencode: /home/me/.config/opencode/opencode.json',
				'opencode: /home/me/.config/opencode/opencode.jsonc',
				'Kiro: /home/me/.kiro/settings/mcp.json',
				'LM Studio: /home/me/.lmstudio/mcp.json',
				'Goose: /home/me/.config/goose/config.yaml',
				'Continue: /home/me/.continue/config.yaml',
				...['/w/a', '/w/b'].flatMap(it => [
					`Cursor: ${it}/.cursor/mcp.json`,
					`Codex: ${it}/.codex/config.toml`,
					`Gemini CLI: ${it}/.gemini/settings.json`,
					`Roo Code: ${it}/.roo/mcp.json`,
					`Zed: ${it}/.zed/settings.json`,
					`opencode: ${it}/opencode.json`,
					`opencode: ${it}/opencode.jsonc`,
					`Kiro: ${it}/.kiro/settings/mcp.json`,
				]),
			],
		);
		const editors = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'].map(it => `/home/me/.config/${it}`);
		assert.deepEqual(
			files.filter(it => it.includes('globalStorage')),
			['Cline: saoudrizwan.claude-dev/settings/cline', 'Roo Code: rooveterinaryinc.roo-cline/settings/mcp'].flatMap(
				it => {
					const [client = '', file = ''] = it.split(': ');
					const name = file.replace('/cline', '/cline_mcp_settings.json').replace('/mcp', '/mcp_settings.json');
					return [...editors, '/home/me/.vscode-server/data'].map(
						folder => `${client}: ${folder}/User/globalStorage/${name}`,
					);
				},
			),
		);
	});

	it('on macOS, where some are not in the Library', () => {
		const files = paths(machine('darwin', '/Users/me'));
		const data = '/Users/me/Library/Application Support';
		for (const it of [
			`Claude Desktop: ${data}/Claude/claude_desktop_config.json`,
			'Claude Code: /Users/me/.claude.json',
			'Codex: /Users/me/.codex/config.toml',
			`VS Code: ${data}/Code/User/mcp.json`,
			`Cline: ${data}/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json`,
			`Roo Code: ${data}/Cursor/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json`,
			'Zed: /Users/me/.config/zed/settings.json',
			'opencode: /Users/me/.config/opencode/opencode.json',
			'Goose: /Users/me/.config/goose/config.yaml',
		]) {
			assert.ok(files.includes(it), it);
		}
	});

	it('on Windows', () => {
		const files = paths(machine('win32', 'C:\\Users\\me', { APPDATA: 'D:\\Roaming' }), ['C:\\w']);
		for (const it of [
			'Claude Desktop: D:\\Roaming\\Claude\\claude_desktop_config.json',
			'Claude Code: C:\\Users\\me\\.claude.json',
			'Codex: C:\\Users\\me\\.codex\\config.toml',
			'VS Code Insiders: D:\\Roaming\\Code - Insiders\\User\\mcp.json',
			'Cline: D:\\Roaming\\Code\\User\\globalStorage\\saoudrizwan.claude-dev\\settings\\cline_mcp_settings.json',
			'Zed: D:\\Roaming\\Zed\\settings.json',
			'opencode: C:\\Users\\me\\.config\\opencode\\opencode.json',
			'Goose: D:\\Roaming\\Block\\goose\\config\\config.yaml',
			'Continue: C:\\Users\\me\\.continue\\config.yaml',
			'Cursor: C:\\w\\.cursor\\mcp.json',
		]) {
			assert.ok(files.includes(it), it);
		}
		assert.equal(
			paths(machine('win32', 'C:\\Users\\me'))[0],
			'Claude Desktop: C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
		);
	});

	it('of Claude Desktop from the Microsoft Store', () => {
		const computer = machine('win32', 'C:\\Users\\me', { LOCALAPPDATA: 'D:\\Local' });
		assert.equal(storeApps(computer), 'D:\\Local\\Packages');
		assert.equal(storeApps(machine('win32', 'C:\\Users\\me')), 'C:\\Users\\me\\AppData\\Local\\Packages');
		assert.equal(storeApps(machine('linux', '/home/me')), undefined);
		assert.deepEqual(paths(computer, [], ['Microsoft.Paint_8wekyb3d8bbwe', 'Claude_pzs8sxrjxfjjc']).slice(0, 3), [
			'Claude Desktop: C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
			'Claude Desktop: D:\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
			'Claude Code: C:\\Users\\me\\.claude.json',
		]);
	});

	it('where the environment says so', () => {
		const env = { XDG_CONFIG_HOME: '/x', CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/o', VSCODE_PORTABLE: '/p' };
		const files = paths(machine('linux', '/home/me', env));
		assert.deepEqual(files.slice(0, 3), [
			'Claude Desktop: /x/Claude/claude_desktop_config.json',
			'Claude Code: /c/.claude.json',
			'Codex: /o/config.toml',
		]);
		assert.ok(files.includes('VS Code: /p/user-data/User/mcp.json'));
		assert.ok(files.includes('Goose: /x/goose/config.yaml'));
	});

	it('says in which format a file is, and whether others may have written it', () => {
		const files = clientFiles(machine('linux', '/home/me'), ['/w'], []);
		const formats = files.filter(it => it.format !== 'JSON').map(it => [it.path, it.format, it.isOfWorkspace ?? false]);
		assert.deepEqual(formats, [
			['/home/me/.codex/config.toml', 'TOML', false],
			['/home/me/.config/goose/config.yaml', 'YAML', false],
			['/home/me/.continue/config.yaml', 'YAML', false],
			['/w/.codex/config.toml', 'TOML', true],
		]);
	});
});
