/**
 * Lines that are only ever added to, in files of a folder: a full file is followed by another, and the oldest goes when
 * there are too many. Each window writes files of its own, so that two never write the same one. Private to the person.
 */
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Sequencer } from '../base/async.js';

export interface JournalOptions {
	/** A file that has so many bytes is full. */
	readonly maxFileBytes: number;
	/** How many files there may be, full or not. */
	readonly maxFiles: number;
}

const extension = '.jsonl';

/** Lines that are written together, and fail together. */
interface Batch {
	readonly lines: string[];
	readonly written: Promise<void>;
}

export class Journal {
	private readonly writes = new Sequencer();
	/** Takes lines until its turn to be written. */
	private batch: Batch | undefined;
	/** The last line of the current file may be incomplete. */
	private isTorn = false;
	private current: { readonly name: string; bytes: number } | undefined;
	private count = 0;

	/** @param folder made when it is needed */
	constructor(
		private readonly folder: string,
		private readonly options: JournalOptions,
	) {}

	/** Resolves when the line, which has no line break in it, is on the disk; rejects if it cannot be. */
	append(line: string): Promise<void> {
		this.batch ??= this.beginBatch();
		this.batch.lines.push(line);
		return this.batch.written;
	}

	/** The names of the files there are, the newest first. */
	async files(): Promise<string[]> {
		try {
			return (await readdir(this.folder))
				.filter(it => it.endsWith(extension))
				.toSorted()
				.toReversed();
		} catch (error) {
			if (isMissing(error)) {
				return [];
			}
			throw error;
		}
	}

	/** The lines of a file in the order they were written; none if it is gone by now. */
	async read(file: string): Promise<string[]> {
		try {
			const lines = (await readFile(join(this.folder, file), 'utf8')).split('\n');
			return lines.filter(it => it !== '');
		} catch (error) {
			if (isMissing(error)) {
				return [];
			}
			throw error;
		}
	}

	/** Removes everything that was written until now, by this window and by others. */
	clear(): Promise<void> {
		// Lines that are appended from now on are written after the removal.
		this.batch = undefined;
		return this.writes.run(async () => {
			this.current = undefined;
			await Promise.all((await this.files()).map(it => this.remove(it)));
		});
	}

	private beginBatch(): Batch {
		const lines: string[] = [];
		const written = this.writes.run(() => {
			if (this.batch?.lines === lines) {
				this.batch = undefined;
			}
			return this.write(lines);
		});
		return { lines, written };
	}

	private async write(lines: readonly string[]): Promise<void> {
		const { maxFileBytes } = this.options;
		if (this.current === undefined || this.current.bytes >= maxFileBytes) {
			await this.begin();
		}
		const { current } = this;
		if (current) {
			const text = `${this.isTorn ? '\n' : ''}${lines.join('\n')}\n`;
			// A disk that is full may take half a line; the next one must not continue it.
			this.isTorn = true;
			await this.add(current.name, text);
			this.isTorn = false;
			current.bytes += Buffer.byteLength(text);
		}
	}

	private async add(file: string, text: string): Promise<void> {
		try {
			await appendFile(join(this.folder, file), text, { mode: 0o600 });
		} catch (error) {
			if (!isMissing(error)) {
				throw error;
			}
			// The first line of all; or somebody has removed the folder.
			await mkdir(this.folder, { recursive: true, mode: 0o700 });
			await appendFile(join(this.folder, file), text, { mode: 0o600 });
		}
	}

	private async begin(): Promise<void> {
		const time = String(Date.now()).padStart(15, '0');
		const number = String(this.count++).padStart(6, '0');
		const files = await this.files();
		await Promise.all(files.slice(this.options.maxFiles - 1).map(it => this.remove(it)));
		this.isTorn = false;
		this.current = { name: `${time}-${number}-${process.pid}${extension}`, bytes: 0 };
	}

	private async remove(file: string): Promise<void> {
		await rm(join(this.folder, file), { force: true });
	}
}

function isMissing(error: unknown): boolean {
	return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
