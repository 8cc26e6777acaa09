/** PURE: how much of a long list is shown at once, and how its lines are told apart. */

/** Lines that a group shows at first, and how many each "more" adds. */
export const pageSize = 1000;

export interface EntryPage<T> {
	readonly entries: readonly T[];
	/** How many come after these. */
	readonly left: number;
}

/** The first `shown` entries. Costs what is shown, however long the list is. */
export function pageOf<T>(entries: readonly T[], shown: number): EntryPage<T> {
	const left = Math.max(0, entries.length - shown);
	return { entries: left > 0 ? entries.slice(0, shown) : entries, left };
}

/**
 * Tells lines apart though servers may send a key twice. A line keeps its id when the list grows, and when what
 * comes after it changes.
 */
export function lineIds(keys: readonly string[]): string[] {
	const seen = new Map<string, number>();
	return keys.map(key => {
		const count = seen.get(key) ?? 0;
		seen.set(key, count + 1);
		return `${count}/${key}`;
	});
}
