/** Ids of requests: which request an answer names, and which ids of a server can be given back as they came. */
import { isSameNumber } from '../schema/decimal.js';
import type { RequestId } from './messages.js';

/** Longer numbers are not read digit by digit: that takes time that grows with the square of their length. */
const maxDigits = 100;

/**
 * Whether an answer with the id `theirs` is for the request with the id `ours`. Some servers send our numbers back as
 * strings; a string counts only if it is written as we write the number, so it never names two requests.
 */
export function isSameId(ours: RequestId, theirs: unknown): boolean {
	// Checked for every message of a stream, most of which have no id.
	return ours === theirs || (typeof ours === 'number' && typeof theirs === 'string' && String(ours) === theirs);
}

/** Numbers of at most 15 digits, without an exponent, are always read exactly. */
const longNumber = /"id"\s*:\s*(-?\d(?:[\d.eE+-]{15,}|[\d.+-]*[eE][\d+-]*))/g;

/**
 * Whether the id of a server's request can be answered. A number that a double does not hold becomes another number when
 * it is read, and the answer would name a request that the server never made.
 * @param text the whole message, or the batch that it came in
 */
export function isExactId(id: RequestId, text: string): boolean {
	if (typeof id === 'string') {
		return true;
	}
	// MCP has no fractions.
	if (!Number.isSafeInteger(id)) {
		return false;
	}
	for (const [, written = ''] of text.matchAll(longNumber)) {
		if (Number(written) === id && !isExactNumber(written, id)) {
			return false;
		}
	}
	return true;
}

function isExactNumber(text: string, value: number): boolean {
	return text.length <= maxDigits && isSameNumber(text, value);
}
