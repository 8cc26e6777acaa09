/**
 * What was called, read and asked, newest first: of this session from memory, of earlier ones from the journal, a file at a time as
 * somebody looks further back. A call costs one line, however long the history is.
 */
import { Sequencer } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { type Ended, entryOf, type HistoryEntry, parseEntry } from './historyEntry.js';
import type { LineJournal } from './journal.js';

export interface HistoryDeps {
	/** Without one, where no workspace is open, the history is that of the window. */
	readonly journal: LineJournal | undefined;
	readonly isKept: () => boolean;
	readonly describeError: (error: unknown) => string;
	readonly log: Pick<Logger, 'info'>;
	/** Takes secrets out of data about a server, those of every server: one may be given to another. */
	readonly redact: <T>(value: T, server: Ended['server']) => T;
}

/** How many calls of this session are kept in memory; older ones are in the journal. */
const maxRecent = 1000;

export class History extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	/** Newest first. */
	private recent: HistoryEntry[] = [];
	private older: HistoryEntry[] = [];
	/** Files that were not read yet; `undefined` before anybody looked. */
	private unread: string[] | undefined;
	private readonly reads = new Sequencer();
	private count = 0;
	private hasToldUnknown = false;
	private readonly session = Math.random().toString(36).slice(2);

	constructor(private readonly deps: HistoryDeps) {
		super();
	}

	/** Keeps it, unless the person wants no history. Never throws: a full disk is no reason for a call to fail. */
	record(ended: Ended): void {
		const { journal, isKept, describeError, redact } = this.deps;
		if (!isKept()) {
			return;
		}
		const id = ('id' in ended ? ended.id : undefined) ?? `${this.session}-${this.count++}`;
		const entry = entryOf(ended, id, it => redact(it, ended.server), describeError);
		this.recent.unshift(entry);
		if (this.recent.length > maxRecent) {
			this.recent.pop();
		}
		journal?.append(JSON.stringify(entry)).catch((error: unknown) => {
			ended.server.log.warn(`The history could not be written: ${toMessage(error)}`);
		});
		this._onDidChange.fire();
	}

	/** What is known by now, the newest first. */
	get entries(): readonly HistoryEntry[] {
		return [...this.recent, ...this.older];
	}

	/** Whether nothing is known; costs nothing, unlike the entries. */
	get isEmpty(): boolean {
		return this.recent.length === 0 && this.older.length === 0;
	}

	find(id: string): HistoryEntry | undefined {
		return this.recent.find(it => it.id === id) ?? this.older.find(it => it.id === id);
	}

	/** Whether there may be older ones than those that are known. */
	get hasMore(): boolean {
		return this.deps.journal !== undefined && (this.unread === undefined || this.unread.length > 0);
	}

	/** Reads the next older file. @throws what reading fails with */
	loadMore(): Promise<void> {
		return this.reads.run(async () => {
			const { journal } = this.deps;
			this.unread ??= (await journal?.files()) ?? [];
			const file = this.unread.shift();
			if (journal === undefined || file === undefined) {
				return;
			}
			const known = new Set([...this.recent, ...this.older].map(it => it.id));
			for (const line of (await journal.read(file)).toReversed()) {
				const entry = parseEntry(line);
				if (entry && !known.has(entry.id)) {
					this.older.push(entry);
				}
				if (!entry && !this.hasToldUnknown) {
					this.hasToldUnknown = true;
					this.deps.log.info(
						'The history has lines of another version of this extension, or damaged ones. They are left as they are.',
					);
				}
			}
			this._onDidChange.fire();
		});
	}

	/** Forgets everything, on the disk as well. @throws what removing fails with */
	async clear(): Promise<void> {
		await this.reads.run(async () => {
			this.recent = [];
			this.older = [];
			this.unread = [];
			this._onDidChange.fire();
			await this.deps.journal?.clear();
		});
	}
}
