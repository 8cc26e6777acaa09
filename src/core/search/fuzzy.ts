/**
 * Ranks texts by the words that a person types, as "Go to File" does: the letters of each word must come in their order.
 * It must stay fast for lists of 100,000 entries, which are searched again for each key.
 */

export interface FuzzyTexts {
	/** Counts twice as much as `place`. */
	readonly name: string;
	/** Where the entry is, and anything else that it can be found by. */
	readonly place: string;
}

/** How much a word adds to the rank of a text, by where the word is in the text. */
export interface WordWeights {
	/** The word is the whole text. */
	readonly whole: number;
	/** The text begins with the word. */
	readonly start: number;
	/** Another word of the text begins with it. */
	readonly wordStart: number;
	/** The word is inside another word. */
	readonly inside: number;
	/** The text has the letters in their order, with others in between; the gaps are counted, threefold inside words. */
	readonly letters: (gaps: number) => number;
}

const weights: WordWeights = {
	whole: 100,
	start: 60,
	wordStart: 50,
	inside: 40,
	letters: gaps => Math.max(1, 30 - gaps),
};

/** Longest part of a text in which letters may be left out, and in which all occurrences of a word are examined. */
const maxLength = 300;

/** The entries that match, best first, at most `limit`. An empty query matches all, and keeps their order. */
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
	/** Best first; entries of equal rank in their order. Sorting all matches would take longer than finding them. */
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

/** 0 if neither text has one of the words. */
function rankOf(words: readonly string[], { name, place }: FuzzyTexts): number {
	const names = name.toLowerCase();
	let places: string | undefined;
	let sum = 0;
	for (const word of words) {
		let rank = weighWord(word, names, weights) * 2;
		if (rank === 0) {
			places ??= place.toLowerCase();
			rank = weighWord(word, places, weights);
		}
		if (rank === 0) {
			return 0;
		}
		sum += rank;
	}
	// Among equal matches, the shorter name comes first.
	return sum - Math.min(names.length, maxLength) / (maxLength * 10);
}

/** Whether a text has the letters of a word in their order. Both must be in lower case. */
export function hasWord(word: string, text: string): boolean {
	return weighWord(word, text, weights) > 0;
}

/** The score of a word in a text; 0 if the text doesn't contain the word. Both must be in lower case. */
export function weighWord(
	word: string,
	text: string,
	{ whole, start, wordStart, inside, letters }: WordWeights,
): number {
	if (text.startsWith(word)) {
		return word.length === text.length ? whole : start;
	}
	let at = text.indexOf(word);
	if (at > 0) {
		do {
			if (isWordStart(text, at)) {
				return wordStart;
			}
			at = text.indexOf(word, at + 1);
		} while (at > 0 && at < maxLength);
		return inside;
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
	return letters(gaps);
}

function isWordStart(text: string, at: number): boolean {
	return !/[\p{L}\p{N}]/u.test(text.charAt(at - 1));
}
