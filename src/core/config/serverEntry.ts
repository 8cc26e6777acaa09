/**
 * Converts a server in the format of any client or README to an entry of `mcp.json`. VS Code allows no unknown keys in that
 * file, so they are left out and listed.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';

export type ServerEntry = StdioEntry | HttpEntry;

interface StdioEntry {
	readonly type: 'stdio';
	readonly command: string;
	readonly args?: readonly string[];
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string | number | null>>;
	readonly envFile?: string;
	readonly dev?: JsonObject;
}

interface HttpEntry {
	readonly type: 'http' | 'sse';
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly oauth?: JsonObject;
	readonly dev?: JsonObject;
}

interface ParsedEntry {
	readonly entry: ServerEntry;
	/** Keys that `mcp.json` doesn't allow. */
	readonly leftOut: readonly string[];
}

/** Names of other clients for our keys. */
const synonyms: Readonly<Record<string, string>> = {
	serverUrl: 'url',
	httpUrl: 'url',
	endpoint: 'url',
	environment: 'env',
	transport: 'type',
	transportType: 'type',
	workingDirectory: 'cwd',
	// Goose
	cmd: 'command',
	envs: 'env',
	uri: 'url',
	// Codex
	http_headers: 'headers',
};

/** Keys that are left out without being listed, because the server works the same without them. */
const needless = new Set([
	'$schema',
	'bundled',
	'description',
	'disabled',
	'display_name',
	'enabled',
	'gallery',
	'name',
	'source',
	'version',
]);

/** Reads a server in the format of any client; `undefined` if the value isn't a server. Never throws. */
export function toServerEntry(value: unknown): ParsedEntry | undefined {
	if (!isObject(value)) {
		return undefined;
	}
	const leftOut: string[] = [];
	const own = new Map<string, unknown>();
	for (const [key, it] of Object.entries(value)) {
		const name = (Object.hasOwn(synonyms, key) ? synonyms[key] : undefined) ?? key;
		// A key takes precedence over its synonyms.
		if (!own.has(name) || key === name) {
			own.set(name, it);
		}
	}
	// Zed: `"command": { "path": …, "args": …, "env": … }`.
	const nested = own.get('command');
	if (isObject(nested) && typeof nested['path'] === 'string') {
		for (const [key, it] of Object.entries(nested)) {
			own.set(key === 'path' ? 'command' : key, it);
		}
	}
	addNamedValues(own);
	const entry = toStdio(own, leftOut) ?? toHttp(own, leftOut, 'httpUrl' in value);
	if (!entry) {
		return undefined;
	}
	leftOut.push(...[...own.keys()].filter(it => !(it in entry) && !known.has(it) && !needless.has(it)));
	return { entry, leftOut };
}

function environmentVariable(name: unknown): string {
	return `\${env:${String(name)}}`;
}

/** Moves what Codex, Goose and Continue keep apart from `env` and `headers` to these: names of variables and of secrets. */
function addNamedValues(own: Map<string, unknown>): void {
	const take = (key: string): unknown => {
		const value = own.get(key);
		own.delete(key);
		return value;
	};
	const add = (key: 'env' | 'headers', values: readonly (readonly [name: string, value: unknown])[]): void => {
		const there = own.get(key);
		if (values.length > 0) {
			own.set(key, { ...Object.fromEntries(values), ...(isObject(there) && there) });
		}
	};
	add(
		'env',
		(texts(take('env_vars')) ?? []).map(it => [it, environmentVariable(it)]),
	);
	// A placeholder becomes an input.
	add(
		'env',
		(texts(take('env_keys')) ?? []).map(it => [it, `<${it}>`]),
	);
	const token = take('bearer_token_env_var');
	add('headers', token === undefined ? [] : [['Authorization', `Bearer ${environmentVariable(token)}`]]);
	const named = take('env_http_headers');
	add(
		'headers',
		Object.entries(isObject(named) ? named : {}).map(([header, it]) => [header, environmentVariable(it)]),
	);
	const options = take('requestOptions');
	add('headers', Object.entries(isObject(options) && isObject(options['headers']) ? options['headers'] : {}));
}

/** Keys that are read, even if their values aren't used. */
const known = new Set(['command', 'args', 'cwd', 'env', 'envFile', 'url', 'headers', 'oauth', 'dev']);

function toStdio(own: ReadonlyMap<string, unknown>, leftOut: string[]): StdioEntry | undefined {
	const command = own.get('command');
	const words = typeof command === 'string' ? [command] : texts(command);
	const [first, ...more] = words ?? [];
	if (!first) {
		return undefined;
	}
	const listed = own.get('args');
	const args = typeof listed === 'string' ? [listed] : (texts(listed) ?? []);
	// Without arguments, `"command": "npx -y package"` is split into words, but a path with spaces isn't.
	const split =
		args.length === 0 && more.length === 0 && !/[\\/]/.test(first.split(/\s/)[0] ?? '') ? first.split(/\s+/) : [first];
	const all = [...split.slice(1), ...more, ...args].map(fromOtherVariables);
	const env = record(own.get('env'), 'env', leftOut);
	const cwd = own.get('cwd');
	const envFile = own.get('envFile');
	const dev = own.get('dev');
	return {
		type: 'stdio',
		command: fromOtherVariables(split[0] ?? first),
		...(all.length > 0 && { args: all }),
		...(typeof cwd === 'string' && cwd !== '' && { cwd: fromOtherVariables(cwd) }),
		...(Object.keys(env).length > 0 && { env }),
		...(typeof envFile === 'string' && { envFile: fromOtherVariables(envFile) }),
		...(isObject(dev) && { dev }),
	};
}

function toHttp(own: ReadonlyMap<string, unknown>, leftOut: string[], isHttpUrl: boolean): HttpEntry | undefined {
	const url = own.get('url');
	if (typeof url !== 'string' || !/^(https?:\/\/|unix:|pipe:|\$\{)/i.test(url)) {
		return undefined;
	}
	const type = own.get('type');
	const isSse = typeof type === 'string' ? /^sse$/i.test(type) : !isHttpUrl && looksLikeSse(url);
	const headers = Object.entries(record(own.get('headers'), 'headers', leftOut)).filter(([, it]) => it !== null);
	const oauth = own.get('oauth');
	const dev = own.get('dev');
	return {
		type: isSse ? 'sse' : 'http',
		url: fromOtherVariables(url),
		...(headers.length > 0 && { headers: Object.fromEntries(headers.map(([key, it]) => [key, String(it)])) }),
		...(isObject(oauth) && { oauth }),
		...(isObject(dev) && { dev }),
	};
}

/** Whether a text is a web address. It isn't parsed, because it may have variables and placeholders. */
export function isWebUrl(text: string): boolean {
	return /^https?:\/\/[^\s/?#]/i.test(text);
}

/** Whether a URL ends as those of servers with the older HTTP+SSE transport usually do. */
export function looksLikeSse(url: string): boolean {
	return /\/sse\/?(?=$|[?#])/i.test(url);
}

/**
 * A text in our syntax of variables: `${API_KEY}` of Claude Code and others, `{env:API_KEY}` of opencode, and `$API_KEY` of
 * Gemini CLI are `${env:API_KEY}` here. A secret of Continue, `${{ secrets.API_KEY }}`, is a placeholder, which becomes an input.
 */
function fromOtherVariables(text: string): string {
	return text
		.replace(/\$\{\{\s*(?:secrets|inputs)\.([A-Za-z][\w.-]*)\s*\}\}/g, '<$1>')
		.replace(
			/\$\{([A-Z_][A-Z0-9_]*(?::-[^{}]*)?)\}|(?<!\$)\{env:(\w+)\}|(?<=^|[\s/=:])\$([A-Z_][A-Z0-9_]*)(?!\w)/g,
			(_, ...names: (string | undefined)[]) => {
				return `\${env:${names.slice(0, 3).find(it => it !== undefined) ?? ''}}`;
			},
		);
}

function texts(value: unknown): string[] | undefined {
	return Array.isArray(value) && value.every(it => ['string', 'number', 'boolean'].includes(typeof it))
		? value.map(String)
		: undefined;
}

function record(value: unknown, key: string, leftOut: string[]): Record<string, string | number | null> {
	const kept: [string, string | number | null][] = [];
	for (const [name, it] of isObject(value) ? Object.entries(value) : []) {
		if (typeof it === 'string') {
			kept.push([name, fromOtherVariables(it)]);
		} else if (typeof it === 'number' || it === null) {
			kept.push([name, it]);
		} else if (typeof it === 'boolean') {
			kept.push([name, String(it)]);
		} else {
			leftOut.push(`${key}.${name}`);
		}
	}
	return Object.fromEntries(kept);
}

/** The command line or the URL of an entry, to show; not quoted for a shell. */
export function describeEntry(entry: ServerEntry): string {
	if (entry.type !== 'stdio') {
		return entry.url;
	}
	return [entry.command, ...(entry.args ?? [])].map(it => (/^$|[\s"]/.test(it) ? JSON.stringify(it) : it)).join(' ');
}
