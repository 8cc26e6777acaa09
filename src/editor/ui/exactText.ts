/**
 * Text that a person decides about, on lines of a limited width. Characters that a screen doesn't show are spelled out,
 * and the result says whether every character is shown as it is.
 */
import { canonicalJson } from '../../mcp/index.js';
import { escapeCharacter, shownName, spelledOut } from '../../core/text/spelledOut.js';
import { isNestedTooDeeply } from '../../core/approvals/toolLock.js';
import { iconless, jsonText, oneLine, visibleJson, visibleJsonText } from './plainText.js';

export interface ExactLines {
	readonly lines: readonly string[];
	/** False if something is cut or spelled out, or may look different from what it is. */
	readonly isExact: boolean;
}

/** Longest text that is spelled out, in characters. No sheet has room for more. */
const maxSpelled = 100_000;
/** Letters of Latin-1 and Latin Extended-A, without ligatures, digraphs and signs. */
const latin =
	'\\u00C0-\\u00C5\\u00C7-\\u00D6\\u00D8-\\u00E5\\u00E7-\\u00F6\\u00F8-\\u0131\\u0134-\\u013E\\u0141-\\u0148\\u014A-\\u0151\\u0154-\\u0173\\u0176-\\u017E';
/** Greek, Cyrillic, Chinese, Japanese and Korean letters, and the punctuation that our own words need. */
const wideLetters = [
	'\\u0174\\u0175\\u0386\\u0388-\\u038A\\u038C\\u038E-\\u03A1\\u03A3-\\u03CE\\u0400-\\u045F',
	'\\u3005-\\u3007\\u3041-\\u3096\\u309D\\u309E\\u30A1-\\u30FE\\u3400-\\u4DBF\\u4E00-\\u9FFF\\uAC00-\\uD7A3',
	'\\u2013\\u2014\\u2018\\u2019\\u201C\\u201D\\u2192\\u3001-\\u3003\\u3008-\\u3011',
	'\\uFF01\\uFF08\\uFF09\\uFF0C\\uFF1A\\uFF1B\\uFF1F',
].join('');
/** Text whose width is known and that is shown left to right. Any other text may look different from what it is. */
const exact = new RegExp(`^[ -~\\u00B7${latin}${wideLetters}]*$`, 'u');
const narrow = new RegExp(`[\\u00B7\\u00D7\\u2500${latin}]`, 'u');
/** About twice as wide as most letters. A character in neither `narrow` nor `wide` may be wider still. */
const wide = new RegExp(
	`[${wideLetters}\\u2026\\u27E8\\u27E9\\u2423]|(?![\\u2E00-\\u{10FFFF}])[\\p{L}\\p{M}\\p{N}]`,
	'u',
);
const wideAscii = new Set(Array.from('MWmw@%', it => it.charCodeAt(0)));

/** Stands for a space that would be invisible at an end of a line. */
const shownBlank = '\u2423';

/** Whether a screen shows a text as it is. */
function looksExact(text: string): boolean {
	return exact.test(text.replace(/\p{L}\p{Mn}{1,3}/gu, it => it.normalize('NFC')));
}

/** Whether a title shows every character of a name unchanged, and the name can't be mistaken for words of ours. */
export function isPlainName(name: string, maxLength: number): boolean {
	const isName = /^[\p{L}\p{N}_./-]+(?: [\p{L}\p{N}_./()#-]+)*$/u.test(name);
	return isName && shownName(name, maxLength) === name && looksExact(name);
}

/** A name in a list. It is quoted if it could be mistaken for several names or for words of ours. */
export function listedName(name: string): string {
	return /^$|[\s\p{Z},;"'`\u3001\uFF0C\u201C\u201D]/u.test(name) ? JSON.stringify(name) : name;
}

/** @param words our words for an empty list; a name that equals one is quoted */
export function listNames(names: readonly string[], ...words: readonly string[]): string {
	return names.map(it => (words.includes(it) ? JSON.stringify(it) : listedName(it))).join(', ');
}

/** Breaks a text into lines, and says whether they show all of it. @param width in average letters */
export function exactLines(text: string, width: number, maxLines: number): ExactLines {
	// Texts can have millions of characters. A cut run of spaces would be counted wrong.
	const begin = text.length > maxSpelled ? text.slice(0, maxSpelled).trimEnd() : text;
	// A space at either end of a text would be invisible.
	const spelled = spelledOut(begin).replace(/^ | $/g, shownBlank);
	const lines = breakLines(spelled, width, maxLines + 1);
	const shown = lines.slice(0, maxLines);
	const isWhole = begin.length === text.length && shown.length === lines.length;
	if (!isWhole) {
		shown[shown.length - 1] = `${shown.at(-1) ?? ''}…`;
	}
	return { lines: shown, isExact: isWhole && spelled === text && looksExact(text) };
}

/** Breaks a text that is only read, such as a message or a host, into lines of a quick pick. @param width in average letters */
export function quickPickLines(text: string, width: number): string[] {
	return cutLines(oneLine(text, Infinity), width, Infinity, width / 2).map(it => iconless(it.trim()));
}

/** Characters of the longest document that is shown. The editor shows none above 50 MB. */
const maxDocument = 20_000_000;
/** Longest indentation of a line that is kept; a longer one is spelled out. */
const maxIndent = 42;

/** A value as JSON for `exactDocument`. A deeply nested one is on one line, so that indentation hides nothing of it. */
export function exactJson(value: unknown): string {
	const maxDepth = jsonText(value).length > 1_000_000 ? 20 : undefined;
	return isNestedTooDeeply(value, maxDepth) ? visibleJsonText(canonicalJson(value)) : visibleJson(value);
}

/** Like `exactDocument`; `undefined` if the text is too large for an editor. */
export function boundedDocument(text: string): string | undefined {
	const document = text.length > maxDocument ? undefined : exactDocument(text);
	return document === undefined || document.length > maxDocument ? undefined : document;
}

/** The whole text for a document, spelled out, with long lines broken. */
export function exactDocument(text: string, width = 80): string {
	const lines: string[] = [];
	for (const line of text.split('\n')) {
		const blanks = /^[ \t]*/.exec(line)?.[0] ?? '';
		const indent = blanks.length > maxIndent ? '' : blanks;
		const spelled = spelledOut(line.slice(indent.length))
			.replace(/^\u2026/u, escapeCharacter)
			.replace(/ $/, shownBlank);
		breakLines(spelled, width).forEach((it, index) =>
			lines.push(index === 0 ? `${indent}${it}` : `${indent}  … ${it}`),
		);
	}
	return lines.join('\n');
}

/** The width of a text, in average letters. */
export function widthOf(text: string): number {
	let width = 0;
	for (const character of text) {
		width += widthOfCharacter(character);
	}
	return width;
}

function widthOfCharacter(character: string): number {
	const code = character.charCodeAt(0);
	if (code < 0x7f) {
		return wideAscii.has(code) ? 2 : 1;
	}
	return narrow.test(character) ? 1 : wide.test(character) ? 2 : 4;
}

/** A spelled-out character, which is never broken across lines. */
const spelledUnit = /\\u\{[0-9a-f]{4,6}\}|\\u[0-9a-f]{4}|\u27E8\u2423\u00D7\d+\u27E9/y;

/** The end of the character or spelled-out character that begins at `index`. */
function endOfUnit(text: string, index: number): number {
	const code = text.charCodeAt(index);
	if (code === 0x5c || code === 0x27e8) {
		spelledUnit.lastIndex = index;
		if (spelledUnit.test(text)) {
			return spelledUnit.lastIndex;
		}
	}
	return index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
}

/** The lines of `cutLines`, with marks so that different texts have different lines. */
function breakLines(text: string, width: number, maxLines = Infinity): string[] {
	const lines = cutLines(text, width, maxLines);
	const isWhole = lines.join('').length === text.length;
	return lines.map((line, index) => withSeenBlanks(line, index === 0, isWhole && index === lines.length - 1));
}

/**
 * Breaks a text into lines, never within a spelled-out character, and where possible after a space or a slash.
 * @param minWidth the shortest line that ends so; unless it is 0, dots count like slashes
 */
function cutLines(text: string, width: number, maxLines = Infinity, minWidth = 0): string[] {
	const lines: string[] = [];
	let start = 0;
	let used = 0;
	/** The index after the last space or slash of the line, and the width of the text before it. */
	let gap = 0;
	let usedToGap = 0;
	let end: number;
	for (let index = 0; index < text.length; index = end) {
		end = endOfUnit(text, index);
		const needed = widthOf(text.slice(index, end));
		while (used + needed > width && index > start) {
			const next = gap > start && usedToGap >= minWidth ? gap : index;
			lines.push(text.slice(start, next));
			if (lines.length === maxLines) {
				return lines;
			}
			used -= next === gap ? usedToGap : used;
			start = next;
		}
		used += needed;
		if (index > start && (minWidth > 0 ? ' /.' : ' /').includes(text.charAt(index))) {
			gap = end;
			usedToGap = used;
		}
	}
	return [...lines, text.slice(start)];
}

/**
 * Shows the space at an end of a line if the line could also have been broken at a slash or within a word. Without the
 * mark, two different texts could have the same lines.
 */
function withSeenBlanks(line: string, isFirst: boolean, isLast: boolean): string {
	const begun = isFirst ? line : line.replace(/^ /, shownBlank);
	const body = begun.slice(0, -1);
	const isAmbiguous = body.endsWith('/') || !/[ /]/.test(body.slice(1));
	return begun.endsWith(' ') && !isLast && isAmbiguous ? `${body}${shownBlank}` : begun;
}
