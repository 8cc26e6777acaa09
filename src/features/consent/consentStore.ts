/** Stores in the state of the workspace which servers may start, as hashes of the facts that the person has seen. */
import { isObject } from '../../mcp/index.js';
import type { ConsentFacts } from '../../core/launch/consentFacts.js';
import type { ConsentStore } from '../../core/launch/consents.js';
import type { VersionedList, VersionedState } from '../../editor/storage/versionedState.js';

const key = 'consents';

/** Number of servers. Beyond it, the oldest consent is dropped, and its server needs consent again. */
const maxEntries = 500;

type Entry = readonly [id: string, facts: ConsentFacts];

/** Entries are in the order of their consent. */
export class WorkspaceConsents implements ConsentStore {
	private readonly kept: VersionedList<Entry>;

	constructor(state: VersionedState) {
		this.kept = state.list(key, isEntry);
	}

	get(id: string): ConsentFacts | undefined {
		return this.kept.entries.find(it => it[0] === id)?.[1];
	}

	set(id: string, facts: ConsentFacts): PromiseLike<void> {
		const others = this.kept.entries.filter(it => it[0] !== id);
		return this.kept.keep([...others, [id, facts] as const].slice(-maxEntries));
	}

	list(): readonly string[] {
		return this.kept.entries.map(([id]) => id);
	}

	delete(id: string): PromiseLike<void> {
		return this.kept.keep(this.kept.entries.filter(it => it[0] !== id));
	}
}

function isEntry(entry: unknown): entry is Entry {
	return Array.isArray(entry) && typeof entry[0] === 'string' && isObject(entry[1]);
}
