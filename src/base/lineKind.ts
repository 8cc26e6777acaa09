/** Lines of a log differ in times, numbers and ids, which say nothing about their kind; and most of all at their end. */

const varying = /0x[\da-f]+|[\da-f-]{8,}|\d+/gi;
const kindLength = 40;
/** Of a line; what is behind them says nothing about its kind. */
const maxLength = 400;

/** The same for lines that a person would take for repetitions. */
export function kindOfLine(text: string): string {
	return text.slice(0, maxLength).trim().replaceAll(varying, '0').slice(0, kindLength);
}
