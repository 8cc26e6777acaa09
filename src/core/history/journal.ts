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
