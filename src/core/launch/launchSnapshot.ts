/**
 * What the variables of a definition stood for at one moment, and which files it meant. A person is shown a snapshot, and
 * the server is started with that snapshot: what changes meanwhile counts from the next start on.
 */
import type { EnvFileError } from '../config/envFile.js';
import { substitute } from '../config/variables.js';

export interface LaunchSnapshot {
	/** By the text between the braces; not inputs. What has no value is missing, an error says why. */
	readonly variables: ReadonlyMap<string, string | Error>;
	/** The path of the working directory, its inputs left as they are written; `undefined` for a server at a URL. */
	readonly folder: string | undefined;
	readonly envFile: EnvFileSnapshot;
	/** The PATH that the process gets where nothing sets another: that of the editor, or of the person's shell. */
	readonly inheritedPath: string | undefined;
	/** The file that `command` names. */
	readonly program: Program;
	/** The file that `debugpyPath` names; it runs in place of the command while the debugger is used. */
	readonly debugProgram: Program | undefined;
}

export type EnvFileSnapshot =
	| { readonly kind: 'none' }
	| { readonly kind: 'read'; readonly values: Readonly<Record<string, string>> }
	| { readonly kind: 'failed'; readonly error: EnvFileError }
	/** It is read after consent: its path depends on an input, or is on another computer. */
	| { readonly kind: 'later' };

export type Program =
	| {
			readonly kind: 'found';
			/** The full path; this file is run. */
			readonly path: string;
			/** The path to compare with that of another start: without folders that exist for one session only. */
			readonly lastingPath: string;
	  }
	| { readonly kind: 'missing'; readonly errno: 'ENOENT' | 'EACCES' }
	/** It depends on an input. */
	| { readonly kind: 'unresolved' };

/** Finds programs, as a port. */
export interface ProgramFinder {
	/** Node's name for the system. */
	readonly platform: string;
	/**
	 * The file that runs for `command`. Looks at files of this computer only, and on Windows not into the working
	 * directory. Never throws.
	 * @param path `undefined` for the system's default
	 */
	resolveProgram(command: string, path: string | undefined, folder: string): Promise<Program>;
}

/** Nothing is known: for definitions without variables and files. */
export const emptySnapshot: LaunchSnapshot = {
	variables: new Map(),
	folder: undefined,
	envFile: { kind: 'none' },
	inheritedPath: undefined,
	program: { kind: 'unresolved' },
	debugProgram: undefined,
};

/**
 * Fills in the variables of a text.
 * @throws UnresolvedVariableError if one has no value, or the error that the snapshot has for it
 */
export function fillIn(
	text: string,
	{ variables }: Pick<LaunchSnapshot, 'variables'>,
	input: (id: string) => string | undefined,
): string {
	return substitute(text, variable => {
		if (variable.startsWith('input:')) {
			return input(variable.slice('input:'.length));
		}
		const value = variables.get(variable);
		if (value instanceof Error) {
			throw value;
		}
		return value;
	});
}
