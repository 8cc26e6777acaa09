/** What a person has allowed in this workspace, as hashes, in its state. */
import { isObject } from '../mcp/index.js';
import type { ConsentFacts } from '../model/consent.js';
import type { ConsentStore } from '../model/consents.js';
import type { KeptList, KeptState } from './keptState.js';

const key = 'consents';

/** Servers come and go; those that were allowed longest ago are asked about again. */
const maxEntries = 500;

type Entry = readonly [id: string, facts: ConsentFacts];

/** Kept in the order in which they were allowed. */
export class WorkspaceConsents implements ConsentStore {
	private readonly kept: KeptList<Entry>;

	constructor(state: KeptState) {
		this.kept = state.list(key, isEntry);
	}

	get(id: string): ConsentFacts | undefined {
		return this.kept.entries.find(it => it[0] === id)?.[1];
	}

	set(id: string, facts: ConsentFacts): PromiseLike<void> {
		const others = this.kept.entries.filter(it => it[0] !== id);
		return this.kept.keep([...others, [id, facts] as const].slice(-maxEntries));
	}

	clear(): Promise<number> {
		return this.kept.clear();
	}
}

function isEntry(entry: unknown): entry is Entry {
	return Array.isArray(entry) && typeof entry[0] === 'string' && isObject(entry[1]);
}
