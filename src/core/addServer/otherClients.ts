/**
 * Finds and parses the files in which other MCP clients keep their servers. The servers are offered to the person; none is
 * used until it is copied into a file of ours.
 */
import { getNodeValue } from 'jsonc-parser';
import { isObject, textLimits } from '../../mcp/index.js';
import { parseBoundedTree } from '../text/boundedJson.js';
import { type FoundServer, namedServers } from './pastedServer.js';
import { toServerInputs, type ServerInput } from '../config/serverInputs.js';

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
}

export interface ClientFile {
	/** The name of the client, to show. */
	readonly client: string;
	readonly path: string;
	/** Whether the file belongs to the workspace, so that someone else may have written it. */
	readonly isOfWorkspace?: boolean;
}

/**
 * Every file that may exist, in the order to show. Files of the workspace come last.
 * @param folders paths of the workspace's folders
 */
export function clientFiles(machine: ClientPaths, folders: readonly string[]): ClientFile[] {
	const { platform, home } = machine;
	const join = (...parts: string[]): string => parts.join(platform === 'win32' ? '\\' : '/');
	const data = appData(machine, join);
	const portable = machine.get('VSCODE_PORTABLE');
	return [
		{ client: 'Claude Desktop', path: join(data, 'Claude', 'claude_desktop_config.json') },
		{ client: 'Claude Code', path: join(machine.get('CLAUDE_CONFIG_DIR') || home, '.claude.json') },
		{ client: 'Cursor', path: join(home, '.cursor', 'mcp.json') },
		{ client: 'Windsurf', path: join(home, '.codeium', 'windsurf', 'mcp_config.json') },
		...(portable ? [{ client: 'VS Code', path: join(portable, 'user-data', 'User', 'mcp.json') }] : []),
		{ client: 'VS Code', path: join(data, 'Code', 'User', 'mcp.json') },
		{ client: 'VS Code Insiders', path: join(data, 'Code - Insiders', 'User', 'mcp.json') },
		{ client: 'VSCodium', path: join(data, 'VSCodium', 'User', 'mcp.json') },
		...folders.map(it => ({ client: 'Cursor', path: join(it, '.cursor', 'mcp.json'), isOfWorkspace: true })),
	];
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

/** The servers of one client, or of one of its projects. */
export interface ClientServers {
	/** The folder that uses the servers; `undefined` for all folders. */
	readonly project: string | undefined;
	readonly servers: readonly FoundServer[];
	readonly inputs: readonly ServerInput[];
}

/** Parses a client's file; `undefined` if it isn't JSON or exceeds a limit. Leaves out groups without servers. Never throws. */
export function readClientFile(text: string): ClientServers[] | undefined {
	const { root, error } = parseBoundedTree(text, textLimits.clientFile);
	if (text.trim() === '') {
		return [];
	}
	if (!root || error) {
		return undefined;
	}
	const value: unknown = getNodeValue(root);
	if (!isObject(value)) {
		return undefined;
	}
	const { projects } = value as { projects?: unknown };
	const groups = [
		{
			project: undefined,
			servers: [...namedServers(value['mcpServers']), ...namedServers(value['servers'])],
			inputs: toServerInputs(value['inputs']),
		},
		// Claude Code keeps the servers of single folders here.
		...Object.entries(isObject(projects) ? projects : {}).map(([project, it]) => ({
			project,
			servers: isObject(it) ? namedServers(it['mcpServers']) : [],
			inputs: [],
		})),
	];
	return groups.filter(it => it.servers.length > 0);
}
