/** The port to lines on a disk that are only ever added to; `node/journal.ts` on a desktop. */

export interface LineJournal {
	/** Resolves when the line, which has no line break in it, is on the disk; rejects if it cannot be. */
	append(line: string): Promise<void>;
	/** The names of its files, the newest first. */
	files(): Promise<string[]>;
	/** The lines of a file in the order they were written. */
	read(file: string): Promise<string[]>;
	/** Removes all of it. */
	clear(): Promise<void>;
}
