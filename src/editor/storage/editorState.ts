/**
 * The editor's state as our stores use it. Another version of this extension may have written it, so a value whose form
 * changes gets another key.
 *
 * Known limit: two windows on one workspace, which only editors on the web allow, overwrite each other's changes, as the
 * editor reads the state once for each window and writes all of its keys.
 *
 * This file lists all names under which this extension stores data, and the compiler refuses others.
 * `test/source/keptData.test.ts` finds code that stores data in another way.
 */
import type { Memento } from 'vscode';
import { type Disposable, toDisposable } from '../../base/lifecycle.js';

/** Keys of the editor's state, of a workspace or of all windows. */
export const stateKeys = [
	'grants',
	'samplingGrants',
	'samplingModels',
	'consents',
	'ranTools',
	'openTasks',
	'openedByPerson',
	'secondCopyTold',
	'lastArguments',
	'demoServer',
	'auth.secrets',
] as const;
export type StateKey = (typeof stateKeys)[number];

/** Prefixes of keys for single servers or files, in the state and in secret storage. */
export type StateKeyPrefix = 'input:' | 'auth:';

/** Files and folders in the extension's storage that Clear All Data… deletes. */
export const clearedFiles = ['opened'] as const;

export type StoredFile =
	| (typeof clearedFiles)[number]
	/** Cleared by `History`, which may be writing it. */
	| 'history'
	/** Never cleared: the person writes it, like settings. */
	| 'mcp-policy.json'
	/** Never cleared: records of processes that the next start must end if their window has crashed. */
	| 'servers';

export class EditorState {
	private readonly listeners = new Set<{ readonly key: StateKey; readonly call: () => void }>();

	constructor(private readonly memento: Memento) {}

	get(key: StateKey): unknown {
		return this.memento.get<unknown>(key);
	}

	async update(key: StateKey, value: unknown): Promise<void> {
		await this.memento.update(key, value);
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

/** The list under a key. */
export class StateList<T> {
	constructor(
		private readonly state: EditorState,
		private readonly key: StateKey,
	) {}

	get entries(): readonly T[] {
		return (this.state.get(this.key) ?? []) as readonly T[];
	}

	async keep(entries: readonly T[]): Promise<void> {
		await this.state.update(this.key, entries);
	}
}
