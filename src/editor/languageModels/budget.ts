/** PURE: how much of a text a model is given at once: in tokens where the caller counts them, else in characters. */

export interface Budget {
	/** Of what `count` counts. */
	readonly max: number;
	readonly count: (text: string) => PromiseLike<number> | number;
}

/** Without a word of the caller: enough for most answers, and no model chokes on it. */
export const defaultChars = 20_000;
/** However much a caller would take. */
const maxChars = 400_000;
/** However little: a model that reads on must get on. */
const minChars = 200;

export const charsBudget: Budget = { max: defaultChars, count: text => text.length };

/** Where the piece that begins at `from` ends, so that it fits; at a line's end if one is near. */
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
	// Never between the halves of a character.
	return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
