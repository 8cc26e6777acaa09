// Looks at the processes of this machine.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';

export interface ProcessInfo {
	readonly pid: number;
	readonly parent: number;
	/** Tells a process from a later one with the same number. */
	readonly started: string;
}

/** All processes, and those that descend from `roots` or (on Linux) have `mark` in their environment. */
export function listProcesses(
	roots: ReadonlySet<number>,
	mark: string,
): { everything: ProcessInfo[]; matching: ProcessInfo[] } {
	const everything = process.platform === 'linux' ? listByProc() : listByPs();
	const marked = process.platform === 'linux' ? everything.filter(it => hasInEnvironment(it.pid, mark)) : [];
	const wanted = new Set([...roots, ...marked.map(it => it.pid)]);
	// A child may be listed before its parent: repeat until nothing is added.
	for (let size = -1; size !== wanted.size;) {
		size = wanted.size;
		for (const it of everything) {
			if (wanted.has(it.parent)) {
				wanted.add(it.pid);
			}
		}
	}
	return { everything, matching: everything.filter(it => wanted.has(it.pid)) };
}

/** The command line of a process, '' when it is gone. */
export function commandLine(pid: number): string {
	if (process.platform === 'linux') {
		return (tryRead(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ');
	}
	try {
		return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
	} catch {
		return '';
	}
}

function listByProc(): ProcessInfo[] {
	const found: ProcessInfo[] = [];
	for (const name of fs.readdirSync('/proc')) {
		const stat = /^\d+$/.test(name) ? tryRead(`/proc/${name}/stat`) : undefined;
		// "pid (name) state ppid …": the name may contain blanks and parentheses.
		const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
		// A zombie is dead; only its parent can bury it.
		if (fields !== undefined && fields[0] !== 'Z') {
			found.push({ pid: Number(name), parent: Number(fields[1]), started: fields[19] ?? '' });
		}
	}
	return found;
}

function listByPs(): ProcessInfo[] {
	const text = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,lstart='], { encoding: 'utf8' });
	return text.split('\n').flatMap(line => {
		const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
		return match === null ? [] : [{ pid: Number(match[1]), parent: Number(match[2]), started: match[3] ?? '' }];
	});
}

function hasInEnvironment(pid: number, mark: string): boolean {
	return tryRead(`/proc/${pid}/environ`)?.split('\0').includes(mark) ?? false;
}

function tryRead(file: string): string | undefined {
	try {
		return fs.readFileSync(file, 'latin1');
	} catch {
		return undefined;
	}
}
