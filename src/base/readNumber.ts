/** Reads numbers that people type. */

/**
 * Parses a number as in JSON; leading zeros are allowed. Returns `undefined` if the text isn't a number, or is an integer
 * that a floating-point number can't represent exactly.
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
