/** Changes one value in a JSON text, and keeps the rest of the text. */
import { applyEdits, type FormattingOptions, type JSONPath, modify } from 'jsonc-parser';

/**
 * UTF-16 units. `jsonc-parser` formats the whole line that it changes, which takes quadratic time, so nothing is formatted
 * in a text with a longer line.
 */
const maxLine = 1000;

/**
 * The text with a new value at a path.
 * @param text JSON within its bounds
 * @param isInsertion whether to put an element into a list instead of replacing one
 */
export function setValue(
	text: string,
	path: JSONPath,
	value: unknown,
	formatting: FormattingOptions,
	isInsertion = false,
): string {
	const hasLongLine = text.split(/[\r\n]/).some(it => it.length > maxLine);
	const formattingOptions = hasLongLine ? undefined : formatting;
	return applyEdits(
		text,
		modify(text, path, value, { ...(formattingOptions && { formattingOptions }), isArrayInsertion: isInsertion }),
	);
}
