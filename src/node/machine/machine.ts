/** The machine as the start-up doctor sees it: programs on a PATH and beyond it, and the login shell's PATH. */
import { open, readdir } from 'node:fs/promises';
import { candidates, compareVersions, fileNames, mergePaths, type SearchRules, usualPlaces } from './commandPath.js';
import { canRun, findProgram, type FoundProgram } from '../process/program.js';
import { readShellPath, type ReadShellPath } from './shellPath.js';

/** A file that could be run. */
export interface FoundFile {
	readonly path: string;
	/** The program that its first line has looked up on the PATH: `node` for `#!/usr/bin/env node`. */
	readonly interpreter: string | undefined;
}

export interface MachineOptions {
	readonly environment: {
		readonly home: string;
		get(name: string): string | undefined;
		inherited(): Record<string, string>;
	};
	/** Milliseconds the login shell may take, 5000 unless told: start-up files of some people take seconds. */
	readonly shellTimeoutMs?: number;
}

/** More versions than anybody looks through. */
const maxFound = 10;

/** The desktop and remote implementation of the model's `Machine` port. */
export class NodeMachine {
	readonly platform: string = process.platform;
	private shell: Promise<ReadShellPath> | undefined;

	constructor(private readonly options: MachineOptions) {}

	/** Runs the login shell, once; `anew` runs it again. Never throws. */
	shellPath(anew: boolean): Promise<ReadShellPath> {
		const { environment, shellTimeoutMs: timeoutMs = 5000 } = this.options;
		if (anew || !this.shell) {
			const { platform } = this;
			this.shell = readShellPath({ platform, env: environment.inherited(), home: environment.home, timeoutMs });
		}
		return this.shell;
	}

	/** The entries of both, each once, those of the first in front. */
	mergePaths(first: string, second: string): string {
		return mergePaths(first, second, this.platform);
	}

	/** The file that `command` names on a PATH, or in `folder`. Never throws. */
	async find(command: string, path: string, folder: string): Promise<FoundFile | undefined> {
		for (const candidate of candidates(command, path, folder, this.rules())) {
			if (await canRun(candidate)) {
				return toFound(candidate);
			}
		}
		return undefined;
	}

	/** The file that runs for `command`; see `core/launch/launchSnapshot.ts`. Never throws. */
	resolveProgram(command: string, path: string | undefined, folder: string): Promise<FoundProgram> {
		const ownPath = this.options.environment.get('PATH');
		return findProgram(command, { path, folder, rules: this.rules(), ownPath });
	}

	/** Where else such a command is, best first. Never throws. */
	async findElsewhere(command: string): Promise<readonly FoundFile[]> {
		const { platform } = this;
		const { environment } = this.options;
		const places = usualPlaces({ platform, home: environment.home, get: name => environment.get(name) });
		const folders = await Promise.all(places.map(expand));
		const separator = platform === 'win32' ? '\\' : '/';
		const found: FoundFile[] = [];
		for (const folder of new Set(folders.flat())) {
			for (const name of fileNames(command, this.rules())) {
				if (found.length < maxFound && (await canRun(folder + separator + name))) {
					found.push(await toFound(folder + separator + name));
					break;
				}
			}
		}
		return found;
	}

	private rules(): SearchRules {
		return { platform: this.platform, pathExt: this.options.environment.get('PATHEXT') };
	}
}

/** The folders that a pattern with one `*` stands for. */
async function expand(pattern: string): Promise<string[]> {
	const [parent, rest] = pattern.split('*');
	if (parent === undefined || rest === undefined) {
		return [pattern];
	}
	try {
		return (await readdir(parent)).toSorted(compareVersions).map(it => parent + it + rest);
	} catch {
		return [];
	}
}

async function toFound(path: string): Promise<FoundFile> {
	return { path, interpreter: await interpreterOf(path) };
}

/** What `#!/usr/bin/env name` names. */
async function interpreterOf(path: string): Promise<string | undefined> {
	try {
		const file = await open(path);
		try {
			const { buffer, bytesRead } = await file.read(Buffer.alloc(200), 0, 200, 0);
			const [line = ''] = buffer.toString('utf8', 0, bytesRead).split('\n');
			return /^#!\s*\S*\/env\s+(?:-\S+\s+)*([^\s=-][^\s=]*)\s*/.exec(line)?.[1];
		} finally {
			await file.close();
		}
	} catch {
		return undefined;
	}
}
