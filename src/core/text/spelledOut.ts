/** Spells out characters that can't be seen, such as joiners that no script or emoji needs, or that look like others. */

/** Joiners that change the look of their neighbors, and so hide nothing. Unicode UTS 51 (emoji) and RFC 5892, appendix A. */
const neededJoiner = [
	// Between two parts of one emoji.
	'(?<=\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=\\p{Extended_Pictographic})',
	// After the virama of an Indic script, within a word.
	'(?<=[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA])[\\u200C\\u200D](?=[\\u0900-\\u0DFF])',
	// After an Arabic letter that would join the next one.
	'(?<=[\\u0620\\u0626\\u0628\\u062A-\\u062E\\u0633-\\u063F\\u0641-\\u0647\\u0649\\u064A\\u066E\\u066F\\u0678-\\u0687\\u069A-\\u06BF\\u06C1\\u06C2\\u06CC\\u06CE\\u06D0\\u06D1]\\p{Mn}{0,3})\\u200C(?=[\\u0620\\u0622-\\u063F\\u0641-\\u064A\\u066E\\u066F\\u0671-\\u0673\\u0675-\\u06D3\\u06D5])',
].join('|');
/** Source of a pattern with the flag `u`: a joiner that isn't needed. */
export const hiddenJoiner = `(?!${neededJoiner})[\\u200C\\u200D]`;
/** Source of a pattern with the flag `u`: joiners between two Latin letters, whose look they never change. */
export const joinersInWord = '(?<=\\p{Script=Latin})[\\u200C\\u200D]+(?=\\p{Script=Latin})';
/** Control and format characters (including bidi marks), halves of surrogate pairs, and hidden joiners. */
export const invisible = new RegExp(`[\\p{Cc}\\p{Cs}]|(?![\\u200C\\u200D])\\p{Cf}|${hiddenJoiner}`, 'gu');
/** Hidden joiners. Cutting a text can leave a joiner without the characters that it joined. */
export const hiddenJoiners = new RegExp(hiddenJoiner, 'gu');

/** Source of a class of characters that a screen doesn't show, or shows as something else: see `unseen`. */
const unseenClass = '[\\p{DI}\\p{C}\\p{Z}\\u2800\\u2E3A\\u2E3B\\uFDFD\\u{12000}-\\u{1254F}]';
/**
 * Control and format characters, halves of surrogate pairs, unassigned characters, spaces other than U+0020, characters
 * that a font can leave out, such as fillers and selectors, and characters as wide as a line.
 */
const unseen = new RegExp(`(?! )${unseenClass}`, 'gu');
/** Like `unseen`, but without the joiners and selectors that emoji and scripts need. */
const unseenInName = new RegExp(
	`(?![ \\u200C\\u200D\\uFE0F])${unseenClass}|${hiddenJoiner}|(?<!\\p{Extended_Pictographic})\\uFE0F`,
	'gu',
);
/** Marks that strike out or cover the letter before them. */
const covering = /(\p{L}?)([\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]+)/gu;
/** The characters that spelling out uses itself. */
const marks = /[\u27E8\u27E9\u2423\u23CE]|\\(?=u\{)/gu;
const maxAccents = 3;

/** Spells out the `hidden` characters of a text, and all that could look like other text. The result is one line. */
export function spelledOut(text: string, hidden = unseen): string {
	const spelled = text
		.replace(marks, escapeCharacter)
		.replace(hidden, escapeCharacter)
		.replace(covering, spellOutMarks)
		.replace(/ {2,}/g, spaces => `\u27E8\u2423\u00D7${spaces.length}\u27E9`);
	return escapeMixedScripts(spelled);
}

/** A letter and its accents stay if Unicode has one character for them. */
function spellOutMarks(all: string, base: string, over: string): string {
	return base !== '' && over.length <= maxAccents && !/\p{M}/u.test(all.normalize('NFC'))
		? all
		: base + Array.from(over, escapeCharacter).join('');
}

/** Spaces at the ends, quotation marks, our separator of facts, and the beginnings of `$(icon)` and of a link's target. */
const syntax = /^ | $|["\u201C-\u201F\u00AB\u00BB\u300C-\u300F]|(?<=')'|(?<= )\u00B7(?= )|[$\]](?=\()/gu;

/** The scripts in common use. Unicode UAX 31, table 5. Letters of others, such as Lisu, can look like Latin ones. */
const usual =
	'Common Inherited Arabic Armenian Bengali Bopomofo Cyrillic Devanagari Ethiopic Georgian Greek Gujarati Gurmukhi Hangul Han Hebrew Hiragana Kannada Katakana Khmer Lao Latin Malayalam Myanmar Oriya Sinhala Tamil Telugu Thaana Thai Tibetan';
const cjk = '[\\u3005-\\u3007\\u3040-\\u30FA\\u30FC-\\u30FF\\u3400-\\u9FFF\\uAC00-\\uD7A3]';
/** Punctuation and symbols that don't pass for ASCII: emoji, dashes, an apostrophe, those of CJK text, and our own marks. */
const plainSymbols = [
	'[\\p{Emoji_Presentation}\\p{Emoji_Component}\\u00D7\\u2423\\u27E8\\u27E9]|\\p{Extended_Pictographic}\\uFE0F',
	'(?<= )[\\u2013\\u2014](?= )|(?<=\\p{L})\\u2019(?=\\p{L})',
	`[\\u3001-\\u3003\\u3008-\\u3011\\u301C\\u30FB\\uFF01\\uFF08\\uFF09\\uFF0C\\uFF1A\\uFF1B\\uFF1F](?:(?<=${cjk}.)|(?=${cjk}))`,
].join('|');
/** Other symbols, digits other than ASCII's, phonetic Latin letters, parts of Hangul letters, and letters of other scripts. */
const passing = new RegExp(
	`(?![ -~]|${plainSymbols})[\\p{P}\\p{S}]|(?![0-9\\u3007])\\p{N}|[\\u01C0-\\u01C3\\u0250-\\u02FF\\u1100-\\u11FF\\u1D00-\\u1DBF\\uA720-\\uA7FF\\uAB30-\\uAB6F]|[^${usual.replace(/(\w+) ?/g, '\\p{Script=$1}')}]`,
	'gu',
);
/** Letters that look like Latin ones. They are read as Cyrillic or Greek only beside letters that don't. */
const looksLatin = [
	[/\p{Script=Cyrillic}/gu, 'аеіјорсѕухһԁԛԝӏАВЕЅІЈКМНОРСТУХҮԌԚԜӀ'],
	[/\p{Script=Greek}/gu, 'αγικνορυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ'],
] as const;

/**
 * The name of a server or a tool as every view shows it, on one line. The name can't end quotation marks around it, and no
 * view reads a part of it as an icon, a link, or a separate fact; Markdown also needs `markdownText`.
 */
export function shownName(name: string, maxLength: number): string {
	let shown = spelledOut(name.slice(0, maxLength * 8), unseenInName)
		.replace(syntax, escapeCharacter)
		// Letters in another form, such as wide ones, and ones with a separate accent.
		.replace(/\p{L}(?!\uFE0F)\p{M}*/gu, it =>
			it === it.normalize('NFKC') ? it : it.replace(/[^ -~]/gu, escapeCharacter),
		)
		.replace(passing, escapeCharacter);
	for (const [letter, latin] of looksLatin) {
		if (shown.match(letter)?.every(it => latin.includes(it)) === true) {
			shown = shown.replace(letter, escapeCharacter);
		}
	}
	return shown.length > maxLength ? `${wholeCharacters(shown.slice(0, maxLength - 1))}…` : shown || '\uFFFD';
}

/** Removes halves of characters and joiners at the ends of a text that was cut. */
export function wholeCharacters(part: string): string {
	return part.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '').replace(hiddenJoiners, '');
}

/** Chinese, Japanese and Korean words mix their scripts, with Latin letters as well. */
const anyWord = ['Common', 'Inherited', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Bopomofo'];

/** A word belongs to the first of these scripts that one of its letters has. A word without such letters stays unchanged. */
const scripts = ['Latin', 'Greek', 'Cyrillic'].map(script => ({
	own: new RegExp(`\\p{Script=${script}}`, 'u'),
	other: new RegExp(`[^${[script, ...anyWord].map(it => `\\p{Script=${it}}`).join('')}]`, 'gu'),
}));

const words = /[\p{L}\p{M}]+/gu;

/** In words with letters of several scripts, spells out the letters of the other scripts. */
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
