/** Pages of long lists, and ids for their rows. */

/** Rows that a group shows at first, and that each "Show more" adds. */
export const pageSize = 1000;

export interface EntryPage<T> {
	readonly entries: readonly T[];
	/** Number of entries after these. */
	readonly left: number;
}

/** The first `shown` entries. */
export function pageOf<T>(entries: readonly T[], shown: number): EntryPage<T> {
	const left = Math.max(0, entries.length - shown);
	return { entries: left > 0 ? entries.slice(0, shown) : entries, left };
}

/** Unique ids for rows, as servers may send a key twice. An id doesn't depend on later entries of the list. */
export function lineIds(keys: readonly string[]): string[] {
	const seen = new Map<string, number>();
	return keys.map(key => {
		const count = seen.get(key) ?? 0;
		seen.set(key, count + 1);
		return `${count}/${key}`;
	});
}
