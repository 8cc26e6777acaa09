/**
 * All processes of this computer at one moment. Read synchronously: a process id may be another's by the next turn of
 * the event loop, so that a look, and the signals that follow from it, must be one turn.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** One process that runs; a zombie does not. */
export interface ProcessRow {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	/** See `ProcessIdentity`. */
	readonly startTime: string;
}

/** What is asked of the computer; tests answer for systems they do not run on. All of it may throw. */
export interface ProcessSource {
	readonly platform: NodeJS.Platform;
	readText(path: string): string;
	readFolder(path: string): readonly string[];
	/** The output of a command. */
	run(command: string, args: readonly string[]): string;
}

/** Set for a server and inherited by what it starts, however that leaves its session, group and parent. */
export const markName = 'MCP_WORKBENCH_SERVER_PROCESS';

const runTimeoutMs = 5000;
const maxOutputBytes = 16 * 1024 * 1024;

const thisComputer: ProcessSource = {
	platform: process.platform,
	readText: path => readFileSync(path, 'latin1'),
	readFolder: path => readdirSync(path),
	run: (command, args) => {
		// Neither the language nor the time zone may change what is compared later.
		const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
		const options = { env, windowsHide: true, timeout: runTimeoutMs, maxBuffer: maxOutputBytes };
		return spawnSync(command, args, { ...options, encoding: 'utf8' }).stdout ?? '';
	},
};

/** Empty where the system does not say; on Windows, `taskkill` knows the tree of a process. Never throws. */
export function listProcesses(source = thisComputer): readonly ProcessRow[] {
	try {
		switch (source.platform) {
			case 'linux':
			case 'android':
				return listInProc(source);
			case 'darwin':
				return listByPs(source);
			default:
				return [];
		}
	} catch {
		return [];
	}
}

/** Whether processes of this system show what they were marked with. */
export function showsMarks(platform: NodeJS.Platform): boolean {
	return platform === 'linux' || platform === 'android';
}

/** Whether a process was started with `mark` in its environment. Never throws. */
export function hasMark(pid: number, mark: string, source = thisComputer): boolean {
	try {
		return source.readText(`/proc/${pid}/environ`).split('\0').includes(`${markName}=${mark}`);
	} catch {
		// Gone, of another user, or a system without it.
		return false;
	}
}

/** The words that a process was started with; empty where the system does not say. Never throws. */
export function readCommandLine(pid: number, source = thisComputer): readonly string[] {
	try {
		return source.readText(`/proc/${pid}/cmdline`).split('\0').filter(Boolean);
	} catch {
		// Gone, or a system without it.
		return [];
	}
}

/** Whether `one` began before `other`; false if nobody can say. */
export function isOlder(one: Pick<ProcessRow, 'startTime'>, other: Pick<ProcessRow, 'startTime'>): boolean {
	return toTime(one.startTime) < toTime(other.startTime);
}

function toTime(startTime: string): number {
	return /^\d+$/.test(startTime) ? Number(startTime) : Date.parse(startTime);
}

function listInProc(source: ProcessSource): readonly ProcessRow[] {
	const rows: ProcessRow[] = [];
	for (const name of source.readFolder('/proc')) {
		const pid = Number(name);
		if (Number.isSafeInteger(pid) && pid > 1) {
			const stat = parseStat(readStat(pid, source));
			if (stat && !stat.isDead) {
				rows.push({ pid, parent: stat.parent, group: stat.group, startTime: stat.startTime });
			}
		}
	}
	return rows;
}

function readStat(pid: number, source: ProcessSource): string {
	try {
		return source.readText(`/proc/${pid}/stat`);
	} catch {
		// It has ended since the folder was read.
		return '';
	}
}

/** What `/proc/<pid>/stat` says; undefined if it cannot be read. */
export function parseStat(
	stat: string,
):
	| (Omit<ProcessRow, 'pid'> & { /** It is only not buried yet by its parent. */ readonly isDead: boolean })
	| undefined {
	// proc(5): "pid (name) state ppid pgrp …"; the name may contain blanks and parentheses. Field 22 is the start time.
	const fields = stat
		.slice(stat.lastIndexOf(')') + 2)
		.trim()
		.split(' ');
	const [state = '', parent, group, startTime = ''] = [fields[0], fields[1], fields[2], fields[19]];
	const isDead = /^[ZX]/i.test(state);
	return isDead || /^\d+$/.test(startTime)
		? { parent: Number(parent), group: Number(group), startTime, isDead }
		: undefined;
}

function listByPs(source: ProcessSource): readonly ProcessRow[] {
	const args = ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=', '-o', 'stat=', '-o', 'lstart='];
	const rows: ProcessRow[] = [];
	for (const line of source.run('/bin/ps', args).split('\n')) {
		const [, pid, parent, group, state = '', time = ''] =
			/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*)$/.exec(line) ?? [];
		if (Number(pid) > 1 && !state.startsWith('Z')) {
			const startTime = time.trim().replaceAll(/\s+/g, ' ');
			rows.push({ pid: Number(pid), parent: Number(parent), group: Number(group), startTime });
		}
	}
	return rows;
}
