/**
 * Finds why a server did not start, and the fixes, as data; `features/servers/diagnosisText.ts` has the texts. A program that
 * seems to be missing is searched for.
 */
import { assertNever } from '../../base/errors.js';
import { type AuthFailure, exceptionFor, type McpFailure } from '../../mcp/index.js';
import { matchStderr, explainSilence, type StderrCause, type SilenceCause } from './stderrPatterns.js';
import type { Environment } from '../launch/environment.js';
import type { LaunchDefinition } from '../config/serverDefinition.js';
import type { ServerFailure } from '../servers/serverState.js';

/** A failed start. */
export interface Situation {
	readonly failure: ServerFailure;
	readonly launch: LaunchDefinition;
	/** The last lines of stderr. */
	readonly stderr: readonly string[];
	/** The first lines on stdout that were no messages. */
	readonly noise: readonly string[];
}

/** An executable file. */
export interface Found {
	readonly path: string;
	/** The interpreter that the file's first line looks up on the PATH: `node` for `#!/usr/bin/env node`. */
	readonly interpreter: string | undefined;
}

/** The result of a search for a program. */
export interface Search {
	readonly program: string;
	/** On the PATH that the server gets. */
	readonly onPath: Found | undefined;
	readonly onShellPath: Found | undefined;
	readonly elsewhere: readonly Found[];
}

export type Cause =
	| StderrCause
	| SilenceCause
	/** `onlyOnShellPath`: the program is on the login shell's PATH, but not on the server's. `offPath`: it is on neither. */
	| { readonly code: 'onlyOnShellPath' | 'offPath'; readonly program: string; readonly path: string }
	| { readonly code: 'notInstalled'; readonly program: string }
	/** `noInterpreter`: the file exists, but not its loader or the interpreter that its first line names. */
	| { readonly code: 'noSuchFile' | 'noInterpreter'; readonly path: string }
	/** `argumentsInCommand`: the command is like "npx -y package". */
	| { readonly code: 'argumentsInCommand' | 'notExecutable'; readonly command: string }
	| { readonly code: 'noise'; readonly line: string }
	| { readonly code: 'noFolder' | 'killed' | 'endedAtOnce' | 'oldRevision' }
	| { readonly code: 'variable' | 'unset' | 'notOnDisk' | 'unknown' }
	| { readonly code: 'notRunning' | 'unknownHost'; readonly url: string }
	/** `isPlain`: the server seems to speak HTTP without TLS. */
	| { readonly code: 'tls'; readonly isPlain: boolean }
	| { readonly code: 'wrongPath'; readonly proposals: readonly string[] }
	/** Requests are redirected to an origin that isn't configured. */
	| { readonly code: 'redirected'; readonly to: string }
	| { readonly code: 'signIn' | 'serverSide' }
	/** Signing in failed. */
	| { readonly code: 'authorization'; readonly failure: AuthFailure };

/** A fix. Some are commands with a button; `fixNoise`, `installByHand` and `startByHand` are only advice. */
export type Fix =
	| { readonly kind: 'useShellPath' | 'editConfiguration' | 'showLog' | 'wait' }
	| { readonly kind: 'showSignInReport' | 'setClient' | 'makeException' }
	/** `replaces`: `path` replaces the command. `addsFolder`: the folder of `path` is added in front of the server's PATH. */
	| {
			readonly kind: 'useBinary';
			readonly path: string;
			readonly replaces: boolean;
			readonly addsFolder: boolean;
	  }
	| { readonly kind: 'install'; readonly program: string; readonly page: string }
	| { readonly kind: 'fixNoise' }
	| { readonly kind: 'installByHand'; readonly program: string }
	| { readonly kind: 'startByHand'; readonly url: string };

export interface Diagnosis {
	readonly cause: Cause;
	/** The most likely fix first. */
	readonly fixes: readonly Fix[];
}

const edit: Fix = { kind: 'editConfiguration' };
const showLog: Fix = { kind: 'showLog' };
const wait: Fix = { kind: 'wait' };
const setClient: Fix = { kind: 'setClient' };

/** A cause that a change of the configuration fixes. */
function toEdit(cause: Cause): Diagnosis {
	return { cause, fixes: [edit] };
}

const unknown = toEdit({ code: 'unknown' });

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

/** The page that explains how to install a program; `undefined` for programs that don't usually run servers. */
export function installPage(program: string): string | undefined {
	const name = program.toLowerCase().replace(/\.(exe|cmd|bat|ps1)$/, '');
	return Object.hasOwn(installPages, name) ? installPages[name] : undefined;
}

/** The program that seems to be missing. */
export function suspectedProgram({ failure, stderr }: Situation): string | undefined {
	if (failure.kind === 'protocol' && failure.failure.code === 'spawn') {
		return failure.failure.command;
	}
	const cause = hasEnded(failure) ? matchStderr(stderr) : undefined;
	return cause?.code === 'missingProgram' ? cause.program : undefined;
}

/** @param search the search for the program that `suspectedProgram` has returned, if any */
export function diagnose(situation: Situation, search: Search | undefined): Diagnosis {
	const { failure, launch, stderr } = situation;
	switch (failure.kind) {
		case 'protocol':
			return launch.kind === 'stdio'
				? diagnoseProcess(situation, failure.failure, search)
				: diagnoseUrl(failure.failure, launch.url, launch.kind);
		case 'exited':
			return diagnoseExit(situation, failure.exitCode, failure.signal, search);
		case 'notOnDisk':
		case 'variable':
		case 'unset':
			return toEdit({ code: failure.kind });
		case 'refused':
			return diagnoseText(matchStderr([failure.message]) ?? matchStderr(stderr), search) ?? unknown;
		case 'envFile':
		case 'inputCommand':
		case 'other':
			// The failure itself is the full reason.
			return unknown;
		default:
			return assertNever(failure);
	}
}

function hasEnded(failure: ServerFailure): boolean {
	return failure.kind === 'exited' || (failure.kind === 'protocol' && failure.failure.code === 'closed');
}

/** For a process that can't be started, or that runs and doesn't answer. */
function diagnoseProcess(situation: Situation, failure: McpFailure, search: Search | undefined): Diagnosis {
	const { launch, stderr, noise } = situation;
	const written = diagnoseNoise(noise) ?? diagnoseText(matchStderr(stderr), search);
	switch (failure.code) {
		case 'spawn':
			return diagnoseSpawn(failure.command, failure.errno, search);
		case 'noFolder':
			return toEdit({ code: 'noFolder' });
		case 'closed':
			return diagnoseExit(situation, undefined, undefined, search);
		case 'unsupportedVersion':
			return { cause: { code: 'oldRevision' }, fixes: [showLog] };
		case 'timeout': {
			const cause = explainSilence([...stderr, ...noise], launch);
			return (cause.code === 'silent' && written) || { cause, fixes: fixesOf(cause) };
		}
		default:
			return written ?? unknown;
	}
}

function diagnoseSpawn(command: string, errno: string, search: Search | undefined): Diagnosis {
	switch (errno) {
		case 'ENOENT':
			return diagnoseMissing(command, search, true);
		case 'EACCES':
		case 'EPERM':
			return { cause: { code: 'notExecutable', command }, fixes: [...binaries(search, true), edit] };
		default:
			return unknown;
	}
}

/** @param isCommand whether `program` is the configured command, and not one that the command needs */
function diagnoseMissing(program: string, search: Search | undefined, isCommand: boolean): Diagnosis {
	if (isCommand && search?.onPath) {
		return toEdit({ code: 'noInterpreter', path: search.onPath.path });
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
		return toEdit({ code: 'argumentsInCommand', command: program });
	}
	if (/[\\/]/.test(program)) {
		return toEdit({ code: 'noSuchFile', path: program });
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
		// Scripts and the interpreters that they look up are usually installed in the same folder.
		addsFolder: !replaces || interpreter !== undefined,
	}));
}

/** For a process that ended before it answered. */
function diagnoseExit(
	{ stderr, noise, launch }: Situation,
	exitCode: number | undefined,
	signal: string | undefined,
	search: Search | undefined,
): Diagnosis {
	const known = diagnoseText(matchStderr(stderr), search);
	if (known) {
		return known;
	}
	if (signal === 'SIGKILL' || exitCode === 137) {
		return { cause: { code: 'killed' }, fixes: [showLog] };
	}
	if (exitCode === 126 && launch.kind === 'stdio') {
		return toEdit({ code: 'notExecutable', command: launch.command });
	}
	// Some servers print errors to stdout instead of stderr.
	const printed = diagnoseText(matchStderr(noise), search) ?? diagnoseNoise(noise);
	if (printed) {
		return printed;
	}
	const silence = explainSilence(stderr, launch);
	if (silence.code === 'dockerWithoutInput' || silence.code === 'listens') {
		return { cause: silence, fixes: fixesOf(silence) };
	}
	return exitCode === 0 ? toEdit({ code: 'endedAtOnce' }) : unknown;
}

function diagnoseNoise(noise: readonly string[]): Diagnosis | undefined {
	// The beginning of a message is no noise: the server ended while it wrote.
	const line = noise.find(
		it => it.trim() !== '' && !/^\s*[[{]+\s*"(?:jsonrpc|id|method|result|error|params)"/.test(it),
	);
	return line === undefined ? undefined : { cause: { code: 'noise', line }, fixes: [{ kind: 'fixNoise' }] };
}

function diagnoseText(cause: StderrCause | undefined, search: Search | undefined): Diagnosis | undefined {
	if (cause?.code === 'missingProgram') {
		// If the search has found the program on the server's PATH, the server looks for it elsewhere.
		return search?.onPath ? { cause, fixes: [showLog] } : diagnoseMissing(cause.program, search, false);
	}
	return cause && { cause, fixes: fixesOf(cause) };
}

function fixesOf(cause: StderrCause | SilenceCause): Fix[] {
	switch (cause.code) {
		case 'oldRuntime': {
			const page = installPage(cause.program);
			return page === undefined ? [showLog] : [{ kind: 'install', program: cause.program, page }];
		}
		case 'downloading':
			return [wait];
		case 'addressInUse':
		case 'dockerDown':
		case 'registryAway':
			return [showLog];
		default:
			return [edit];
	}
}

function fixSignIn(failure: AuthFailure): Fix | undefined {
	switch (failure.code) {
		case 'guessFailed':
			return edit;
		case 'noClient':
		case 'noClientMethod':
		case 'otherIssuer':
			return setClient;
		case 'badConfiguration':
			return failure.what === 'privateKey' ? setClient : undefined;
		case 'refused':
			return /^(?:invalid|unauthorized)_client$/.test(failure.refusal.error) ? setClient : undefined;
		default:
			return exceptionFor(failure) && { kind: 'makeException' };
	}
}

function diagnoseUrl(failure: McpFailure, url: string, kind: 'http' | 'sse'): Diagnosis {
	switch (failure.code) {
		case 'http':
			return diagnoseStatus(failure.status, url, kind);
		case 'redirected':
			return toEdit({ code: 'redirected', to: failure.to });
		case 'authorization': {
			const first = fixSignIn(failure.failure);
			return {
				cause: { code: 'authorization', failure: failure.failure },
				fixes: [...(first ? [first] : []), { kind: 'showSignInReport' }],
			};
		}
		case 'timeout':
			return { cause: { code: 'serverSide' }, fixes: [wait] };
		case 'network':
			return diagnoseNetwork(failure.why, url, kind);
		default:
			return unknown;
	}
}

function diagnoseStatus(status: number, url: string, kind: 'http' | 'sse'): Diagnosis {
	if (status === 401 || status === 403) {
		return toEdit({ code: 'signIn' });
	}
	if (status === 404 || status === 405 || status === 410) {
		return wrongPath(url, kind);
	}
	return status >= 500 ? { cause: { code: 'serverSide' }, fixes: [showLog] } : unknown;
}

function diagnoseNetwork(why: string, url: string, kind: 'http' | 'sse'): Diagnosis {
	if (/^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/.test(why)) {
		return { cause: { code: 'notRunning', url }, fixes: [{ kind: 'startByHand', url }, edit] };
	}
	if (/^(ENOTFOUND|EAI_AGAIN)$/.test(why)) {
		return toEdit({ code: 'unknownHost', url });
	}
	if (/EPROTO|WRONG_VERSION|HTTP_REQUEST|packet length/i.test(why)) {
		return toEdit({ code: 'tls', isPlain: true });
	}
	if (/CERT|SELF_SIGNED|ISSUER|SIGNATURE|TLS|SSL/i.test(why)) {
		return toEdit({ code: 'tls', isPlain: false });
	}
	return /no event stream|no endpoint event|HPE_/.test(why) ? wrongPath(url, kind) : unknown;
}

/** Proposes the usual paths of servers at the same host. */
function wrongPath(url: string, kind: 'http' | 'sse'): Diagnosis {
	const [, base = url, path = ''] = /^(\w+:\/\/[^/?#]*)([^?#]*)/.exec(url) ?? [];
	const usual = kind === 'sse' ? ['/sse', '/mcp'] : ['/mcp', '/sse'];
	const proposals = usual.filter(it => it !== path.replace(/\/$/, '')).map(it => base + it);
	return toEdit({ code: 'wrongPath', proposals });
}

/** The PATH of the person's login shell, or why it isn't known. */
export type ShellPath =
	| { readonly kind: 'known'; readonly shell: string; readonly path: string }
	/** `unsupported`: Windows, or a shell that is neither POSIX nor fish. */
	| { readonly kind: 'unknown'; readonly shell: string; readonly why: 'unsupported' | 'timeout' | 'failed' };

/** The port to the machine that servers run on. */
export interface ServerMachine {
	/** Node's name for it: `linux`, `darwin`, `win32`, … */
	readonly platform: string;
	/** The entries of both without duplicates, those of `first` in front. */
	mergePaths(first: string, second: string): string;
	/** Runs the login shell the first time, and again for `reload`. Takes some seconds at most. Never throws. */
	shellPath(reload: boolean): Promise<ShellPath>;
	/** The file for `command` on a PATH, or in `folder` if it is a relative path. Never throws. */
	find(command: string, path: string, folder: string): Promise<Found | undefined>;
	/** Files for `command` in folders of version managers and other usual folders, best first. Never throws. */
	findElsewhere(command: string): Promise<readonly Found[]>;
}

/** The login shell's PATH, followed by further entries of the editor's; `undefined` if the shell's isn't known. */
export async function shellPathFirst(machine: ServerMachine, environment: Environment): Promise<string | undefined> {
	const shell = await machine.shellPath(false);
	return shell.kind === 'known' ? machine.mergePaths(shell.path, environment.get('PATH') ?? '') : undefined;
}

export interface Examination {
	readonly diagnosis: Diagnosis;
	readonly search: Search | undefined;
}

/** Where a server is started. */
export interface LaunchPlace {
	/** The PATH of the server. */
	readonly path: string;
	readonly folder: string;
}

/** Makes the diagnosis. The login shell is only run if a program seems to be missing. */
export async function examine(situation: Situation, place: LaunchPlace, machine: ServerMachine): Promise<Examination> {
	const program = suspectedProgram(situation);
	const search = program === undefined ? undefined : await searchFor(program, place, machine);
	return { diagnosis: diagnose(situation, search), search };
}

/** Searches for a program on the server's PATH, on the login shell's, and in the usual folders. */
export async function searchFor(
	program: string,
	{ path, folder }: LaunchPlace,
	machine: ServerMachine,
): Promise<Search> {
	const onPath = await machine.find(program, path, folder);
	if (/[\\/]/.test(program)) {
		return { program, onPath, onShellPath: undefined, elsewhere: [] };
	}
	const [shell, elsewhere] = await Promise.all([machine.shellPath(true), machine.findElsewhere(program)]);
	const onShellPath = shell.kind === 'known' ? await machine.find(program, shell.path, folder) : undefined;
	return { program, onPath, onShellPath, elsewhere };
}
