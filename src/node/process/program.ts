/**
 * Which file runs for a command. We look for it ourselves and run its full path: what is shown to a person is what runs,
 * and on Windows no library looks into the working directory first.
 */
import { constants } from 'node:fs';
import { access, open, realpath, stat } from 'node:fs/promises';
import { candidates, hasFolder, joinPaths, type SearchRules, splitPath } from '../machine/commandPath.js';

export type FoundProgram =
	| { readonly kind: 'found'; readonly path: string; readonly lastingPath: string }
	| { readonly kind: 'missing'; readonly errno: 'ENOENT' | 'EACCES' };

/** The files of a computer, as far as programs are looked for. None of these throws. */
export interface ProgramFiles {
	/** Whether there is a file that may be run. */
	canRun(path: string): Promise<boolean>;
	isFile(path: string): Promise<boolean>;
	/** The beginning of a file; empty if it cannot be read. */
	firstBytes(path: string): Promise<string>;
}

export interface ProgramSearch {
	/** Of the process; `undefined` for the system's default. */
	readonly path: string | undefined;
	/** The working directory. */
	readonly folder: string;
	readonly rules: SearchRules;
	/** The person's own PATH: folders of other computers are looked at only if they are in it. */
	readonly ownPath?: string | undefined;
	/** Those of the disk unless told. */
	readonly files?: ProgramFiles;
}

/** Folders that exist for one session of a shell, as links to where the programs are. */
const sessionFolder = /[\\/]fnm_multishells[\\/]/;

/** Never throws. */
export async function findProgram(command: string, search: ProgramSearch): Promise<FoundProgram> {
	const { path, folder, rules, ownPath = '', files = disk } = search;
	const isWindows = rules.platform === 'win32';
	const all = candidates(command, path, folder, rules);
	if (hasFolder(command, rules)) {
		const whole = joinPaths(folder, command, rules);
		// A path needs no look. On Windows its extension may be left out; a computer that it names is not asked.
		if (!isWindows || isRemote(whole, rules)) {
			return found(whole);
		}
		// A script without an extension that Windows knows still runs by what its first line says.
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

/** Whether there is a file at a path that may be run. */
export async function canRun(path: string): Promise<boolean> {
	try {
		// Windows knows no such right: there the extension has been looked at.
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

function found(path: string): FoundProgram {
	return { kind: 'found', path, lastingPath: path };
}

/** A path of another computer, whose look-up tells that computer who the person is. */
function isRemote(path: string, { platform }: SearchRules): boolean {
	return platform === 'win32' && /^[\\/]{2}/.test(path);
}

async function isFile(path: string): Promise<boolean> {
	try {
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
}

async function lastingPath(path: string): Promise<string> {
	const [, folder = '', name = ''] = /^(.*[\\/])([^\\/]*)$/s.exec(path) ?? [];
	if (!sessionFolder.test(folder)) {
		return path;
	}
	try {
		return `${await realpath(folder)}${path.at(folder.length - 1)}${name}`;
	} catch {
		return path;
	}
}

/** Longest first line of a script that is looked at, in bytes. */
const maxShebang = 150;
/** An interpreter may be a script itself. */
const maxInterpreters = 4;

/**
 * Windows knows no `#!` lines: the interpreter is found here, as cross-spawn would look for it in the working directory
 * first.
 * @returns what is to be run instead; a missing interpreter keeps its name
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

/** What the first line of a script names: the program of a path, or of `env`. */
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

async function firstBytes(path: string): Promise<string> {
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

const disk: ProgramFiles = { canRun, isFile, firstBytes };
