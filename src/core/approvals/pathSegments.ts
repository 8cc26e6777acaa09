/**
 * The segments of a path: which of them lead to a parent folder. A server may pass a path to a shell, so a segment that a
 * shell turns into `..` counts too. All functions take time proportional to the length of the text.
 */
import { dropUnseen, unseen } from './pathReadings.js';

export const separators = /[\\/]/;
/** Variables of shells. */
const everyVariable = /\$(?:\w+|\{[^{}]*\}|[@*#?!$-])|%[^%\s\\/]+%|!\w+!/g;
/** How a segment begins that isn't a name of its own: with a dot, or with what servers or shells remove. */
const otherStart = new RegExp(`^(?:[.\\s$%!{"'\`^\\\\]|${unseen.source})`, 'u');
/** What a shell removes, besides backslashes and carets. */
const everyQuote = /["'`]/g;
/** `[a-z]`, in a text that ends with a bracket: in others, a run of brackets would take quadratic time. */
const everySet = /\[([!^]?)(\]?(?:\[:\w*:\]|[^\]])*)\]/g;
/** Dots and wildcards that a shell turns into `..`. Wildcards match a dot at the start of a name nowhere. */
const globOfParent = /^\.(?:[.?]+$|[.?*]*\.)/;
/** The same of `.*`, which is often meant as a regular expression, or as hidden files. */
const globOfHidden = /^\.[.?*]/;

/** Whether a segment of a text is `..`, or may be taken for it. */
export function hasParent(text: string): boolean {
	return text.includes('.') && segmentations(text).some(it => it.some(part => placeOf(part) === 'parent'));
}

/** Whether `..` leads to fewer folders than `floor` below the start, on any operating system; `isStrict`: `.*`, too. */
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

/** Whether a segment is the parent on some system, or in some shell. */
export function mayBeParent(part: string): boolean {
	const place = placeOf(part);
	return place === 'parent' || place === 'parentOrHidden';
}

/**
 * With values for the variables of shells: blanks for those that may have some, after which another path begins, and
 * nothing for others. Source code has variables after backticks.
 */
export function expandVariables(text: string): string {
	return text.replaceAll(everyVariable, (it, index: number) =>
		text[index - 1] === '`' ? 'x' : /^(?:\$\{?[A-Z\d_@*]+\}?$|\$\{[\w.]*[^\w.}]|[%!])/.test(it) ? ' ' : '',
	);
}

/**
 * Where a segment leads on some system, or in some shell; undefined: to a child. The parent: two or more dots, also with
 * spaces between them, with a suffix that some servers cut off, or after expansion (`..$x`, `.{.,a}`, `.[.]`).
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

/** The segments of a text by slashes, where a shell removes backslashes, and by both separators. */
function segmentations(text: string): string[][] {
	const bySlash = text.split('/');
	return text.includes('\\') ? [bySlash, text.split(separators)] : [bySlash];
}

/** The dots and wildcards that a segment without blanks is for a shell, or `x` if it has more than those. */
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
		// Of the alternatives in braces, those that are dots.
		dots += isDots && (depth === 0 || before === ',' || after === ',') ? piece : '';
	}
	return depth === 0 ? dots : 'x';
}

/** Whether a set of characters has the dot: itself, in a range, or in a class. */
function hasDot(set: string): boolean {
	return /\.|[\0-.]-[.-\uffff]|\[:/.test(set);
}
