/**
 * PURE: one server as it is written into `mcp.json`, read from what other programs and READMEs write for it.
 * VS Code allows no other keys in that file, so whatever it does not know is left out, and named.
 */
import { isObject, type JsonObject } from '../../mcp/index.js';

export type ServerEntry = StdioEntry | HttpEntry;

export interface StdioEntry {
	readonly type: 'stdio';
	readonly command: string;
	readonly args?: readonly string[];
	readonly cwd?: string;
	readonly env?: Readonly<Record<string, string | number | null>>;
	readonly envFile?: string;
	readonly dev?: JsonObject;
}

export interface HttpEntry {
	readonly type: 'http' | 'sse';
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
	readonly oauth?: JsonObject;
	readonly dev?: JsonObject;
}

export interface ReadEntry {
	readonly entry: ServerEntry;
	/** Keys that have no place in `mcp.json`. */
	readonly leftOut: readonly string[];
}

/** Another client's names for keys of ours. */
const synonyms: Readonly<Record<string, string>> = {
	serverUrl: 'url',
	httpUrl: 'url',
	endpoint: 'url',
	environment: 'env',
	transport: 'type',
	transportType: 'type',
	workingDirectory: 'cwd',
};

/** Keys that say nothing that is lost. */
const needless = new Set(['name', 'disabled', 'enabled', 'description', 'source', '$schema', 'gallery', 'version']);

/** Reads a server in any client's format; `undefined` if it is none. Never throws. */
export function readEntry(value: unknown): ReadEntry | undefined {
	if (!isObject(value)) {
		return undefined;
	}
	const leftOut: string[] = [];
	const own = new Map<string, unknown>();
	for (const [key, it] of Object.entries(value)) {
		const known = (Object.hasOwn(synonyms, key) ? synonyms[key] : undefined) ?? key;
		// Its own name for a key goes before a synonym.
		if (!own.has(known) || key === known) {
			own.set(known, it);
		}
	}
	// Zed: `"command": { "path": …, "args": …, "env": … }`.
	const nested = own.get('command');
	if (isObject(nested) && typeof nested['path'] === 'string') {
		for (const [key, it] of Object.entries(nested)) {
			own.set(key === 'path' ? 'command' : key, it);
		}
	}
	const entry = toStdio(own, leftOut) ?? toHttp(own, leftOut, 'httpUrl' in value);
	if (!entry) {
		return undefined;
	}
	leftOut.push(...[...own.keys()].filter(it => !(it in entry) && !known.has(it) && !needless.has(it)));
	return { entry, leftOut };
}

/** Keys that were looked at, whether or not they said something. */
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
	// `"command": "npx -y package"` without arguments cannot be meant as one word; a path with blanks can.
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

/** An address as people paste it. Variables and placeholders in it are no URL yet, so it is not parsed. */
export function isWebUrl(text: string): boolean {
	return /^https?:\/\/[^\s/?#]/i.test(text);
}

/** Servers of the older transport end so by custom. */
export function looksLikeSse(url: string): boolean {
	return /\/sse\/?(?=$|[?#])/i.test(url);
}

/** `${API_KEY}` of Claude Code and others is `${env:API_KEY}` here. */
function fromOtherVariables(text: string): string {
	return text.replace(/\$\{([A-Z_][A-Z0-9_]*)\}/g, (_, name: string) => `\${env:${name}}`);
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

/** One line that says what it runs or where it connects to; not for a shell. */
export function describeEntry(entry: ServerEntry): string {
	if (entry.type !== 'stdio') {
		return entry.url;
	}
	return [entry.command, ...(entry.args ?? [])].map(it => (/^$|[\s"]/.test(it) ? JSON.stringify(it) : it)).join(' ');
}
