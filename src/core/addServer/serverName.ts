/** Checks the names of servers, and finds names for new servers. */
import { trimEnds } from '../../base/trim.js';
import { hiddenJoiner, hiddenJoiners } from '../text/invisible.js';
import type { ServerEntry } from '../config/serverEntry.js';

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

/** A short name made from the package, image, file or host: `filesystem`, `github`, `context7`. */
export function nameOf(entry: ServerEntry): string {
	if (entry.type !== 'stdio') {
		return shorten(nameOfUrl(cut(entry.url))) || 'server';
	}
	const { command, args = [], cwd } = entry;
	const name = nameOfCommand(cut(command), args.slice(0, maxArguments).map(cut));
	return shorten(name ?? (cwd === undefined ? undefined : nameOfFile(cut(cwd))) ?? '') || 'server';
}

function cut(text: string): string {
	return text.slice(0, maxText);
}

function shorten(name: string): string {
	return trimEnds(name.toLowerCase().replace(/[^\p{L}\p{N}._]+/gu, '-'), '-._').slice(0, maxLength);
}

/** Programs that run what their arguments name. */
const packageRunners =
	/^(npx|bunx|uvx|pnpx|pipx|dnx|uv|bun|pnpm|yarn|npm|poetry|hatch|pixi|deno|go|cargo|dotnet|conda|mise)$/;
const containerRunners = /^(docker|podman|nerdctl)$/;
const interpreters = /^(node|nodejs|tsx|ts-node|python[\d.]*|py|ruby|php|java|bash|sh|zsh|pwsh|powershell|perl)$/;
/** Subcommands of runners, which are followed by the name. */
const subcommands = new Set(['run', 'exec', 'x', 'dlx', 'tool', 'task']);
/** Options whose value is the next word. Other options are assumed to have no separate value. */
const valued = new Set(
	(
		'-e --env -v --volume --mount -p --publish --name --network --net --env-file -u --user -w ' +
		'--workdir --platform --entrypoint --add-host -l --label --gpus -m --memory --cpus --pull --package --from --with ' +
		'--directory --project --python --index-url --extra-index-url --default-index --spec -c --prefix --registry'
	).split(' '),
);

function nameOfCommand(command: string, args: readonly string[]): string | undefined {
	const program = baseName(command).replace(/\.(exe|cmd|bat|ps1)$/i, '');
	if (/^(cmd|wsl|env|sudo|nice)$/i.test(program)) {
		const from = args.findIndex(it => !/^[/-]|=/.test(it));
		return from < 0 ? program : nameOfCommand(args[from] ?? '', args.slice(from + 1));
	}
	if (containerRunners.test(program)) {
		const image = positionals(args)[0];
		return image === undefined ? program : nameOfImage(image);
	}
	if (packageRunners.test(program)) {
		return nameOfRun(program, args);
	}
	if (interpreters.test(program)) {
		const module = args.indexOf('-m');
		if (module >= 0) {
			return nameOfPackage((args[module + 1] ?? '').replace(/\.(server|main|__main__)$/, '').replaceAll('_', '-'));
		}
		const file = args.find(it => !it.startsWith('-'));
		return file === undefined ? program : nameOfFile(file);
	}
	return /[\\/]/.test(command) ? nameOfFile(command) : nameOfPackage(program);
}

function nameOfRun(program: string, args: readonly string[]): string | undefined {
	const [first, second] = positionals(args);
	if (first === undefined) {
		return program;
	}
	if (/^mcp-remote(@|$)/.test(first) || /^(supergateway|mcp-proxy)(@|$)/.test(first)) {
		const url = args.find(it => /^https?:/.test(it));
		return url === undefined ? nameOfPackage(first) : nameOfUrl(url);
	}
	// In `uv run --directory /path/to/weather server.py`, the name of the folder may be the only specific one.
	if (/\.(m?[jt]s|c[jt]s|py|csproj)$/.test(first) || /[\\]/.test(first) || /^[./~$]/.test(first)) {
		const option = args.findIndex(it => it === '--directory' || it === '--project');
		return nameOfFile(first, option < 0 ? undefined : args[option + 1]);
	}
	const more = args.slice(args.indexOf(first) + 1);
	if (/^(mcp|fastmcp)$/.test(first) && second !== undefined) {
		return nameOfCommand('python', more.slice(/^(run|dev)$/.test(second) ? more.indexOf(second) + 1 : 0));
	}
	return interpreters.test(first) ? nameOfCommand(first, more) : nameOfPackage(first);
}

/** The words that are neither options, nor values of options, nor words of the runner. */
function positionals(args: readonly string[]): string[] {
	const found: string[] = [];
	let isValue = false;
	for (const word of args) {
		if (isValue) {
			isValue = false;
		} else if (word.startsWith('-')) {
			isValue = valued.has(word);
		} else if (found.length > 0 || !subcommands.has(word)) {
			found.push(word);
		}
	}
	return found;
}

/** `@scope/mcp-server-name@1.2.3` → `name`; `@scope/mcp` → `scope`. */
function nameOfPackage(spec: string): string {
	const git = /^(?:git\+|github:|https?:).*?([^/@#]+?)(?:\.git)?(?:@[^/]*)?(?:#.*)?$/.exec(spec);
	return nameOfPath(git?.[1] ?? spec.replace(/(?<=.)(@|==|>=|~=).*/, '').replace(/\[.*/, ''));
}

function nameOfImage(image: string): string {
	return nameOfPath(image.replace(/@sha256:.*/, '').replace(/:[^/:]*$/, ''));
}

function nameOfPath(path: string): string {
	const [last = '', scope = ''] = path.split('/').toReversed();
	return withoutCustom(last) || withoutCustom(scope) || path;
}

/** The name without words that many servers have in their names. */
function withoutCustom(name: string): string {
	const rest = name.replace(/\b(mcp|server|modelcontextprotocol)\b/gi, '');
	return trimEnds(rest, '-_.').replace(/([-_.])[-_.]+/g, '$1');
}

/** Names of files and folders that say nothing about the server. */
const generic =
	/^(index|main|server|app|start|cli|run|mcp|mcp[-_]server|build|dist|src|lib|bin|out|target|release|debug|__main__|\.|\.\.|\$\{\w+\}|)$/i;

/**
 * The first specific name of the path, from its end.
 * @param folder that a relative path is in
 */
function nameOfFile(path: string, folder?: string): string | undefined {
	const whole = folder === undefined || /^[\\/~$]|^[a-z]:/i.test(path) ? path : `${folder}/${path}`;
	const parts = whole.split(/[\\/]/);
	const names = [withoutEnding(parts.pop() ?? ''), ...parts.toReversed()];
	const telling = names.find(it => !generic.test(it) && !/^[a-z]:$/i.test(it));
	return telling === undefined ? undefined : withoutCustom(telling) || telling;
}

function withoutEnding(file: string): string {
	return file.replace(/\.(m?[jt]s|c[jt]s|py|rb|php|jar|sh|ps1|exe|cmd|bat|csproj|dll)$/i, '');
}

function baseName(path: string): string {
	return path.split(/[\\/]/).at(-1) ?? path;
}

/** Labels of domains below which names belong to different owners. */
const shared =
	/^(workers|vercel|herokuapp|run|azurewebsites|onrender|netlify|fly|pages|github|co|com|org|net|ngrok-free|railway|ts|gov|ac)$/;

/** `https://mcp.context7.com/mcp` → `context7`; `http://localhost:3000/sse` → `localhost-3000`. */
function nameOfUrl(url: string): string {
	const authority = /^\w+:\/\/(?:[^/@]*@)?([^/?#]+)/.exec(url)?.[1] ?? '';
	const port = /:(\d+)$/.exec(authority)?.[1];
	const host = authority.replace(/:\d+$/, '');
	if (host === 'localhost' || /^[\d.]+$/.test(host) || host.startsWith('[')) {
		return port === undefined ? host : `${host}-${port}`;
	}
	const labels = host.split('.').slice(0, -1);
	const label = labels.findLast((it, index) => index === 0 || !shared.test(it)) ?? host;
	return withoutCustom(label) || label;
}
