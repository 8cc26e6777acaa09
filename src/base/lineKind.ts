/**
 * Groups log lines by kind: lines of one kind differ only in times, numbers and ids, or after their first characters.
 */

const varying = /0x[\da-f]+|[\da-f-]{8,}|\d+/gi;
const kindLength = 40;
/** Only this many characters of a line are read. */
const maxLength = 400;

/** A key that is equal for lines of one kind. */
export function kindOfLine(text: string): string {
	return text.slice(0, maxLength).trim().replaceAll(varying, '0').slice(0, kindLength);
}
