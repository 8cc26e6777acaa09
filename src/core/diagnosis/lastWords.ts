/**
 * PURE: what a program means by what it wrote before it ended, or while it kept silent. Only texts of runners and
 * runtimes that many servers share; each of them is in the table of the test.
 */
import type { LaunchDefinition } from '../config/serverDefinition.js';

/** Told by words of its own, or of what runs it. */
export type SaidCause =
	/** A program that the server, or its runner, could not find. */
	| { readonly code: 'missingProgram'; readonly program: string }
	| { readonly code: 'missingModule'; readonly module: string; readonly language: 'node' | 'python' }
	| { readonly code: 'missingFile'; readonly path: string }
	/** A registry does not know the package, or this version of it. */
	| { readonly code: 'noPackage'; readonly name: string }
	| { readonly code: 'noExecutable'; readonly name: string }
	| { readonly code: 'registryAway' }
	| { readonly code: 'cacheDenied' }
	| { readonly code: 'syntax' }
	| { readonly code: 'oldRuntime'; readonly program: string }
	/** A variable of the environment, by name if it was told; or a key or token. */
	| { readonly code: 'missingVariable'; readonly name: string | undefined }
	| { readonly code: 'badCredentials' }
	| { readonly code: 'addressInUse' }
	| { readonly code: 'dockerDown' }
	| { readonly code: 'dockerDenied' }
	| { readonly code: 'dockerTerminal' }
	| { readonly code: 'noImage'; readonly name: string }
	| { readonly code: 'memory' }
	| { readonly code: 'permission' }
	/** It printed how it is to be called. */
	| { readonly code: 'usage' };

/** Told by nothing but what it does not do. */
export type SilentCause =
	| { readonly code: 'downloading' }
	| { readonly code: 'asks'; readonly line: string }
	/** It serves HTTP, and was started as a process that speaks over its streams. */
	| { readonly code: 'listens'; readonly at: string }
	| { readonly code: 'dockerWithoutInput' }
	| { readonly code: 'silent' };

export function isMissingProgram(cause: SaidCause): cause is Extract<SaidCause, { code: 'missingProgram' }> {
	return cause.code === 'missingProgram';
}

/** A pattern and what it means; `$1` of the pattern is given to it. */
type Reading = readonly [RegExp, (first: string) => SaidCause | undefined];

/** Longer lines are cut: patterns run over what a stranger wrote. */
const maxLine = 1000;

/** The first that fits any line counts: from what is told exactly to what is only likely. */
const readings: readonly Reading[] = [
	// What a shell, env, cmd, Node and uv say of a program that is not there.
	[/\benv: (?:can't execute )?['‘"]?([^'’":\s]+)['’"]?: No such file or directory/, missingProgram],
	[/: (?:line )?\d*:? ?([\w.@+-]+): (?:command )?not found$/, missingProgram],
	[/: command not found: ([\w.@+-]+)$/, missingProgram],
	[/^'"?([^'"]+)"?' is not recognized as an internal or external command/, missingProgram],
	[/\bspawn ([\w.@+-]+) ENOENT\b/, missingProgram],
	[/^error: Failed to spawn: `([\w.@+-]+)`/, missingProgram],
	// Docker, before the general words for what it is denied.
	[/permission denied while trying to connect to the Docker daemon/i, () => ({ code: 'dockerDenied' })],
	[
		/Cannot connect to the Docker daemon|docker daemon is not running|error during connect:/i,
		() => ({ code: 'dockerDown' }),
	],
	[/the input device is not a TTY/i, () => ({ code: 'dockerTerminal' })],
	[/pull access denied for ([^\s,]+)/, name => ({ code: 'noImage', name })],
	[/manifest for (\S+) not found|manifest unknown/, name => ({ code: 'noImage', name })],
	// Registries of packages.
	[/^npm (?:error|ERR!) 404\s+'([^']+)' is not in (?:this|the npm) registry/, name => ({ code: 'noPackage', name })],
	[/^npm (?:error|ERR!) 404 Not Found - GET \S+\/(\S+)/, name => ({ code: 'noPackage', name: decode(name) })],
	[/No matching version found for (\S+?)\.?$/, name => ({ code: 'noPackage', name })],
	[/Because (\S+) was not found in the (?:package registry|cache)/, name => ({ code: 'noPackage', name })],
	[/No matching distribution found for (\S+)/, name => ({ code: 'noPackage', name })],
	[/could not determine executable to run/, () => ({ code: 'noExecutable', name: '' })],
	[/executable named `([^`]+)` is not provided by package/, name => ({ code: 'noExecutable', name })],
	[/^npm (?:error|ERR!) (?:code )?(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET)\b/, registryAway],
	[/(?:Failed to fetch|Could not connect|error sending request)\b.*(?:pypi|simple|registry|https?:)/i, registryAway],
	[/^npm (?:error|ERR!) (?:code )?(?:EACCES|EPERM|EROFS)\b/, () => ({ code: 'cacheDenied' })],
	// Runtimes that are too old.
	[
		/EBADENGINE|requires Node(?:\.js)? (?:version )?[>v\d]|You must use Node/i,
		() => ({ code: 'oldRuntime', program: 'node' }),
	],
	[/UnsupportedClassVersionError/, () => ({ code: 'oldRuntime', program: 'java' })],
	[/You must install or update \.NET/, () => ({ code: 'oldRuntime', program: 'dotnet' })],
	[/requires Python [>=\d]|requires-python|Python>=/i, () => ({ code: 'oldRuntime', program: 'python' })],
	// Modules and files.
	[/Cannot find package '([^']+)'/, module => ({ code: 'missingModule', module, language: 'node' })],
	[/Cannot find module '([^']+)'/, nodeModule],
	[/No module named '?([\w.]+)'?/, module => ({ code: 'missingModule', module, language: 'python' })],
	[/can't open file '([^']+)'/, path => ({ code: 'missingFile', path })],
	[/Unable to access jarfile (\S+)/, path => ({ code: 'missingFile', path })],
	[/^error: Module not found "([^"]+)"/, path => ({ code: 'missingFile', path })],
	[/^(?:Uncaught )?(?:\w*SyntaxError|IndentationError): /, () => ({ code: 'syntax' })],
	// Places, memory.
	[/EADDRINUSE|Address already in use|Only one usage of each socket address/i, () => ({ code: 'addressInUse' })],
	[/JavaScript heap out of memory|\bMemoryError\b|Cannot allocate memory|OutOfMemoryError/, () => ({ code: 'memory' })],
	// Variables: by name, then any.
	[/^KeyError: '([A-Z][A-Z0-9_]+)'/, missingVariable],
	[
		/\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b.{0,60}\b(?:not set|not found|required|missing|undefined|must be (?:set|provided)|not provided|empty)\b/,
		missingVariable,
	],
	[/\b(?:set|missing|provide|requires?|need|export|define)\b.{0,60}?\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/i, upperVariable],
	[
		/\b(?:environment variable|api[ -]?key|(?:access|api|auth|bearer)[ -]?token|credentials?)s?\b.{0,60}\b(?:not set|not found|required|missing|must be|not provided)\b/i,
		anyVariable,
	],
	[
		/\b(?:missing|no|requires?|provide|need)\b.{0,40}\b(?:environment variable|api[ -]?key|token|credentials)\b/i,
		anyVariable,
	],
	[
		/\b401\b.{0,20}Unauthorized|\b(?:invalid|bad|expired)\b.{0,20}\b(?:credentials|token|api[ -]?key)\b/i,
		() => ({ code: 'badCredentials' }),
	],
	[
		/permission denied|operation not permitted|\bEACCES\b|PermissionError|Access is denied|NotCapable/i,
		() => ({ code: 'permission' }),
	],
	[
		/^(?:usage:|error: (?:unknown|unrecognized|unexpected|missing|invalid) )|unrecognized arguments|arguments are required|(?:unknown|unrecognized|invalid) (?:option|argument|flag)|bad option/i,
		() => ({ code: 'usage' }),
	],
];

function missingProgram(program: string): SaidCause {
	return { code: 'missingProgram', program };
}

function registryAway(): SaidCause {
	return { code: 'registryAway' };
}

function missingVariable(name: string): SaidCause {
	return { code: 'missingVariable', name };
}

/** The pattern's words are looked for in any case; a variable's name is in capitals. */
function upperVariable(name: string): SaidCause | undefined {
	return name === name.toUpperCase() ? missingVariable(name) : undefined;
}

function anyVariable(): SaidCause {
	return { code: 'missingVariable', name: undefined };
}

/** A path is the server's own file; a name is a package. */
function nodeModule(module: string): SaidCause {
	return /^([\\/.]|[a-z]:)/i.test(module)
		? { code: 'missingFile', path: module }
		: { code: 'missingModule', module, language: 'node' };
}

function decode(name: string): string {
	return name.replace(/%2f/gi, '/');
}

/** What the lines say of the reason, if one of them is known. */
export function readLastWords(lines: readonly string[]): SaidCause | undefined {
	return readLines(lines)?.cause;
}

function readLines(lines: readonly string[]): { readonly cause: SaidCause; readonly line: string } | undefined {
	const cut = lines.map(it => it.slice(0, maxLine).trim());
	for (const [pattern, read] of readings) {
		for (const line of cut.toReversed()) {
			const match = pattern.exec(line);
			const cause = match && read(match[1] ?? '');
			if (cause) {
				return { cause, line };
			}
		}
	}
	return undefined;
}

/** Lines that runtimes and package runners print around an error message. */
const framing =
	/^(?:\s|at |\^|[{}]|throw |raise |Traceback|Node\.js v\d|node:|npm (?:error|ERR!|notice|warn)(?: (?:code|errno|syscall|path|A complete log)\b.*)?$|\(Use `node|\(node:\d)|A complete log of this run/;
const error =
	/error|exception|fatal|panic|fail|cannot|can't|could not|unable|denied|missing|invalid|not (?:found|set)|required/i;

/** The line with the error message: one that `readLastWords` understands, else the first that looks like an error. */
export function findErrorLine(lines: readonly string[]): string | undefined {
	const known = readLines(lines);
	if (known) {
		return known.line;
	}
	const cut = lines.map(it => it.slice(0, maxLine).trimEnd()).filter(it => it !== '');
	const own = cut.filter(it => !framing.test(it));
	return (own.find(it => error.test(it)) ?? own.at(-1) ?? cut.at(-1))?.trim();
}

const localUrl = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::\d+)?[^\s"'<>)]*/i;
const port = /\b(?:listening|running|started|serving)\b.{0,30}\bport:? (\d{2,5})\b/i;
const download =
	/\b(?:download(?:ing|ed)|installing|fetching|resolving|building|pulling|unable to find image|resolved \d|prepared \d|need to install|npm (?:http|info|warn deprecated))/i;
const question =
	/\?\s*(?:[([][^)\]]{1,20}[)\]])?\s*:?$|\b(?:password|passphrase|ok to proceed|press (?:any key|enter))\b/i;

/** Why a process that runs may say nothing. */
export function readSilence(lines: readonly string[], launch: LaunchDefinition): SilentCause {
	const cut = lines.map(it => it.slice(0, maxLine).trim()).filter(it => it !== '');
	for (const line of cut) {
		const at = localUrl.exec(line)?.[0] ?? port.exec(line)?.[1];
		if (at !== undefined) {
			return { code: 'listens', at };
		}
	}
	const asked = cut.findLast(it => question.test(it));
	if (asked !== undefined) {
		return { code: 'asks', line: asked };
	}
	if (cut.some(it => download.test(it))) {
		return { code: 'downloading' };
	}
	if (launch.kind === 'stdio' && isDeafContainer(launch.command, launch.args)) {
		return { code: 'dockerWithoutInput' };
	}
	return { code: 'silent' };
}

/** `docker run` without `-i` gives the server an input that is closed. */
function isDeafContainer(command: string, args: readonly string[]): boolean {
	const name = command.split(/[\\/]/).at(-1) ?? '';
	return (
		/^(docker|podman|nerdctl)(\.exe)?$/i.test(name) &&
		(args[0] === 'run' || args[0] === 'exec') &&
		!args.some(it => /^-[a-z]*i[a-z]*$/.test(it) || /^--interactive(=true)?$/.test(it))
	);
}
