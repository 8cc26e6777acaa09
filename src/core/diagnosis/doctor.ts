/** The start-up doctor: what it asks of the machine, and the examination that ends in a diagnosis. */
import type { Environment } from '../launch/environment.js';
import { type Diagnosis, diagnose, type Found, type Search, type Situation, suspect } from './diagnosis.js';

/** The PATH that the person's login shell sets up, or why it is not known. */
export type ShellPath =
	| { readonly kind: 'known'; readonly shell: string; readonly path: string }
	/** `unsupported`: Windows, or a shell that is neither POSIX nor fish. */
	| { readonly kind: 'unknown'; readonly shell: string; readonly why: 'unsupported' | 'timeout' | 'failed' };

/** The machine that servers run on, as a port. */
export interface Machine {
	/** Node's name for it: `linux`, `darwin`, `win32`, … */
	readonly platform: string;
	/** The entries of both, each once, those of the first in front. */
	mergePaths(first: string, second: string): string;
	/** Runs the login shell, once; `anew` runs it again. Takes seconds at most. Never throws. */
	shellPath(anew: boolean): Promise<ShellPath>;
	/** The file that `command` names on a PATH (in `folder`, if it is a relative path). Never throws. */
	find(command: string, path: string, folder: string): Promise<Found | undefined>;
	/** Where else such a command is: version managers' folders and the usual ones; best first. Never throws. */
	findElsewhere(command: string): Promise<readonly Found[]>;
}

/** The login shell's PATH, and after it what only the editor's has; `undefined` if the shell says none. */
export async function shellPathFirst(machine: Machine, environment: Environment): Promise<string | undefined> {
	const shell = await machine.shellPath(false);
	return shell.kind === 'known' ? machine.mergePaths(shell.path, environment.get('PATH') ?? '') : undefined;
}

/** All that was found out. */
export interface Examination {
	readonly diagnosis: Diagnosis;
	readonly search: Search | undefined;
}

/** Where a server is started. */
export interface Place {
	/** The PATH it gets. */
	readonly path: string;
	readonly folder: string;
}

/** Looks for the program that seems to be missing, if one does. The shell is only run where it can matter. */
export async function examine(situation: Situation, place: Place, machine: Machine): Promise<Examination> {
	const program = suspect(situation);
	if (program === undefined) {
		return { diagnosis: diagnose(situation, undefined), search: undefined };
	}
	const search = await searchFor(program, place, machine);
	return { diagnosis: diagnose(situation, search), search };
}

/** Looks everywhere for a program. */
export async function searchFor(program: string, { path, folder }: Place, machine: Machine): Promise<Search> {
	const onPath = await machine.find(program, path, folder);
	if (/[\\/]/.test(program)) {
		return { program, onPath, onShellPath: undefined, elsewhere: [] };
	}
	const [shell, elsewhere] = await Promise.all([machine.shellPath(true), machine.findElsewhere(program)]);
	const onShellPath = shell.kind === 'known' ? await machine.find(program, shell.path, folder) : undefined;
	return { program, onPath, onShellPath, elsewhere };
}
