/** Finds programs for the diagnosis of failed starts: on a PATH, in install folders, and on the login shell's PATH. */
import { readdir } from 'node:fs/promises';
import { canRun, findProgram, firstBytes, type FoundProgram } from '../process/program.js';
import { candidates, compareVersions, fileNames, installFolders, mergePaths, type SearchRules } from './commandPath.js';
import { readShellPath, type ReadShellPath } from './shellPath.js';

/** An executable file. */
export interface FoundFile {
	readonly path: string;
	/** The program that the file's first line needs on the PATH: `node` for `#!/usr/bin/env node`. */
	readonly interpreter: string | undefined;
}

export interface MachineOptions {
	readonly environment: {
		readonly home: string;
		get(name: string): string | undefined;
		inherited(): Record<string, string>;
	};
	/** Milliseconds for the login shell, 5000 by default: some start-up files take seconds. */
	readonly shellTimeoutMs?: number;
}

/** Files that `findElsewhere` returns. */
const maxFound = 10;

/** Implements the core's `Machine` port with Node. */
export class NodeMachine {
	readonly platform: string = process.platform;
	private shell: Promise<ReadShellPath> | undefined;

	constructor(private readonly options: MachineOptions) {}

	/** Runs the login shell at the first call; `reload` runs it again. Never throws. */
	shellPath(reload: boolean): Promise<ReadShellPath> {
		const { environment, shellTimeoutMs: timeoutMs = 5000 } = this.options;
		if (reload || !this.shell) {
			const { platform } = this;
			this.shell = readShellPath({ platform, env: environment.inherited(), home: environment.home, timeoutMs });
		}
		return this.shell;
	}

	/** A PATH with the distinct entries of both, those of the first in front. */
	mergePaths(first: string, second: string): string {
		return mergePaths(first, second, this.platform);
	}

	/** The file of `command` on a PATH or, if it is a path, relative to `folder`. Never throws. */
	async find(command: string, path: string, folder: string): Promise<FoundFile | undefined> {
		for (const candidate of candidates(command, path, folder, this.rules())) {
			if (await canRun(candidate)) {
				return toFound(candidate);
			}
		}
		return undefined;
	}

	/** The executable file of `command`; see `core/launch/launchSnapshot.ts`. Never throws. */
	resolveProgram(command: string, path: string | undefined, folder: string): Promise<FoundProgram> {
		const ownPath = this.options.environment.get('PATH');
		return findProgram(command, { path, folder, rules: this.rules(), ownPath });
	}

	/** Files of `command` in install folders, most preferred first. Never throws. */
	async findElsewhere(command: string): Promise<readonly FoundFile[]> {
		const { platform } = this;
		const { environment } = this.options;
		const patterns = installFolders({ platform, home: environment.home, get: name => environment.get(name) });
		const folders = await Promise.all(patterns.map(expand));
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

/** The folders for a pattern with at most one `*`. */
async function expand(pattern: string): Promise<string[]> {
	const [parent, rest] = pattern.split('*');
	if (parent === undefined || rest === undefined) {
		return [pattern];
	}
	const names = await readdir(parent).catch(() => []);
	return names.toSorted(compareVersions).map(it => parent + it + rest);
}

async function toFound(path: string): Promise<FoundFile> {
	const [line = ''] = (await firstBytes(path)).split('\n');
	return { path, interpreter: /^#!\s*\S*\/env\s+(?:-\S+\s+)*([^\s=-][^\s=]*)\s*/.exec(line)?.[1] };
}
