/** Limits how much of a text a model gets at once: in tokens if the caller counts them, otherwise in characters. */

/** A limit in units of `count`. */
export interface Budget {
	readonly max: number;
	readonly count: (text: string) => PromiseLike<number> | number;
}

/** The limit if the caller sets none: enough for most answers, and not too much for any model. */
export const defaultChars = 20_000;
/** The longest piece, in characters, even if the caller allows more. */
const maxChars = 400_000;
/** The shortest piece, in characters, even if the caller allows less, so that reading on makes progress. */
const minChars = 200;

export const charsBudget: Budget = { max: defaultChars, count: text => text.length };

/** The end of the piece that begins at `from` and fits the budget; at the end of a line if there is one nearby. */
export async function endOfPiece(text: string, from: number, { max, count }: Budget): Promise<number> {
	let length = Math.min(text.length - from, maxChars, Math.max(minChars, max * 8));
	while (length > minChars) {
		const used = await count(text.slice(from, from + length));
		if (used <= max) {
			break;
		}
		const next = Math.floor(length * Math.min(0.95, max / used));
		length = Math.max(minChars, next);
	}
	return from + length >= text.length ? text.length : goodEnd(text, from, from + length);
}

function goodEnd(text: string, from: number, end: number): number {
	const line = text.lastIndexOf('\n', end - 1) + 1;
	if (line > from + (end - from) * 0.8) {
		return line;
	}
	// Never splits a surrogate pair.
	return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
