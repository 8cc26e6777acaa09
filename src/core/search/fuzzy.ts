/**
 * PURE: finds names as "Go to File" does: the letters of each word must come in their order, and the best matches come
 * first. Made for lists of 100,000 while somebody types.
 */

export interface FuzzyTexts {
	/** Weighs most. */
	readonly name: string;
	/** Where it is, and whatever else may be meant. */
	readonly place: string;
}

/** Longest part of a text in which letters may be left out. */
const maxLength = 300;

/** Best first, at most `limit`; all in their order for no query. */
export function fuzzyFind<T>(
	entries: Iterable<T>,
	query: string,
	limit: number,
	textsOf: (entry: T) => FuzzyTexts,
): T[] {
	const words = query
		.toLowerCase()
		.split(/\s+/u)
		.filter(it => it !== '');
	/** Best first; of those that match alike, the earlier. To sort all that match would cost more than to find them. */
	const best: { readonly entry: T; readonly rank: number }[] = [];
	for (const entry of entries) {
		if (words.length === 0 && best.length === limit) {
			break;
		}
		const rank = words.length === 0 ? 1 : rankOf(words, textsOf(entry));
		const worst = best.length < limit ? 0 : (best.at(-1)?.rank ?? 0);
		if (rank > worst) {
			const at = best.findLastIndex(it => it.rank >= rank) + 1;
			best.splice(at, 0, { entry, rank });
			best.length = Math.min(best.length, limit);
		}
	}
	return best.map(({ entry }) => entry);
}

/** 0 if any word is nowhere. */
function rankOf(words: readonly string[], { name, place }: FuzzyTexts): number {
	const names = name.toLowerCase();
	let places: string | undefined;
	let sum = 0;
	for (const word of words) {
		let rank = rankIn(word, names) * 2;
		if (rank === 0) {
			places ??= place.toLowerCase();
			rank = rankIn(word, places);
		}
		if (rank === 0) {
			return 0;
		}
		sum += rank;
	}
	// Of two that match alike, the shorter is more of what was typed.
	return sum - Math.min(names.length, maxLength) / (maxLength * 10);
}

/** 100: all of it; 60: it begins so; 50: a word of it does; 40: inside; below 30: letters left out, the fewer gaps the more. */
function rankIn(word: string, text: string): number {
	const at = text.indexOf(word);
	if (at >= 0) {
		if (at === 0) {
			return word.length === text.length ? 100 : 60;
		}
		return isWordStart(text, at) ? 50 : 40;
	}
	let gaps = 0;
	let from = 0;
	for (const letter of word) {
		const next = text.indexOf(letter, from);
		if (next < 0 || next >= maxLength) {
			return 0;
		}
		gaps += next > from && from > 0 ? (isWordStart(text, next) ? 1 : 3) : 0;
		from = next + letter.length;
	}
	return Math.max(1, 30 - gaps);
}

function isWordStart(text: string, at: number): boolean {
	return !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}
