/** Finds the smallest single edit that turns one text into another. Offsets are in UTF-16 code units of `before`. */
export function smallestChange(before: string, after: string): { start: number; end: number; content: string } {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) {
		start++;
	}
	let tail = 0;
	while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) {
		tail++;
	}
	// Never splits a CRLF or a surrogate pair.
	while (start > 0 && /[\r\uD800-\uDBFF]/.test(before[start - 1] ?? '')) {
		start--;
	}
	while (tail > 0 && /[\n\uDC00-\uDFFF]/.test(before.at(-tail) ?? '')) {
		tail--;
	}
	return { start, end: before.length - tail, content: after.slice(start, after.length - tail) };
}
