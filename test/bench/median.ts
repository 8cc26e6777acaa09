/** Numbers of many rounds become one. */

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

/** Recorded numbers are read by people. */
export function rounded(value: number): number {
	return Number(value.toPrecision(4));
}
