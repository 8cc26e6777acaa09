/** Names that a person cannot tell apart have the same key. */

/** Letters and digits by those that they look like, in lower case. */
const lookalikes: Readonly<Record<string, string>> = {
	а: 'a',
	в: 'b',
	е: 'e',
	к: 'k',
	м: 'm',
	н: 'h',
	о: 'o',
	р: 'p',
	с: 'c',
	т: 't',
	у: 'y',
	х: 'x',
	і: 'l',
	ѕ: 's',
	ј: 'j',
	ԁ: 'd',
	ѵ: 'v',
	α: 'a',
	β: 'b',
	ε: 'e',
	ι: 'l',
	κ: 'k',
	μ: 'm',
	ν: 'v',
	ο: 'o',
	ρ: 'p',
	τ: 't',
	υ: 'u',
	χ: 'x',
	ı: 'l',
	'0': 'o',
	'1': 'l',
	i: 'l',
};

/** Whether a Greek or Cyrillic letter can be taken for a Latin one. */
export function looksLatin(letter: string): boolean {
	return Object.hasOwn(lookalikes, letter.toLowerCase());
}

/** UTF-16 units of a name that are compared: long runs of combining marks take quadratic time. */
const maxCompared = 500;

/** Letters and digits only, in one case, without accents. */
export function lookalikeKey(name: string): string {
	const plain = name.slice(0, maxCompared).normalize('NFKD').toLowerCase();
	return Array.from(plain, it => lookalikes[it] ?? it)
		.join('')
		.replace(/[^\p{L}\p{N}]/gu, '');
}
