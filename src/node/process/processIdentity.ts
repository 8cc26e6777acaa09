/**
 * Identifies processes. The system reuses a process id as soon as it is free; together with the start time, and the boot
 * that this time counts from, it identifies one process for ever.
 */
import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { comparableEnvironment, parseStat, withSingleSpaces } from './processTable.js';

/** Can be stored, and compared after a restart of the editor or the machine. */
export interface ProcessIdentity {
	readonly pid: number;
	/** In the format of the system; only compared. */
	readonly startTime: string;
	/** The boot and, if process ids are private to a container, the container. */
	readonly boot: string;
}

/**
 * Whether an identified process is running. `elsewhere`: it belongs to another boot, machine or container and can't be seen
 * from here; `unknown`: the system doesn't tell.
 */
export type ProcessStatus = 'running' | 'gone' | 'elsewhere' | 'unknown';

/** Access to the system, replaced by tests of other systems. */
export interface ProcessHost {
	readonly platform: NodeJS.Platform;
	/** @throws with a `code` such as `ENOENT` */
	readText(path: string): Promise<string>;
	readLink(path: string): Promise<string>;
	/** @throws any error if the command can't be run; an exit code other than 0 is no error */
	run(command: string, args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }>;
}

type Look = { readonly startTime: string } | 'gone' | 'unknown';

const runTimeoutMs = 10_000;

const thisMachine: ProcessHost = {
	platform: process.platform,
	readText: path => readFile(path, 'latin1'),
	readLink: path => readlink(path),
	run: (command, args) =>
		new Promise((resolve, reject) => {
			const options = { env: comparableEnvironment(), windowsHide: true, timeout: runTimeoutMs };
			execFile(command, args, options, (error, stdout) => {
				if (error && typeof error.code !== 'number') {
					reject(error);
				} else {
					resolve({ code: Number(error?.code ?? 0), stdout });
				}
			});
		}),
};

/** The identity of a running process; `undefined` if it isn't running or the system doesn't tell. */
export async function describeProcess(pid: number, machine = thisMachine): Promise<ProcessIdentity | undefined> {
	const [seen, boot] = await Promise.all([look(pid, machine), bootOf(machine)]);
	return typeof seen === 'object' && boot !== undefined ? { pid, startTime: seen.startTime, boot } : undefined;
}

/** The status of an identified process. Another process that has its id now doesn't count. */
export async function locateProcess(identity: ProcessIdentity, machine = thisMachine): Promise<ProcessStatus> {
	const boot = await bootOf(machine);
	if (boot === undefined) {
		return 'unknown';
	}
	if (boot !== identity.boot) {
		return 'elsewhere';
	}
	const seen = await look(identity.pid, machine);
	if (typeof seen === 'string') {
		return seen;
	}
	return seen.startTime === identity.startTime ? 'running' : 'gone';
}

async function look(pid: number, machine: ProcessHost): Promise<Look> {
	// 0 and negative numbers mean process groups, and 1 is the system's first process.
	if (!Number.isSafeInteger(pid) || pid <= 1) {
		return 'gone';
	}
	try {
		switch (machine.platform) {
			case 'linux':
			case 'android':
				return await lookInProc(pid, machine);
			case 'darwin':
				return lookAtPs(await machine.run('/bin/ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]));
			case 'win32':
				return await lookByPowerShell(pid, machine);
			default:
				return 'unknown';
		}
	} catch {
		return 'unknown';
	}
}

async function lookInProc(pid: number, machine: ProcessHost): Promise<Look> {
	let stat: string;
	try {
		stat = await machine.readText(`/proc/${pid}/stat`);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return code === 'ENOENT' || code === 'ESRCH' ? 'gone' : 'unknown';
	}
	const seen = parseStat(stat) ?? 'unknown';
	return typeof seen === 'object' && seen.isDead ? 'gone' : seen;
}

function lookAtPs({ code, stdout }: { readonly code: number; readonly stdout: string }): Look {
	const line = stdout.trim();
	if (line === '') {
		return code === 1 ? 'gone' : 'unknown';
	}
	const [, state = '', startTime] = /^(\S+)\s+(\S.*)$/.exec(line) ?? [];
	if (startTime === undefined) {
		return 'unknown';
	}
	return state.startsWith('Z') ? 'gone' : { startTime: withSingleSpaces(startTime) };
}

async function lookByPowerShell(pid: number, machine: ProcessHost): Promise<Look> {
	const script =
		`$p = Get-Process -Id ${pid} -ErrorAction SilentlyContinue; ` +
		`if ($p) { $p.StartTime.ToFileTimeUtc() } else { 'gone' }`;
	const { stdout } = await machine.run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
	const text = stdout.trim();
	if (text === 'gone') {
		return 'gone';
	}
	// The text is empty for a process of another user, whose start time can't be read.
	return /^\d+$/.test(text) ? { startTime: text } : 'unknown';
}

async function bootOf(machine: ProcessHost): Promise<string | undefined> {
	try {
		switch (machine.platform) {
			case 'linux':
			case 'android': {
				const boot = (await machine.readText('/proc/sys/kernel/random/boot_id')).trim();
				// Containers share the boot of their host, but have their own process ids.
				return boot ? `${boot} ${await machine.readLink('/proc/self/ns/pid')}` : undefined;
			}
			case 'darwin':
				return (await machine.run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'])).stdout.trim() || undefined;
			case 'win32':
				// Start times are absolute there, in steps of 100 ns, so the boot doesn't matter.
				return 'win32';
			default:
				return undefined;
		}
	} catch {
		return undefined;
	}
}
