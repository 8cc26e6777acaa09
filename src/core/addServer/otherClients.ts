/**
 * PURE: where other MCP clients keep their servers, and what stands there. Only offered to the person: nothing of it is
 * used before it was copied into a file of ours.
 */
import { getNodeValue } from 'jsonc-parser';
import { isObject, textLimits } from '../../mcp/index.js';
import { maxJsonDepth, parseBoundedTree } from '../text/boundedJson.js';
import { type FoundServer, namedServers } from './pastedServer.js';
import { readInputs, type ServerInput } from '../config/serverInputs.js';

/** The machine as far as it says where files are. */
export interface Machine {
	/** Of Node: `win32`, `darwin`, `linux` and others. */
	readonly platform: string;
	readonly home: string;
	/** The value of an environment variable. */
	get(name: string): string | undefined;
}

/** Reads files of the machine that the extension runs on. */
export interface ClientFiles extends Machine {
	/** The text of a file; `undefined` if there is none. @throws if it cannot be read */
	read(path: string): Promise<string | undefined>;
}

export type ClientName =
	| 'Claude Desktop'
	| 'Claude Code'
	| 'Cursor'
	| 'Windsurf'
	| 'VS Code'
	| 'VS Code Insiders'
	| 'VSCodium';

export interface ClientFile {
	readonly client: ClientName;
	readonly path: string;
}

/** Every file that may be there, in the order they are shown. @param folders paths of the workspace's folders */
export function clientFiles(machine: Machine, folders: readonly string[]): ClientFile[] {
	const { platform, home } = machine;
	const join = (...parts: string[]): string => parts.join(platform === 'win32' ? '\\' : '/');
	const data = appData(machine, join);
	const portable = machine.get('VSCODE_PORTABLE');
	return [
		{ client: 'Claude Desktop', path: join(data, 'Claude', 'claude_desktop_config.json') },
		{ client: 'Claude Code', path: join(machine.get('CLAUDE_CONFIG_DIR') || home, '.claude.json') },
		{ client: 'Cursor', path: join(home, '.cursor', 'mcp.json') },
		...folders.map(it => ({ client: 'Cursor', path: join(it, '.cursor', 'mcp.json') }) as const),
		{ client: 'Windsurf', path: join(home, '.codeium', 'windsurf', 'mcp_config.json') },
		...(portable ? [{ client: 'VS Code', path: join(portable, 'user-data', 'User', 'mcp.json') } as const] : []),
		{ client: 'VS Code', path: join(data, 'Code', 'User', 'mcp.json') },
		{ client: 'VS Code Insiders', path: join(data, 'Code - Insiders', 'User', 'mcp.json') },
		{ client: 'VSCodium', path: join(data, 'VSCodium', 'User', 'mcp.json') },
	];
}

/** Where programs keep what belongs to the person. */
function appData(machine: Machine, join: (...parts: string[]) => string): string {
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
	/** The folder they are for; missing if they are for all. */
	readonly project: string | undefined;
	readonly servers: readonly FoundServer[];
	readonly inputs: readonly ServerInput[];
}

/** Reads a client's file; `undefined` if it is not JSON, or exceeds a limit. Groups without servers are left out. Never throws. */
export function readClientFile(text: string): ClientServers[] | undefined {
	const { root, error } = parseBoundedTree(text, { maxLength: textLimits.clientFile, maxDepth: maxJsonDepth });
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
			inputs: readInputs(value['inputs']),
		},
		// Claude Code keeps what was added for one folder here.
		...Object.entries(isObject(projects) ? projects : {}).map(([project, it]) => ({
			project,
			servers: isObject(it) ? namedServers(it['mcpServers']) : [],
			inputs: [],
		})),
	];
	return groups.filter(it => it.servers.length > 0);
}
