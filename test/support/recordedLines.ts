// What a program under test writes down while a test reads it: a line may be half written, or a file be there and still empty.
import * as fs from 'node:fs';

/** The lines that are written to their end; none while there is no file. */
export function recordedLines(file: string): string[] {
	return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
