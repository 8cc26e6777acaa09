/**
 * Ends a child process together with its descendants. `npx` and shells start the actual server as a grandchild, which would
 * survive a signal to the child alone.
 */
import { type ChildProcess, spawnSync } from 'node:child_process';
import { clock } from '../../base/clock.js';
import { delay } from '../../base/async.js';
import { type EndSignal, endSignals, endStep } from './processRules.js';
import { forgetProcesses, signalProcess } from './processTable.js';
import { ProcessTree } from './processTree.js';

/** How a process ended. */
export interface ProcessExit {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
}

/** Milliseconds until the first check whether signalled processes have ended. Each further check waits twice as long. */
const firstCheckMs = 10;

/** Groups that are still running; killed when this process exits. */
const live = new Set<ProcessGroup>();
let watchingExit = false;

/**
 * The process group of `child`, which must have been spawned with `detached: true` except on Windows, so that its process
 * id is also the id of a process group.
 */
export class ProcessGroup {
	/** Resolves when the child itself has exited. */
	readonly exited: Promise<ProcessExit>;
	/** The descendants of the child, which may be in other process groups. */
	readonly tree: ProcessTree;
	private hasExited = false;

	/** @param mark see `TreeOptions.mark` */
	constructor(
		private readonly child: ChildProcess,
		private readonly pid: number,
		mark?: string,
	) {
		this.tree = new ProcessTree(pid, { mark });
		live.add(this);
		if (!watchingExit) {
			watchingExit = true;
			// Covers `process.exit()` without deactivation. Listeners of `exit` must be synchronous.
			process.once('exit', killAll);
		}
		this.exited = new Promise(resolve => {
			child.once('exit', (code, signal) => {
				this.hasExited = true;
				this.tree.endRoot();
				// Nothing else would end the processes that the child leaves behind.
				this.signalOwnGroup('SIGKILL');
				resolve({ code, signal });
			});
		});
	}

	/** Signals the group and descendants outside it. On Windows every signal kills at once. */
	signal(signal: EndSignal): void {
		// Listed before and after: descendants can't be found by a parent that has ended, and new ones can appear.
		this.tree.members();
		if (!this.hasExited) {
			this.signalOwnGroup(signal);
		}
		this.tree.signal(signal, { besidesGroup: !this.hasExited });
	}

	/**
	 * Ends the remaining descendants after the child has exited. Resolves when they have ended or all signals were sent.
	 * @param graceMs milliseconds to wait after each signal
	 */
	async endDescendants(graceMs: number): Promise<void> {
		for (const signal of endSignals(process.platform)) {
			if (!this.tree.signal(signal)) {
				break;
			}
			const end = clock.elapsed() + graceMs;
			for (let ms = firstCheckMs; clock.elapsed() < end && this.tree.members().length > 0; ms *= 2) {
				await delay(Math.min(ms, graceMs));
			}
		}
		live.delete(this);
	}

	private signalOwnGroup(signal: EndSignal): void {
		const { hasExited } = this;
		if (!signalGroup(this.pid, signal, { hasExited }) && !hasExited) {
			// EPERM: the leader of the group is a zombie on macOS, so only the child can be signalled.
			this.child.kill(signal);
			forgetProcesses();
		}
	}
}

/** Signals the group that `pid` leads, or its tree on Windows. @returns false if no process was signalled */
export function signalGroup(pid: number, signal: EndSignal, state?: { readonly hasExited: boolean }): boolean {
	const step = endStep(process.platform, pid, signal, state);
	switch (step.kind) {
		case 'none':
			return false;
		case 'command':
			return spawnSync(step.command, step.args, { windowsHide: true, stdio: 'ignore' }).status === 0;
		case 'signal':
			return signalProcess(step.pid, step.signal);
	}
}

function killAll(): void {
	for (const group of live) {
		group.signal('SIGKILL');
	}
}
