/**
 * Compares a tool with its two locked definitions: the lock file of the workspace, which others can change, and our storage, which has
 * the definition that last ran here. A difference from either counts as a change.
 */
import type { LockState } from './approval.js';
import {
	type ChangedPart,
	listChangedParts,
	type ParsedLock,
	type LockedDefinition,
	findLocked,
	type CurrentTool,
	findLockProblem,
} from './toolLock.js';

/** The locked definitions of a server in both stores. */
export interface StoredLocks {
	/** Locked definitions in the lock file. */
	readonly lock: ParsedLock;
	/** Locked definitions in our storage. */
	readonly seen: ParsedLock;
}

/** How a tool compares with one store. */
type StoredState = Exclude<LockState, 'notLocked'>;

export interface LockComparison {
	/** The combined state, which the decision uses. */
	readonly state: LockState;
	readonly lock: StoredState;
	readonly seen: StoredState;
	/** Empty unless the tool has changed. */
	readonly changes: readonly ChangedPart[];
	/** The locked definition to show: from the lock file, unless only our storage differs. */
	readonly locked: LockedDefinition | undefined;
}

export function compareWithLocks({ lock, seen }: StoredLocks, part: CurrentTool): LockComparison {
	const [ofLock, ofSeen] = [compare(lock, part), compare(seen, part)];
	const states = [ofLock.state, ofSeen.state];
	const stored = (['unreadable', 'changed', 'same'] as const).find(it => states.includes(it)) ?? 'new';
	const isAsked = stored === 'unreadable' || stored === 'changed';
	const shown = ofLock.state === 'changed' || ofSeen.state === 'new' ? ofLock : ofSeen;
	return {
		state: !isAsked && findLockProblem(part) !== undefined ? 'notLocked' : stored,
		lock: ofLock.state,
		seen: ofSeen.state,
		changes: [...new Set([...ofLock.changes, ...ofSeen.changes])],
		locked: shown.locked,
	};
}

function compare(
	parsed: ParsedLock,
	part: CurrentTool,
): Pick<LockComparison, 'changes' | 'locked'> & { readonly state: StoredState } {
	if (parsed.kind === 'broken') {
		return { state: 'unreadable', changes: [], locked: undefined };
	}
	const changes = listChangedParts(parsed.lock, part);
	const locked = changes && findLocked(parsed.lock, part.server, part.tool);
	const state = changes === undefined ? 'new' : changes.length > 0 ? 'changed' : 'same';
	return { state, changes: changes ?? [], locked };
}
