/** Patterns of invisible characters. Some scripts and emoji need zero-width joiners; elsewhere they can hide text. */

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
