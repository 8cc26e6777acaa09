/**
 * The editor's state as our stores use it. Values that this version doesn't know are ignored, and replaced at the next write.
 *
 * Known limit: two windows on one workspace, which only editors on the web allow, overwrite each other's changes, as the
 * editor reads the state once for each window and writes all of its keys.
 */
import type { Memento } from 'vscode';
import { type Disposable, toDisposable } from '../../base/lifecycle.js';
import type { StateKey } from './stateKeys.js';

export class VersionedState {
	private readonly copies = new Map<StateKey, Set<() => void>>();

	constructor(private readonly memento: Memento) {}

	get(key: StateKey): unknown {
		return this.memento.get<unknown>(key);
	}

	async update(key: StateKey, value: unknown): Promise<void> {
		await this.memento.update(key, value);
	}

	/** The list under a key. @param isOurs whether this version knows the form of an entry */
	list<T>(key: StateKey, isOurs: (value: unknown) => value is T): VersionedList<T> {
		return new VersionedList(this, key, isOurs);
	}

	/** Number of entries. */
	count(key: StateKey): number {
		const kept = this.get(key);
		return typeof kept === 'object' && kept !== null ? Object.keys(kept).length : kept === undefined ? 0 : 1;
	}

	/** Removes a key. */
	async clear(key: StateKey): Promise<void> {
		await this.update(key, undefined);
		for (const forget of this.copies.get(key) ?? []) {
			forget();
		}
	}

	/** Calls the listener when a key was removed: copies of its value must be dropped. */
	onDidClear(key: StateKey, listener: () => void): Disposable {
		const copies = this.copies.get(key) ?? new Set();
		this.copies.set(key, copies.add(listener));
		return toDisposable(() => copies.delete(listener));
	}
}

export class VersionedList<T> {
	constructor(
		private readonly state: VersionedState,
		private readonly key: StateKey,
		private readonly isOurs: (value: unknown) => value is T,
	) {}

	/** In the order in which they were stored. */
	get entries(): readonly T[] {
		const kept = this.state.get(this.key);
		return Array.isArray(kept) ? kept.filter(it => this.isOurs(it)) : [];
	}

	/** Replaces the entries. */
	async keep(entries: readonly T[]): Promise<void> {
		await this.state.update(this.key, entries);
	}
}
