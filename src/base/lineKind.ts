/** Groups log lines by kind: lines that differ only in times, numbers, ids, or their ends are of one kind. */

const varying = /0x[\da-f]+|[\da-f-]{8,}|\d+/gi;
const kindLength = 40;
/** Characters of a line that are looked at. */
const maxLength = 400;

/** A key that is equal for lines that a person would take for repetitions. */
export function kindOfLine(text: string): string {
	return text.slice(0, maxLength).trim().replaceAll(varying, '0').slice(0, kindLength);
}
