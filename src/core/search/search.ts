/**
 * Finds entries for models, which describe a task in words and don't know the names. Unlike a person's filter
 * (`entryFilter.ts`), an entry matches if it has any of the words; entries with more of them come first.
 */

/** The texts by which an entry is found. A word counts most in the name and least in the description. */
export interface SearchTexts {
	readonly name: string;
	readonly title?: string | undefined;
	/** Other names, such as those of arguments and of the server. */
	readonly also: readonly string[];
	readonly description?: string | undefined;
}

/** Characters of a description that are searched. */
const maxDescription = 4000;
/** Shortest word that is also found inside other words. */
const minInside = 3;
/** Shortest part of a name that also matches a longer word which begins with it. */
const minStem = 4;
/** Words of a query that are used. */
const maxWords = 20;

/** Entries that have any of the words, those with the most words first. An empty query matches all, and keeps their order. */
export function searchEntries<T>(entries: readonly T[], query: string, textsOf: (entry: T) => SearchTexts): T[] {
	const words = [...new Set(wordsOf(query))].slice(0, maxWords);
	if (words.length === 0) {
		return [...entries];
	}
	return entries
		.map(entry => ({ entry, rank: rankOf(words, textsOf(entry)) }))
		.filter(({ rank }) => rank.found > 0)
		.toSorted((a, b) => b.rank.found - a.rank.found || b.rank.weight - a.rank.weight)
		.map(({ entry }) => entry);
}

function rankOf(words: readonly string[], texts: SearchTexts): { found: number; weight: number } {
	const name = texts.name.toLowerCase();
	const parts = new Set(wordsOf(texts.name));
	const title = texts.title?.toLowerCase() ?? '';
	const also = texts.also.join('\n').toLowerCase();
	const description = texts.description?.slice(0, maxDescription).toLowerCase() ?? '';
	let found = 0;
	let weight = 0;
	for (const word of words) {
		// Words as short as "a" and "of" are inside many other words.
		const isIn = (text: string): boolean => word.length >= minInside && text.includes(word);
		const of =
			(parts.has(word) ? 10 : isIn(name) || beginsWithPart(word, parts) ? 6 : 0) +
			(isIn(title) ? 4 : 0) +
			(isIn(also) ? 2 : 0) +
			(isIn(description) ? 1 : 0);
		found += of > 0 ? 1 : 0;
		weight += of;
	}
	return { found, weight };
}

/** "watering" matches the part `water` of a name. */
function beginsWithPart(word: string, parts: ReadonlySet<string>): boolean {
	return [...parts].some(it => it.length >= minStem && word.startsWith(it));
}

/** `createIssue`, `create-issue` and "Create issue" have the same words. */
function wordsOf(text: string): string[] {
	return text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}\p{M}]+/u)
		.filter(it => it !== '');
}
