/**
 * The editor's state, as our stores use it. An older version and a newer one take turns on it: what this one does not
 * know is never used, never dropped by what it writes, and told once in the log.
 *
 * Two windows on one workspace, which only an editor on the web can have, do not hear of each other: the editor reads the
 * state of a workspace once, and an update writes all of its keys. What one of them has taken back, the other writes again.
 * Reading before each write would not help, as that reads the window's own copy.
 */
import type { Memento } from 'vscode';
import type { Logger } from '../base/log.js';

export class KeptState {
	private readonly told = new Set<string>();

	constructor(
		private readonly memento: Memento,
		private readonly log: Pick<Logger, 'info'>,
	) {}

	get(key: string): unknown {
		return this.memento.get<unknown>(key);
	}

	async update(key: string, value: unknown): Promise<void> {
		await this.memento.update(key, value);
	}

	/** The list under a key. @param isOurs tells the entries of a form that this version knows */
	list<T>(key: string, isOurs: (value: unknown) => value is T): KeptList<T> {
		return new KeptList(this, key, isOurs);
	}

	/** Says it the first time. */
	tellUnknown(key: string): void {
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
		private readonly key: string,
		private readonly isOurs: (value: unknown) => value is T,
	) {}

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

	/** Of any version: somebody wants nothing to be left. @returns how many were ours */
	async clear(): Promise<number> {
		const { length } = this.entries;
		this.ofWindow = [];
		await this.state.update(this.key, undefined);
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
