/**
 * Recognizes causes of failed starts in the output of a server. Has only texts of runtimes and package runners that many
 * servers use; each is in the table of `diagnosis.test.ts`.
 */
import type { LaunchDefinition } from '../config/serverDefinition.js';

/** A cause that the output names. */
export type StderrCause =
	/** `missingProgram`: the server or its runner did not find the program. */
	| { readonly code: 'missingProgram' | 'oldRuntime'; readonly program: string }
	| { readonly code: 'missingModule'; readonly module: string; readonly language: 'node' | 'python' }
	| { readonly code: 'missingFile'; readonly path: string }
	/** The registry doesn't know the package or its version. */
	| { readonly code: 'noPackage'; readonly name: string }
	/** An environment variable (`name` if it is known), a key or a token. */
	| { readonly code: 'missingVariable'; readonly name: string | undefined }
	| { readonly code: 'registryAway' | 'badCredentials' | 'addressInUse' | 'dockerDown' };

/** A cause why a running process doesn't answer. */
export type SilenceCause =
	| { readonly code: 'downloading' | 'dockerWithoutInput' | 'silent' }
	| { readonly code: 'asks'; readonly line: string }
	/** The server listens for HTTP, but was started as a stdio server. */
	| { readonly code: 'listens'; readonly at: string };

/** A pattern and its cause, or a function that makes the cause from the first group of the pattern. */
type Reading = readonly [RegExp, StderrCause | ((first: string) => StderrCause | undefined)];

/** Longer lines are cut, which bounds the time that patterns take. */
const maxLine = 1000;

/** The first pattern that matches any line counts. Exact messages come first, likely ones last. */
const readings: readonly Reading[] = [
	// Messages of shells, env, cmd, Node and uv about a missing program.
	[/\benv: (?:can't execute )?['‘"]?([^'’":\s]+)['’"]?: No such file or directory/, missingProgram],
	[/: (?:line )?\d*:? ?([\w.@+-]+): (?:command )?not found$/, missingProgram],
	[/: command not found: ([\w.@+-]+)$/, missingProgram],
	[/^'"?([^'"]+)"?' is not recognized as an internal or external command/, missingProgram],
	[/\bspawn ([\w.@+-]+) ENOENT\b/, missingProgram],
	[/^error: Failed to spawn: `([\w.@+-]+)`/, missingProgram],
	[/Cannot connect to the Docker daemon|docker daemon is not running|error during connect:/i, { code: 'dockerDown' }],
	// Package registries.
	[/^npm (?:error|ERR!) 404\s+'([^']+)' is not in (?:this|the npm) registry/, name => ({ code: 'noPackage', name })],
	[/^npm (?:error|ERR!) 404 Not Found - GET \S+\/(\S+)/, name => ({ code: 'noPackage', name: decode(name) })],
	[/No matching version found for (\S+?)\.?$/, name => ({ code: 'noPackage', name })],
	[/Because (\S+) was not found in the (?:package registry|cache)/, name => ({ code: 'noPackage', name })],
	[/No matching distribution found for (\S+)/, name => ({ code: 'noPackage', name })],
	[
		/^npm (?:error|ERR!) (?:code )?(?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET)\b/,
		{ code: 'registryAway' },
	],
	[
		/(?:Failed to fetch|Could not connect|error sending request)\b.*(?:pypi|simple|registry|https?:)/i,
		{ code: 'registryAway' },
	],
	// Runtimes that are too old.
	[/EBADENGINE|requires Node(?:\.js)? (?:version )?[>v\d]|You must use Node/i, { code: 'oldRuntime', program: 'node' }],
	[/UnsupportedClassVersionError/, { code: 'oldRuntime', program: 'java' }],
	[/You must install or update \.NET/, { code: 'oldRuntime', program: 'dotnet' }],
	[/requires Python [>=\d]|requires-python|Python>=/i, { code: 'oldRuntime', program: 'python' }],
	// Modules and files.
	[/Cannot find package '([^']+)'/, module => ({ code: 'missingModule', module, language: 'node' })],
	[/Cannot find module '([^']+)'/, nodeModule],
	[/No module named '?([\w.]+)'?/, module => ({ code: 'missingModule', module, language: 'python' })],
	[/can't open file '([^']+)'/, path => ({ code: 'missingFile', path })],
	[/Unable to access jarfile (\S+)/, path => ({ code: 'missingFile', path })],
	[/^error: Module not found "([^"]+)"/, path => ({ code: 'missingFile', path })],
	// Addresses.
	[/EADDRINUSE|Address already in use|Only one usage of each socket address/i, { code: 'addressInUse' }],
	// Variables: first those with a name.
	[/^KeyError: '([A-Z][A-Z0-9_]+)'/, missingVariable],
	[
		/\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b.{0,60}\b(?:not set|not found|required|missing|undefined|must be (?:set|provided)|not provided|empty)\b/,
		missingVariable,
	],
	[/\b(?:set|missing|provide|requires?|need|export|define)\b.{0,60}?\b([A-Z][A-Z0-9]*_[A-Z0-9_]+)\b/i, upperVariable],
	[
		/\b(?:environment variable|api[ -]?key|(?:access|api|auth|bearer)[ -]?token|credentials?)s?\b.{0,60}\b(?:not set|not found|required|missing|must be|not provided)\b/i,
		{ code: 'missingVariable', name: undefined },
	],
	[
		/\b(?:missing|no|requires?|provide|need)\b.{0,40}\b(?:environment variable|api[ -]?key|token|credentials)\b/i,
		{ code: 'missingVariable', name: undefined },
	],
	[
		/\b401\b.{0,20}Unauthorized|\b(?:invalid|bad|expired)\b.{0,20}\b(?:credentials|token|api[ -]?key)\b/i,
		{ code: 'badCredentials' },
	],
];

function missingProgram(program: string): StderrCause {
	return { code: 'missingProgram', program };
}

function missingVariable(name: string): StderrCause {
	return { code: 'missingVariable', name };
}

/** The pattern ignores case, but names of variables are in capitals. */
function upperVariable(name: string): StderrCause | undefined {
	return name === name.toUpperCase() ? missingVariable(name) : undefined;
}

/** A path is a file of the server, anything else is the name of a package. */
function nodeModule(module: string): StderrCause {
	return /^([\\/.]|[a-z]:)/i.test(module)
		? { code: 'missingFile', path: module }
		: { code: 'missingModule', module, language: 'node' };
}

function decode(name: string): string {
	return name.replace(/%2f/gi, '/');
}

/** The cause that one of the lines names, if a pattern matches. */
export function matchStderr(lines: readonly string[]): StderrCause | undefined {
	return readLines(lines)?.cause;
}

function readLines(lines: readonly string[]): { readonly cause: StderrCause; readonly line: string } | undefined {
	const cut = lines.map(it => it.slice(0, maxLine).trim());
	for (const [pattern, read] of readings) {
		for (const line of cut.toReversed()) {
			const match = pattern.exec(line);
			const cause = match && (typeof read === 'function' ? read(match[1] ?? '') : read);
			if (cause) {
				return { cause, line };
			}
		}
	}
	return undefined;
}

/** Matches lines that runtimes and package runners print around an error message. */
const framing =
	/^(?:\s|at |\^|[{}]|throw |raise |Traceback|Node\.js v\d|node:|npm (?:error|ERR!|notice|warn)(?: (?:code|errno|syscall|path|A complete log)\b.*)?$|\(Use `node|\(node:\d)|A complete log of this run/;
const error =
	/error|exception|fatal|panic|fail|cannot|can't|could not|unable|denied|missing|invalid|not (?:found|set)|required/i;

/** For example: "Warning: …", "[WARN] …", "2026-11-27 10:00:00 WARN …". */
const warning = /^(?:\S+\s+){0,3}\W*warn(?:ing)?\b/i;

/** The line with the error message: the one that `matchStderr` matches, or else the first that looks like an error, and not like a warning. */
export function findErrorLine(lines: readonly string[]): string | undefined {
	const known = readLines(lines);
	if (known) {
		return known.line;
	}
	const cut = lines.map(it => it.slice(0, maxLine).trimEnd()).filter(it => it !== '');
	const own = cut.filter(it => !framing.test(it));
	return (own.find(it => error.test(it) && !warning.test(it)) ?? own.at(-1) ?? cut.at(-1))?.trim();
}

const localUrl = /\bhttps?:\/\/(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::\d+)?[^\s"'<>)]*/i;
const port = /\b(?:listening|running|started|serving)\b.{0,30}\bport:? (\d{2,5})\b/i;
const download =
	/\b(?:download(?:ing|ed)|installing|fetching|resolving|building|pulling|unable to find image|resolved \d|prepared \d|need to install|npm (?:http|info|warn deprecated))/i;
const question =
	/\?\s*(?:[([][^)\]]{1,20}[)\]])?\s*:?$|\b(?:password|passphrase|ok to proceed|press (?:any key|enter))\b/i;

/** The likely cause why a running process doesn't answer. */
export function explainSilence(lines: readonly string[], launch: LaunchDefinition): SilenceCause {
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

/** Without `-i`, `docker run` closes the input of the server. */
function isDeafContainer(command: string, args: readonly string[]): boolean {
	const name = command.split(/[\\/]/).at(-1) ?? '';
	return (
		/^(docker|podman|nerdctl)(\.exe)?$/i.test(name) &&
		(args[0] === 'run' || args[0] === 'exec') &&
		!args.some(it => /^-[a-z]*i[a-z]*$/.test(it) || /^--interactive(=true)?$/.test(it))
	);
}
