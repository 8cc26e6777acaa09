/**
 * PURE: finds entries by words that say what is wanted, best first. Made for models, which do not know the names:
 * a filter for people (`entryFilter.ts`) wants every word to be there, this wants as many as there are.
 */

/** What of an entry is looked at; what stands first weighs most. */
export interface SearchTexts {
	readonly name: string;
	readonly title?: string | undefined;
	/** Of arguments, servers, whatever else names it. */
	readonly also: readonly string[];
	readonly description?: string | undefined;
}

/** No description says more in what comes after. */
const maxDescription = 4000;
/** Shortest word that is looked for inside of others. */
const minInside = 3;
/** Shortest part of a name that is looked for at the beginning of a word. */
const minStem = 4;
/** More words than these say nothing more. */
const maxWords = 20;

/** Entries that have any of the words, those with the most of them first; all in their order if there is no word. */
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
		// Inside of other words, those as short as "a" and "of" are everywhere.
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

/** `water` is what is wanted by who writes "watering". */
function beginsWithPart(word: string, parts: ReadonlySet<string>): boolean {
	return [...parts].some(it => it.length >= minStem && word.startsWith(it));
}

/** `createIssue`, `create-issue` and "Create issue" are the same words. */
function wordsOf(text: string): string[] {
	return text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}\p{M}]+/u)
		.filter(it => it !== '');
}
