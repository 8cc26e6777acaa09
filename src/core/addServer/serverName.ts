/** Checks the names of servers, and finds names for new servers. */
import { hiddenJoiner, hiddenJoiners } from '../text/spelledOut.js';
import type { ServerEntry } from '../config/serverEntry.js';

type StdioEntry = Extract<ServerEntry, { readonly type: 'stdio' }>;

const maxLength = 60;
/** Source of a pattern of characters that a name can't have. Joiners are allowed where emoji and scripts need them. */
const unprintable = `(?![\\u200C\\u200D])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]|${hiddenJoiner}`;
const anyUnprintable = new RegExp(unprintable, 'u');
const runsOfUnprintable = new RegExp(`(?:${unprintable})+`, 'gu');

/** The reason why a name can't be used. */
export type NameProblem = 'empty' | 'tooLong' | 'unprintable' | 'taken';

/**
 * The reason why a name can't be used; `undefined` if it can be.
 * @param taken names that exist already
 */
export function checkServerName(name: string, taken: ReadonlySet<string>): NameProblem | undefined {
	if (name.trim() === '') {
		return 'empty';
	}
	if (name.length > 100) {
		return 'tooLong';
	}
	if (anyUnprintable.test(name) || name !== name.trim()) {
		return 'unprintable';
	}
	return taken.has(name) ? 'taken' : undefined;
}

/** `name`, or `name-2` and so on: the first that `checkServerName` accepts. */
export function uniqueName(name: string, taken: ReadonlySet<string>): string {
	const base = clean(name) || 'server';
	let candidate = base;
	for (let number = 2; taken.has(candidate); number++) {
		candidate = `${base}-${number}`;
	}
	return candidate;
}

/** The name without characters that names can't have. Spaces, dots and slashes are allowed. */
function clean(name: string): string {
	return name
		.slice(0, maxText)
		.replace(runsOfUnprintable, ' ')
		.trim()
		.slice(0, 90)
		.replace(/[\uD800-\uDBFF]$/, '')
		.replace(hiddenJoiners, '')
		.trim();
}

/** The numbers of arguments, and of UTF-16 units of each text of an entry, that are searched for a name. */
const maxArguments = 100;
const maxText = 1000;

/** A short name: the last part of the package, image, file or host, such as `filesystem`, `github` or `context7`. */
export function nameOf(entry: ServerEntry): string {
	const name = entry.type === 'stdio' ? nameOfCommand(entry) : nameOfUrl(entry.url.slice(0, maxText));
	return (
		name
			.toLowerCase()
			.slice(0, maxLength)
			.replace(/[\uD800-\uDBFF]$/, '') || 'server'
	);
}

/** Programs that run what a later word names, and their subcommands. */
const runner =
	/^(?:(?:np|bun|uv|pnp|pip)x|dnx|uv|bun|pnpm|yarn|npm|deno|go|cargo|dotnet|docker|podman|node|tsx|python[\d.]*|java|bash|sh|cmd|env|sudo|run|exec|x|dlx|tool|mcp|fastmcp|mcp-remote|mcp-proxy|supergateway)$/;
/** Options whose value is the next word. Other options are assumed to have no separate value. */
const valued =
	/^(?:-[evpuwl]|--(?:env|env-file|volume|mount|publish|name|network|user|workdir|platform|entrypoint|package|from|with|directory|project|python|registry))$/;

function nameOfCommand({ command, args = [], cwd = '' }: StdioEntry): string {
	const all = [command, ...args.slice(0, maxArguments)].map(it => it.slice(0, maxText));
	const named = all.find(
		(word, index) =>
			!/^-|^\/\w$|^\w+=/.test(word) &&
			!valued.test(all[index - 1] ?? '') &&
			!runner.test(index === 0 ? (withoutEnding(word).split(/[\\/]/).at(-1) ?? '') : word),
	);
	const folder = all.includes('--directory') ? all[all.indexOf('--directory') + 1] : undefined;
	const places = [named, folder, cwd.slice(0, maxText)].filter(it => it !== undefined);
	return places.map(it => (/^https?:/.test(it) ? nameOfUrl(it) : nameOfPath(it))).find(Boolean) ?? '';
}

/** Names of files and folders that say nothing about the server. */
const generic = /^(?:index|main|app|start|cli|run|build|dist|src|lib|bin|out|target|release|debug|latest|[a-z]|)$/i;

/** `@scope/mcp-server-name@1.2.3` and `/path/name/dist/index.js` → `name`; `@scope/mcp` → `scope`. */
function nameOfPath(path: string): string {
	const parts = path.split(/[\\/]/).toReversed();
	// A version, tag or branch follows the name. A variable such as `${workspaceFolder}` is no name.
	const names = parts.map(it => words(withoutEnding(it.replace(/(?<=.)[@:=~<>#[].*|^\$.*/, ''))));
	return names.find(it => !generic.test(it)) ?? '';
}

/** `https://mcp.context7.com/mcp` → `context7`; `http://localhost:3000/sse` → `localhost-3000`. */
function nameOfUrl(url: string): string {
	const authority = /^\w+:\/\/(?:[^/@]*@)?([^/?#]+)/.exec(url)?.[1] ?? '';
	const labels = authority.split('.');
	if (labels.length === 1 || /^[\d.:]+$/.test(authority)) {
		return words(authority);
	}
	return (
		labels
			.slice(0, -1)
			.map(words)
			.find(it => !/^(?:api|www|)$/i.test(it)) ?? words(authority)
	);
}

function withoutEnding(file: string): string {
	return file.replace(/\.(?:[mc]?[jt]s|py|rb|php|jar|sh|ps1|exe|cmd|bat|csproj|dll|git)$/i, '');
}

/** The words of a name, without those that many servers have in their names. */
function words(name: string): string {
	const all = name.split(/[^\p{L}\p{N}]+/u);
	return all.filter(it => it !== '' && !/^(?:mcp|server|modelcontextprotocol)$/i.test(it)).join('-');
}
