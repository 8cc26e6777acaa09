/**
 * What a server has started, and what that has started, also in sessions and groups of its own (`setsid`, `nohup`, a
 * runner that becomes a daemon). Who loses its parent gets another one, so what was seen once is remembered, by its
 * identity: a process id alone may be a stranger's by now.
 */
import { hasMark, isOlder, listProcesses, type ProcessRow, type ProcessSource } from './processTable.js';
import { isOwnBrowser } from './ownBrowser.js';
import type { EndSignal } from './processRules.js';

/** One process, as `ProcessIdentity` without the boot. */
export type Member = Pick<ProcessRow, 'pid' | 'startTime'>;

export interface TreeOptions {
	/** In the environment of the root and so, mostly, of all it starts. */
	readonly mark?: string | undefined;
	/** Of the root; what has its process id at the first look, if absent. */
	readonly startTime?: string;
	/** What was seen of it earlier. */
	readonly members?: readonly Member[];
	readonly source?: ProcessSource;
}

export class ProcessTree {
	private startTime: string | undefined;
	private seen: readonly Member[];
	private hasEnded = false;
	private isRootThere = false;

	/** @param root which leads a process group of its own */
	constructor(
		readonly root: number,
		private readonly options: TreeOptions = {},
	) {
		this.startTime = options.startTime;
		this.seen = options.members ?? [];
	}

	/** In the environment of the root. */
	get mark(): string | undefined {
		return this.options.mark;
	}

	/** Whoever has the process id of the root from now on is another. */
	endRoot(): void {
		this.hasEnded = true;
	}

	/** Whether the root runs; looks for all of the tree, as what is known of it may be gone with the root. */
	hasRoot(): boolean {
		this.members();
		return this.isRootThere;
	}

	/** What runs of it now, without the root. */
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
		// No process id is given to another while a group is named by it: one of its members proves that it is the same.
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
				if (row !== root && parent && !isOlder(row, parent)) {
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
	 * Signals each process of it, but the root.
	 * @param besidesGroup leaves out those in the group of the root
	 * @returns whether there was any
	 */
	signal(signal: EndSignal, { besidesGroup = false }: { readonly besidesGroup?: boolean } = {}): boolean {
		const those = this.members().filter(it => !besidesGroup || it.group !== this.root);
		for (const { pid } of those) {
			signalProcess(pid, signal);
		}
		return those.length > 0;
	}

	/**
	 * What the person uses, with all that it has started: their browser, and the editor in which this code runs, where a
	 * server of another window has opened that editor.
	 */
	private findSpared(
		found: ReadonlyMap<number, ProcessRow>,
		byPid: ReadonlyMap<number, ProcessRow>,
	): ReadonlySet<number> {
		const spared = new Set<number>();
		for (const row of found.values()) {
			if (row.group !== this.root && isOwnBrowser(row, byPid, this.options.source)) {
				spared.add(row.pid);
			}
		}
		for (let row = byPid.get(process.ppid); row && row.parent !== row.pid; row = byPid.get(row.parent)) {
			// Others are ancestors of most processes, such as the session of the person.
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
		// Most processes are older than the server: their environment need not be read.
		return mark !== undefined && !(startTime && isOlder(row, { startTime })) && hasMark(row.pid, mark, source);
	}
}

/** @returns whether the signal was delivered */
export function signalProcess(pid: number, signal: EndSignal): boolean {
	try {
		return process.kill(pid, signal);
	} catch {
		// ESRCH: it has ended. EPERM: it runs as another user.
		return false;
	}
}
