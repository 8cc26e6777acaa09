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
	private readonly found = new WeakMap<readonly unknown[], readonly unknown[]>();

	constructor(query: string) {
		this.query = query.trim();
		this.words = this.query.toLowerCase().split(/\s+/u);
	}

	/** The entries that match, in their order. */
	hits<T>(entries: readonly T[], searchable: (entry: T) => Searchable): readonly T[] {
		const known = this.found.get(entries);
		if (known) {
			// It was found in this very list.
			return known as readonly T[];
		}
		const hits = entries.filter(it => this.matches(searchable(it)));
		this.found.set(entries, hits);
		return hits;
	}

	matches({ names, description }: Searchable): boolean {
		const texts = names.filter(it => it !== undefined);
		const about = description?.toLowerCase();
		return this.words.every(word => texts.some(it => isIn(word, it)) || about?.includes(word) === true);
	}
}

/** @param word in lower case */
function isIn(word: string, name: string): boolean {
	const lower = name.toLowerCase();
	return lower.includes(word) || (hasInOrder(word, lower) && isInStarts(word, name.slice(0, maxName)));
}

/** Rules out nearly all names at the least cost. */
function hasInOrder(word: string, lower: string): boolean {
	let at = 0;
	for (const letter of word) {
		at = lower.indexOf(letter, at) + 1;
		if (at === 0) {
			return false;
		}
	}
	return true;
}

/** Each letter of the word comes right after the one before, or begins a word of the name. */
function isInStarts(word: string, name: string): boolean {
	const lower = name.toLowerCase();
	// A few letters become two in lower case: then no place of one is a place of the other.
	const original = lower.length === name.length ? name : lower;
	/** Where the letters so far can have ended. */
	let ends = new Set<number>([-1]);
	for (let letter = 0; letter < word.length; letter++) {
		const next = new Set<number>();
		const first = Math.min(...ends);
		for (
			let at = lower.indexOf(word.charAt(letter), first + 1);
			at >= 0;
			at = lower.indexOf(word.charAt(letter), at + 1)
		) {
			if (ends.has(at - 1) || isStart(original, at)) {
				next.add(at);
			}
		}
		if (next.size === 0) {
			return false;
		}
		ends = next;
	}
	return true;
}

/** `get-sum`, `getSum`, `HTTPServer`, `sum2`: after a separator, a capital beside a small letter, a number after none. */
function isStart(name: string, at: number): boolean {
	const here = name.charAt(at);
	const before = name.charAt(at - 1);
	return (
		!/[\p{L}\p{N}\p{M}]/u.test(before) ||
		(/\p{Lu}/u.test(here) && (!/\p{Lu}/u.test(before) || /\p{Ll}/u.test(name.charAt(at + 1)))) ||
		(/\p{N}/u.test(here) && !/\p{N}/u.test(before))
	);
}
