/** Escapes letters of other scripts within a word, because they can look like the letters of the word's own script. */

/** Chinese, Japanese and Korean words mix their scripts, with Latin letters as well. */
const anyWord = ['Common', 'Inherited', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'];

/** A word is in the first of these scripts that it has a letter of. A word of none of them stays as it is. */
const scripts = ['Latin', 'Greek', 'Cyrillic'].map(script => ({
	own: new RegExp(`\\p{Script=${script}}`, 'u'),
	other: new RegExp(`[^${[script, ...anyWord].map(it => `\\p{Script=${it}}`).join('')}]`, 'gu'),
}));

const words = /[\p{L}\p{M}]+/gu;

/** A text in which words with letters of several scripts show those of the other scripts as `\u{0430}`. */
export function escapeMixedScripts(text: string): string {
	return text.replace(words, word => {
		const script = scripts.find(it => it.own.test(word));
		return script ? word.replace(script.other, escapeCharacter) : word;
	});
}

/** A character as `\u{0430}`. */
export function escapeCharacter(character: string): string {
	return `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;
}
