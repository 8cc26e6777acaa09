/**
 * PURE: which tools, resources, templates and prompts a filter leaves. Every word of it must be in a name, or as it
 * stands in the description. In a name it may leave letters out before the beginning of a word, as the editor's own
 * lists allow: `gs` and `getsum` find `get-sum`, and `etsm` does not.
 */

/** What of an entry a filter looks at. */
export interface Searchable {
	readonly names: readonly (string | undefined)[];
	readonly description?: string | undefined;
}

/** Longest part of a name in which letters may be left out. */
const maxName = 300;

/** One filter, as it was typed. Keeps what it has found: a list is looked through once, however often it is drawn. */
export class EntryFilter {
	readonly query: string;
	private readonly words: readonly string[];
	private readonly wider: WeakMap<readonly unknown[], readonly unknown[]> | undefined;
	private readonly found = new WeakMap<readonly unknown[], readonly unknown[]>();

	/** @param before one whose hits are looked through alone where this one cannot leave more */
	constructor(query: string, before?: EntryFilter) {
		this.query = query.trim();
		this.words = this.query.toLowerCase().split(/\s+/u);
		// More letters at the end of a text never find what the text did not.
		this.wider = before && before.query !== '' && this.query.startsWith(before.query) ? before.found : undefined;
	}

	/** The entries that match, in their order. */
	hits<T>(entries: readonly T[], searchable: (entry: T) => Searchable): readonly T[] {
		const known = this.found.get(entries);
		if (known) {
			// It was found in this very list.
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

/** Rules out nearly all names at the least cost. */
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

/** Where the letters so far can have ended, one higher: the first place is before the name. Used again for every name. */
let ends = new Uint8Array(maxName + 1);
let nextEnds = new Uint8Array(maxName + 1);

/** Each letter of the word comes right after the one before, or begins a word of the name. */
function isInStarts(word: string, name: string, lower: string): boolean {
	// A few letters become two in lower case: then no place of one is a place of the other.
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

/** `get-sum`, `getSum`, `HTTPServer`, `sum2`: after a separator, a capital beside a small letter, a number after none. */
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
	if (/\p{Ll}/u.test(letter)) {
		return 'small';
	}
	if (/\p{Lu}/u.test(letter)) {
		return 'capital';
	}
	return /\p{N}/u.test(letter) ? 'number' : /[\p{L}\p{M}]/u.test(letter) ? 'letter' : 'other';
}
