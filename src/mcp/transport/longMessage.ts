/** What is left of a message that is too long to be kept. */
import { McpError } from '../jsonrpc/errors.js';
import type { IdScanner } from '../jsonrpc/idScanner.js';
import type { Lost } from './transport.js';

/** Who must be told of it; undefined if nobody waits, or if it could not be seen who does. */
export function lostBy({ responseId, requestId }: IdScanner, limit: number): Lost | undefined {
	const id = responseId ?? requestId;
	const error = new McpError({ code: 'tooLarge', limit });
	return id === undefined ? undefined : { id, error, ...(requestId === undefined ? {} : { isRequest: true }) };
}
