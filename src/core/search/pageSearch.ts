/**
 * Finds the pages that have any of the words of a question, best first; all pages in their order if none has. Rare words
 * count most, because every page has words such as "how" and "server". Chinese words are also found inside others.
 */
export function searchPages<T extends { about: string; text: string }>(pages: readonly T[], question: string): T[] {
	const ranked = pages.map(page => ({ page, rank: 0 }));
	for (const word of new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu))) {
		const stem = word.length > 4 ? word.replace(/(?:ing|ed|s)$/, '') : word;
		const count = (text: string): number => text.match(new RegExp(`(?<![a-z0-9])${stem}`, 'gi'))?.length ?? 0;
		const weights = pages.map(({ about, text }) => 3 * Math.min(count(about), 1) + Math.log1p(count(text)));
		const rarity = Math.log((pages.length + 1) / Math.max(weights.filter(it => it > 0).length, 1));
		ranked.forEach((it, index) => (it.rank += rarity * (weights[index] ?? 0)));
	}
	const found = ranked.filter(it => it.rank > 0).toSorted((a, b) => b.rank - a.rank);
	return (found.length > 0 ? found : ranked).map(it => it.page);
}
