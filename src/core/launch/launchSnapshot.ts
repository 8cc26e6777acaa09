/**
 * The values of a definition's variables, and its files, at one moment. The person is shown a snapshot, and the server is
 * started with that snapshot. Later changes take effect at the next start.
 */
import type { EnvFileError } from '../config/envFile.js';
import { substitute } from '../config/variables.js';

export interface LaunchSnapshot {
	/** Values by the text between the braces, without inputs. A variable without value is missing, or has an error. */
	readonly variables: ReadonlyMap<string, string | Error>;
	/** Where the settings in `variables` are set, by the same text. Settings with their default values are missing. */
	readonly settings: ReadonlyMap<string, 'user' | 'workspace'>;
	/** The ids of the inputs that have a stored value, which is used without a question. */
	readonly answered: ReadonlySet<string>;
	/** The path of the working directory, in which inputs aren't replaced; `undefined` for a server at a URL. */
	readonly folder: string | undefined;
	readonly envFile: EnvFileSnapshot;
	/** The PATH of the process if the definition doesn't set one: the editor's, or that of the person's shell. */
	readonly inheritedPath: string | undefined;
	/** The file that `command` names. */
	readonly program: Program;
}

export type EnvFileSnapshot =
	| { readonly kind: 'none' }
	| { readonly kind: 'read'; readonly values: Readonly<Record<string, string>> }
	| { readonly kind: 'failed'; readonly error: EnvFileError }
	/** The file is read and asked about after the inputs, because its path depends on an input or is on another computer. */
	| { readonly kind: 'later' };

export type Program =
	| {
			readonly kind: 'found';
			/** The full path of the file that is run. */
			readonly path: string;
			/** The path for comparison with another start: without folders that exist for one session only. */
			readonly lastingPath: string;
	  }
	| { readonly kind: 'missing'; readonly errno: 'ENOENT' | 'EACCES' }
	/** The path depends on an input. */
	| { readonly kind: 'unresolved' };

/** Finds programs, as a port. */
export interface ProgramFinder {
	/** Node's name for the system. */
	readonly platform: string;
	/**
	 * The executable file of `command`. Searches this computer only, and on Windows not the working directory. Never throws.
	 * @param path `undefined` for the system's default
	 */
	resolveProgram(command: string, path: string | undefined, folder: string): Promise<Program>;
}

/** A snapshot for definitions without variables and files. */
export const emptySnapshot: LaunchSnapshot = {
	answered: new Set(),
	variables: new Map(),
	settings: new Map(),
	folder: undefined,
	envFile: { kind: 'none' },
	inheritedPath: undefined,
	program: { kind: 'unresolved' },
};

/**
 * The text with its variables replaced by their values.
 * @throws UnresolvedVariableError if a variable has no value, or the error that the snapshot has for it
 */
export function fillIn(
	text: string,
	{ variables }: Pick<LaunchSnapshot, 'variables'>,
	input: (id: string) => string | undefined,
): string {
	return substitute(text, variable => {
		const value = variable.startsWith('input:') ? input(variable.slice('input:'.length)) : variables.get(variable);
		if (value instanceof Error) {
			throw value;
		}
		return value;
	});
}
