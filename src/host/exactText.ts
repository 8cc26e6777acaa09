/**
 * Text that a person decides about, on lines of a limited width. Characters that a screen doesn't show are spelled out,
 * and the result says whether every character is shown as it is.
 */
import { jsonText, widthOf } from './plainText.js';

export interface ExactLines {
	readonly lines: readonly string[];
	/** False if something is cut or spelled out. */
	readonly isExact: boolean;
}

/**
 * What a screen does not show, or shows as something else: control and format characters, halves of surrogate pairs,
 * unassigned characters, blanks other than the space, and what a font may leave out, such as fillers and selectors.
 */
const unseen = /(?! )[\p{DI}\p{C}\p{Z}\u2800]/gu;
/** Letters that are looked at; no sheet has room for more. */
const maxBroken = 100_000;
/** Our own mark for runs of spaces. */
const marks = /[\u27E8\u27E9]/gu;
/** What a line is made of: a character, or one that is spelled out. */
const parts = /\\u\{[\da-f]{4,6}\}|[^]/gu;

/** One line, with everything spelled out that could not be seen or told apart. */
export function spelledOut(text: string): string {
	return text
		.replace(marks, escaped)
		.replace(unseen, escaped)
		.replace(/ {2,}/g, spaces => `\u27E8\u2423\u00D7${spaces.length}\u27E9`);
}

function escaped(character: string): string {
	return `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}}`;
}

/** @param width in letters of common width */
export function exactLines(text: string, width: number, maxLines: number): ExactLines {
	// Texts may have millions of letters. A run of spaces that is cut would be counted wrong.
	const begin = text.length > maxBroken ? text.slice(0, maxBroken).trimEnd() : text;
	const spelled = spelledOut(begin);
	const lines = broken(spelled, width, maxLines + 1);
	const shown = lines.slice(0, maxLines);
	const isWhole = begin.length === text.length && shown.length === lines.length;
	if (!isWhole) {
		shown[shown.length - 1] = `${shown.at(-1) ?? ''}…`;
	}
	return { lines: shown, isExact: isWhole && spelled === text };
}

/** A value as JSON. */
export function exactValue(value: unknown, width: number, maxLines: number): ExactLines {
	return exactLines(jsonText(value) ?? String(value), width, maxLines);
}

/** All of a text for a document, in which no long line leads out of sight. */
export function exactDocument(text: string, width = 80): string {
	return text
		.split('\n')
		.flatMap(line => {
			const indent = /^[ \t]*/.exec(line)?.[0] ?? '';
			const [first = '', ...rest] = broken(spelledOut(line.slice(indent.length)), width);
			return [`${indent}${first}`, ...rest.map(it => `${indent}  … ${it}`)];
		})
		.join('\n');
}

/** Broken after blanks and slashes where there are some, never within what is spelled out. The lines together are the text. */
function broken(text: string, width: number, maxLines = Infinity): string[] {
	const lines: string[] = [];
	let line = '';
	let used = 0;
	for (const part of text.match(parts) ?? []) {
		const needed = widthOf(part);
		if (used + needed > width) {
			const end = /^.+[ /]/u.exec(line)?.[0].length ?? line.length;
			lines.push(line.slice(0, end));
			if (lines.length === maxLines) {
				return lines;
			}
			line = line.slice(end);
			used = widthOf(line);
		}
		line += part;
		used += needed;
	}
	return [...lines, line];
}
