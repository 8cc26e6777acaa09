/**
 * Finds who waits for a message that is too long to be kept, by its beginning and its end: every known server writes the id
 * as its first or last member, beside `jsonrpc`.
 */
import { McpError } from '../jsonrpc/errors.js';
import type { Lost } from './transport.js';

// Numbers of at most 15 digits are read exactly. A quote within a string is escaped, so none of these is part of one.
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"`;
const id = String.raw`"id"\s*:\s*(?<id>-?\d{1,15}|"[^"\\]*")`;
const kind = String.raw`"(?<kind>method|result|error)"\s*:`;
const begin = String.raw`^\s*\{\s*(?:${version}\s*,\s*)?`;

const idFirst = new RegExp(String.raw`${begin}${id}\s*,\s*(?:${version}\s*,\s*)?${kind}`);
const kindFirst = new RegExp(begin + kind);
/** The last brace is that of the message. */
const idLast = new RegExp(String.raw`,\s*${id}\s*(?:,\s*${version}\s*)?\}\s*$`);

/**
 * Who must be told of a message that is too long; undefined if no one waits, or if the id is in the middle of it.
 * @param head how the text of the message begins
 * @param tail how it ends
 * @param limit bytes that it may have
 */
export function lostBy(head: string, tail: string, limit: number): Lost | undefined {
	const first = idFirst.exec(head)?.groups;
	const written = first?.['id'] ?? idLast.exec(tail)?.groups?.['id'];
	const member = (first ?? kindFirst.exec(head)?.groups)?.['kind'];
	if (written === undefined || member === undefined) {
		return undefined;
	}
	return {
		id: written.startsWith('"') ? written.slice(1, -1) : Number(written),
		error: new McpError({ code: 'tooLarge', limit }),
		...(member === 'method' && { isRequest: true }),
	};
}
