/**
 * A child process and everything it has started, ended together. `npx` and shells start the real server
 * as a grandchild: signalling only the child would leave that one behind.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { type EndSignal, endStep } from './processRules.js';

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
	signal(signal: EndSignal): void {
		const { hasExited } = this;
		if (!signalGroup(this.pid, signal, { hasExited }) && !hasExited) {
			// EPERM: a zombie leader on macOS; the child is all there is.
			this.child.kill(signal);
		}
	}
}

/** Signals the group that `pid` leads, or its tree on Windows; false if there is nothing, or not for us. */
export function signalGroup(pid: number, signal: EndSignal, state?: { readonly hasExited: boolean }): boolean {
	const step = endStep(process.platform, pid, signal, state);
	switch (step.kind) {
		case 'none':
			return false;
		case 'command':
			return spawnSync(step.command, step.args, { windowsHide: true, stdio: 'ignore' }).status === 0;
		case 'signal':
			try {
				return process.kill(step.pid, step.signal);
			} catch {
				// ESRCH: nothing is left of the group. EPERM: nothing of it is ours.
				return false;
			}
	}
}

function killAll(): void {
	for (const group of live) {
		group.signal('SIGKILL');
	}
}
