/**
 * Finds the descendants of a server, including those in sessions and process groups of their own (`setsid`, `nohup`,
 * daemons). A process whose parent ends gets another parent, so descendants that were found once are remembered by
 * process id and start time: a process id alone can be reused.
 */
import type { EndSignal } from './processRules.js';
import {
	hasMark,
	listProcesses,
	type ProcessRow,
	type ProcessSource,
	signalProcess,
	startedBefore,
} from './processTable.js';
import { isShared } from './sharedPrograms.js';

/** A process of the tree: a `ProcessIdentity` without the boot. */
export type Member = Pick<ProcessRow, 'pid' | 'startTime'>;

export interface TreeOptions {
	/** The value of `markName` in the environment of the root, which most descendants inherit. */
	readonly mark?: string | undefined;
	/** Start time of the root; by default that of the process with the id of the root when processes are first listed. */
	readonly startTime?: string;
	/** Descendants that were found earlier. */
	readonly members?: readonly Member[];
	readonly source?: ProcessSource;
}

/** Most methods list the processes of the system, synchronously. */
export class ProcessTree {
	private startTime: string | undefined;
	private seen: readonly Member[];
	private hasEnded = false;
	private isRootThere = false;

	/** @param root the process id of the server, which leads a process group of its own */
	constructor(
		readonly root: number,
		private readonly options: TreeOptions = {},
	) {
		this.startTime = options.startTime;
		this.seen = options.members ?? [];
	}

	/** See `TreeOptions.mark`. */
	get mark(): string | undefined {
		return this.options.mark;
	}

	/** Records that the root has ended: from now on, its process id belongs to another process. */
	endRoot(): void {
		this.hasEnded = true;
	}

	/** Whether the root is running. Also remembers its descendants, which can't be found by their parent afterwards. */
	hasRoot(): boolean {
		this.members();
		return this.isRootThere;
	}

	/** The running descendants of the root. */
	members(): readonly ProcessRow[] {
		const rows = listProcesses(this.options.source).filter(it => it.pid !== process.pid);
		const byPid = new Map(rows.map(it => [it.pid, it]));
		const root = this.checkRoot(byPid.get(this.root));
		this.isRootThere = root !== undefined;
		const found = new Map<number, ProcessRow>();
		for (const { pid, startTime } of this.seen) {
			const row = byPid.get(pid);
			if (row?.startTime === startTime) {
				found.set(pid, row);
			}
		}
		// A process id isn't reused while a process group has it, so one known member proves that the group is the same.
		const isSameGroup = root !== undefined || [...found.values()].some(it => it.group === this.root);
		for (const row of rows) {
			if (row !== root && ((isSameGroup && row.group === this.root) || this.isMarked(row))) {
				found.set(row.pid, row);
			}
		}
		for (let count = -1; count !== found.size;) {
			count = found.size;
			for (const row of rows) {
				const parent = row.parent === root?.pid ? root : found.get(row.parent);
				if (row !== root && parent && !startedBefore(row, parent)) {
					found.set(row.pid, row);
				}
			}
		}
		for (const pid of this.findSpared(found, byPid)) {
			found.delete(pid);
		}
		this.seen = [...found.values()].map(({ pid, startTime }) => ({ pid, startTime }));
		return [...found.values()];
	}

	/**
	 * Signals every descendant of the root.
	 * @param besidesGroup leaves out those in the process group of the root
	 * @returns whether any was running
	 */
	signal(signal: EndSignal, { besidesGroup = false }: { readonly besidesGroup?: boolean } = {}): boolean {
		const members = this.members().filter(it => !besidesGroup || it.group !== this.root);
		for (const { pid } of members) {
			signalProcess(pid, signal);
		}
		return members.length > 0;
	}

	/**
	 * Processes that must not be ended, with their descendants: programs that the person uses too, and the editor of this
	 * code, if a server of another window has opened that editor.
	 */
	private findSpared(
		found: ReadonlyMap<number, ProcessRow>,
		byPid: ReadonlyMap<number, ProcessRow>,
	): ReadonlySet<number> {
		const spared = new Set<number>();
		for (const row of found.values()) {
			if (row.group !== this.root && isShared(row, byPid, this.options.source)) {
				spared.add(row.pid);
			}
		}
		for (let row = byPid.get(process.ppid); row && row.parent !== row.pid; row = byPid.get(row.parent)) {
			// Other ancestors, such as the person's session, are not part of the tree.
			if (found.has(row.pid)) {
				spared.add(row.pid).add(process.pid);
			}
		}
		for (let size = -1; size !== spared.size;) {
			({ size } = spared);
			for (const { pid, parent } of found.values()) {
				if (spared.has(parent)) {
					spared.add(pid);
				}
			}
		}
		return spared;
	}

	private checkRoot(row: ProcessRow | undefined): ProcessRow | undefined {
		if (this.hasEnded || !row) {
			return undefined;
		}
		this.startTime ??= row.startTime;
		return row.startTime === this.startTime ? row : undefined;
	}

	private isMarked(row: ProcessRow): boolean {
		const { startTime } = this;
		const { mark, source } = this.options;
		// Processes that are older than the server, which most are, can't have the mark.
		return mark !== undefined && !(startTime && startedBefore(row, { startTime })) && hasMark(row.pid, mark, source);
	}
}
