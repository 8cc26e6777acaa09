/** Compares names by their looks: names that a person can't tell apart have the same key. */

/** Pairs of a letter or digit, and the Latin letter that it looks like. */
const pairs = 'аa вb еe кk мm нh оo рp сc тt уy хx іl ѕs јj ԁd ѵv αa βb εe ιl κk μm νv οo ρp τt υu χx ıl 0o 1l il';
const lookalikes = new Map(pairs.split(' ').map(it => [it.charAt(0), it.charAt(1)]));

/** Whether a Greek or Cyrillic letter can be taken for a Latin one. */
export function looksLatin(letter: string): boolean {
	return lookalikes.has(letter.toLowerCase());
}

/** UTF-16 units of a name that are compared. Normalizing many combining marks takes quadratic time. */
const maxCompared = 500;

/** The key of a name: its letters and digits as the Latin letters that they look like, in lower case, without accents. */
export function lookalikeKey(name: string): string {
	const plain = name.slice(0, maxCompared).normalize('NFKD').toLowerCase();
	return Array.from(plain, it => lookalikes.get(it) ?? it)
		.join('')
		.replace(/[^\p{L}\p{N}]/gu, '');
}
