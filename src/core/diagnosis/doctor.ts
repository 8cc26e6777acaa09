/** Examines a server that did not start: searches for a program that seems to be missing, and makes the diagnosis. */
import type { Environment } from '../launch/environment.js';
import { type Diagnosis, diagnose, type Found, type Search, type Situation, suspectedProgram } from './diagnosis.js';

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
