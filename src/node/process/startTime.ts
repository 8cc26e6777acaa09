/** Reads when a process started. The system reuses process ids; an id and a start time identify one process for ever. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

const runTimeoutMs = 10_000;

/**
 * The start time of a process, in the format of the system; only compared. Contains the boot on Linux, where times count
 * from it.
 * @returns '' if no such process is running; `undefined` if the system doesn't tell
 */
export async function readStartTime(pid: number): Promise<string | undefined> {
	try {
		switch (process.platform) {
			case 'linux':
				return await readFromProc(pid);
			case 'win32':
				return await run('powershell.exe', [
					'-NoProfile',
					'-NonInteractive',
					'-Command',
					// The time is empty, and therefore an error, for a process of another user.
					`$p = Get-Process -Id ${pid} -ErrorAction SilentlyContinue; if ($p) { $p.StartTime.ToFileTimeUtc() }`,
				]);
			default:
				return await run('/bin/ps', ['-o', 'lstart=', '-p', String(pid)]);
		}
	} catch {
		return undefined;
	}
}

async function readFromProc(pid: number): Promise<string> {
	const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1');
	const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch((error: NodeJS.ErrnoException) => {
		if (error.code === 'ENOENT' || error.code === 'ESRCH') {
			return undefined;
		}
		throw error;
	});
	// proc(5): "pid (name) state ppid …"; the name may contain spaces and parentheses. Field 22 is the start time.
	const [state = '', ...fields] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
	// A zombie has ended, but its parent hasn't waited for it yet.
	return stat === undefined || /^[ZX]/.test(state) ? '' : `${boot.trim()} ${fields[18]}`;
}

/** The output of a command, which is empty and has the exit code 1 if there is no such process. */
function run(command: string, args: readonly string[]): Promise<string> {
	const options = { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, windowsHide: true, timeout: runTimeoutMs };
	return new Promise((resolve, reject) => {
		execFile(command, args, options, (error, stdout, stderr) => {
			if (stderr !== '' || (error && error.code !== 1)) {
				reject(error ?? new Error(stderr));
			} else {
				resolve(stdout.trim());
			}
		});
	});
}
