/** Reads numbers that people type. */

/**
 * The number of a text, written as in JSON or with leading zeros; `undefined` if it isn't one. Also `undefined` for an
 * integer that a floating-point number would silently change.
 */
export function readNumber(text: string): number | undefined {
	const trimmed = text.trim();
	const value = Number(trimmed);
	if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed) || !Number.isFinite(value)) {
		return undefined;
	}
	const isExact = !/^-?\d{16,}$/.test(trimmed) || BigInt(trimmed) === BigInt(value);
	return isExact ? value : undefined;
}
