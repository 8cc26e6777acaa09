/** What a person has allowed in this workspace, as hashes, in its state. */
import type { Memento } from 'vscode';
import { isObject } from '../mcp/index.js';
import type { ConsentFacts } from '../model/consent.js';
import type { ConsentStore } from '../model/consents.js';

const key = 'consents';

/** Servers come and go; those that were allowed longest ago are asked about again. */
const maxEntries = 500;

type Entry = readonly [id: string, facts: ConsentFacts];

/** Kept in the order in which they were allowed. */
export class WorkspaceConsents implements ConsentStore {
	constructor(private readonly state: Memento) {}

	get(id: string): ConsentFacts | undefined {
		return this.entries.find(it => it[0] === id)?.[1];
	}

	set(id: string, facts: ConsentFacts): PromiseLike<void> {
		const others = this.entries.filter(it => it[0] !== id);
		return this.state.update(key, [...others, [id, facts]].slice(-maxEntries));
	}

	async clear(): Promise<number> {
		const { length } = this.entries;
		await this.state.update(key, undefined);
		return length;
	}

	private get entries(): readonly Entry[] {
		const kept = this.state.get<unknown>(key);
		return Array.isArray(kept) ? kept.filter(isEntry) : [];
	}
}

function isEntry(entry: unknown): entry is Entry {
	return Array.isArray(entry) && typeof entry[0] === 'string' && isObject(entry[1]);
}
