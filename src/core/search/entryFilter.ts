/**
 * The filter of the tree. Every word of it must be in a name or in the description of an entry. In names, a word may
 * also be the letters without separators, or the first letters of words: `getsum` and `gs` match `get-sum`.
 */
import { hasWord } from './fuzzy.js';

/** The texts of an entry that a filter searches. */
export interface Searchable {
	readonly names: readonly (string | undefined)[];
	readonly description?: string | undefined;
}

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
			if (!names.some(it => it !== undefined && isInName(word, it))) {
				about ??= description?.toLowerCase() ?? '';
				if (!about.includes(word)) {
					return false;
				}
			}
		}
		return true;
	}
}

/** Longest part of a name whose separators are left out. */
const maxName = 300;

/** @param word in lower case */
function isInName(word: string, name: string): boolean {
	const lower = name.toLowerCase();
	if (lower.includes(word)) {
		return true;
	}
	// Rules out most names in less time.
	if (!hasWord(word, lower)) {
		return false;
	}
	const start = name.slice(0, maxName);
	const initials = start.match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]|(?<=\p{Ll})\p{Lu}|(?<=\p{L})\p{N}/gu) ?? [];
	const letters = start.replace(/[^\p{L}\p{N}]/gu, '');
	return [letters, initials.join('')].some(it => it.toLowerCase().includes(word));
}
