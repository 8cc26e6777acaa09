/**
 * Ends a child process together with its process group: `npx` and shells start the actual server as a grandchild, which
 * would survive a signal to the child alone. Windows has no process groups; there, `taskkill` ends the tree of the child.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';

export type EndSignal = 'SIGTERM' | 'SIGKILL';

/** How a process ended. */
export interface ProcessExit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

const isWindows = process.platform === 'win32';

/** Options of `spawn` for the child of a `ProcessGroup`. On Windows, a detached process would get a console window. */
export const groupOptions = { windowsHide: true, detached: !isWindows };

/** The signals for a child that doesn't end when its stdin is closed, in order, with a pause after each. */
export const endSignals: readonly EndSignal[] = isWindows ? ['SIGKILL'] : ['SIGTERM', 'SIGKILL'];

/** Groups whose child is running; killed when this process exits. */
const running = new Set<ProcessGroup>();
let watchesExit = false;

/** The group of a child that was spawned with `groupOptions`, so that its process id is also the id of its group. */
export class ProcessGroup {
	/** Resolves when the child itself has exited. */
	readonly exited: Promise<ProcessExit>;

	constructor(private readonly child: ChildProcess) {
		const { pid = 0 } = child;
		running.add(this);
		if (!watchesExit) {
			watchesExit = true;
			// Covers `process.exit()` without deactivation. Listeners of `exit` must be synchronous.
			process.once('exit', killRunning);
		}
		this.exited = new Promise(resolve => {
			child.once('exit', (code, signal) => {
				running.delete(this);
				if (!isWindows) {
					// Nothing else would end the processes that the child leaves behind.
					signalGroup(pid, 'SIGKILL');
				}
				resolve({ code, signal });
			});
		});
	}

	/** Signals the group while the child is running. On Windows, every signal kills. */
	signal(signal: EndSignal): void {
		if (running.has(this) && !signalGroup(this.child.pid ?? 0, signal)) {
			// EPERM: a member of the group is a zombie on macOS, so only the child can be signalled.
			this.child.kill(signal);
		}
	}
}

/** Signals the group that `pid` leads, or kills its tree on Windows. @returns whether any process was signalled */
export function signalGroup(pid: number, signal: EndSignal): boolean {
	// -0 is our own group, and -1 means every process.
	if (!Number.isSafeInteger(pid) || pid <= 1) {
		return false;
	}
	if (isWindows) {
		const args = ['/pid', String(pid), '/T', '/F'];
		return spawnSync('taskkill', args, { windowsHide: true, stdio: 'ignore' }).status === 0;
	}
	try {
		return process.kill(-pid, signal);
	} catch {
		// ESRCH: the group has ended. EPERM: it belongs to another user.
		return false;
	}
}

function killRunning(): void {
	for (const group of running) {
		group.signal('SIGKILL');
	}
}
