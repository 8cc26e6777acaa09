/**
 * An append-only journal of lines in the files of a folder. A full file is followed by another, and the oldest file is
 * deleted when there are too many. Each window writes its own files. Only the user can read them.
 */
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clock } from '../base/clock.js';
import { Sequencer } from '../base/async.js';

export interface JournalOptions {
	/** Bytes after which a new file is begun. */
	readonly maxFileBytes: number;
	/** Files that are kept, of all windows. */
	readonly maxFiles: number;
}

const extension = '.jsonl';

interface JournalFile {
	readonly name: string;
	bytes: number;
}

export class Journal {
	private readonly writes = new Sequencer();
	/** Whether the last line of the current file may be incomplete. */
	private isTorn = false;
	private current: JournalFile | undefined;
	private count = 0;

	/** @param folder created by the first write */
	constructor(
		private readonly folder: string,
		private readonly options: JournalOptions,
	) {}

	/** Resolves when the line is written, and rejects if it can't be. @param line without a line break */
	append(line: string): Promise<void> {
		return this.writes.run(() => this.write(line));
	}

	/** The names of the files, the newest first. */
	async files(): Promise<string[]> {
		const names = await readdir(this.folder).catch(orIfMissing([]));
		return names
			.filter(it => it.endsWith(extension))
			.toSorted()
			.toReversed();
	}

	/** The lines of a file in the order they were written; empty if the file was deleted. */
	async read(file: string): Promise<string[]> {
		const text = await readFile(join(this.folder, file), 'utf8').catch(orIfMissing(''));
		return text.split('\n').filter(it => it !== '');
	}

	/** Deletes all files, including those of other windows. */
	clear(): Promise<void> {
		return this.writes.run(async () => {
			this.current = undefined;
			await Promise.all((await this.files()).map(it => this.remove(it)));
		});
	}

	private async write(line: string): Promise<void> {
		let { current } = this;
		if (current === undefined || current.bytes >= this.options.maxFileBytes) {
			current = await this.begin();
		}
		const text = `${this.isTorn ? '\n' : ''}${line}\n`;
		// A full disk may take only a part of the text; the next line must not continue it.
		this.isTorn = true;
		await this.add(current.name, text);
		this.isTorn = false;
		current.bytes += Buffer.byteLength(text);
	}

	private async add(file: string, text: string): Promise<void> {
		try {
			await appendFile(join(this.folder, file), text, { mode: 0o600 });
		} catch (error) {
			if (!isMissing(error)) {
				throw error;
			}
			// The folder doesn't exist yet, or was deleted.
			await mkdir(this.folder, { recursive: true, mode: 0o700 });
			await appendFile(join(this.folder, file), text, { mode: 0o600 });
		}
	}

	private async begin(): Promise<JournalFile> {
		const time = String(clock.now()).padStart(15, '0');
		const number = String(this.count++).padStart(6, '0');
		const files = await this.files();
		await Promise.all(files.slice(this.options.maxFiles - 1).map(it => this.remove(it)));
		this.isTorn = false;
		this.current = { name: `${time}-${number}-${process.pid}${extension}`, bytes: 0 };
		return this.current;
	}

	private async remove(file: string): Promise<void> {
		await rm(join(this.folder, file), { force: true });
	}
}

function isMissing(error: unknown): boolean {
	return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

/** A handler for a rejected promise: gives `value` if a file or folder doesn't exist. @throws any other error */
function orIfMissing<T>(value: T): (error: unknown) => T {
	return error => {
		if (isMissing(error)) {
			return value;
		}
		throw error;
	};
}
