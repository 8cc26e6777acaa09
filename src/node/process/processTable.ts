/**
 * Lists all processes of this computer. Synchronous, because a process id can be reused by the next turn of the event
 * loop: listing processes and signalling them must happen in the same turn.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { clock } from '../../base/clock.js';
import type { EndSignal } from './processRules.js';

/** One running process. Zombies aren't listed. */
export interface ProcessRow {
	readonly pid: number;
	readonly parent: number;
	readonly group: number;
	/** See `ProcessIdentity`. */
	readonly startTime: string;
}

/** Access to the system, replaced by tests of other systems. Every method may throw. */
export interface ProcessSource {
	readonly platform: NodeJS.Platform;
	readText(path: string): string;
	readFolder(path: string): readonly string[];
	/** Runs a command and returns its standard output. */
	run(command: string, args: readonly string[]): string;
}

/**
 * Environment variable that marks a server. Its descendants inherit it, even if they leave its session and process group
 * or lose their parent.
 */
export const markName = 'MCP_WORKBENCH_SERVER_PROCESS';

const runTimeoutMs = 5000;
const maxOutputBytes = 16 * 1024 * 1024;

/** Milliseconds that an answer is cached, because a turn of the event loop can be long. */
const maxCachedMs = 100;

/**
 * Asks the system once for all servers that end in the same turn of the event loop. Answers are cached until the next check
 * phase of the loop or the next signal, and at most 100 ms, because they decide which processes are killed.
 */
export class TurnCache implements ProcessSource {
	private readonly answers = new Map<string, unknown>();
	private askedAt = 0;

	constructor(private readonly source: ProcessSource) {}

	get platform(): NodeJS.Platform {
		return this.source.platform;
	}

	readText(path: string): string {
		return this.ask(`text ${path}`, () => this.source.readText(path));
	}

	readFolder(path: string): readonly string[] {
		return this.ask(`folder ${path}`, () => this.source.readFolder(path));
	}

	run(command: string, args: readonly string[]): string {
		return this.ask(['run', command, ...args].join(' '), () => this.source.run(command, args));
	}

	/** Empties the cache. */
	forget(): void {
		this.answers.clear();
	}

	private ask<T>(question: string, answer: () => T): T {
		if (clock.elapsed() - this.askedAt > maxCachedMs) {
			this.forget();
		}
		if (this.answers.size === 0) {
			this.askedAt = clock.elapsed();
			setImmediate(() => this.forget());
		}
		if (!this.answers.has(question)) {
			this.answers.set(question, answer());
		}
		return this.answers.get(question) as T;
	}
}

/** Shared by all files, because `readFileSync` allocates 64 KB for every file in `/proc`. */
let readBuffer: Buffer | undefined;

function readText(path: string): string {
	readBuffer ??= Buffer.allocUnsafeSlow(64 * 1024);
	const file = openSync(path, 'r');
	try {
		let text = '';
		for (let length = -1; length !== 0;) {
			length = readSync(file, readBuffer);
			text += readBuffer.toString('latin1', 0, length);
		}
		return text;
	} finally {
		closeSync(file);
	}
}

const thisComputer = new TurnCache({
	platform: process.platform,
	readText,
	readFolder: path => readdirSync(path),
	run: (command, args) => {
		const options = {
			env: comparableEnvironment(),
			windowsHide: true,
			timeout: runTimeoutMs,
			maxBuffer: maxOutputBytes,
		};
		return spawnSync(command, args, { ...options, encoding: 'utf8' }).stdout ?? '';
	},
});

/**
 * Signals a process, or a process group by its negative id.
 * @returns whether the signal was delivered
 */
export function signalProcess(pid: number, signal: EndSignal): boolean {
	try {
		process.kill(pid, signal);
	} catch {
		// ESRCH: the process has ended. EPERM: it belongs to another user.
		return false;
	}
	forgetProcesses();
	return true;
}

/** Has processes listed again in the same turn of the event loop. Call it after a process was signalled. */
export function forgetProcesses(): void {
	thisComputer.forget();
}

/** All processes; empty on unsupported systems, and on Windows, where `taskkill` finds descendants. Never throws. */
export function listProcesses(source: ProcessSource = thisComputer): readonly ProcessRow[] {
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

/** Whether the mark of a process can be read, which is in its environment. */
export function showsMarks(platform: NodeJS.Platform): boolean {
	return platform === 'linux' || platform === 'android';
}

/** Whether a process was started with `mark` in its environment. Never throws. */
export function hasMark(pid: number, mark: string, source: ProcessSource = thisComputer): boolean {
	return `\0${tryReadProc(pid, 'environ', source)}\0`.includes(`\0${markName}=${mark}\0`);
}

/** The program and arguments of a process; empty if they can't be read. Never throws. */
export function readCommandLine(pid: number, source: ProcessSource = thisComputer): readonly string[] {
	return tryReadProc(pid, 'cmdline', source).split('\0').filter(Boolean);
}

/** Empty if the process has ended or belongs to another user, or if the system has no /proc. */
function tryReadProc(pid: number, file: 'cmdline' | 'environ' | 'stat', source: ProcessSource): string {
	try {
		return source.readText(`/proc/${pid}/${file}`);
	} catch {
		return '';
	}
}

/** Whether `one` started before `other`; false if a start time can't be read. */
export function startedBefore(one: Pick<ProcessRow, 'startTime'>, other: Pick<ProcessRow, 'startTime'>): boolean {
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
			const stat = parseStat(tryReadProc(pid, 'stat', source));
			if (stat && !stat.isDead) {
				rows.push({ pid, parent: stat.parent, group: stat.group, startTime: stat.startTime });
			}
		}
	}
	return rows;
}

export interface ProcessStat extends Omit<ProcessRow, 'pid'> {
	/** A zombie: the process has ended, but its parent hasn't waited for it yet. */
	readonly isDead: boolean;
}

/** Parses `/proc/<pid>/stat`; undefined if the text has another form. */
export function parseStat(stat: string): ProcessStat | undefined {
	// proc(5): "pid (name) state ppid pgrp …"; the name may contain spaces and parentheses. Field 22 is the start time.
	const fields = stat
		.slice(stat.lastIndexOf(')') + 2)
		.trim()
		.split(' ', 20);
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
			const startTime = withSingleSpaces(time.trim());
			rows.push({ pid: Number(pid), parent: Number(parent), group: Number(group), startTime });
		}
	}
	return rows;
}

/** The environment for a command whose output is compared later: independent of language and time zone. */
export function comparableEnvironment(): NodeJS.ProcessEnv {
	return { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
}

/** Replaces the varying numbers of spaces in the dates of `ps`. */
export function withSingleSpaces(text: string): string {
	return text.replaceAll(/\s+/g, ' ');
}
