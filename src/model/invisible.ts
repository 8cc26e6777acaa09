/** What nobody sees in a text. The zero-width joiners are needed in some places, and hide something in others. */

/** Where a joiner changes what is seen, so that it hides nothing. Unicode UTS 51 (emoji) and RFC 5892, appendix A. */
const neededJoiner = [
	// Between two parts of one emoji.
	'(?<=\\p{Extended_Pictographic}[\\uFE0F\\p{Emoji_Modifier}]?)\\u200D(?=\\p{Extended_Pictographic})',
	// After the virama of an Indic script, within a word.
	'(?<=[\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D4D\\u0DCA])[\\u200C\\u200D](?=[\\u0900-\\u0DFF])',
	// After an Arabic letter that would join the next one.
	'(?<=[\\u0620\\u0626\\u0628\\u062A-\\u062E\\u0633-\\u063F\\u0641-\\u0647\\u0649\\u064A\\u066E\\u066F\\u0678-\\u0687\\u069A-\\u06BF\\u06C1\\u06C2\\u06CC\\u06CE\\u06D0\\u06D1]\\p{Mn}{0,3})\\u200C(?=[\\u0620\\u0622-\\u063F\\u0641-\\u064A\\u066E\\u066F\\u0671-\\u0673\\u0675-\\u06D3\\u06D5])',
].join('|');
/** A pattern, for the flag `u`: a joiner in any other place. */
export const hiddenJoiner = `(?!${neededJoiner})[\\u200C\\u200D]`;
/** A pattern, for the flag `u`: joiners between two Latin letters, where no language has one that changes what is seen. */
export const joinersInWord = '(?<=\\p{Script=Latin})[\\u200C\\u200D]+(?=\\p{Script=Latin})';
/** Control and format characters (bidi marks among them) and halves of surrogate pairs; joiners where they show nothing. */
export const invisible = new RegExp(`[\\p{Cc}\\p{Cs}]|(?![\\u200C\\u200D])\\p{Cf}|${hiddenJoiner}`, 'gu');
/** Each joiner that shows nothing where it is now: a cut may have taken away what it joined. */
export const hiddenJoiners = new RegExp(hiddenJoiner, 'gu');
