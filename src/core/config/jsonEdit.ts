/** Changes one value in a JSON text; everything else stays as it is. */
import { applyEdits, type FormattingOptions, type JSONPath, modify } from 'jsonc-parser';

/**
 * UTF-16 units of a line. `jsonc-parser` formats the whole line that it changes, at quadratic cost: what is written into
 * longer lines is not formatted.
 */
const maxLine = 5000;

/**
 * @param path of a text that is JSON, within its bounds
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
