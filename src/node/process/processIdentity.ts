/**
 * Who a process is. A pid alone says nothing for long: the system gives it to another as soon as it is free.
 * With the time it started, and the boot that this time counts from, it names one process for ever.
 */
import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { comparableEnvironment, parseStat, withSingleSpaces } from './processTable.js';

/** One process, never another: can be stored and compared after a restart of anything. */
export interface ProcessIdentity {
	readonly pid: number;
	/** As the system writes it, to be compared only. */
	readonly startTime: string;
	/** The boot, and where pids are private to a container, that too. */
	readonly boot: string;
}

/**
 * What became of a process: `elsewhere` belongs to another boot, machine or container and cannot be seen
 * from here; `unknown` means that the system did not say.
 */
export type Whereabouts = 'running' | 'gone' | 'elsewhere' | 'unknown';

/** What is asked of the machine; tests answer for systems they do not run on. */
export interface Machine {
	readonly platform: NodeJS.Platform;
	/** @throws with a `code` such as `ENOENT` */
	readText(path: string): Promise<string>;
	readLink(path: string): Promise<string>;
	/** Its output and exit code. @throws if it could not be run */
	run(command: string, args: readonly string[]): Promise<{ readonly code: number; readonly stdout: string }>;
}

type Look = { readonly kind: 'running'; readonly startTime: string } | { readonly kind: 'gone' | 'unknown' };

const runTimeoutMs = 10_000;

const thisMachine: Machine = {
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

/** The identity of a running process; `undefined` if there is none, or where it cannot be known. */
export async function describeProcess(pid: number, machine = thisMachine): Promise<ProcessIdentity | undefined> {
	const [seen, boot] = await Promise.all([look(pid, machine), bootOf(machine)]);
	return seen.kind === 'running' && boot !== undefined ? { pid, startTime: seen.startTime, boot } : undefined;
}

/** Where the very process is that was described once; one that only has its pid now does not count. */
export async function locateProcess(identity: ProcessIdentity, machine = thisMachine): Promise<Whereabouts> {
	const boot = await bootOf(machine);
	if (boot === undefined) {
		return 'unknown';
	}
	if (boot !== identity.boot) {
		return 'elsewhere';
	}
	const seen = await look(identity.pid, machine);
	if (seen.kind !== 'running') {
		return seen.kind;
	}
	return seen.startTime === identity.startTime ? 'running' : 'gone';
}

/** True if the very process that was described once is known to run. */
export async function isSameProcess(identity: ProcessIdentity, machine = thisMachine): Promise<boolean> {
	return (await locateProcess(identity, machine)) === 'running';
}

async function look(pid: number, machine: Machine): Promise<Look> {
	// 0 and negative numbers mean groups, 1 the whole system: nothing that we could have started.
	if (!Number.isSafeInteger(pid) || pid <= 1) {
		return { kind: 'gone' };
	}
	try {
		switch (machine.platform) {
			case 'linux':
			case 'android':
				return await lookInProc(pid, machine);
			case 'darwin':
				return lookAtPs(await machine.run('/bin/ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)]));
			case 'win32':
				return lookAtPowerShell((await powerShell(pid, machine)).stdout);
			default:
				return { kind: 'unknown' };
		}
	} catch {
		return { kind: 'unknown' };
	}
}

async function lookInProc(pid: number, machine: Machine): Promise<Look> {
	let stat: string;
	try {
		stat = await machine.readText(`/proc/${pid}/stat`);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		return { kind: code === 'ENOENT' || code === 'ESRCH' ? 'gone' : 'unknown' };
	}
	const seen = parseStat(stat);
	if (!seen) {
		return { kind: 'unknown' };
	}
	return seen.isDead ? { kind: 'gone' } : { kind: 'running', startTime: seen.startTime };
}

function lookAtPs({ code, stdout }: { readonly code: number; readonly stdout: string }): Look {
	const line = stdout.trim();
	if (line === '') {
		return { kind: code === 1 ? 'gone' : 'unknown' };
	}
	const [, state = '', startTime] = /^(\S+)\s+(\S.*)$/.exec(line) ?? [];
	if (startTime === undefined) {
		return { kind: 'unknown' };
	}
	return state.startsWith('Z') ? { kind: 'gone' } : { kind: 'running', startTime: withSingleSpaces(startTime) };
}

function powerShell(pid: number, machine: Machine): ReturnType<Machine['run']> {
	const script =
		`$p = Get-Process -Id ${pid} -ErrorAction SilentlyContinue; ` +
		`if ($p) { $p.StartTime.ToFileTimeUtc() } else { 'gone' }`;
	return machine.run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
}

function lookAtPowerShell(stdout: string): Look {
	const text = stdout.trim();
	if (text === 'gone') {
		return { kind: 'gone' };
	}
	// Nothing at all: a process of someone else, whose start time is not for us.
	return /^\d+$/.test(text) ? { kind: 'running', startTime: text } : { kind: 'unknown' };
}

async function bootOf(machine: Machine): Promise<string | undefined> {
	try {
		switch (machine.platform) {
			case 'linux':
			case 'android': {
				const boot = (await machine.readText('/proc/sys/kernel/random/boot_id')).trim();
				// Containers share the boot of their host, and number their processes for themselves.
				return boot ? `${boot} ${await machine.readLink('/proc/self/ns/pid')}` : undefined;
			}
			case 'darwin':
				return (await machine.run('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'])).stdout.trim() || undefined;
			case 'win32':
				// Start times are absolute there, in steps of 100 ns: one value serves all boots.
				return 'win32';
			default:
				return undefined;
		}
	} catch {
		return undefined;
	}
}
