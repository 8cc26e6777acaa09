/** Finds the id of the request that an oversized message answers, from the message's beginning and end. */
import type { RequestId } from '../jsonrpc/messages.js';

// Numbers of at most 15 digits are read exactly. Quotes inside strings are escaped, so neither pattern matches inside one.
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const id = String.raw`"id"\s*:\s*(-?\d{1,15}|"[^"\\]*")`;
const begin = String.raw`^\s*\{\s*(?:${version}\s*,\s*)?`;

const answer = new RegExp(String.raw`${begin}(?:${id}\s*,\s*(?:${version}\s*,\s*)?)?"(?:result|error)"\s*:`);
/** The last brace closes the message. */
const idLast = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`);

/**
 * The id of our request; `undefined` if the message is no answer or its id can't be found. Every known server writes the
 * id as the first or last member, beside `jsonrpc`.
 * @param head the beginning of the message's text
 * @param tail its end
 */
export function findAnsweredId(head: string, tail: string): RequestId | undefined {
	const start = answer.exec(head);
	const written = start && (start[1] ?? idLast.exec(tail)?.[1]);
	return written?.startsWith('"') ? written.slice(1, -1) : written ? Number(written) : undefined;
}
