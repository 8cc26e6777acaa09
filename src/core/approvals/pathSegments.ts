/**
 * Finds the segments of a path that lead to a parent folder. A server may pass a path to a shell, so a segment that a
 * shell turns into `..` counts too. All functions take time proportional to the length of the text.
 */
import { dropUnseen, unseen } from './pathReadings.js';

export const separators = /[\\/]/;
/** Variables of POSIX shells, of the Windows command prompt, and history expansion (`!name!`). */
const everyVariable = /\$(?:\w+|\{[^{}]*\}|[@*#?!$-])|%[^%\s\\/]+%|!\w+!/g;
/** The beginning of a segment that may not be a name: a dot, or a character that servers or shells remove. */
const otherStart = new RegExp(`^(?:[.\\s$%!{"'\`^\\\\]|${unseen.source})`, 'u');
/** The quotes that a shell removes; it also removes backslashes and carets. */
const everyQuote = /["'`]/g;
/** `[a-z]`. Use it for texts that end with `]` only: in others, many opening brackets would take quadratic time. */
const everySet = /\[([!^]?)(\]?(?:\[:\w*:\]|[^\]])*)\]/g;
/** Dots and wildcards that a shell turns into `..`. In no shell does a wildcard match a dot at the start of a name. */
const globOfParent = /^\.(?:[.?]+$|[.?*]*\.)/;
/** `.*`, which a shell may turn into `..`, but which often means a regular expression or hidden files. */
const globOfHidden = /^\.[.?*]/;

/** Whether a segment of a text is `..`, or a server or shell may turn it into `..`. */
export function hasParent(text: string): boolean {
	return text.includes('.') && segmentations(text).some(it => it.some(part => placeOf(part) === 'parent'));
}

/**
 * Whether `..` leads to a depth of less than `floor` below the start, on any operating system.
 * @param isStrict whether `.*` counts as `..` too
 */
export function climbsBelow(text: string, floor: number, isStrict: boolean): boolean {
	const mayClimb = floor > 0 || text.includes('.');
	return (mayClimb ? segmentations(text) : []).some(parts => {
		let depth = 0;
		return parts.some(part => {
			const place = placeOf(part);
			const isUp = place === 'parent' || (isStrict && place === 'parentOrHidden');
			depth += isUp ? -1 : place === 'current' ? 0 : 1;
			return depth < floor;
		});
	});
}

/** Whether some system or shell takes a segment for the parent folder. */
export function mayBeParent(part: string): boolean {
	const place = placeOf(part);
	return place === 'parent' || place === 'parentOrHidden';
}

/**
 * Replaces the variables of shells. One that may have a value becomes a space, after which another path begins; others
 * are removed. A variable after a backtick is source code, and becomes a letter.
 */
export function expandVariables(text: string): string {
	return text.replaceAll(everyVariable, (it, index: number) =>
		text[index - 1] === '`' ? 'x' : /^(?:\$\{?[A-Z\d_@*]+\}?$|\$\{[\w.]*[^\w.}]|[%!])/.test(it) ? ' ' : '',
	);
}

/**
 * The folder that a segment may lead to, on any system and in any shell; undefined for a child. The parent is two or more
 * dots, also with spaces between them, with a suffix that some servers cut off, or after expansion (`..$x`, `.{.,a}`,
 * `.[.]`).
 */
function placeOf(part: string): 'parent' | 'parentOrHidden' | 'current' | undefined {
	const visible = otherStart.test(part) ? dropUnseen(part) : part;
	if (!otherStart.test(visible)) {
		return visible === '' ? 'current' : undefined;
	}
	const dots = expandedDots(visible);
	const [name = ''] = part.split(/[;:?#\0]/, 1);
	if (/^\.{2,}$/.test(dropUnseen(name)) || globOfParent.test(dots)) {
		return 'parent';
	}
	return globOfHidden.test(dots) ? 'parentOrHidden' : dots === '' || dots === '.' ? 'current' : undefined;
}

/** The segments between slashes (a shell removes backslashes), and those between both separators, if they differ. */
function segmentations(text: string): string[][] {
	const bySlash = text.split('/');
	return text.includes('\\') ? [bySlash, text.split(separators)] : [bySlash];
}

/** The segment after expansion by a shell, if only dots and wildcards are left; `x` otherwise. */
function expandedDots(part: string): string {
	if (/^[.?*]*$/.test(part)) {
		return part;
	}
	const unquoted = part.replaceAll(everyVariable, '').replaceAll(everyQuote, '');
	const endOfSets = unquoted.lastIndexOf(']') + 1;
	const names = unquoted
		.slice(0, endOfSets)
		.replaceAll(everySet, (_, not: string, set: string) => (hasDot(set) === (not === '') ? '?' : 'x'))
		.concat(unquoted.slice(endOfSets))
		.replaceAll(part.includes('\\') ? /\\/g : /\^/g, '');
	let depth = 0;
	let dots = '';
	const pieces = names.split(/([{},])/);
	for (let index = 0; index < pieces.length; index += 2) {
		const [before, piece = '', after] = [pieces[index - 1], pieces[index], pieces[index + 1]];
		depth += before === '{' ? 1 : before === '}' ? -1 : 0;
		const isDots = /^[.?*]*$/.test(piece);
		if (depth < 0 || (depth === 0 && (!isDots || before === ','))) {
			return 'x';
		}
		// Alternatives in braces count if they are dots.
		dots += isDots && (depth === 0 || before === ',' || after === ',') ? piece : '';
	}
	return depth === 0 ? dots : 'x';
}

/** Whether a set of characters includes the dot: by itself, in a range, or in a class. */
function hasDot(set: string): boolean {
	return /\.|[\0-.]-[.-\uffff]|\[:/.test(set);
}
