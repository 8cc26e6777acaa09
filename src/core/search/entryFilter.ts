/**
 * The filter of the tree. Every word of it must be in a name or in the description of an entry. In names, letters may be
 * left out before the start of a word, as in the editor's own lists: `gs` and `getsum` match `get-sum`, `etsm` doesn't.
 */

/** The texts of an entry that a filter searches. */
export interface Searchable {
	readonly names: readonly (string | undefined)[];
	readonly description?: string | undefined;
}

/** Longest part of a name in which letters may be left out. */
const maxName = 300;

/** One filter text. Remembers the matches of each list, so that a list is searched once however often it is drawn. */
export class EntryFilter {
	readonly query: string;
	private readonly words: readonly string[];
	private readonly wider: WeakMap<readonly unknown[], readonly unknown[]> | undefined;
	private readonly found = new WeakMap<readonly unknown[], readonly unknown[]>();

	/** @param before the previous filter: if this one only adds letters to it, only its matches are searched */
	constructor(query: string, before?: EntryFilter) {
		this.query = query.trim();
		this.words = this.query.toLowerCase().split(/\s+/u);
		// A longer text never matches an entry that its beginning doesn't match.
		this.wider = before && before.query !== '' && this.query.startsWith(before.query) ? before.found : undefined;
	}

	/** The entries that match, in their order. Lists are recognized by identity: a changed list must be a new array. */
	hits<T>(entries: readonly T[], searchable: (entry: T) => Searchable): readonly T[] {
		const known = this.found.get(entries);
		if (known) {
			return known as readonly T[];
		}
		const candidates = (this.wider?.get(entries) as readonly T[] | undefined) ?? entries;
		const hits = candidates.filter(it => this.matches(searchable(it)));
		this.found.set(entries, hits);
		return hits;
	}

	matches({ names, description }: Searchable): boolean {
		let about: string | undefined;
		for (const word of this.words) {
			if (!isInAny(word, names)) {
				about ??= description?.toLowerCase() ?? '';
				if (!about.includes(word)) {
					return false;
				}
			}
		}
		return true;
	}
}

/** @param word in lower case */
function isInAny(word: string, names: Searchable['names']): boolean {
	for (const name of names) {
		if (name === undefined) {
			continue;
		}
		const lower = name.toLowerCase();
		if (lower.includes(word) || (hasInOrder(word, lower) && isInStarts(word, name, lower))) {
			return true;
		}
	}
	return false;
}

/** A fast check that rules out most names. */
function hasInOrder(word: string, lower: string): boolean {
	let at = 0;
	for (let letter = 0; letter < word.length; letter++) {
		at = lower.indexOf(word.charAt(letter), at) + 1;
		if (at === 0) {
			return false;
		}
	}
	return true;
}

/** Positions after which the letters so far can end, plus one (0 is before the name). Reused for every name. */
let ends = new Uint8Array(maxName + 1);
let nextEnds = new Uint8Array(maxName + 1);

/** Whether each letter of the word can directly follow the letter before it, or begin a word of the name. */
function isInStarts(word: string, name: string, lower: string): boolean {
	// A few letters become two in lower case: then positions in the two texts differ.
	const original = lower.length === name.length ? name : lower;
	const length = Math.min(lower.length, maxName);
	ends.fill(0);
	ends[0] = 1;
	let first = 0;
	for (let letter = 0; letter < word.length; letter++) {
		nextEnds.fill(0);
		const wanted = word.charCodeAt(letter);
		let found = -1;
		for (let at = first; at < length; at++) {
			if (lower.charCodeAt(at) === wanted && (ends[at] === 1 || isStart(original, at))) {
				nextEnds[at + 1] = 1;
				found = found < 0 ? at : found;
			}
		}
		if (found < 0) {
			return false;
		}
		first = found + 1;
		[ends, nextEnds] = [nextEnds, ends];
	}
	return true;
}

/** Where words begin in `get-sum`, `getSum`, `HTTPServer` and `sum2`. */
function isStart(name: string, at: number): boolean {
	const here = kindOf(name, at);
	const before = at === 0 ? 'other' : kindOf(name, at - 1);
	return (
		before === 'other' ||
		(here === 'capital' && (before !== 'capital' || kindOf(name, at + 1) === 'small')) ||
		(here === 'number' && before !== 'number')
	);
}

type Kind = 'small' | 'capital' | 'letter' | 'number' | 'other';

const kinds: readonly (readonly [Kind, RegExp])[] = [
	['small', /\p{Ll}/u],
	['capital', /\p{Lu}/u],
	['number', /\p{N}/u],
	['letter', /[\p{L}\p{M}]/u],
];

function kindOf(name: string, at: number): Kind {
	const code = name.charCodeAt(at);
	if (code < 128) {
		return (
			(code >= 97 && code <= 122 && 'small') ||
			(code >= 65 && code <= 90 && 'capital') ||
			(code >= 48 && code <= 57 && 'number') ||
			'other'
		);
	}
	const letter = name.charAt(at);
	return kinds.find(([, pattern]) => pattern.test(letter))?.[0] ?? 'other';
}
