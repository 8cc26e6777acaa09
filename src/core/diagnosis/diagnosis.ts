/**
 * PURE: why a server did not start, as far as it can be told from what is known, and what mends it. Data only; the
 * editor's rooms have the words.
 */
import { assertNever } from '../../base/errors.js';
import type { AuthFailure, McpFailure } from '../../mcp/index.js';
import { isMissingProgram, readLastWords, readSilence, type SaidCause, type SilentCause } from './lastWords.js';
import type { LaunchDefinition } from '../config/serverDefinition.js';
import type { ServerFailure } from '../servers/serverState.js';

/** What happened. */
export interface Situation {
	readonly failure: ServerFailure;
	readonly launch: LaunchDefinition;
	/** The last lines of stderr. */
	readonly stderr: readonly string[];
	/** The first lines on stdout that were no messages. */
	readonly noise: readonly string[];
}

/** A file that could be run. */
export interface Found {
	readonly path: string;
	/** The program that its first line has looked up on the PATH: `node` for `#!/usr/bin/env node`. */
	readonly interpreter: string | undefined;
}

/** Where a program was looked for. */
export interface Search {
	readonly program: string;
	/** On the PATH that the server gets. */
	readonly onPath: Found | undefined;
	readonly onShellPath: Found | undefined;
	readonly elsewhere: readonly Found[];
}

export type Cause =
	| SaidCause
	| SilentCause
	/** The program is on the login shell's PATH, but not on the one the server gets. */
	| { readonly code: 'onlyOnShellPath'; readonly program: string; readonly path: string }
	| { readonly code: 'offPath'; readonly program: string; readonly path: string }
	| { readonly code: 'notInstalled'; readonly program: string }
	| { readonly code: 'noSuchFile'; readonly path: string }
	/** `"command": "npx -y package"`. */
	| { readonly code: 'argumentsInCommand'; readonly command: string }
	/** The file is there; what its first line names, or its loader, is not. */
	| { readonly code: 'noInterpreter'; readonly path: string }
	| { readonly code: 'notExecutable'; readonly command: string }
	| { readonly code: 'partIsNoFolder'; readonly command: string }
	| { readonly code: 'otherMachine'; readonly command: string }
	| { readonly code: 'tooLong' }
	| { readonly code: 'noFolder' }
	| { readonly code: 'noise'; readonly line: string }
	| { readonly code: 'killed' }
	| { readonly code: 'crashed'; readonly signal: string }
	| { readonly code: 'endedAtOnce' }
	| { readonly code: 'notRunning'; readonly url: string }
	| { readonly code: 'unknownHost'; readonly url: string }
	| { readonly code: 'tls'; readonly isPlain: boolean }
	| { readonly code: 'wrongPath'; readonly proposals: readonly string[] }
	/** Its requests are sent to an origin that the configuration does not name. */
	| { readonly code: 'redirected'; readonly to: string }
	| { readonly code: 'signIn' }
	/** Signing in did not come about; the failure says what to do. */
	| { readonly code: 'authorization'; readonly failure: AuthFailure }
	| { readonly code: 'serverSide' }
	| { readonly code: 'variable' }
	| { readonly code: 'notOnDisk' }
	| { readonly code: 'oldRevision' }
	| { readonly code: 'unknown' };

/** What can be done; those with a button do it. */
export type Fix =
	| { readonly kind: 'useShellPath' }
	/** `command` becomes `path`; with `addsFolder` the folder of `path` goes before the server's PATH. */
	| {
			readonly kind: 'useBinary';
			readonly path: string;
			readonly replaces: boolean;
			readonly addsFolder: boolean;
	  }
	| { readonly kind: 'install'; readonly program: string; readonly page: string }
	| { readonly kind: 'editConfiguration' }
	| { readonly kind: 'showLog' }
	| { readonly kind: 'showSignInReport' }
	| { readonly kind: 'setClient' }
	/** What the person, or the server's author, does elsewhere: words only. */
	| { readonly kind: 'fixNoise' }
	| { readonly kind: 'installByHand'; readonly program: string }
	/** Only the person can start a server at a URL. */
	| { readonly kind: 'startByHand'; readonly url: string }
	| { readonly kind: 'wait' };

export interface Diagnosis {
	readonly cause: Cause;
	/** The likeliest first. */
	readonly fixes: readonly Fix[];
}

const installPages: Readonly<Record<string, string>> = {
	...pages('https://nodejs.org/en/download', 'node', 'npm', 'npx'),
	...pages('https://docs.astral.sh/uv/getting-started/installation/', 'uv', 'uvx'),
	...pages('https://docs.docker.com/get-started/get-docker/', 'docker'),
	...pages('https://podman.io/docs/installation', 'podman'),
	...pages('https://www.python.org/downloads/', 'python', 'python3', 'pip', 'pip3'),
	...pages('https://pipx.pypa.io/stable/installation/', 'pipx'),
	...pages('https://docs.deno.com/runtime/getting_started/installation/', 'deno'),
	...pages('https://bun.sh/docs/installation', 'bun', 'bunx'),
	...pages('https://pnpm.io/installation', 'pnpm', 'pnpx'),
	...pages('https://yarnpkg.com/getting-started/install', 'yarn'),
	...pages('https://dotnet.microsoft.com/download', 'dotnet', 'dnx'),
	...pages('https://adoptium.net/installation/', 'java'),
	...pages('https://go.dev/doc/install', 'go'),
	...pages('https://rustup.rs/', 'cargo', 'rustc'),
	...pages('https://git-scm.com/downloads', 'git'),
};

function pages(page: string, ...programs: string[]): Record<string, string> {
	return Object.fromEntries(programs.map(it => [it, page]));
}

/** The page that says how to install a program, for those that run servers. */
export function installPage(program: string): string | undefined {
	const name = program.toLowerCase().replace(/\.(exe|cmd|bat|ps1)$/, '');
	return Object.hasOwn(installPages, name) ? installPages[name] : undefined;
}

/** The program that seems to be missing and is worth a search. */
export function suspect({ failure, stderr }: Situation): string | undefined {
	if (failure.kind === 'protocol' && failure.failure.code === 'spawn') {
		return failure.failure.command;
	}
	const said = hasEnded(failure) ? readLastWords(stderr) : undefined;
	return said && isMissingProgram(said) ? said.program : undefined;
}

/** @param search for what `suspect` gave; missing if it gave nothing */
export function diagnose(situation: Situation, search: Search | undefined): Diagnosis {
	const { failure, launch, stderr } = situation;
	switch (failure.kind) {
		case 'protocol':
			return launch.kind === 'stdio'
				? ofProcess(situation, failure.failure, search)
				: ofUrl(failure.failure, launch.url, launch.kind);
		case 'exited':
			return ofExit(situation, failure.exitCode, failure.signal, search);
		case 'notOnDisk':
			return { cause: { code: 'notOnDisk' }, fixes: [{ kind: 'editConfiguration' }] };
		case 'variable':
			return { cause: { code: 'variable' }, fixes: [{ kind: 'editConfiguration' }] };
		case 'envFile':
		case 'inputCommand':
			// Their reason says all there is.
			return unknown;
		case 'refused':
			return said(readLastWords([failure.message]) ?? readLastWords(stderr), search) ?? unknown;
		case 'other':
			return unknown;
		default:
			return assertNever(failure);
	}
}

const unknown: Diagnosis = { cause: { code: 'unknown' }, fixes: [{ kind: 'editConfiguration' }] };

function hasEnded(failure: ServerFailure): boolean {
	return failure.kind === 'exited' || (failure.kind === 'protocol' && failure.failure.code === 'closed');
}

/** A process that could not be started, or that runs and does not speak. */
function ofProcess(situation: Situation, failure: McpFailure, search: Search | undefined): Diagnosis {
	const { launch, stderr, noise } = situation;
	switch (failure.code) {
		case 'spawn':
			return ofSpawn(failure.command, failure.errno, search);
		case 'noFolder':
			return { cause: { code: 'noFolder' }, fixes: [{ kind: 'editConfiguration' }] };
		case 'closed':
			return ofExit(situation, undefined, undefined, search);
		case 'unsupportedVersion':
			return { cause: { code: 'oldRevision' }, fixes: [{ kind: 'showLog' }] };
		case 'timeout': {
			const cause = readSilence([...stderr, ...noise], launch);
			if (cause.code === 'silent') {
				return ofNoise(noise) ?? said(readLastWords(stderr), search) ?? { cause, fixes: fixesOf(cause) };
			}
			return { cause, fixes: fixesOf(cause) };
		}
		default:
			return ofNoise(noise) ?? said(readLastWords(stderr), search) ?? unknown;
	}
}

function ofSpawn(command: string, errno: string, search: Search | undefined): Diagnosis {
	const edit: Fix = { kind: 'editConfiguration' };
	switch (errno) {
		case 'ENOENT':
			return ofMissing(command, search, true);
		case 'EACCES':
		case 'EPERM':
			return { cause: { code: 'notExecutable', command }, fixes: [...binaries(search, true), edit] };
		case 'ENOTDIR':
			return { cause: { code: 'partIsNoFolder', command }, fixes: [edit] };
		case 'ENOEXEC':
		case 'EBADARCH':
		case 'Unknown system error -8':
			return { cause: { code: 'otherMachine', command }, fixes: [edit] };
		case 'E2BIG':
		case 'ENAMETOOLONG':
			return { cause: { code: 'tooLong' }, fixes: [edit] };
		default:
			return unknown;
	}
}

/** @param isCommand it is the configured command, not what that one needs */
function ofMissing(program: string, search: Search | undefined, isCommand: boolean): Diagnosis {
	const edit: Fix = { kind: 'editConfiguration' };
	if (isCommand && search?.onPath) {
		return { cause: { code: 'noInterpreter', path: search.onPath.path }, fixes: [edit] };
	}
	if (search?.onShellPath) {
		const { path } = search.onShellPath;
		return {
			cause: { code: 'onlyOnShellPath', program, path },
			fixes: [{ kind: 'useShellPath' }, ...binaries(search, isCommand)],
		};
	}
	const [first] = search?.elsewhere ?? [];
	if (first) {
		return { cause: { code: 'offPath', program, path: first.path }, fixes: [...binaries(search, isCommand), edit] };
	}
	const [word = ''] = program.trim().split(/\s+/);
	if (isCommand && word !== program.trim() && (!/[\\/]/.test(word) || installPage(word) !== undefined)) {
		return { cause: { code: 'argumentsInCommand', command: program }, fixes: [edit] };
	}
	if (/[\\/]/.test(program)) {
		return { cause: { code: 'noSuchFile', path: program }, fixes: [edit] };
	}
	const page = installPage(program);
	const install: Fix = page === undefined ? { kind: 'installByHand', program } : { kind: 'install', program, page };
	return { cause: { code: 'notInstalled', program }, fixes: [install, edit] };
}

function binaries(search: Search | undefined, replaces: boolean): Fix[] {
	const found = [...(search?.onShellPath ? [search.onShellPath] : []), ...(search?.elsewhere ?? [])];
	const unique = found.filter((it, index) => found.findIndex(other => other.path === it.path) === index);
	return unique.map(({ path, interpreter }) => ({
		kind: 'useBinary',
		path,
		replaces,
		// A script that has its interpreter looked up finds it where it is installed itself.
		addsFolder: !replaces || interpreter !== undefined,
	}));
}

/** A process that ended before it had answered. */
function ofExit(
	{ stderr, noise, launch }: Situation,
	exitCode: number | undefined,
	signal: string | undefined,
	search: Search | undefined,
): Diagnosis {
	const known = said(readLastWords(stderr), search);
	if (known) {
		return known;
	}
	if (signal === 'SIGKILL' || exitCode === 137) {
		return { cause: { code: 'killed' }, fixes: [{ kind: 'showLog' }] };
	}
	if (signal === 'SIGSEGV' || signal === 'SIGABRT' || signal === 'SIGBUS' || signal === 'SIGILL') {
		return { cause: { code: 'crashed', signal }, fixes: [{ kind: 'showLog' }] };
	}
	if (exitCode === 126 && launch.kind === 'stdio') {
		return { cause: { code: 'notExecutable', command: launch.command }, fixes: [{ kind: 'editConfiguration' }] };
	}
	// What it should have said on stderr it may have printed to stdout.
	const printed = said(readLastWords(noise), search) ?? ofNoise(noise);
	if (printed) {
		return printed;
	}
	const silence = readSilence(stderr, launch);
	if (silence.code === 'dockerWithoutInput' || silence.code === 'listens') {
		return { cause: silence, fixes: fixesOf(silence) };
	}
	return exitCode === 0 ? { cause: { code: 'endedAtOnce' }, fixes: [{ kind: 'editConfiguration' }] } : unknown;
}

function ofNoise(noise: readonly string[]): Diagnosis | undefined {
	// Half a message is no noise: it ended while it wrote.
	const line = noise.find(
		it => it.trim() !== '' && !/^\s*[[{]+\s*"(?:jsonrpc|id|method|result|error|params)"/.test(it),
	);
	return line === undefined ? undefined : { cause: { code: 'noise', line }, fixes: [{ kind: 'fixNoise' }] };
}

function said(cause: SaidCause | undefined, search: Search | undefined): Diagnosis | undefined {
	if (cause && isMissingProgram(cause)) {
		const { program } = cause;
		// It was there by the time of the search: what said so looked elsewhere.
		return search?.onPath ? { cause, fixes: [{ kind: 'showLog' }] } : ofMissing(program, search, false);
	}
	return cause && { cause, fixes: fixesOf(cause) };
}

function fixesOf(cause: SaidCause | SilentCause): Fix[] {
	const edit: Fix = { kind: 'editConfiguration' };
	const showLog: Fix = { kind: 'showLog' };
	switch (cause.code) {
		case 'oldRuntime': {
			const page = installPage(cause.program);
			return page === undefined ? [showLog] : [{ kind: 'install', program: cause.program, page }];
		}
		case 'downloading':
			return [{ kind: 'wait' }];
		case 'addressInUse':
		case 'dockerDown':
		case 'registryAway':
		case 'memory':
			return [showLog];
		default:
			return [edit];
	}
}

/** What the person entered, or would have to, is what it takes. */
function isAboutClient(failure: AuthFailure): boolean {
	switch (failure.code) {
		case 'noClient':
		case 'noClientMethod':
		case 'otherIssuer':
			return true;
		case 'badConfiguration':
			return failure.what === 'privateKey';
		case 'refused':
			return failure.refusal.error === 'invalid_client' || failure.refusal.error === 'unauthorized_client';
		default:
			return false;
	}
}

/** A server at a URL. */
function ofUrl(failure: McpFailure, url: string, kind: 'http' | 'sse'): Diagnosis {
	const edit: Fix = { kind: 'editConfiguration' };
	if (failure.code === 'http') {
		const { status } = failure;
		if (status === 401 || status === 403) {
			return { cause: { code: 'signIn' }, fixes: [edit] };
		}
		if (status === 404 || status === 405 || status === 410) {
			return { cause: { code: 'wrongPath', proposals: otherPaths(url, kind) }, fixes: [edit] };
		}
		return status >= 500 ? { cause: { code: 'serverSide' }, fixes: [{ kind: 'showLog' }] } : unknown;
	}
	if (failure.code === 'redirected') {
		return { cause: { code: 'redirected', to: failure.to }, fixes: [edit] };
	}
	if (failure.code === 'authorization') {
		const fixes: Fix[] = [{ kind: 'showSignInReport' }];
		return {
			cause: { code: 'authorization', failure: failure.failure },
			fixes: isAboutClient(failure.failure) ? [{ kind: 'setClient' }, ...fixes] : fixes,
		};
	}
	if (failure.code === 'timeout') {
		return { cause: { code: 'serverSide' }, fixes: [{ kind: 'wait' }] };
	}
	if (failure.code !== 'network') {
		return unknown;
	}
	const { why } = failure;
	if (/^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(why)) {
		return { cause: { code: 'notRunning', url }, fixes: [{ kind: 'startByHand', url }, edit] };
	}
	if (/^(ENOTFOUND|EAI_AGAIN)$/.test(why)) {
		return { cause: { code: 'unknownHost', url }, fixes: [edit] };
	}
	if (/EPROTO|WRONG_VERSION|HTTP_REQUEST|packet length/i.test(why)) {
		return { cause: { code: 'tls', isPlain: true }, fixes: [edit] };
	}
	if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE|TLS|SSL/i.test(why)) {
		return { cause: { code: 'tls', isPlain: false }, fixes: [edit] };
	}
	if (/no event stream|no endpoint event|HPE_/.test(why)) {
		return { cause: { code: 'wrongPath', proposals: otherPaths(url, kind) }, fixes: [edit] };
	}
	return unknown;
}

/** The paths that servers usually have, at the same host. */
function otherPaths(url: string, kind: 'http' | 'sse'): string[] {
	const [, base = url, path = ''] = /^(\w+:\/\/[^/?#]*)([^?#]*)/.exec(url) ?? [];
	const usual = kind === 'sse' ? ['/sse', '/mcp'] : ['/mcp', '/sse'];
	return usual.filter(it => it !== path.replace(/\/$/, '')).map(it => base + it);
}
