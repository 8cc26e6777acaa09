/**
 * Converts the text that a person pastes to add a server (a command line, a URL, a configuration from a README, an install
 * link, what a server publishes about itself) to entries of `mcp.json`, and reads the files of other clients. Never throws; a
 * text that isn't understood becomes a problem with a code.
 */
import { trimEnds } from '../../base/trim.js';
import { isObject, textLimits } from '../../mcp/index.js';
import { isWebUrl, looksLikeSse, type ServerEntry } from '../config/serverEntry.js';
import { toServerInputs } from '../config/serverInputs.js';
import { define, readAddOptions } from './addOptions.js';
import { type ClientServers, failed, found, type Pasted, type TextFormat } from './foundServer.js';
import { parseLink, parseUrl } from './installLinks.js';
import { namedServers, parsePastedJson, serversOf, wrappedServers } from './serverValues.js';
import { parseCommandLine, splitAssignment } from './shellWords.js';
import { formatOf, parseFormat } from './textFormats.js';

/** The servers in a text of any kind. */
export function parsePasted(text: string): Pasted {
	if (text.length > textLimits.pasted) {
		return failed({ code: 'tooLong' });
	}
	const clean = withoutDecoration(text);
	return parseLink(clean) ?? parseUrl(clean) ?? parseConfiguration(clean) ?? parseCommand(clean);
}

function parseConfiguration(text: string): Pasted | undefined {
	const format = formatOf(text);
	if (format === undefined || format === 'JSON') {
		return format && parsePastedJson(text);
	}
	const read = parseFormat(text, format, textLimits.pasted);
	return read.ok ? serversOf(read.value, format) : failed(read.problem);
}

/** The servers in a client's file; `undefined` if the file isn't valid or exceeds a limit. Leaves out groups without servers. */
export function readClientFile(text: string, format: TextFormat): ClientServers[] | undefined {
	if (text.trim() === '') {
		return [];
	}
	const read = parseFormat(text, format, textLimits.clientFile);
	const value = read.ok ? read.value : undefined;
	if (!isObject(value)) {
		return undefined;
	}
	const { projects } = value as { projects?: unknown };
	const groups = [
		{ project: undefined, servers: wrappedServers(value), inputs: toServerInputs(value['inputs']) },
		// Claude Code keeps the servers of single folders here.
		...Object.entries(isObject(projects) ? projects : {}).map(([project, it]) => ({
			project,
			servers: isObject(it) ? namedServers(it['mcpServers']) : [],
			inputs: [],
		})),
	];
	return groups.filter(it => it.servers.length > 0);
}

/** The text without Markdown's marks for code, and without the prompt of a terminal. */
function withoutDecoration(text: string): string {
	return (
		text
			.trim()
			.replace(/^`{3,}[^]*`{3}/, withoutFence)
			.replace(/^`([^`]+)`$/, '$1')
			// A link, or a badge in a link.
			.replace(/^\[[^]*$/, it => /\]\(([^\s()]+)\)$/.exec(it)?.[1] ?? it)
			.trim()
			// `#` before several lines is a comment.
			.replace(/^(?:\$|>|❯|%|#(?![^]*\n)|PS(?: [^>\r\n]*)?>|[A-Z]:\\[^>\r\n]*>)\s+(?=\S)/, '')
	);
}

/** The text between the fences of a code block, without the name of the language. */
function withoutFence(block: string): string {
	return trimEnds(block, '`').replace(
		/^(?:[\w-]*(?:[\r\n]|$)|(?:console|bash|jsonc?|powershell|sh|shell|text|toml|ya?ml|zsh)\s)/,
		'',
	);
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
	if (/\.(?:mcpb|dxt)$/i.test(command)) {
		return failed({ code: 'bundle' });
	}
	const other = fromOtherProgram(command, args);
	if (other) {
		return other;
	}
	const installer = installerIn(command, args);
	if (installer !== undefined) {
		return failed({ code: 'installs', command: installer });
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

/** Packages that add a server to a client, whatever their arguments are. */
const installers = /^(?:(?:add|install)-mcp|mcp-get|@michaellatman\/mcp-get|@smithery\/cli|smithery)(?:@|$)/;

/** The words of a command that installs a package, or adds a server to a client, instead of starting a server. */
function installerIn(command: string, args: readonly string[]): string | undefined {
	const [verb = '', second = ''] = args;
	if (installing.get(command)?.test(verb)) {
		return `${command} ${verb}`;
	}
	// `kiro-cli mcp add`, `gemini extensions install`, `uv tool install`
	if (/^(?:mcp|plugins?|extensions?|tool)$/.test(verb) && /^(?:add|add-json|install)$/.test(second)) {
		return `${command} ${verb} ${second}`;
	}
	if (/^(?:mcp|fastmcp)$/.test(command) && verb === 'install') {
		return `${command} ${verb}`;
	}
	if (!/^(?:np|bun|pnp|uv)x(?:\.cmd)?$/.test(command)) {
		return undefined;
	}
	const [name = '', next = '', third = ''] = args.filter(it => !it.startsWith('-'));
	const isInstaller =
		/^(?:add|install)$/.test(next) ||
		(next === 'mcp' && /^(?:add|install)$/.test(third)) ||
		(installers.test(name) && next !== 'run');
	return isInstaller ? [command, name, ...(/^(?:add|install)$/.test(next) ? [next] : [])].join(' ') : undefined;
}

/** Reads a command line that adds a server to an editor or to another client. */
function fromOtherProgram(command: string, args: readonly string[]): Pasted | undefined {
	// VS Code, and editors that were made of it.
	const index = args.findIndex(it => /^--add-mcp(?:=|$)/.test(it));
	const option = args[index];
	if (option !== undefined) {
		return parsePastedJson(option.includes('=') ? option.slice('--add-mcp='.length) : (args[index + 1] ?? ''));
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
		return args[1] === 'serve' ? undefined : failed({ code: 'noServer' });
	}
	const [first, ...others] = [...words.slice(1), ...(rest ?? [])];
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
