/** Mutants that no unit test kills, and why none should. Found by `npm run mutate`, which tells all others. */

export interface Survivor {
	readonly file: string;
	/** The code that was replaced, as it stands in the file. */
	readonly code: string;
	readonly replacement: string;
	readonly why: string;
}

export const survivors: readonly Survivor[] = [];
