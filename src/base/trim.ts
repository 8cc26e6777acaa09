/**
 * Shortens texts at their ends, in linear time. The pattern `/x+$/` takes quadratic time for a text with a long run
 * of `x` before its end.
 */

/** The text, cut after `maxLength` characters, with an ellipsis that marks the cut. Redact before you cut. */
export function shorten(text: string, maxLength: number): string {
	return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

/** @param characters those to remove from the end */
export function trimEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text.charAt(end - 1))) {
		end--;
	}
	return text.slice(0, end);
}

/** @param characters those to remove from both ends */
export function trimEnds(text: string, characters: string): string {
	const rest = trimEnd(text, characters);
	let start = 0;
	while (start < rest.length && characters.includes(rest.charAt(start))) {
		start++;
	}
	return rest.slice(start);
}
