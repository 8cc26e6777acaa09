/**
 * The editor's state, as our stores use it. An older version and a newer one take turns on it: what this one does not
 * know is never used, never dropped by what it writes, and told once in the log.
 *
 * Two windows on one workspace, which only an editor on the web can have, do not hear of each other: the editor reads the
 * state of a workspace once, and an update writes all of its keys. What one of them has taken back, the other writes again.
 * Reading before each write would not help, as that reads the window's own copy.
 */
import type { Memento } from 'vscode';
import { type Disposable, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { KeptKey } from './keptKeys.js';

export class KeptState {
	private readonly told = new Set<string>();
	private readonly copies = new Map<KeptKey, Set<() => void>>();

	constructor(
		private readonly memento: Memento,
		private readonly log: Pick<Logger, 'info'>,
	) {}

	get(key: KeptKey): unknown {
		return this.memento.get<unknown>(key);
	}

	async update(key: KeptKey, value: unknown): Promise<void> {
		await this.memento.update(key, value);
	}

	/** The list under a key. @param isOurs tells the entries of a form that this version knows */
	list<T>(key: KeptKey, isOurs: (value: unknown) => value is T): KeptList<T> {
		const list = new KeptList(this, key, isOurs);
		this.copiesOf(key).add(() => list.forgetWindow());
		return list;
	}

	/** How many entries there are, of any version. */
	count(key: KeptKey): number {
		const kept = this.get(key);
		return typeof kept === 'object' && kept !== null ? Object.keys(kept).length : kept === undefined ? 0 : 1;
	}

	/** Removes everything under a key, of any version. */
	async clear(key: KeptKey): Promise<void> {
		await this.update(key, undefined);
		for (const forget of this.copies.get(key) ?? []) {
			forget();
		}
	}

	/** Tells what holds a copy that nothing is left under a key. */
	onDidClear(key: KeptKey, listener: () => void): Disposable {
		const copies = this.copiesOf(key).add(listener);
		return toDisposable(() => copies.delete(listener));
	}

	private copiesOf(key: KeptKey): Set<() => void> {
		const copies = this.copies.get(key) ?? new Set();
		this.copies.set(key, copies);
		return copies;
	}

	/** Says it the first time. */
	tellUnknown(key: KeptKey): void {
		if (!this.told.has(key)) {
			this.told.add(key);
			this.log.info(
				`Under "${key}" another version of this extension has kept what this one does not know. It is left as it is.`,
			);
		}
	}
}

export class KeptList<T> {
	/** Where there is no list, but something of another version: until the window closes. */
	private ofWindow: readonly T[] = [];

	constructor(
		private readonly state: KeptState,
		private readonly key: KeptKey,
		private readonly isOurs: (value: unknown) => value is T,
	) {}

	/** What could not be kept is gone as well. */
	forgetWindow(): void {
		this.ofWindow = [];
	}

	/** Ours, in the order in which they were kept. */
	get entries(): readonly T[] {
		const { known, others } = this.read();
		if (others !== undefined && (!Array.isArray(others) || others.length > 0)) {
			this.state.tellUnknown(this.key);
		}
		return known;
	}

	/** Puts these in the place of ours. */
	async keep(entries: readonly T[]): Promise<void> {
		const { others } = this.read();
		if (Array.isArray(others)) {
			await this.state.update(this.key, [...(others as readonly unknown[]), ...entries]);
		} else {
			this.ofWindow = entries;
		}
	}

	/** Of any version. @returns how many were ours */
	async clear(): Promise<number> {
		const { length } = this.entries;
		await this.state.clear(this.key);
		return length;
	}

	/** `others` is what is no list of ours, or the entries that are not. */
	private read(): { readonly known: readonly T[]; readonly others: unknown } {
		const kept = this.state.get(this.key) ?? [];
		return Array.isArray(kept)
			? { known: kept.filter(it => this.isOurs(it)), others: kept.filter(it => !this.isOurs(it)) }
			: { known: this.ofWindow, others: kept };
	}
}
