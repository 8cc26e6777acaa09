/**
 * Recognizes servers that report a lost session by an error in the body. Spec 2025-11-25, transports: they MUST answer
 * 404. Only for answers to requests that named a session: a tool may have sessions of its own.
 */
import { isObject } from '../jsonrpc/messages.js';
import { McpError } from '../jsonrpc/errors.js';

/** A known form of this error, with public reports of it. */
interface LostSessionRow {
	/** `undefined`: the error is a text instead of an object. */
	readonly code: number | undefined;
	readonly words: RegExp;
	/** Whether the server can have run the request before it answered so. */
	readonly mayHaveRun?: true;
}

const rows: readonly LostSessionRow[] = [
	// anubis-mcp#53, anubis-mcp#89
	{ code: -32002, words: /^server not initialized/i },
	// claude-code#55970, pi-mcp-adapter#184: "Bad Request: Server not initialized"
	{ code: -32000, words: /\bserver not initialized/i },
	// WordPress/mcp-adapter#312, mcp-wordpress-remote#60, tower-mcp#65: "Session not found: Invalid or expired session"
	{ code: -32005, words: /^session not found/i },
	// datagouv-mcp#25; the official Python SDK answers 404 with it (python-sdk#1821).
	{ code: -32600, words: /^session not found/i },
	// kimi-code#2380: "Unknown session id 'x' for 'tools/call'; client should reinitialize"
	{ code: -32600, words: /^unknown session id/i },
	// actionhero/keryx#503: {"error":"Session not found"}
	{ code: undefined, words: /^session not found/i },
	// mcp-wordpress-remote#53, mcp-wordpress-remote#116
	{ code: -32602, words: /\binvalid or expired session/i, mayHaveRun: true },
	{ code: -32603, words: /\binvalid or expired session/i, mayHaveRun: true },
];

/** The error that a message means; `undefined` if it does not report a lost session. */
export function readLostSession(message: unknown): McpError | undefined {
	const error = isObject(message) ? message['error'] : undefined;
	const { code, message: text } = isObject(error) ? error : { code: undefined, message: error };
	const row = typeof text === 'string' ? rows.find(it => it.code === code && it.words.test(text)) : undefined;
	return row && new McpError({ code: 'sessionLost', ...(row.mayHaveRun && { mayHaveRun: true }) });
}
