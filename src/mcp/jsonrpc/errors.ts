/**
 * The two families of errors: an `RpcError` is an error response of the peer; an `McpError` was created on our side.
 * Code tells them apart by class and code, never by their text.
 */
import { toMessage } from '../../base/errors.js';
import type { AuthFailure } from '../auth/failure.js';
import type { ErrorObject } from './messages.js';

/** The error codes of JSON-RPC and MCP that we send or check. */
export const RpcErrorCode = {
	methodNotFound: -32601,
	invalidParams: -32602,
	internalError: -32603,
	/** Before 2026-07-28; some servers answer `invalidParams` instead. */
	resourceNotFound: -32002,
	/** 2025-11-25: the elicitations in `data.elicitations` have to be answered first. */
	urlElicitationRequired: -32042,
	/** Since 2026-07-28: a header and the body disagree, or a required header is missing. */
	headerMismatch: -32020,
} as const;

/** An error response of the peer, or one that a handler wants to send. */
export class RpcError extends Error {
	override readonly name = 'RpcError';

	constructor(
		readonly code: number,
		message: string,
		readonly data?: unknown,
		/** The HTTP status of the response, if it was an error too. */
		readonly httpStatus?: number,
	) {
		super(message);
	}

	/** Converts what a handler threw into what the peer may see: the message, and nothing else of ours. */
	static from(error: unknown): RpcError {
		return error instanceof RpcError ? error : new RpcError(RpcErrorCode.internalError, toMessage(error));
	}

	toErrorObject(): ErrorObject {
		return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
	}
}

/** The failures on our side of the wire, with the data that a message needs. */
export type McpFailure =
	/** The connection ended before the response. */
	| { readonly code: 'closed' }
	/** The server could not be reached, or the exchange broke off. `why` is a system error code, or English for logs. */
	| { readonly code: 'network'; readonly why: string }
	/**
	 * An HTTP status other than success. `error` is the JSON-RPC error in the body, if there is one; `challenge` is
	 * the `WWW-Authenticate` header; `retryAfterMs` is the wait that a busy server asks for.
	 */
	| {
			readonly code: 'http';
			readonly status: number;
			readonly error: ErrorObject | undefined;
			readonly challenge: string | undefined;
			readonly retryAfterMs?: number;
	  }
	/** The server answered a POST with the first event of HTTP+SSE (2024-11-05). */
	| { readonly code: 'legacySse' }
	/** The server requires authorization, which failed. */
	| { readonly code: 'authorization'; readonly failure: AuthFailure }
	/** A modern server asked for input too often. */
	| { readonly code: 'tooManyRounds'; readonly method: string; readonly limit: number }
	/** A request needs input that was refused, or that we don't offer. */
	| { readonly code: 'inputRefused'; readonly method: string }
	/** The server cancelled the task of a tool call. */
	| { readonly code: 'taskCancelled'; readonly taskId: string }
	/** The server no longer knows our HTTP session. With `mayHaveRun`, it may have run the request nevertheless. */
	| { readonly code: 'sessionLost'; readonly mayHaveRun?: true }
	/** A message is larger than `limit` bytes, after decompression. */
	| { readonly code: 'tooLarge'; readonly limit: number }
	/** A request was redirected more than `limit` times. The last target is `to`, a URL without its query. */
	| { readonly code: 'tooManyRedirects'; readonly limit: number; readonly to: string }
	/**
	 * The server redirects to another origin than the configured one, or by a status that would turn a POST into a
	 * GET. `to` is a URL without its query.
	 */
	| { readonly code: 'redirected'; readonly to: string }
	/** No response and no progress for `ms` milliseconds. */
	| { readonly code: 'timeout'; readonly method: string; readonly ms: number }
	/** The response breaks the protocol. */
	| { readonly code: 'invalidResult'; readonly method: string; readonly why: string }
	/** The server speaks a revision that we don't support. */
	| { readonly code: 'unsupportedVersion'; readonly version: string }
	/** A list has more than `limit` pages. */
	| { readonly code: 'tooManyPages'; readonly method: string; readonly limit: number }
	/** A list has more than `limit` entries. */
	| { readonly code: 'tooManyItems'; readonly method: string; readonly limit: number }
	/** The server process could not be started; `errno` is `ENOENT`, `EACCES`, …. */
	| { readonly code: 'spawn'; readonly command: string; readonly errno: string }
	/** The working directory for the server process does not exist. */
	| { readonly code: 'noFolder'; readonly path: string };

type McpFailureOf<C extends McpFailure['code']> = Extract<McpFailure, { readonly code: C }>;

/** An error on our side of the wire; `failure` says which. */
export class McpError extends Error {
	override readonly name = 'McpError';

	constructor(readonly failure: McpFailure) {
		super((descriptions[failure.code] as (failure: McpFailure) => string)(failure));
	}
}

/** The messages of McpError: English, for logs. `editor/l10n` has the texts that people see. */
const descriptions: { readonly [C in McpFailure['code']]: (failure: McpFailureOf<C>) => string } = {
	closed: () => 'The connection was closed.',
	network: ({ why }) => `The server could not be reached: ${why}.`,
	http: ({ status }) => `The server answered with HTTP status ${status}.`,
	legacySse: () => 'The server speaks HTTP+SSE.',
	authorization: ({ failure }) => `The authorization failed: ${failure.code}.`,
	tooManyRounds: ({ method, limit }) => `${method} asked for input more than ${limit} times.`,
	inputRefused: ({ method }) => `${method} needs input that was refused.`,
	taskCancelled: ({ taskId }) => `The server cancelled the task ${JSON.stringify(taskId)}.`,
	sessionLost: () => 'The server no longer knows our session.',
	tooLarge: ({ limit }) => `A message is larger than ${limit} bytes.`,
	tooManyRedirects: ({ limit, to }) => `More than ${limit} redirects, the last one to ${to}.`,
	redirected: ({ to }) => `The server redirects to ${to}.`,
	timeout: ({ method, ms }) => `No answer to ${method} within ${ms} ms.`,
	invalidResult: ({ method, why }) => `Invalid answer to ${method}: ${why}.`,
	unsupportedVersion: ({ version }) => `Unsupported protocol version ${JSON.stringify(version)}.`,
	tooManyPages: ({ method, limit }) => `${method} did not end within ${limit} pages.`,
	tooManyItems: ({ method, limit }) => `${method} gave more than ${limit} entries.`,
	spawn: ({ command, errno }) => `Could not start ${command}: ${errno}.`,
	noFolder: ({ path }) => `The folder ${path} does not exist.`,
};

/** Whether the error is an McpError with this code. */
export function hasFailure<C extends McpFailure['code']>(
	error: unknown,
	code: C,
): error is McpError & { readonly failure: McpFailureOf<C> } {
	return error instanceof McpError && error.failure.code === code;
}

/** Whether the server answered with this error code. */
export function isRpcError(error: unknown, code: number): error is RpcError {
	return error instanceof RpcError && error.code === code;
}

/** Whether the server answered that it does not know the method. */
export function isUnknownMethod(error: unknown): boolean {
	return isRpcError(error, RpcErrorCode.methodNotFound);
}

/** The JSON-RPC error in the body of an HTTP error, if there is one and the status adds nothing to it. */
export function toRpcError(error: unknown): unknown {
	if (hasFailure(error, 'http') && error.failure.error) {
		const { status, error: it, retryAfterMs } = error.failure;
		// The challenge and the wait, which only the HTTP error has, must not be lost.
		if (status === 401 || status === 403 || retryAfterMs !== undefined) {
			return error;
		}
		return new RpcError(it.code, it.message, it.data, status);
	}
	return error;
}

/** The error with its texts and data redacted. */
export function redactError(error: unknown, redact?: <T>(value: T) => T): unknown {
	if (redact && error instanceof RpcError) {
		return new RpcError(error.code, redact(error.message), redact(error.data), error.httpStatus);
	}
	return redact && error instanceof McpError ? new McpError(redactFailure(error.failure, redact)) : error;
}

/** Codes aren't redacted, because callers tell failures apart by them. */
function redactFailure<F extends McpFailure | AuthFailure>(failure: F, redact: <T>(value: T) => T): F {
	const inner = 'failure' in failure && { failure: redactFailure(failure.failure, redact) };
	return { ...redact(failure), code: failure.code, ...inner };
}
