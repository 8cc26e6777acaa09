/**
 * Servers that outlived the extension host that had started them, because that was killed and could not end
 * them. They are found by what was written down when they started, and never by their name: another window
 * may run the same command.
 */
import { signalGroup } from './processGroup.js';
import { locateProcess, type ProcessIdentity, type Whereabouts } from './processIdentity.js';
import { signalProcess } from './processTable.js';
import { ProcessTree } from './processTree.js';

/** Written down when a server has started, forgotten when it has ended. */
export interface ServerRecord {
	/** The child itself, which leads its process group. */
	readonly server: ProcessIdentity;
	/**
	 * Its descendants when the record was written: `npx` ends with its stdin, but the server it runs may not. Records are
	 * written again after the handshake.
	 */
	readonly members?: readonly ProcessIdentity[];
	/** See `TreeOptions.mark`. */
	readonly mark?: string;
	/** The extension host that started it. */
	readonly owner: ProcessIdentity;
}

/** What is to be done, or was, about one record. */
export type SweepOutcome =
	/** It was an orphan and was killed with all it had started. */
	| 'killed'
	/** It is an orphan, but the system did not let us. */
	| 'failed'
	/** Its owner lives: another window's server. */
	| 'owned'
	/** It runs no more: the record can be forgotten. */
	| 'gone'
	/** It belongs to another boot, machine or container: nothing can be said from here. */
	| 'elsewhere'
	/** The system did not say who it is, or whether its owner lives: it is left alone. */
	| 'unknown';

/** What a sweep does to the world; tests pass their own. */
export interface SweepActions {
	readonly locate: (record: ServerRecord) => Promise<Whereabouts>;
	/** Returns whether any process was signalled. */
	readonly kill: (record: ServerRecord) => boolean;
}

const realActions: SweepActions = { locate, kill };

/** The server; if it is gone, whether descendants of it still run. */
async function locate(record: ServerRecord): Promise<Whereabouts> {
	const where = await locateProcess(record.server);
	return where === 'gone' && treeOf(record).members().length > 0 ? 'running' : where;
}

function kill(record: ServerRecord): boolean {
	const { pid } = record.server;
	// On Windows `taskkill` finds the tree by its root. Elsewhere the root may be gone and its id reused.
	if (process.platform === 'win32') {
		return signalGroup(pid, 'SIGKILL');
	}
	const tree = treeOf(record);
	const isRootKilled = tree.hasRoot() && signalProcess(pid, 'SIGKILL');
	const isAnyKilled = tree.signal('SIGKILL');
	// Descendants that were started in between.
	tree.signal('SIGKILL');
	return isRootKilled || isAnyKilled;
}

function treeOf({ server, members = [], mark }: ServerRecord): ProcessTree {
	const { pid, startTime, boot } = server;
	return new ProcessTree(pid, { startTime, mark, members: members.filter(it => it.boot === boot) });
}

/** PURE: only the very process that was recorded, of an owner that is known to be dead, is an orphan. */
export function judge(
	server: Whereabouts,
	isOwnerAlive: boolean | undefined,
): 'orphan' | 'owned' | 'gone' | 'elsewhere' | 'unknown' {
	if (server !== 'running') {
		return server;
	}
	if (isOwnerAlive === undefined) {
		return 'unknown';
	}
	return isOwnerAlive ? 'owned' : 'orphan';
}

/** Whether an owner lives; `undefined` if nobody can say. */
export async function isAlive(owner: ProcessIdentity): Promise<boolean | undefined> {
	return toAlive(await locateProcess(owner));
}

/**
 * Kills orphans and says of each record, in their order, what it found. Kept should be
 * the records that are `owned`, `unknown` or `failed`, and those `elsewhere` for some time: a home folder may
 * be shared by machines.
 */
export async function sweep(
	records: readonly ServerRecord[],
	isOwnerAlive: (owner: ProcessIdentity) => Promise<boolean | undefined> = isAlive,
	actions: SweepActions = realActions,
): Promise<readonly SweepOutcome[]> {
	return Promise.all(
		records.map(async record => {
			const { server, owner } = record;
			// The server last, and nothing between that look and the kill: its pid must not change hands meanwhile.
			const isOwned = await isOwnerAlive(owner);
			const verdict = judge(await actions.locate(record), isOwned);
			if (verdict !== 'orphan') {
				return verdict;
			}
			// A record of ourselves is a broken one.
			return server.pid !== process.pid && actions.kill(record) ? 'killed' : 'failed';
		}),
	);
}

function toAlive(owner: Whereabouts): boolean | undefined {
	switch (owner) {
		case 'running':
			return true;
		case 'gone':
			return false;
		case 'elsewhere':
		case 'unknown':
			return undefined;
	}
}
