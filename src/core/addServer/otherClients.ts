/**
 * The files in which other MCP clients keep their servers. The servers are offered to the person; none is used until it is
 * copied into a file of ours.
 */
import type { TextFormat } from './foundServer.js';

/** The properties of the computer that the paths of the files depend on. */
export interface ClientPaths {
	/** Node's name of the operating system: `win32`, `darwin`, `linux` and others. */
	readonly platform: string;
	readonly home: string;
	/** The value of an environment variable. */
	get(name: string): string | undefined;
}

/** Reads files of the computer that the extension runs on. */
export interface ClientFiles extends ClientPaths {
	/**
	 * The text of a file; `undefined` if it doesn't exist.
	 * @throws any error if the file can't be read
	 */
	read(path: string): Promise<string | undefined>;
	/** The names in a folder; none if it can't be read. */
	list(path: string): Promise<string[]>;
}

export interface ClientFile {
	/** The name of the client, to show. */
	readonly client: string;
	readonly path: string;
	readonly format: TextFormat;
	/** Whether the file belongs to the workspace, so that someone else may have written it. */
	readonly isOfWorkspace?: boolean;
}

/** The folder with the data of apps of the Microsoft Store; `undefined` on other systems than Windows. */
export function storeApps(machine: ClientPaths): string | undefined {
	const local = machine.get('LOCALAPPDATA') || `${machine.home}\\AppData\\Local`;
	return machine.platform === 'win32' ? `${local}\\Packages` : undefined;
}

/**
 * Every file that may exist, in the order to show: those of the workspace last.
 * @param folders paths of the workspace's folders
 * @param apps names in the folder of `storeApps`
 */
export function clientFiles(machine: ClientPaths, folders: readonly string[], apps: readonly string[]): ClientFile[] {
	const { platform, home } = machine;
	const isWindows = platform === 'win32';
	const join = (...parts: string[]): string => parts.join(isWindows ? '\\' : '/');
	const data = appData(machine, join);
	const portable = machine.get('VSCODE_PORTABLE');
	/** Cross-platform programs use this folder on macOS, too. */
	const config = machine.get('XDG_CONFIG_HOME') || join(home, '.config');
	const editors: (readonly [client: string, folder: string])[] = [
		...(portable ? [['VS Code', join(portable, 'user-data')] as const] : []),
		['VS Code', join(data, 'Code')],
		['VS Code Insiders', join(data, 'Code - Insiders')],
		['VSCodium', join(data, 'VSCodium')],
		['Cursor', join(data, 'Cursor')],
		['Windsurf', join(data, 'Windsurf')],
		['VS Code', join(home, '.vscode-server', 'data')],
	];
	const inEditors = (client: string, ...parts: string[]): (readonly [string, string])[] =>
		editors.map(([, folder]) => [client, join(folder, 'User', 'globalStorage', ...parts)]);
	const files: (readonly [client: string, path: string])[] = [
		['Claude Desktop', join(data, 'Claude', 'claude_desktop_config.json')],
		...apps
			.filter(it => it.startsWith('Claude_'))
			.map(it => join(storeApps(machine) ?? '', it, 'LocalCache', 'Roaming', 'Claude', 'claude_desktop_config.json'))
			.map(it => ['Claude Desktop', it] as const),
		['Claude Code', join(machine.get('CLAUDE_CONFIG_DIR') || home, '.claude.json')],
		['Codex', join(machine.get('CODEX_HOME') || join(home, '.codex'), 'config.toml')],
		['Gemini CLI', join(home, '.gemini', 'settings.json')],
		['Cursor', join(home, '.cursor', 'mcp.json')],
		['Windsurf', join(home, '.codeium', 'windsurf', 'mcp_config.json')],
		...editors
			.filter(([client]) => client.startsWith('VS'))
			.map(([it, folder]) => [it, join(folder, 'User', 'mcp.json')] as const),
		['Cline', join(home, '.cline', 'data', 'settings', 'cline_mcp_settings.json')],
		...inEditors('Cline', 'saoudrizwan.claude-dev', 'settings', 'cline_mcp_settings.json'),
		...inEditors('Roo Code', 'rooveterinaryinc.roo-cline', 'settings', 'mcp_settings.json'),
		['Zed', isWindows ? join(data, 'Zed', 'settings.json') : join(config, 'zed', 'settings.json')],
		['opencode', join(config, 'opencode', 'opencode.json')],
		['opencode', join(config, 'opencode', 'opencode.jsonc')],
		['Kiro', join(home, '.kiro', 'settings', 'mcp.json')],
		['LM Studio', join(home, '.lmstudio', 'mcp.json')],
		['Goose', isWindows ? join(data, 'Block', 'goose', 'config', 'config.yaml') : join(config, 'goose', 'config.yaml')],
		['Continue', join(home, '.continue', 'config.yaml')],
	];
	const ofFolder: (readonly [client: string, ...path: string[]])[] = [
		['Cursor', '.cursor', 'mcp.json'],
		['Codex', '.codex', 'config.toml'],
		['Gemini CLI', '.gemini', 'settings.json'],
		['Roo Code', '.roo', 'mcp.json'],
		['Zed', '.zed', 'settings.json'],
		['opencode', 'opencode.json'],
		['opencode', 'opencode.jsonc'],
		['Kiro', '.kiro', 'settings', 'mcp.json'],
	];
	return [
		...files.map(([client, path]) => ({ client, path, format: formatOfFile(path) })),
		...folders.flatMap(folder =>
			ofFolder.map(([client, ...parts]) => {
				const path = join(folder, ...parts);
				return { client, path, format: formatOfFile(path), isOfWorkspace: true };
			}),
		),
	];
}

function formatOfFile(path: string): TextFormat {
	return path.endsWith('.toml') ? 'TOML' : path.endsWith('.yaml') ? 'YAML' : 'JSON';
}

/** The folder for the person's data of programs. */
function appData(machine: ClientPaths, join: (...parts: string[]) => string): string {
	const { home } = machine;
	switch (machine.platform) {
		case 'win32':
			return machine.get('APPDATA') || join(home, 'AppData', 'Roaming');
		case 'darwin':
			return join(home, 'Library', 'Application Support');
		default:
			return machine.get('XDG_CONFIG_HOME') || join(home, '.config');
	}
}
