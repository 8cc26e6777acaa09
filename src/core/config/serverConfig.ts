/**
 * Parses the configuration of servers: `.vscode/mcp.json` and `mcp` of a `.code-workspace` file (VS Code's format),
 * `.mcp.json` (the format of most other clients) and our setting. Comments and trailing commas are allowed everywhere. A
 * mistake becomes a problem at its position, and only the server with the mistake is left out.
 */
import { findNodeAtLocation, getNodeValue, type Node, printParseErrorCode } from 'jsonc-parser';
import { tryDecodeUri } from '../../base/percentText.js';
import { isObject } from '../../mcp/index.js';
import { parseBoundedTree } from '../text/boundedJson.js';
import type { ConfigProblem, ConfigType } from './configProblem.js';
import { readDev } from './devMode.js';
import { type ConfiguredInputs, parseInputs } from './inputs.js';
import { child, members, rangeOf, textOf } from '../text/jsonNodes.js';
import { findPlaces, membersLikeServers, type ServerPlaces } from './serverPlaces.js';
import { fromPlainVariables, parseVariable } from './variables.js';
import {
	type ConfigSource,
	type HttpDefinition,
	type LaunchDefinition,
	type ServerDefinition,
} from './serverDefinition.js';

export interface ParsedConfig {
	readonly servers: readonly ServerDefinition[];
	readonly problems: readonly ConfigProblem[];
	/** Whether the text isn't JSON, or wasn't parsed, so that there may be more servers in it. */
	readonly hasSyntaxError: boolean;
}

/** Parses a whole file. Never throws. */
export function parseServerConfig(text: string, source: ConfigSource): ParsedConfig {
	const { root, error, excess } = parseBoundedTree(text);
	if (excess) {
		const limit = excess.code === 'tooDeep' ? excess.maxDepth : excess.maxLength;
		const problem = { code: excess.code, limit, offset: excess.offset, length: 1 } as const;
		return { servers: [], problems: [problem], hasSyntaxError: true };
	}
	const reader = new ConfigReader(text, source);
	// An empty file has no servers, which isn't a mistake.
	const first = text.trim() === '' ? undefined : error;
	if (first) {
		reader.problems.push({ code: 'syntax', error: printParseErrorCode(first.error), ...rangeOf(first) });
	}
	if (root) {
		reader.readRoot(root);
	}
	const { servers, problems } = reader;
	return { servers, problems, hasSyntaxError: first !== undefined };
}

class ConfigReader {
	readonly servers: ServerDefinition[] = [];
	readonly problems: ConfigProblem[] = [];
	private inputs: ConfiguredInputs = { all: [], ids: undefined };

	constructor(
		private readonly text: string,
		private readonly source: ConfigSource,
	) {}

	readRoot(root: Node): void {
		if (root.type !== 'object') {
			this.wrongType(root, this.fileName, 'object');
			return;
		}
		const places = findPlaces(root, this.source.kind);
		this.inputs = parseInputs(findNodeAtLocation(root, [...places.inputs]), this.problems);
		const servers = findNodeAtLocation(root, [...places.servers]);
		if (!servers) {
			this.reportOtherKey(findNodeAtLocation(root, places.servers.slice(0, -1)), places.key);
			return;
		}
		if (servers.type !== 'object') {
			this.wrongType(servers, places.servers.at(-1) ?? '', 'object');
			return;
		}
		const seen = new Set<string>();
		for (const [key, value] of places.isFlat ? membersLikeServers(servers) : members(servers)) {
			const name = String(key.value);
			if (seen.has(name)) {
				this.problems.push({ code: 'duplicate', server: name, ...rangeOf(key) });
				continue;
			}
			seen.add(name);
			this.readServer(name, key, value);
		}
	}

	/** The name of the file, for problems of the whole file. */
	private get fileName(): string {
		const name = this.source.uri.slice(this.source.uri.lastIndexOf('/') + 1);
		return tryDecodeUri(name) ?? name;
	}

	/** Reports a key with servers that the file must have under the key `expected`. */
	private reportOtherKey(parent: Node | undefined, expected: ServerPlaces['key']): void {
		for (const [key, value] of members(parent)) {
			const inner = [value, ...members(value).map(([, it]) => it)];
			if (inner.some(it => membersLikeServers(it).length > 0)) {
				this.problems.push({ code: 'wrongKey', found: String(key.value), expected, ...rangeOf(key) });
			}
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

	private withDev(launch: LaunchDefinition, value: Node): Pick<ServerDefinition, 'launch' | 'watch'> {
		const { watch, debug } = readDev(value, launch, this.problems);
		return {
			launch: launch.kind === 'stdio' && debug ? { ...launch, debug } : launch,
			...(watch.length > 0 && { watch }),
		};
	}

	private readLaunch(server: string, key: Node, value: Node): LaunchDefinition | undefined {
		// `url` and `type` are VS Code's keys, the others those of other clients.
		const url = this.string(value, 'url') ?? textOf(value, 'serverUrl') ?? textOf(value, 'httpUrl');
		const type = this.string(value, 'type') ?? textOf(value, 'transport') ?? textOf(value, 'transportType');
		// Without `type`, a server with a URL is an HTTP server.
		const kind = transports.get(
			(type ?? (url === undefined ? 'stdio' : 'http')).toLowerCase().replaceAll(/[-_ ]/g, ''),
		);
		switch (kind) {
			case 'stdio': {
				const command = this.string(value, 'command');
				if (!command) {
					this.problems.push({ code: 'missing', server, key: 'command', ...rangeOf(key) });
					return undefined;
				}
				return {
					kind: 'stdio',
					command: this.path(command),
					args: this.strings(value, 'args').map(it => this.plain(it)),
					cwd: this.path(this.string(value, 'cwd')),
					env: this.record(value, 'env'),
					envFile: this.path(this.string(value, 'envFile')),
				};
			}
			case 'http':
			case 'sse': {
				if (!url) {
					this.problems.push({ code: 'missing', server, key: 'url', ...rangeOf(key) });
					return undefined;
				}
				const oauth = this.oauth(value);
				const headers = withoutNulls(this.record(value, 'headers'));
				return { kind, url: this.plain(url), headers, ...(oauth && { oauth }) };
			}
			case undefined: {
				const place = rangeOf(child(value, 'type') ?? key);
				this.problems.push({ code: 'unknownTransport', server, value: type ?? '', ...place });
				return undefined;
			}
		}
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

	/** Reports unknown variables and inputs. Searches the text of the file, so that positions are right after escapes. */
	private checkVariables(node: Node): void {
		if (node.type !== 'string') {
			// Only the values of properties, not their keys.
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
			if (!parseVariable(variable) && this.plain(whole) === whole) {
				this.problems.push({ code: 'unknownVariable', variable, ...place });
			}
		}
	}

	/** The text with the variables of `.mcp.json` in VS Code's syntax. */
	private plain<T extends string | undefined>(text: T): T {
		const isPlain = text !== undefined && this.source.kind === 'projectRoot';
		return isPlain ? (fromPlainVariables(text, this.inputs.ids) as T) : text;
	}

	/** Makes a path plain, and replaces `~` at its start with the variable for the home folder. */
	private path<T extends string | undefined>(text: T): T {
		return this.plain(text)?.replace(/^~(?=$|[\\/])/, () => '${userHome}') as T;
	}

	private string(parent: Node, key: string): string | undefined {
		return this.member(parent, key, 'string', it => (typeof it === 'string' ? it : undefined));
	}

	private strings(parent: Node, key: string): string[] {
		return this.member(parent, key, 'array of strings', it => (isTexts(it) ? it : undefined)) ?? [];
	}

	/** Numbers are returned as text: VS Code allows them in `env`. */
	private record(parent: Node, key: string): Record<string, string | null> {
		const read = (value: unknown): Record<string, string | null> | undefined => {
			const entries = isObject(value) ? Object.entries(value) : undefined;
			return entries?.every(isPlainEntry)
				? Object.fromEntries(entries.map(([name, it]) => [name, it === null ? null : this.plain(String(it))]))
				: undefined;
		};
		return this.member(parent, key, 'object of strings', read) ?? {};
	}

	/** The value of a member. Reports a value for which `read` returns `undefined`. */
	private member<T>(parent: Node, key: string, expected: ConfigType, read: (value: unknown) => T): T | undefined {
		const node = child(parent, key);
		const value = node && read(getNodeValue(node));
		if (node && value === undefined) {
			this.wrongType(node, key, expected);
		}
		return value;
	}

	private wrongType(node: Node, key: string, expected: ConfigType): void {
		this.problems.push({ code: 'wrongType', key, expected, ...rangeOf(node) });
	}
}

/** The keys of a server whose values may have variables. */
const withVariables = new Set(['command', 'args', 'cwd', 'env', 'envFile', 'url', 'serverUrl', 'httpUrl', 'headers']);

/** The names that clients use for the transports, in lower case and without punctuation. */
const transports = new Map<string, LaunchDefinition['kind']>([
	['stdio', 'stdio'],
	['local', 'stdio'],
	['http', 'http'],
	['streamablehttp', 'http'],
	['remote', 'http'],
	['sse', 'sse'],
]);

function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.every(it => typeof it === 'string');
}

function isPlainEntry(entry: [string, unknown]): entry is [string, string | number | null] {
	return entry[1] === null || typeof entry[1] === 'string' || typeof entry[1] === 'number';
}

function withoutNulls(record: Record<string, string | null>): Record<string, string> {
	return Object.fromEntries(Object.entries(record).filter((it): it is [string, string] => it[1] !== null));
}
