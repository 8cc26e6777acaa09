/**
 * The editor's state as our stores use it. Values of other versions of this extension are ignored but kept.
 *
 * Known limit: two windows on one workspace, which only editors on the web allow, overwrite each other's changes, as the
 * editor reads the state once for each window and writes all of its keys.
 */
import type { Memento } from 'vscode';
import { type Disposable, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { StateKey } from './stateKeys.js';

export class VersionedState {
	private readonly told = new Set<string>();
	private readonly copies = new Map<StateKey, Set<() => void>>();

	constructor(
		private readonly memento: Memento,
		private readonly log: Pick<Logger, 'info'>,
	) {}

	get(key: StateKey): unknown {
		return this.memento.get<unknown>(key);
	}

	async update(key: StateKey, value: unknown): Promise<void> {
		await this.memento.update(key, value);
	}

	/** The list under a key. @param isOurs whether this version knows the form of an entry */
	list<T>(key: StateKey, isOurs: (value: unknown) => value is T): VersionedList<T> {
		const list = new VersionedList(this, key, isOurs);
		this.copiesOf(key).add(() => list.forgetWindow());
		return list;
	}

	/** Number of entries of all versions. */
	count(key: StateKey): number {
		const kept = this.get(key);
		return typeof kept === 'object' && kept !== null ? Object.keys(kept).length : kept === undefined ? 0 : 1;
	}

	/** Removes a key with the values of all versions. */
	async clear(key: StateKey): Promise<void> {
		await this.update(key, undefined);
		for (const forget of this.copies.get(key) ?? []) {
			forget();
		}
	}

	/** Calls the listener when a key was removed: copies of its value must be dropped. */
	onDidClear(key: StateKey, listener: () => void): Disposable {
		const copies = this.copiesOf(key).add(listener);
		return toDisposable(() => copies.delete(listener));
	}

	private copiesOf(key: StateKey): Set<() => void> {
		const copies = this.copies.get(key) ?? new Set();
		this.copies.set(key, copies);
		return copies;
	}

	/** Logs once that a key has values of another version. */
	tellUnknown(key: StateKey): void {
		if (!this.told.has(key)) {
			this.told.add(key);
			this.log.info(
				`Under "${key}" another version of this extension has kept what this one does not know. It is left as it is.`,
			);
		}
	}
}

export class VersionedList<T> {
	/** Our entries until the window closes, if the key has no list but a value of another version. */
	private ofWindow: readonly T[] = [];

	constructor(
		private readonly state: VersionedState,
		private readonly key: StateKey,
		private readonly isOurs: (value: unknown) => value is T,
	) {}

	/** Drops the entries that couldn't be stored. */
	forgetWindow(): void {
		this.ofWindow = [];
	}

	/** The entries that this version knows, in the order in which they were stored. */
	get entries(): readonly T[] {
		const { known, others } = this.read();
		if (others !== undefined && (!Array.isArray(others) || others.length > 0)) {
			this.state.tellUnknown(this.key);
		}
		return known;
	}

	/** Replaces the entries that this version knows. */
	async keep(entries: readonly T[]): Promise<void> {
		const { others } = this.read();
		if (Array.isArray(others)) {
			await this.state.update(this.key, [...(others as readonly unknown[]), ...entries]);
		} else {
			this.ofWindow = entries;
		}
	}

	/** Removes the entries of all versions. Resolves with the number of those that this version knows. */
	async clear(): Promise<number> {
		const { length } = this.entries;
		await this.state.clear(this.key);
		return length;
	}

	/** `others` are the entries of other versions, or the value if it is no list. */
	private read(): { readonly known: readonly T[]; readonly others: unknown } {
		const kept = this.state.get(this.key) ?? [];
		return Array.isArray(kept)
			? { known: kept.filter(it => this.isOurs(it)), others: kept.filter(it => !this.isOurs(it)) }
			: { known: this.ofWindow, others: kept };
	}
}
