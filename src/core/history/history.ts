/**
 * The history of calls, reads, and requests, each with its decision: entries of this session in memory, earlier ones from
 * the journal, which is read one file at a time. Recording an entry appends one line, however long the history is.
 */
import { Sequencer } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { type Ended, formatEntry, historyEntryOf, type HistoryEntry, parseEntry } from './historyEntry.js';

/** The port to append-only files of lines; `node/journal.ts` implements it. */
export interface LineJournal {
	/** Resolves when a line, which must not contain a line break, is on the disk; rejects if that fails. */
	append(line: string): Promise<void>;
	/** The names of the files, newest first. */
	files(): Promise<string[]>;
	/** The lines of a file in the order they were written. */
	read(file: string): Promise<string[]>;
	/** Removes all files. */
	clear(): Promise<void>;
}

export interface HistoryDeps {
	/** `undefined` if no workspace is open: then the history ends with the window. */
	readonly journal: LineJournal | undefined;
	/** Whether arguments and results are kept too. Decisions always are. */
	readonly isKept: () => boolean;
	readonly describeError: (error: unknown) => string;
	/** Removes the secrets of all servers from data about one, because a call can pass a secret to another server. */
	readonly redact: <T>(value: T, server: Ended['server']) => T;
}

/** Entries of this session that stay in memory; older ones are in the journal. */
const maxRecent = 1000;

export class History extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange: Event<void> = this._onDidChange.event;

	/** Newest first. */
	private recent: HistoryEntry[] = [];
	private older: HistoryEntry[] = [];
	/** Files that haven't been read; `undefined` before the first `loadMore`. */
	private unread: string[] | undefined;
	private readonly reads = new Sequencer();
	private writing: Promise<unknown> = Promise.resolve();

	constructor(private readonly deps: HistoryDeps) {
		super();
	}

	/** Adds an entry. Never throws: a full disk must not make a call fail. */
	record(ended: Ended): void {
		const { journal, isKept, describeError, redact } = this.deps;
		const id = ('id' in ended ? ended.id : undefined) ?? crypto.randomUUID();
		const entry = historyEntryOf(ended, id, it => redact(it, ended.server), describeError, isKept());
		this.recent.unshift(entry);
		if (this.recent.length > maxRecent) {
			this.recent.pop();
		}
		this.writing = (journal?.append(formatEntry(entry)) ?? Promise.resolve()).catch((error: unknown) => {
			ended.server.log.warn(`The history could not be written: ${toMessage(error)}`);
		});
		this._onDidChange.fire();
	}

	/** The entries that have been loaded, newest first. Each access copies them. */
	get entries(): readonly HistoryEntry[] {
		return [...this.recent, ...this.older];
	}

	find(id: string): HistoryEntry | undefined {
		return this.entries.find(it => it.id === id);
	}

	/** Whether the journal may have older entries. */
	get hasMore(): boolean {
		return this.deps.journal !== undefined && this.unread?.length !== 0;
	}

	/** Reads the next older file. @throws the error of the journal */
	loadMore(): Promise<void> {
		return this.reads.run(async () => {
			const { journal } = this.deps;
			this.unread ??= (await journal?.files()) ?? [];
			const file = this.unread.shift();
			if (journal === undefined || file === undefined) {
				return;
			}
			const known = new Set(this.entries.map(it => it.id));
			for (const line of (await journal.read(file)).toReversed()) {
				const entry = parseEntry(line);
				if (entry && !known.has(entry.id)) {
					this.older.push(entry);
				}
			}
			this._onDidChange.fire();
		});
	}

	/** All entries as lines of JSON, oldest first. @throws the error of the journal */
	async export(): Promise<string> {
		await this.writing;
		const { journal } = this.deps;
		const files = (await journal?.files())?.toReversed() ?? [];
		const ofFiles = await Promise.all(files.map(async it => journal?.read(it) ?? []));
		const kept = journal ? ofFiles.flat() : this.recent.toReversed().map(formatEntry);
		return kept
			.filter(it => parseEntry(it))
			.map(it => `${it}\n`)
			.join('');
	}

	/** Removes all entries, also from the journal. @throws the error of the journal */
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
