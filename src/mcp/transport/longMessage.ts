/**
 * Finds the request that is affected by a message too long to be kept, from the message's beginning and end: every
 * known server writes the id as its first or last member, beside `jsonrpc`.
 */
import { McpError } from '../jsonrpc/errors.js';
import type { LostMessage } from './transport.js';

// Numbers of at most 15 digits are read exactly. Quotes inside strings are escaped, so none of these patterns matches
// inside a string.
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const id = String.raw`"id"\s*:\s*(?<id>-?\d{1,15}|"[^"\\]*")`;
// A message with parameters is no response.
const kind = String.raw`"(?<kind>method|params|result|error)"\s*:`;
const begin = String.raw`^\s*\{\s*(?:${version}\s*,\s*)?`;

const idFirst = new RegExp(String.raw`${begin}${id}\s*,\s*(?:${version}\s*,\s*)?${kind}`);
const kindFirst = new RegExp(begin + kind);
/** The last brace closes the message. */
const idLast = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`);

const notification = new RegExp(String.raw`${begin}"method"\s*:\s*"notifications/`);
const object = /^\s*\{\s*"/;
/** The end of one message and the beginning of another on the same line. */
const glued = /\}\s*\{\s*"/;

/**
 * The request that is affected; undefined if the message neither answers a request nor is one. Its `id` is undefined
 * if it can't be found with certainty.
 * @param head the beginning of the message's text
 * @param tail its end
 * @param limit the largest allowed size in bytes
 */
export function findLostRequest(head: string, tail: string, limit: number): LostMessage | undefined {
	const first = idFirst.exec(head)?.groups;
	const last = glued.test(tail) ? undefined : idLast.exec(tail)?.groups?.['id'];
	const member = (first ?? kindFirst.exec(head)?.groups)?.['kind'];
	const certain = first?.['id'] ?? (member && last);
	const written = last !== undefined && last !== certain ? undefined : certain;
	const isRequest = member === 'method' || member === 'params';
	if (!object.test(head) || notification.test(head) || (isRequest && written === undefined)) {
		return undefined;
	}
	return {
		id: written?.startsWith('"') ? written.slice(1, -1) : written && Number(written),
		error: new McpError({ code: 'tooLarge', limit }),
		...(isRequest && { isRequest }),
	};
}
