// Looks at the processes of this machine.
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';

export interface ProcessInfo {
	readonly pid: number;
	readonly parent: number;
	/** Tells a process from a later one with the same number. */
	readonly started: string;
}

/** All processes of this machine that are alive. */
export function listProcesses(): ProcessInfo[] {
	return process.platform === 'linux' ? listByProc() : listByPs();
}

/** Whether a process has `mark` (`NAME=value`) in its environment. Only Linux tells. */
export function isMarked(pid: number, mark: string): boolean {
	return process.platform === 'linux' && (tryRead(`/proc/${pid}/environ`)?.split('\0').includes(mark) ?? false);
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

function tryRead(file: string): string | undefined {
	try {
		return fs.readFileSync(file, 'latin1');
	} catch {
		return undefined;
	}
}
