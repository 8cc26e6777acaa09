/**
 * Compares a tool with its two pins: the lock file of the workspace, which others can change, and our storage, which has
 * the definition that last ran here. A difference from either counts as a change.
 */
import type { PinState } from './approval.js';
import {
	areInstructionsChanged,
	type ChangedPart,
	changesOfPin,
	type ParsedLock,
	type PinnedDefinition,
	pinnedIn,
	type PinnedPart,
	problemOfPin,
} from './pins.js';

/** The pins of a server in both stores. */
export interface ToolPins {
	/** Pins in the lock file. */
	readonly lock: ParsedLock;
	/** Pins in our storage. */
	readonly seen: ParsedLock;
}

/** How a tool compares with one store. */
export type StoredState = Exclude<PinState, 'notPinned'>;

export interface PinComparison {
	/** The combined state, which the decision uses. */
	readonly state: PinState;
	readonly lock: StoredState;
	readonly seen: StoredState;
	/** Empty unless the tool has changed. */
	readonly changes: readonly ChangedPart[];
	/** The pinned definition to show: from the lock file, unless only our storage differs. */
	readonly pinned: PinnedDefinition | undefined;
}

export function comparePins({ lock, seen }: ToolPins, part: PinnedPart): PinComparison {
	const [ofLock, ofSeen] = [compare(lock, part), compare(seen, part)];
	const states = [ofLock.state, ofSeen.state];
	const stored = (['unreadable', 'changed', 'same'] as const).find(it => states.includes(it)) ?? 'new';
	const isAsked = stored === 'unreadable' || stored === 'changed';
	const shown = ofLock.state === 'changed' || ofSeen.state === 'new' ? ofLock : ofSeen;
	return {
		state: !isAsked && problemOfPin(part) !== undefined ? 'notPinned' : stored,
		lock: ofLock.state,
		seen: ofSeen.state,
		changes: [...new Set([...ofLock.changes, ...ofSeen.changes])],
		pinned: shown.pinned,
	};
}

/** Whether a server's instructions differ from those in either store, or a store can't be read. */
export function areInstructionsNew(
	{ lock, seen }: ToolPins,
	server: string,
	instructions: string | undefined,
): boolean {
	return [lock, seen].some(it => it.kind === 'broken' || areInstructionsChanged(it.lock, server, instructions));
}

function compare(
	parsed: ParsedLock,
	part: PinnedPart,
): {
	readonly state: StoredState;
	readonly changes: readonly ChangedPart[];
	readonly pinned?: PinnedDefinition | undefined;
} {
	if (parsed.kind === 'broken') {
		return { state: 'unreadable', changes: [] };
	}
	const changes = changesOfPin(parsed.lock, part);
	const pinned = changes && pinnedIn(parsed.lock, part.server, part.tool);
	return {
		state: changes === undefined ? 'new' : changes.length > 0 ? 'changed' : 'same',
		changes: changes ?? [],
		pinned,
	};
}
