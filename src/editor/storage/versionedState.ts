/**
 * The editor's state as our stores use it. Another version of this extension may have written values of another form: they
 * are ignored, and overwritten by the next change.
 *
 * Known limit: two windows on one workspace, which only editors on the web allow, overwrite each other's changes, as the
 * editor reads the state once for each window and writes all of its keys.
 */
import type { Memento } from 'vscode';
import { type Disposable, toDisposable } from '../../base/lifecycle.js';
import { type StateKey, stateKeys } from './stateKeys.js';

export class VersionedState {
	private readonly listeners = new Set<{ readonly key: StateKey; readonly call: () => void }>();

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

	async clear(key: StateKey): Promise<void> {
		await this.update(key, undefined);
		this.listeners.forEach(it => it.key === key && it.call());
	}

	/** Removes all keys. */
	async clearAll(): Promise<void> {
		await Promise.all(stateKeys.map(it => this.clear(it)));
	}

	/** Calls the listener when a key was removed: copies of its value must be dropped. */
	onDidClear(key: StateKey, call: () => void): Disposable {
		const listener = { key, call };
		this.listeners.add(listener);
		return toDisposable(() => this.listeners.delete(listener));
	}
}

export class VersionedList<T> {
	constructor(
		private readonly state: VersionedState,
		private readonly key: StateKey,
		private readonly isOurs: (value: unknown) => value is T,
	) {}

	/** The entries that this version knows, in the order in which they were stored. */
	get entries(): readonly T[] {
		const kept = this.state.get(this.key);
		return Array.isArray(kept) ? kept.filter(it => this.isOurs(it)) : [];
	}

	async keep(entries: readonly T[]): Promise<void> {
		await this.state.update(this.key, entries);
	}
}
