/**
 * Matches the words that a person types: in the filters of the trees, in the search for resources, and in slash commands. An
 * entry matches if it has all of the words. Lists of 100,000 entries are searched again for each key.
 */

/** The texts of an entry that are searched. */
export interface Searchable {
	/** The first one counts twice as much as the others. */
	readonly names: readonly (string | undefined)[];
	/** Must have a word as it stands. */
	readonly description?: string | undefined;
}

/** What a word counts in a name: the whole name, its start, the start of another word, or a part of a word. */
const weights = { whole: 100, start: 60, wordStart: 50, inside: 40 };
/** What a word counts that is put together from starts of words: `gs`, `gesu` and `getsum` in `get-sum`. */
const startsWeight = 35;
/** The score of a word whose letters are in the name in their order; less for each gap. */
const lettersWeight = 30;
const descriptionWeight = 5;

/** Longest part of a name in which letters may be left out, and in which all occurrences of a word are examined. */
const maxName = 300;

export function wordsOf(query: string): string[] {
	return query
		.toLowerCase()
		.split(/\s+/u)
		.filter(it => it !== '');
}

/** The entries that match, best first, at most `limit`. Without words, all match and keep their order. */
export function findBest<T>(
	entries: readonly T[],
	words: readonly string[],
	limit: number,
	textsOf: (entry: T) => Searchable,
): T[] {
	if (words.length === 0) {
		return entries.slice(0, limit);
	}
	/** Best first; entries of equal rank in their order. Sorting all matches would take longer than finding them. */
	const best: { readonly entry: T; readonly rank: number }[] = [];
	for (const entry of entries) {
		const rank = rankOf(words, textsOf(entry), 1);
		const worst = best.length < limit ? 0 : (best.at(-1)?.rank ?? 0);
		if (rank > worst) {
			const at = best.findLastIndex(it => it.rank >= rank) + 1;
			best.splice(at, 0, { entry, rank });
			best.length = Math.min(best.length, limit);
		}
	}
	return best.map(({ entry }) => entry);
}

/** A filter of lists, with which letters can only be left out at ends of words. Remembers the matches of each list. */
export class EntryFilter {
	readonly query: string;
	private readonly words: readonly string[];
	private readonly wider: WeakMap<readonly unknown[], readonly unknown[]> | undefined;
	private readonly found = new WeakMap<readonly unknown[], readonly unknown[]>();

	/** @param before the previous filter: if this one only adds letters to it, only its matches are searched */
	constructor(query: string, before?: EntryFilter) {
		this.query = query.trim();
		this.words = wordsOf(query);
		// A longer text never matches an entry that its beginning doesn't match.
		this.wider = before && before.query !== '' && this.query.startsWith(before.query) ? before.found : undefined;
	}

	/** The entries that match, in their order. Lists are recognized by identity: a changed list must be a new array. */
	hits<T>(entries: readonly T[], textsOf: (entry: T) => Searchable): readonly T[] {
		const known = this.found.get(entries);
		if (known) {
			return known as readonly T[];
		}
		const candidates = (this.wider?.get(entries) as readonly T[] | undefined) ?? entries;
		const hits = candidates.filter(it => this.matches(textsOf(it)));
		this.found.set(entries, hits);
		return hits;
	}

	matches(texts: Searchable): boolean {
		return rankOf(this.words, texts, startsWeight) > 0;
	}
}

/** How well an entry matches; 0 if it lacks one of the words. Among equal matches, the one with the shorter name ranks higher. */
function rankOf(words: readonly string[], { names, description }: Searchable, least: number): number {
	let about: string | undefined;
	let sum = 1;
	for (const word of words) {
		let weight = 0;
		for (let index = 0; weight === 0 && index < names.length; index++) {
			weight = weigh(word, names[index] ?? '', least) * (index === 0 ? 2 : 1);
		}
		if (weight === 0) {
			about ??= description?.toLowerCase() ?? '';
			if (!about.includes(word)) {
				return 0;
			}
			weight = descriptionWeight;
		}
		sum += weight;
	}
	return sum - Math.min(names[0]?.length ?? 0, maxName) / (maxName * 10);
}

/** What a word counts in a name, or 0 if that is less than `least`. @param word in lower case */
function weigh(word: string, name: string, least: number): number {
	const lower = name.toLowerCase();
	if (lower.startsWith(word)) {
		return word.length === lower.length ? weights.whole : weights.start;
	}
	// Where the lower case has another length, its places aren't those of the name.
	const text = lower.length === name.length ? name : lower;
	let at = lower.indexOf(word);
	if (at > 0) {
		do {
			if (isWordStart(text, at)) {
				return weights.wordStart;
			}
			at = lower.indexOf(word, at + 1);
		} while (at > 0 && at < maxName);
		return weights.inside;
	}
	const gaps = gapsIn(word, lower, text);
	if (gaps === undefined) {
		return 0;
	}
	const weight = hasStarts(word, lower, text) ? startsWeight : Math.max(1, lettersWeight - gaps);
	return weight < least ? 0 : weight;
}

/** Counts the gaps between the letters of a word, threefold inside words; `undefined` if the name lacks a letter. */
function gapsIn(word: string, lower: string, name: string): number | undefined {
	let gaps = 0;
	let from = 0;
	for (const letter of word) {
		const next = lower.indexOf(letter, from);
		if (next < 0 || next >= maxName) {
			return undefined;
		}
		gaps += next > from && from > 0 ? (isWordStart(name, next) ? 1 : 3) : 0;
		from = next + letter.length;
	}
	return gaps;
}

/** Whether each letter of a word follows the one before, or begins a word of the name as the first one does. */
function hasStarts(word: string, lower: string, name: string): boolean {
	const [first = '', ...others] = word;
	for (let start = nextStart(first, lower, name, 0); start >= 0; start = nextStart(first, lower, name, start + 1)) {
		let end = start + first.length;
		const isMissing = (letter: string): boolean => {
			const at = lower.startsWith(letter, end) ? end : nextStart(letter, lower, name, end);
			end = at + letter.length;
			return at < 0;
		};
		if (!others.some(isMissing)) {
			return true;
		}
	}
	return false;
}

/** Where a letter next begins a word; -1 if it doesn't. */
function nextStart(letter: string, lower: string, name: string, from: number): number {
	let at = lower.indexOf(letter, from);
	while (at >= 0 && !isWordStart(name, at)) {
		at = lower.indexOf(letter, at + 1);
	}
	return at < maxName ? at : -1;
}

/** Matches where a word begins: `get-sum`, `getSum`, `test2`. */
const wordStart = /(?<![\p{L}\p{N}])|(?<=\p{Ll})(?=\p{Lu})|(?<=\p{L})(?=\p{N})/uy;

function isWordStart(name: string, at: number): boolean {
	wordStart.lastIndex = at;
	return wordStart.test(name);
}
