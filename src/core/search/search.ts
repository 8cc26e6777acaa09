/**
 * Finds entries by a task or question in words: tools and resources for models, which don't know the names, and pages of
 * the documentation. Unlike with a person's filter (`matcher.ts`), an entry matches if it has any of the words.
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
const maxDescription = 10_000;
/** Shortest part of a name that also matches a longer word which begins with it. */
const minPart = 4;
/** Words of a query that are used. */
const maxWords = 20;

/**
 * Entries that have any of the words, best first. Rare words count most, because words such as "how" and "get" are in
 * most entries. An empty query matches all, and keeps their order.
 */
export function searchEntries<T>(entries: readonly T[], query: string, textsOf: (entry: T) => SearchTexts): T[] {
	const words = [...new Set(wordsOf(query))].slice(0, maxWords);
	const ranked = entries.map(entry => {
		const texts = textsOf(entry);
		return { entry, texts, parts: wordsOf(texts.name), rank: 0 };
	});
	for (const word of words) {
		const weights = weigh(word, ranked);
		const rarity = Math.log((entries.length + 1) / Math.max(1, weights.filter(it => it > 0).length));
		ranked.forEach((it, index) => (it.rank += rarity * (weights[index] ?? 0)));
	}
	return ranked
		.filter(it => words.length === 0 || it.rank > 0)
		.toSorted((a, b) => b.rank - a.rank)
		.map(it => it.entry);
}

/** What a word counts in each entry. Its ending may differ. @param parts the words of the name */
function weigh(
	word: string,
	entries: readonly { readonly texts: SearchTexts; readonly parts: readonly string[] }[],
): number[] {
	const stem = word.length > 4 ? word.replace(/(?:ing|ed|s)$/, '') : word;
	// Chinese has no spaces between words.
	const pattern = new RegExp(`(?<![a-z0-9])${stem}`, 'gi');
	const count = (text = ''): number => text.match(pattern)?.length ?? 0;
	// Words as short as "a" and "of" begin many other words.
	const isShort = /^[a-z]{1,2}$/.test(word);
	return entries.map(({ texts: { title, also, description }, parts }) => {
		if (isShort || parts.includes(word)) {
			return parts.includes(word) ? 10 : 0;
		}
		const isInName = parts.some(it => it.includes(stem) || (it.length >= minPart && word.startsWith(it)));
		return (
			(isInName ? 6 : 0) +
			(count(title) > 0 ? 4 : 0) +
			(count(also.join('\n')) > 0 ? 2 : 0) +
			Math.log1p(count(description?.slice(0, maxDescription)))
		);
	});
}

/** `createIssue`, `create-issue` and "Create issue" have the same words. */
function wordsOf(text: string): string[] {
	return text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}\p{M}]+/u)
		.filter(it => it !== '');
}
