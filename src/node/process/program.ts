/**
 * Finds the file that runs for a command. The full path is run, so that the program is the one shown to the person, and so
 * that no library searches the working directory first on Windows.
 */
import { constants } from 'node:fs';
import { access, open, realpath, stat } from 'node:fs/promises';
import { candidates, hasFolder, joinPaths, type SearchRules, splitPath } from '../machine/commandPath.js';

export type FoundProgram =
	/** `lastingPath` stays valid in later sessions of a shell; see `sessionFolder`. */
	| { readonly kind: 'found'; readonly path: string; readonly lastingPath: string }
	| { readonly kind: 'missing'; readonly errno: 'ENOENT' | 'EACCES' };

/** Access to files. No method throws. */
export interface ProgramFiles {
	canRun(path: string): Promise<boolean>;
	isFile(path: string): Promise<boolean>;
	/** The beginning of a file; empty if it can't be read. */
	firstBytes(path: string): Promise<string>;
}

export interface ProgramSearch {
	/** The PATH of the process; `undefined` for the system's default. */
	readonly path: string | undefined;
	/** The working directory. */
	readonly folder: string;
	readonly rules: SearchRules;
	/** The person's own PATH. Folders of other computers are searched only if this PATH contains them. */
	readonly ownPath?: string | undefined;
	/** The disk by default. */
	readonly files?: ProgramFiles;
}

/** Folders that exist for one session of a shell, and link to folders of programs. */
const sessionFolder = /[\\/]fnm_multishells[\\/]/;

/** Finds the file of a command. Never throws. */
export async function findProgram(command: string, search: ProgramSearch): Promise<FoundProgram> {
	const { path, folder, rules, ownPath = '', files = disk } = search;
	const isWindows = rules.platform === 'win32';
	const all = candidates(command, path, folder, rules);
	if (hasFolder(command, rules)) {
		const whole = joinPaths(folder, command, rules);
		// A path isn't searched, except on Windows for its extension. Paths of other computers aren't accessed.
		if (!isWindows || isRemote(whole, rules)) {
			return { kind: 'found', path: whole, lastingPath: whole };
		}
		// On Windows, a script without a known extension runs by its first line.
		all.push(whole);
	}
	const ownFolders = new Set(
		splitPath(ownPath, rules.platform).map(it => folderOf(joinPaths(joinPaths(folder, it, rules), 'x', rules))),
	);
	let isThere = false;
	for (const candidate of all) {
		if (isRemote(candidate, rules) && !ownFolders.has(folderOf(candidate))) {
			continue;
		}
		if (await files.canRun(candidate)) {
			return { kind: 'found', path: candidate, lastingPath: await lastingPath(candidate) };
		}
		isThere ||= await files.isFile(candidate);
	}
	return { kind: 'missing', errno: isThere ? 'EACCES' : 'ENOENT' };
}

/** Whether a file exists and may be executed. Never throws. */
export async function canRun(path: string): Promise<boolean> {
	try {
		// Always allowed on Windows, where the extension decides.
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
}

/** The folder of a file, without a separator at its end. */
function folderOf(path: string): string {
	return path.replace(/[\\/][^\\/]*$/, '');
}

/** Whether a path is on another computer. Accessing such a path would send that computer the person's credentials. */
function isRemote(path: string, { platform }: SearchRules): boolean {
	return platform === 'win32' && /^[\\/]{2}/.test(path);
}

function isFile(path: string): Promise<boolean> {
	return stat(path).then(
		it => it.isFile(),
		() => false,
	);
}

async function lastingPath(path: string): Promise<string> {
	const [, folder = '', name = ''] = /^(.*[\\/])([^\\/]*)$/s.exec(path) ?? [];
	if (!sessionFolder.test(folder)) {
		return path;
	}
	return realpath(folder).then(
		real => `${real}${path.at(folder.length - 1)}${name}`,
		() => path,
	);
}

/** Bytes of the first line of a script. */
const maxShebang = 200;
/** Interpreters in a row: one may be a script itself. */
const maxInterpreters = 4;

/**
 * Finds the interpreter in the `#!` line of a script for Windows. cross-spawn would search the working directory first.
 * @returns what to run instead, or the name of a missing interpreter
 */
export async function withInterpreter(
	program: string,
	args: readonly string[],
	search: ProgramSearch,
): Promise<{ readonly program: string; readonly args: readonly string[] } | { readonly missing: string }> {
	const { files = disk } = search;
	let run = { program, args };
	for (let turn = 0; turn < maxInterpreters; turn++) {
		const line = /\.(?:exe|com)$/i.test(run.program) ? undefined : interpreterIn(await files.firstBytes(run.program));
		if (line === undefined) {
			return run;
		}
		const interpreter = await findProgram(line.name, search);
		if (interpreter.kind === 'missing') {
			return { missing: line.name };
		}
		run = { program: interpreter.path, args: [...line.args, run.program, ...run.args] };
	}
	return { missing: program };
}

/** The program that the first line of a script names, by its path or by `env`. */
function interpreterIn(script: string): { readonly name: string; readonly args: string[] } | undefined {
	const [, text] = /^#!([^\r\n]*)/.exec(script) ?? [];
	const [whole = '', ...args] = text?.trim().split(/\s+/) ?? [];
	const name = whole.slice(whole.lastIndexOf('/') + 1);
	if (name === 'env') {
		const first = args.findIndex(it => !it.startsWith('-') && !it.includes('='));
		const [word, ...more] = first < 0 ? [] : args.slice(first);
		return word === undefined ? undefined : { name: word, args: more };
	}
	return name === '' ? undefined : { name, args };
}

/** The first 200 bytes of a file; empty if it can't be read. */
export async function firstBytes(path: string): Promise<string> {
	try {
		const file = await open(path);
		try {
			const { buffer, bytesRead } = await file.read(Buffer.alloc(maxShebang), 0, maxShebang, 0);
			return buffer.toString('utf8', 0, bytesRead);
		} finally {
			await file.close();
		}
	} catch {
		return '';
	}
}

/**
 * The environment of a server. On Windows, it keeps the shell that runs `.cmd` files from looking for programs in the
 * working directory.
 */
export function spawnEnvironment(
	platform: NodeJS.Platform,
	env: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
	const name = 'NoDefaultCurrentDirectoryInExePath';
	const isSet = Object.keys(env).some(it => it.toUpperCase() === name.toUpperCase());
	return platform !== 'win32' || isSet ? env : { ...env, [name]: '1' };
}

const disk: ProgramFiles = { canRun, isFile, firstBytes };
