/** Ids of requests: which request a response names, and which ids of a server can be sent back exactly. */
import { isSameNumber } from '../schema/decimal.js';

/** Longer numbers are not compared digit by digit, which takes time that grows with the square of their length. */
const maxDigits = 100;

/**
 * Whether a response with the id `theirs` answers the request with the id `ours`. Some servers send our numbers back
 * as strings. A string counts only if it is written exactly as we write the number, so it never matches two requests.
 */
export function isSameId(ours: string | number, theirs: unknown): boolean {
	// Checked for every message of a stream, most of which have no id.
	return ours === theirs || (typeof ours === 'number' && typeof theirs === 'string' && String(ours) === theirs);
}

/** Matches ids that may lose digits: numbers with an exponent, or of more than 15 digits. */
const longNumber = /"id"\s*:\s*(-?\d(?:[\d.eE+-]{15,}|[\d.+-]*[eE][\d+-]*))/g;

/**
 * Whether the id of a server's request can be sent back exactly. A number that a double can't hold is read as another
 * number, so the response would name a request that does not exist.
 * @param text the message, or the batch that contains it
 */
export function isExactId(id: string | number, text: string): boolean {
	if (typeof id === 'string') {
		return true;
	}
	// MCP allows no fractions.
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
