/**
 * A child process and everything it has started, ended together. `npx` and shells start the real server
 * as a grandchild: signalling only the child would leave that one behind.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';

/** How a process ended. */
export interface ProcessExit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

/** Groups that live now: killed when this process exits without having stopped them. */
const live = new Set<ProcessGroup>();
let watchingExit = false;

/**
 * The group led by `child`, which must have been spawned with `detached: true` outside Windows, so that
 * its pid is the id of a process group of its own.
 */
export class ProcessGroup {
	/** Resolves when the child itself has exited. */
	readonly exited: Promise<ProcessExit>;
	private hasExited = false;

	constructor(
		private readonly child: ChildProcess,
		private readonly pid: number,
	) {
		live.add(this);
		if (!watchingExit) {
			watchingExit = true;
			// Synchronous and last: covers process.exit() without deactivation.
			process.once('exit', killAll);
		}
		this.exited = new Promise(resolve => {
			child.once('exit', (code, signal) => {
				this.hasExited = true;
				live.delete(this);
				// What the child leaves behind has no one who would stop it.
				this.signal('SIGKILL');
				resolve({ code, signal });
			});
		});
	}

	/** Signals the whole group. On Windows there is no polite signal: everything ends at once. */
	signal(signal: 'SIGTERM' | 'SIGKILL'): void {
		if (process.platform === 'win32') {
			if (!this.hasExited) {
				spawnSync('taskkill', ['/pid', String(this.pid), '/T', '/F'], { windowsHide: true, stdio: 'ignore' });
			}
			return;
		}
		try {
			process.kill(-this.pid, signal);
		} catch {
			// ESRCH: nothing is left of the group. EPERM: a zombie leader on macOS; the child is all there is.
			if (!this.hasExited) {
				this.child.kill(signal);
			}
		}
	}
}

function killAll(): void {
	for (const group of live) {
		group.signal('SIGKILL');
	}
}
