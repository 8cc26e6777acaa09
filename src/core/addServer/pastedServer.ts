/**
 * Converts the text that a person pastes to add a server (a command line, a URL, JSON from a README, an install link) to
 * entries of `mcp.json`. Never throws; a text that isn't understood becomes a problem with a code.
 */
import { tryDecodeBase64 } from '../../base/base64.js';
import { tryDecodeUri } from '../../base/percentText.js';
import { getNodeValue } from 'jsonc-parser';
import { trimEnds } from '../../base/trim.js';
import { isObject, textLimits } from '../../mcp/index.js';
import { define, readAddOptions } from './addOptions.js';
import { parseBoundedTree } from '../text/boundedJson.js';
import { toServerInputs, type ServerInput } from '../config/serverInputs.js';
import { isWebUrl, looksLikeSse, toServerEntry, type ServerEntry } from '../config/serverEntry.js';
import { type CommandLineProblem, parseCommandLine, splitAssignment } from './shellWords.js';

/** A server that was found in a text. */
export interface FoundServer {
	/** The name in the text. */
	readonly name: string | undefined;
	readonly entry: ServerEntry;
	/** Keys of the text that `mcp.json` doesn't allow. */
	readonly leftOut: readonly string[];
}

export interface FoundServers {
	readonly servers: readonly FoundServer[];
	/** The definitions of inputs in the text. */
	readonly inputs: readonly ServerInput[];
}

export type PasteProblem =
	| CommandLineProblem
	| { readonly code: 'empty' | 'tooLong' | 'url' }
	/** The text looks like JSON, but isn't. */
	| { readonly code: 'json'; readonly offset: number }
	/** The text is JSON that is nested too deeply. */
	| { readonly code: 'tooDeep' }
	/** The text has no server. */
	| { readonly code: 'noServer' }
	/** The command installs a package instead of starting a server. */
	| { readonly code: 'installs'; readonly command: string };

export type Pasted =
	| ({ readonly kind: 'servers' } & FoundServers)
	| { readonly kind: 'problem'; readonly problem: PasteProblem };

/** The number of redirect links inside each other. */
const maxLinks = 3;

/** The servers in a text of any kind. */
export function parsePasted(text: string): Pasted {
	if (text.length > textLimits.pasted) {
		return failed({ code: 'tooLong' });
	}
	const clean = withoutDecoration(text);
	return parseLink(clean) ?? parseUrl(clean) ?? (looksLikeJson(clean) ? parsePastedJson(clean) : parseCommand(clean));
}

/** The servers in a JSON text of any client. */
export function parsePastedJson(text: string): Pasted {
	const whole = tryJson(text);
	// The text may be a member of an object, without the braces.
	const read = whole.ok ? whole : tryJson(`{${text}\n}`);
	if (read.ok) {
		return fromValue(read.value) ?? failed({ code: 'noServer' });
	}
	return failed(whole.ok ? read.problem : whole.problem);
}

function failed(problem: PasteProblem): Pasted {
	return { kind: 'problem', problem };
}

function found(servers: readonly FoundServer[], inputs: readonly ServerInput[] = []): Pasted {
	return { kind: 'servers', servers, inputs };
}

/** The text without Markdown's marks for code, and without the prompt of a terminal. */
function withoutDecoration(text: string): string {
	return text
		.trim()
		.replace(/^`{3,}[^]*`{3}/, withoutFence)
		.replace(/^`([^`]+)`$/, '$1')
		.trim()
		.replace(/^(?:\$|>|❯|%|#|PS(?: [^>\r\n]*)?>|[A-Z]:\\[^>\r\n]*>)\s+(?=\S)/, '');
}

/** The text between the fences of a code block, without the name of the language. */
function withoutFence(block: string): string {
	return trimEnds(block, '`').replace(
		/^(?:[\w-]*(?:[\r\n]|$)|(?:console|bash|jsonc?|powershell|sh|shell|text|zsh)\s)/,
		'',
	);
}

function looksLikeJson(text: string): boolean {
	return /^[{[]/.test(text) || /^\/[/*]/.test(text) || /^"[^"\r\n]*"\s*:/.test(text);
}

type Tried =
	| { readonly ok: true; readonly value: unknown }
	| {
			readonly ok: false;
			readonly problem: { readonly code: 'json'; readonly offset: number } | { readonly code: 'tooDeep' | 'tooLong' };
	  };

function tryJson(text: string): Tried {
	const { root, error, excess } = parseBoundedTree(text, textLimits.pasted);
	if (excess) {
		return { ok: false, problem: { code: excess.code } };
	}
	return root && !error
		? { ok: true, value: getNodeValue(root) as unknown }
		: { ok: false, problem: { code: 'json', offset: error?.offset ?? 0 } };
}

/** The keys in which clients keep their servers. */
const wrappers = ['mcpServers', 'servers', 'mcp', 'mcp.servers', 'context_servers', 'amp.mcpServers'];

function fromValue(value: unknown, depth = 0): Pasted | undefined {
	if (!isObject(value) || depth > 3) {
		return undefined;
	}
	const { inputs, ...rest } = value;
	const bare = toServerEntry(rest);
	if (bare) {
		const name = value['name'];
		return found(
			[{ name: typeof name === 'string' && name !== '' ? name : undefined, ...bare }],
			toServerInputs(inputs),
		);
	}
	for (const key of wrappers) {
		const inner = Object.hasOwn(value, key) ? value[key] : undefined;
		const servers = namedServers(inner);
		if (servers.length > 0) {
			return found(servers, toServerInputs(inputs));
		}
		const deeper = fromValue(inner, depth + 1);
		if (deeper) {
			return deeper;
		}
	}
	const servers = namedServers(value);
	return servers.length > 0 ? found(servers) : undefined;
}

/** Reads `{ "name": { … } }`, or a list of servers with names. */
export function namedServers(value: unknown): FoundServer[] {
	const named = Array.isArray(value)
		? value.map((it: unknown) => [isObject(it) ? it['name'] : undefined, it] as const)
		: Object.entries(isObject(value) ? value : {});
	return named.flatMap(([name, it]) => {
		const read = toServerEntry(it);
		return read ? [{ name: typeof name === 'string' ? name : undefined, ...read }] : [];
	});
}

/** Reads install links: those of VS Code, those of badges in READMEs that redirect to VS Code, and those of Cursor. */
function parseLink(text: string, depth = 0): Pasted | undefined {
	if (depth > maxLinks) {
		return undefined;
	}
	const config = /^vscode(?:-insiders)?:\/{0,2}mcp\/install\?(.+)/s.exec(text)?.[1];
	if (config !== undefined) {
		return parsePastedJson(decode(config));
	}
	if (/^https:\/\/(?:insiders\.)?vscode\.dev\/redirect/.test(text)) {
		const query = queryOf(text);
		const target = query.get('url');
		return target === undefined ? fromConfig(query, it => it) : parseLink(target, depth + 1);
	}
	if (/^(?:cursor:\/\/|https:\/\/(?:www\.)?cursor\.com\/)/.test(text) && /[?&]config=/.test(text)) {
		return fromConfig(queryOf(text), fromBase64);
	}
	return undefined;
}

function fromConfig(query: ReadonlyMap<string, string>, read: (config: string) => string): Pasted | undefined {
	const config = query.get('config');
	if (config === undefined) {
		return undefined;
	}
	const value = tryJson(read(config));
	const entry = value.ok ? toServerEntry(value.value) : undefined;
	if (!entry) {
		return failed({ code: 'noServer' });
	}
	const inputs = tryJson(query.get('inputs') ?? '[]');
	return found([{ name: query.get('name'), ...entry }], toServerInputs(inputs.ok ? inputs.value : undefined));
}

function queryOf(url: string): ReadonlyMap<string, string> {
	const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
	return new Map(
		query.split('&').map(it => {
			const [key = '', ...value] = it.split('=');
			return [decode(key), decode(value.join('='))] as const;
		}),
	);
}

function decode(text: string): string {
	return tryDecodeUri(text) ?? text;
}

function fromBase64(text: string): string {
	const bytes = tryDecodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
	return bytes ? new TextDecoder().decode(bytes) : text;
}

function parseUrl(text: string): Pasted | undefined {
	if (!/^https?:\/\//i.test(text) || /\s/.test(text)) {
		return undefined;
	}
	const url = text.replace(/[.,;)]$/, '');
	// These URLs are pages about a server.
	const isPage = /^https?:\/\/(?:www\.)?(?:github\.com|npmjs\.com|pypi\.org|gitlab\.com|hub\.docker\.com)\//i.test(url);
	const type = looksLikeSse(url) ? 'sse' : 'http';
	return isPage || !isWebUrl(url)
		? failed({ code: 'url' })
		: found([{ name: undefined, entry: { type, url }, leftOut: [] }]);
}

function parseCommand(text: string): Pasted {
	const line = parseCommandLine(text);
	if ('problem' in line) {
		return failed(line.problem);
	}
	const env: Record<string, string> = { ...line.env };
	let first = 0;
	for (const word of line.words) {
		const assignment = splitAssignment(word);
		if (assignment) {
			define(env, ...assignment);
		} else if (!/^(env|cross-env)$/.test(word)) {
			break;
		}
		first++;
	}
	const [command, ...args] = line.words.slice(first);
	if (command === undefined) {
		return failed({ code: 'empty' });
	}
	const other = fromOtherProgram(command, args);
	if (other) {
		return other;
	}
	const [verb = ''] = args;
	if (installing.get(command)?.test(verb)) {
		return failed({ code: 'installs', command: `${command} ${verb}` });
	}
	return ofCommand(undefined, command, args, env, line.cwd);
}

function ofCommand(
	name: string | undefined,
	command: string,
	args: readonly string[],
	env: Readonly<Record<string, string>>,
	cwd?: string,
): Pasted {
	const entry: ServerEntry = {
		type: 'stdio',
		command,
		...(args.length > 0 && { args }),
		...(cwd !== undefined && { cwd }),
		...(Object.keys(env).length > 0 && { env }),
	};
	return found([{ name, entry, leftOut: [] }]);
}

/** The subcommands with which programs install or build, and start no server. */
const installing = new Map(
	Object.entries({
		npm: /^(i|install|ci|add)$/,
		pnpm: /^(i|install|add)$/,
		yarn: /^(install|add)$/,
		pip: /^install$/,
		pip3: /^install$/,
		pipx: /^install$/,
		uv: /^(add|sync|pip|venv)$/,
		brew: /^install$/,
		git: /^clone$/,
		docker: /^(pull|build|login)$/,
		go: /^(install|get)$/,
		cargo: /^install$/,
		dotnet: /^(add|build|restore)$/,
	}),
);

/** Reads a command line that adds a server to an editor or to another client. */
function fromOtherProgram(command: string, args: readonly string[]): Pasted | undefined {
	if (/^(code(-insiders|-oss)?|codium|cursor)(\.cmd)?$/.test(command)) {
		const index = args.findIndex(it => /^--add-mcp(?:=|$)/.test(it));
		const option = args[index];
		return option === undefined
			? undefined
			: parsePastedJson(option.includes('=') ? option.slice('--add-mcp='.length) : (args[index + 1] ?? ''));
	}
	if (!/^(claude|codex|gemini|droid|copilot|amp|kimi|qwen)(\.cmd)?$/.test(command) || args[0] !== 'mcp') {
		return undefined;
	}
	const { words, env, headers, transport, rest } = readAddOptions(args.slice(2));
	const [name, target] = words;
	if (args[1] === 'add-json') {
		const json = parsePastedJson(target ?? '');
		return json.kind === 'servers'
			? { ...json, servers: json.servers.map(it => ({ ...it, name: name ?? it.name })) }
			: json;
	}
	if (args[1] !== 'add') {
		return undefined;
	}
	const [first = target, ...others] = rest ?? words.slice(1);
	if (!first) {
		return failed({ code: 'noServer' });
	}
	if (isWebUrl(first)) {
		const isSse = transport === undefined ? looksLikeSse(first) : /^sse$/i.test(transport);
		const entry: ServerEntry = {
			type: isSse ? 'sse' : 'http',
			url: first,
			...(Object.keys(headers).length > 0 && { headers }),
		};
		return found([{ name, entry, leftOut: [] }]);
	}
	return ofCommand(name, first, others, env);
}
