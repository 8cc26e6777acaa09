/** Finds where a text has its servers and inputs, in the spellings of all clients. */
import { findNodeAtLocation, type Node } from 'jsonc-parser';
import { parseBoundedTree } from '../text/boundedJson.js';
import { members, textOf } from '../text/jsonNodes.js';
import type { ConfigSource } from './serverDefinition.js';

type Path = readonly string[];

/** The JSON paths of the servers and inputs in a text. */
export interface ServerPlaces {
	readonly servers: Path;
	/** Whether the servers are members of the root (or of the setting `mcp`), and not of `servers` or `mcpServers`. */
	readonly isFlat: boolean;
	readonly inputs: Path;
	/** The key that new files of this kind use for servers. A file may use another. */
	readonly key: 'servers' | 'mcpServers';
}

/** The places of servers and inputs in a text; in a text without any, the places for the first ones. */
export function findPlaces(root: Node | undefined, kind: ConfigSource['kind']): ServerPlaces {
	const key = kind === 'projectRoot' ? 'mcpServers' : 'servers';
	const isSetting = kind === 'workspaceFile';
	const base = isSetting ? ['settings', 'mcp'] : [];
	const find = (path: Path): Node | undefined => root && findNodeAtLocation(root, [...path]);
	// Clients write `servers` and `mcpServers` into files of every kind. The setting may be one key with a dot, `mcp.servers`.
	const named = [key, 'servers', 'mcpServers'].map(it => [...base, it]);
	const dotted = (name: string): Path[] => (isSetting ? [['settings', `mcp.${name}`]] : []);
	const flat = membersLikeServers(find(base)).length > 0 ? [base] : [];
	const paths: readonly Path[] = [...named, ...dotted('servers'), ...flat].filter(find);
	const servers = paths.find(it => find(it)?.children?.length !== 0) ?? paths[0] ?? [...base, key];
	const inputs: Path[] = [[...base, 'inputs'], ...dotted('inputs')];
	const likely = servers.at(-1) === 'mcp.servers' ? inputs.at(-1) : inputs[0];
	return { servers, isFlat: servers === base, inputs: inputs.find(find) ?? likely ?? [], key };
}

/** The members of an object that look like servers. */
export function membersLikeServers(node: Node | undefined): [key: Node, value: Node][] {
	return members(node).filter(([, it]) =>
		['command', 'url', 'serverUrl', 'httpUrl'].some(key => textOf(it, key) !== undefined),
	);
}

/** The names of all servers in a text, valid or not. */
export function serverNames(text: string, kind: ConfigSource['kind']): string[] {
	const { root } = parseBoundedTree(text);
	const servers = root && findNodeAtLocation(root, [...findPlaces(root, kind).servers]);
	return members(servers).map(([key]) => String(key.value));
}
