/**
 * PURE: reads what configures servers: `.vscode/mcp.json` and `mcp` of a `.code-workspace` file (VS Code's format),
 * `.mcp.json` (the one of most other clients) and our setting. Comments and trailing commas are allowed everywhere.
 * Whatever is wrong becomes a problem at its place and costs only the server it belongs to.
 */
import { getNodeValue, type Node, printParseErrorCode } from 'jsonc-parser';
import { tryDecodeUri } from '../../base/percentText.js';
import { isObject } from '../../mcp/index.js';
import { type JsonExcess, parseBoundedTree } from '../text/boundedJson.js';
import { type DebugDefinition, readDev } from './devMode.js';
import { type InputProblem, type Inputs, readInputs } from './inputs.js';
import { child, firstChild, members, type NamedNode, textOf } from '../text/jsonNodes.js';
import { fromPlainVariables, isKnownVariable } from './knownVariables.js';
import { isNetworkPath } from './networkPath.js';
import type { ConfigSource, HttpDefinition, LaunchDefinition, ServerDefinition } from './serverDefinition.js';

/** A mistake in the file; worded by the editor's rooms. */
export type ConfigProblem = { readonly offset: number; readonly length: number } & (
	| { readonly code: 'syntax'; readonly error: string }
	/** Nothing of the text was read: it has more levels, or UTF-16 units, than the limit. */
	| { readonly code: JsonExcess['code']; readonly limit: number }
	/** Found by who reads the file: it is a device, a pipe or a folder, has more bytes than the limit, or fails. */
	| { readonly code: 'notRegular' }
	| { readonly code: 'tooLarge'; readonly limit: number }
	| { readonly code: 'unreadable'; readonly error: string }
	| { readonly code: 'wrongType'; readonly key: string; readonly expected: ConfigType }
	| { readonly code: 'missing'; readonly server: string; readonly key: 'command' | 'url' }
	| { readonly code: 'unknownTransport'; readonly server: string; readonly value: string }
	| { readonly code: 'duplicate'; readonly server: string }
	/** The servers stand below a key that other programs use. */
	| { readonly code: 'wrongKey'; readonly found: string; readonly expected: string }
	/** The server is kept: it fails when it is started. */
	| { readonly code: 'unknownVariable'; readonly variable: string }
	/** Found by who can look at the disk: an absolute path where nothing is. */
	| { readonly code: 'missingCommand'; readonly command: string }
	/** Another place stands before this one. */
	| { readonly code: 'shadowed'; readonly server: string; readonly by: ConfigSource }
	| { readonly code: 'unknownDebugger'; readonly value: string }
	/** `command` is not one whose debugger is known; `undefined` for a server at a URL. */
	| { readonly code: 'cannotDebug'; readonly type: DebugDefinition['type']; readonly command: string | undefined }
	| InputProblem
);

export type ConfigType = 'object' | 'string' | 'array of strings' | 'string or strings' | 'object of strings';

export interface ParsedConfig {
	readonly servers: readonly ServerDefinition[];
	readonly problems: readonly ConfigProblem[];
	/** True if the text is not JSON, or was not read: there may be more servers in it. */
	readonly hasSyntaxError: boolean;
	/** Commands given as absolute paths, at their places: whoever can see the disk may look for them. */
	readonly absoluteCommands: readonly PlacedCommand[];
}

export interface PlacedCommand {
	readonly command: string;
	readonly offset: number;
	readonly length: number;
}

/** Reads a whole file. Never throws. */
export function parseServerConfig(text: string, source: ConfigSource): ParsedConfig {
	const { root, error, excess } = parseBoundedTree(text);
	if (excess) {
		const limit = excess.code === 'tooDeep' ? excess.maxDepth : excess.maxLength;
		const problem = { code: excess.code, limit, offset: excess.offset, length: 1 } as const;
		return { servers: [], problems: [problem], hasSyntaxError: true, absoluteCommands: [] };
	}
	const reader = new ConfigReader(text, source);
	// A file that was just created, or emptied, says that there is no server: no mistake, nothing half-typed.
	const first = text.trim() === '' ? undefined : error;
	if (first) {
		const { offset, length } = first;
		reader.problems.push({ code: 'syntax', error: printParseErrorCode(first.error), offset, length });
	}
	if (root) {
		reader.readRoot(root);
	}
	const { servers, problems, absoluteCommands } = reader;
	return { servers, problems, absoluteCommands, hasSyntaxError: first !== undefined };
}

class ConfigReader {
	readonly servers: ServerDefinition[] = [];
	readonly problems: ConfigProblem[] = [];
	readonly absoluteCommands: PlacedCommand[] = [];
	private inputs: Inputs = { all: [], ids: undefined };

	constructor(
		private readonly text: string,
		private readonly source: ConfigSource,
	) {}

	readRoot(root: Node): void {
		if (root.type !== 'object') {
			this.wrongType(root, this.fileName, 'object');
			return;
		}
		this.inputs = readInputs(this.findInputs(root), this.problems);
		const found = this.findServers(root);
		if (!found) {
			return;
		}
		const { name: container, value: servers } = found;
		if (servers.type !== 'object') {
			this.wrongType(servers, container, 'object');
			return;
		}
		const seen = new Set<string>();
		for (const [key, value] of members(servers)) {
			const name = String(key.value);
			if (seen.has(name)) {
				this.problems.push({ code: 'duplicate', server: name, offset: key.offset, length: key.length });
				continue;
			}
			seen.add(name);
			this.readServer(name, key, value);
		}
	}

	/** What a whole file is called in a problem. */
	private get fileName(): string {
		const name = this.source.uri.slice(this.source.uri.lastIndexOf('/') + 1);
		return tryDecodeUri(name) ?? name;
	}

	/** The object that holds the servers, and what it is called. */
	private findServers(root: Node): NamedNode | undefined {
		switch (this.source.kind) {
			case 'projectRoot':
				// Visual Studio reads the same file, and writes `servers` into it.
				return firstChild(root, 'mcpServers', 'servers');
			case 'vscodeFolder':
			case 'userSettings':
				return firstChild(root, 'servers') ?? this.complainOfKey(root);
			case 'workspaceFile': {
				const settings = child(root, 'settings');
				const mcp = settings && child(settings, 'mcp');
				// Settings may be written with a dot as well.
				return firstChild(mcp, 'servers') ?? firstChild(settings, 'mcp.servers') ?? this.complainOfKey(mcp);
			}
		}
	}

	/** They stand beside the servers. */
	private findInputs(root: Node): Node | undefined {
		const settings = child(root, 'settings');
		return this.source.kind === 'workspaceFile'
			? (firstChild(settings && child(settings, 'mcp'), 'inputs') ?? firstChild(settings, 'mcp.inputs'))?.value
			: child(root, 'inputs');
	}

	/** People paste what other clients read. */
	private complainOfKey(parent: Node | undefined): undefined {
		const [other] = (parent && members(parent).find(([key]) => key.value === 'mcpServers')) ?? [];
		if (other) {
			const { offset, length } = other;
			this.problems.push({ code: 'wrongKey', found: 'mcpServers', expected: 'servers', offset, length });
		}
	}

	private readServer(name: string, key: Node, value: Node): void {
		if (value.type !== 'object') {
			this.wrongType(value, name, 'object');
			return;
		}
		const problemsBefore = this.problems.length;
		const launch = this.readLaunch(name, key, value);
		if (launch && this.problems.length === problemsBefore) {
			const id = `${this.source.uri}#${name}`;
			const common = { id, name, source: this.source, offset: key.offset, inputs: this.inputs.all };
			const definition = { ...common, ...this.withDev(launch, value) };
			const isDisabled = child(value, 'disabled')?.value === true;
			this.servers.push(isDisabled ? { ...definition, isDisabled } : definition);
		}
		for (const [{ value: property }, it] of members(value)) {
			if (withVariables.has(String(property))) {
				this.checkVariables(it);
			}
		}
	}

	/** Clients that read `.mcp.json` know no `dev`. */
	private withDev(launch: LaunchDefinition, value: Node): Pick<ServerDefinition, 'launch' | 'watch'> {
		if (this.source.kind === 'projectRoot') {
			return { launch };
		}
		const { watch, debug } = readDev(value, launch, this.problems);
		return {
			launch: launch.kind === 'stdio' && debug ? { ...launch, debug } : launch,
			...(watch.length > 0 && { watch }),
		};
	}

	private readLaunch(server: string, key: Node, value: Node): LaunchDefinition | undefined {
		// The second and third name of each are those of other clients.
		const url = this.string(value, 'url') ?? textOf(value, 'serverUrl') ?? textOf(value, 'httpUrl');
		const type = this.string(value, 'type') ?? textOf(value, 'transport') ?? textOf(value, 'transportType');
		const { offset, length } = key;
		// `type` may be left out; what the server needs says what it is.
		switch (toTransport(type ?? (url === undefined ? 'stdio' : 'http'))) {
			case 'stdio': {
				const command = this.string(value, 'command');
				if (!command) {
					this.problems.push({ code: 'missing', server, key: 'command', offset, length });
					return undefined;
				}
				this.noteCommand(command, value);
				return {
					kind: 'stdio',
					command: this.plain(command),
					args: this.strings(value, 'args').map(it => this.plain(it)),
					cwd: this.plain(this.string(value, 'cwd')),
					env: this.record(value, 'env'),
					envFile: this.plain(this.string(value, 'envFile')),
				};
			}
			case 'http':
				return this.readUrl('http', url, server, key, value);
			case 'sse':
				return this.readUrl('sse', url, server, key, value);
			case undefined: {
				const at = child(value, 'type') ?? key;
				const place = { offset: at.offset, length: at.length };
				this.problems.push({ code: 'unknownTransport', server, value: type ?? '', ...place });
				return undefined;
			}
		}
	}

	private readUrl(
		kind: HttpDefinition['kind'],
		url: string | undefined,
		server: string,
		{ offset, length }: Node,
		value: Node,
	): HttpDefinition | undefined {
		if (!url) {
			this.problems.push({ code: 'missing', server, key: 'url', offset, length });
			return undefined;
		}
		const oauth = this.oauth(value);
		const headers = withoutNulls(this.record(value, 'headers'));
		return { kind, url: this.plain(url), headers, ...(oauth && { oauth }) };
	}

	private oauth(parent: Node): HttpDefinition['oauth'] {
		const node = child(parent, 'oauth');
		if (!node) {
			return undefined;
		}
		if (node.type !== 'object') {
			this.wrongType(node, 'oauth', 'object');
			return undefined;
		}
		const clientId = this.string(node, 'clientId');
		return {
			...(clientId !== undefined && { clientId }),
			...(child(node, 'scopes') && { scopes: this.strings(node, 'scopes') }),
		};
	}

	private noteCommand(command: string, value: Node): void {
		const node = child(value, 'command');
		// Not of another computer: looking there tells it who the person is.
		const isOnDisk = /^(\/|[a-z]:[\\/])/i.test(command) && !isNetworkPath(command);
		if (node && isOnDisk && !command.includes('${')) {
			this.absoluteCommands.push({ command, offset: node.offset, length: node.length });
		}
	}

	/** Looked for in the text as it is written, so that the place is right whatever is escaped around it. */
	private checkVariables(node: Node): void {
		if (node.type !== 'string') {
			// Keys are no values.
			const children = node.type === 'property' ? node.children?.slice(1) : node.children;
			children?.forEach(it => this.checkVariables(it));
			return;
		}
		const written = this.text.slice(node.offset, node.offset + node.length);
		for (const match of written.matchAll(/\$\{([^{}]*)\}/g)) {
			const [whole, variable = ''] = match;
			const place = { offset: node.offset + match.index, length: whole.length };
			const [, input] = /^input:(.+)/s.exec(variable) ?? [];
			if (input !== undefined && this.inputs.ids?.has(input) === false) {
				this.problems.push({ code: 'undefinedInput', input, ...place });
			}
			if (!isKnownVariable(variable) && this.plain(whole) === whole) {
				this.problems.push({ code: 'unknownVariable', variable, ...place });
			}
		}
	}

	private plain(text: string): string;
	private plain(text: string | undefined): string | undefined;
	private plain(text: string | undefined): string | undefined {
		return text !== undefined && this.source.kind === 'projectRoot' ? fromPlainVariables(text) : text;
	}

	private string(parent: Node, key: string): string | undefined {
		const node = child(parent, key);
		if (!node || node.type === 'string') {
			return node?.value as string | undefined;
		}
		this.wrongType(node, key, 'string');
		return undefined;
	}

	private strings(parent: Node, key: string): string[] {
		const node = child(parent, key);
		if (!node) {
			return [];
		}
		const value: unknown = getNodeValue(node);
		if (Array.isArray(value) && value.every(it => typeof it === 'string')) {
			return value;
		}
		this.wrongType(node, key, 'array of strings');
		return [];
	}

	/** Numbers are written as text: VS Code allows them in `env`. */
	private record(parent: Node, key: string): Record<string, string | null> {
		const node = child(parent, key);
		if (!node) {
			return {};
		}
		const value: unknown = getNodeValue(node);
		const entries = isObject(value) ? Object.entries(value) : [];
		if (isObject(value) && entries.every(isPlainEntry)) {
			return Object.fromEntries(entries.map(([name, it]) => [name, it === null ? null : this.plain(String(it))]));
		}
		this.wrongType(node, key, 'object of strings');
		return {};
	}

	private wrongType({ offset, length }: Node, key: string, expected: ConfigType): void {
		this.problems.push({ code: 'wrongType', key, expected, offset, length });
	}
}

/** Whose values may hold variables. */
const withVariables = new Set(['command', 'args', 'cwd', 'env', 'envFile', 'url', 'serverUrl', 'httpUrl', 'headers']);

/** What clients write for the transports, without case and punctuation. */
function toTransport(type: string): LaunchDefinition['kind'] | undefined {
	switch (type.toLowerCase().replaceAll(/[-_ ]/g, '')) {
		case 'stdio':
		case 'local':
			return 'stdio';
		case 'http':
		case 'streamablehttp':
		case 'remote':
			return 'http';
		case 'sse':
			return 'sse';
		default:
			return undefined;
	}
}

function isPlainEntry(entry: [string, unknown]): entry is [string, string | number | null] {
	return entry[1] === null || typeof entry[1] === 'string' || typeof entry[1] === 'number';
}

function withoutNulls(record: Record<string, string | null>): Record<string, string> {
	return Object.fromEntries(Object.entries(record).filter((it): it is [string, string] => it[1] !== null));
}
