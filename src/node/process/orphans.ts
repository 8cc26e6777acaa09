/**
 * Ends servers whose extension host was killed and could not end them. They are identified by records from their start, and
 * never by name, because another window may run the same command.
 */
import { signalGroup } from './processGroup.js';
import { locateProcess, type ProcessIdentity, type ProcessStatus } from './processIdentity.js';
import { signalProcess } from './processTable.js';
import { ProcessTree } from './processTree.js';

/** Written when a server has started, deleted when it has ended. */
export interface ServerRecord {
	/** The child process, which leads a process group. */
	readonly server: ProcessIdentity;
	/**
	 * The descendants when the record was last written: `npx` ends with its stdin, but the server that it runs may not.
	 * Records are written again after the handshake.
	 */
	readonly members?: readonly ProcessIdentity[];
	/** See `TreeOptions.mark`. */
	readonly mark?: string;
	/** The extension host that started it. */
	readonly owner: ProcessIdentity;
}

/** The result for one record. */
export type SweepOutcome =
	/** The server was an orphan and was killed with its descendants. */
	| 'killed'
	/** The server is an orphan, but the system refused to kill it. */
	| 'failed'
	/** The owner is running: the server of another window. */
	| 'owned'
	/** The server has ended, so its record can be deleted. */
	| 'gone'
	/** The server belongs to another boot, machine or container, and can't be seen from here. */
	| 'elsewhere'
	/** The system can't identify the server or its owner, so the server is left alone. */
	| 'unknown';

/** Access to processes, replaced by tests. */
export interface SweepActions {
	readonly locate: (record: ServerRecord) => Promise<ProcessStatus>;
	/** @returns whether any process was signalled */
	readonly kill: (record: ServerRecord) => boolean;
}

const realActions: SweepActions = { locate, kill };

/** The status of the server; `running` also if only descendants of it are running. */
async function locate(record: ServerRecord): Promise<ProcessStatus> {
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
	// Again, for descendants that were started in between.
	tree.signal('SIGKILL');
	return isRootKilled || isAnyKilled;
}

function treeOf({ server, members = [], mark }: ServerRecord): ProcessTree {
	const { pid, startTime, boot } = server;
	return new ProcessTree(pid, { startTime, mark, members: members.filter(it => it.boot === boot) });
}

/** A server is an orphan if the recorded process is running and its owner has certainly ended. */
export function classifyRecord(
	server: ProcessStatus,
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

/** Whether a process is running; `undefined` if not known. */
export async function isAlive(owner: ProcessIdentity): Promise<boolean | undefined> {
	const status = await locateProcess(owner);
	return status === 'running' || (status === 'gone' ? false : undefined);
}

/**
 * Kills orphans. The caller should keep records that are `owned`, `unknown` or `failed`, and for some time those that are
 * `elsewhere`, because machines may share a home folder.
 * @returns an outcome for each record, in their order
 */
export async function sweep(
	records: readonly ServerRecord[],
	isOwnerAlive: (owner: ProcessIdentity) => Promise<boolean | undefined> = isAlive,
	actions: SweepActions = realActions,
): Promise<readonly SweepOutcome[]> {
	return Promise.all(
		records.map(async record => {
			const { server, owner } = record;
			// The server is located last, directly before it is killed, so that its process id isn't reused in between.
			const isOwned = await isOwnerAlive(owner);
			const verdict = classifyRecord(await actions.locate(record), isOwned);
			if (verdict !== 'orphan') {
				return verdict;
			}
			// A record of this process is invalid.
			return server.pid !== process.pid && actions.kill(record) ? 'killed' : 'failed';
		}),
	);
}
