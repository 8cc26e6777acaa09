/**
 * PURE: reads `.vscode/mcp.json` (VS Code's format, comments and trailing commas allowed). Whatever is
 * wrong becomes a problem at its place and costs only the server it belongs to.
 */
import { getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { isObject } from '../mcp/index.js';
import { type InputDefinition, type InputProblem, readInputs } from './inputs.js';

/** Where definitions came from: a file of a workspace folder. URIs as strings. */
export interface ConfigSource {
	readonly uri: string;
	readonly folderUri: string;
	readonly folderName: string;
}

/** A server as a child process. Values may hold `${…}` variables. */
export interface StdioDefinition {
	readonly kind: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string | undefined;
	/** `null` removes a variable that would be inherited. */
	readonly env: Readonly<Record<string, string | null>>;
	readonly envFile: string | undefined;
}

/** A server at a URL. */
export interface HttpDefinition {
	readonly kind: 'http' | 'sse';
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

export type LaunchDefinition = StdioDefinition | HttpDefinition;

export interface ServerDefinition {
	/** Unique among all definitions, the same as long as file and name are the same. */
	readonly id: string;
	/** The key in the file. */
	readonly name: string;
	readonly source: ConfigSource;
	/** Where its name stands in the file: offset in UTF-16 units. */
	readonly offset: number;
	readonly launch: LaunchDefinition;
	/** What `${input:…}` may name: the inputs of its file. */
	readonly inputs: readonly InputDefinition[];
}

/** A mistake in the file; worded by the editor's rooms. */
export type ConfigProblem = { readonly offset: number; readonly length: number } & (
	| { readonly code: 'syntax'; readonly error: string }
	| { readonly code: 'wrongType'; readonly key: string; readonly expected: ConfigType }
	| { readonly code: 'missing'; readonly server: string; readonly key: 'command' | 'url' }
	| { readonly code: 'unknownTransport'; readonly server: string; readonly value: string }
	| { readonly code: 'duplicate'; readonly server: string }
	| InputProblem
);

export type ConfigType = 'object' | 'string' | 'array of strings' | 'object of strings';

export interface ParsedConfig {
	readonly servers: readonly ServerDefinition[];
	readonly problems: readonly ConfigProblem[];
	/** True if the text is not JSON: what was read of it may be half of what was meant. */
	readonly hasSyntaxError: boolean;
}

/** Reads a whole file. Never throws. */
export function parseServerConfig(text: string, source: ConfigSource): ParsedConfig {
	const errors: ParseError[] = [];
	const root = parseTree(text, errors, { allowTrailingComma: true });
	const reader = new ConfigReader(source);
	// A file that was just created, or emptied, says that there is no server: no mistake, nothing half-typed.
	const first = text.trim() === '' ? undefined : errors[0];
	if (first) {
		const { offset, length } = first;
		reader.problems.push({ code: 'syntax', error: printParseErrorCode(first.error), offset, length });
	}
	if (root) {
		reader.readRoot(root);
	}
	return { servers: reader.servers, problems: reader.problems, hasSyntaxError: first !== undefined };
}

/** True if both describe the same process or URL, wherever they stand in their file. */
export function isSameLaunch(a: LaunchDefinition, b: LaunchDefinition): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}

class ConfigReader {
	readonly servers: ServerDefinition[] = [];
	readonly problems: ConfigProblem[] = [];
	private inputs: readonly InputDefinition[] = [];

	constructor(private readonly source: ConfigSource) {}

	readRoot(root: Node): void {
		if (root.type !== 'object') {
			this.wrongType(root, 'mcp.json', 'object');
			return;
		}
		this.inputs = readInputs(root, this.problems);
		const servers = child(root, 'servers');
		if (!servers) {
			return;
		}
		if (servers.type !== 'object') {
			this.wrongType(servers, 'servers', 'object');
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

	private readServer(name: string, key: Node, value: Node): void {
		if (value.type !== 'object') {
			this.wrongType(value, name, 'object');
			return;
		}
		const problemsBefore = this.problems.length;
		const launch = this.readLaunch(name, key, value);
		if (launch && this.problems.length === problemsBefore) {
			const id = `${this.source.uri}#${name}`;
			this.servers.push({ id, name, source: this.source, offset: key.offset, launch, inputs: this.inputs });
		}
	}

	private readLaunch(server: string, key: Node, value: Node): LaunchDefinition | undefined {
		const url = this.string(value, 'url');
		// `type` may be left out; what the server needs says what it is.
		const type = this.string(value, 'type') ?? (url === undefined ? 'stdio' : 'http');
		const { offset, length } = key;
		switch (type) {
			case 'stdio': {
				const command = this.string(value, 'command');
				if (!command) {
					this.problems.push({ code: 'missing', server, key: 'command', offset, length });
					return undefined;
				}
				return {
					kind: type,
					command,
					args: this.strings(value, 'args'),
					cwd: this.string(value, 'cwd'),
					env: this.record(value, 'env'),
					envFile: this.string(value, 'envFile'),
				};
			}
			case 'http':
			case 'sse':
				if (!url) {
					this.problems.push({ code: 'missing', server, key: 'url', offset, length });
					return undefined;
				}
				return { kind: type, url, headers: withoutNulls(this.record(value, 'headers')) };
			default: {
				const at = child(value, 'type') ?? key;
				const place = { offset: at.offset, length: at.length };
				this.problems.push({ code: 'unknownTransport', server, value: type, ...place });
				return undefined;
			}
		}
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
			return Object.fromEntries(entries.map(([name, it]) => [name, it === null ? null : String(it)]));
		}
		this.wrongType(node, key, 'object of strings');
		return {};
	}

	private wrongType({ offset, length }: Node, key: string, expected: ConfigType): void {
		this.problems.push({ code: 'wrongType', key, expected, offset, length });
	}
}

/** Key and value of each member; half-typed members without a value are passed over. */
function members(node: Node): [key: Node, value: Node][] {
	const result: [Node, Node][] = [];
	for (const property of node.children ?? []) {
		const [key, value] = property.children ?? [];
		if (key && value) {
			result.push([key, value]);
		}
	}
	return result;
}

function child(node: Node, key: string): Node | undefined {
	return members(node).find(([it]) => it.value === key)?.[1];
}

function isPlainEntry(entry: [string, unknown]): entry is [string, string | number | null] {
	return entry[1] === null || typeof entry[1] === 'string' || typeof entry[1] === 'number';
}

function withoutNulls(record: Record<string, string | null>): Record<string, string> {
	return Object.fromEntries(Object.entries(record).filter((it): it is [string, string] => it[1] !== null));
}
