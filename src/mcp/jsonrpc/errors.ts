/**
 * The two families of errors. `RpcError` crossed the wire as an error response; `McpError` is ours and
 * never did. They are told apart by class and code, never by their text.
 */
import { toMessage } from '../../base/errors.js';
import type { AuthFailure } from '../auth/failure.js';
import type { ErrorObject } from './messages.js';

/** JSON-RPC and MCP error codes that we send or look at. */
export const RpcErrorCode = {
	parseError: -32700,
	invalidRequest: -32600,
	methodNotFound: -32601,
	invalidParams: -32602,
	internalError: -32603,
	/** Before 2026-07-28; some servers answer `invalidParams` instead. */
	resourceNotFound: -32002,
	/** 2025-11-25: `data.elicitations` first. */
	urlElicitationRequired: -32042,
	/** Since 2026-07-28: a header and the body disagree, or a required header is missing. */
	headerMismatch: -32020,
} as const;

/** The peer answered a request with an error, or a handler of ours wants to. */
export class RpcError extends Error {
	override readonly name = 'RpcError';

	constructor(
		readonly code: number,
		message: string,
		readonly data?: unknown,
		/** The HTTP status it came with, where that was an error too. */
		readonly httpStatus?: number,
	) {
		super(message);
	}

	/** What a handler threw, as the peer may see it: nothing of our insides but the message. */
	static from(error: unknown): RpcError {
		return error instanceof RpcError ? error : new RpcError(RpcErrorCode.internalError, toMessage(error));
	}

	toErrorObject(): ErrorObject {
		return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
	}
}

/** What went wrong on our side of the wire, with the data needed to word it. */
export type McpFailure =
	/** The connection ended before the answer came. */
	| { readonly code: 'closed' }
	/** The server could not be reached, or the exchange broke; `why` is a system's code, or English for logs. */
	| { readonly code: 'network'; readonly why: string }
	/**
	 * An HTTP status that is no success. `error` is the JSON-RPC error in its body, if there was one;
	 * `challenge` the `WWW-Authenticate` header, `retryAfterMs` what a busy server asks to wait.
	 */
	| {
			readonly code: 'http';
			readonly status: number;
			readonly error: ErrorObject | undefined;
			readonly challenge: string | undefined;
			readonly retryAfterMs?: number;
	  }
	/** The server wants to know who asks, and that could not be settled. */
	| { readonly code: 'authorization'; readonly failure: AuthFailure }
	/** A modern server asked for more input over and over. */
	| { readonly code: 'tooManyRounds'; readonly method: string; readonly limit: number }
	/** A request needs input that was refused, or that we never offered. */
	| { readonly code: 'inputRefused'; readonly method: string }
	/** The server cancelled the task that the call had become. */
	| { readonly code: 'taskCancelled'; readonly taskId: string }
	/** The server no longer knows our HTTP session. */
	| { readonly code: 'sessionLost' }
	/** A message is larger than `limit` bytes; or a compressed response, once it is unpacked. */
	| { readonly code: 'tooLarge'; readonly limit: number; readonly isDecoded?: true }
	/** One request was sent elsewhere more often than this, in the end to `to`, which is without a query. */
	| { readonly code: 'tooManyRedirects'; readonly limit: number; readonly to: string }
	/**
	 * The server sends requests to another origin, which the person did not name, or by a status that would turn a POST
	 * into a GET; `to` is without a query.
	 */
	| { readonly code: 'redirected'; readonly to: string }
	/** No answer (and no progress) for `ms` milliseconds. */
	| { readonly code: 'timeout'; readonly method: string; readonly ms: number }
	/** The answer breaks the protocol. */
	| { readonly code: 'invalidResult'; readonly method: string; readonly why: string }
	/** The server speaks a revision that we do not. */
	| { readonly code: 'unsupportedVersion'; readonly version: string }
	/** A listing has more than `limit` pages. */
	| { readonly code: 'tooManyPages'; readonly method: string; readonly limit: number }
	/** So many requests of ours wait for their answers already. */
	| { readonly code: 'tooManyRequests'; readonly limit: number }
	/** A listing has more than `limit` entries. */
	| { readonly code: 'tooManyItems'; readonly method: string; readonly limit: number }
	/** The server process could not be started: `ENOENT`, `EACCES`, … */
	| { readonly code: 'spawn'; readonly command: string; readonly errno: string }
	/** The folder to start the server process in does not exist. */
	| { readonly code: 'noFolder'; readonly path: string };

/** An error of ours; `failure` says which. */
export class McpError extends Error {
	override readonly name = 'McpError';

	constructor(readonly failure: McpFailure) {
		super(describe(failure));
	}
}

/** English for logs only; what people see is worded in the editor's rooms. */
function describe(failure: McpFailure): string {
	switch (failure.code) {
		case 'closed':
			return 'The connection was closed.';
		case 'network':
			return `The server could not be reached: ${failure.why}.`;
		case 'http':
			return `The server answered with HTTP status ${failure.status}.`;
		case 'authorization':
			return `The authorization failed: ${failure.failure.code}.`;
		case 'tooManyRounds':
			return `${failure.method} asked for input more than ${failure.limit} times.`;
		case 'inputRefused':
			return `${failure.method} needs input that was refused.`;
		case 'taskCancelled':
			return `The server cancelled the task ${JSON.stringify(failure.taskId)}.`;
		case 'sessionLost':
			return 'The server no longer knows our session.';
		case 'tooLarge':
			return `A ${failure.isDecoded ? 'decompressed response' : 'message'} is larger than ${failure.limit} bytes.`;
		case 'tooManyRedirects':
			return `More than ${failure.limit} redirects, the last one to ${failure.to}.`;
		case 'redirected':
			return `The server redirects to ${failure.to}.`;
		case 'timeout':
			return `No answer to ${failure.method} within ${failure.ms} ms.`;
		case 'invalidResult':
			return `Invalid answer to ${failure.method}: ${failure.why}.`;
		case 'unsupportedVersion':
			return `Unsupported protocol version ${JSON.stringify(failure.version)}.`;
		case 'tooManyPages':
			return `${failure.method} did not end within ${failure.limit} pages.`;
		case 'tooManyRequests':
			return `${failure.limit} requests wait for their answers already.`;
		case 'tooManyItems':
			return `${failure.method} gave more than ${failure.limit} entries.`;
		case 'spawn':
			return `Could not start ${failure.command}: ${failure.errno}.`;
		case 'noFolder':
			return `The folder ${failure.path} does not exist.`;
	}
}

/** An HTTP error that carries a JSON-RPC error is that, unless HTTP says more. */
export function toRpcError(error: unknown): unknown {
	if (error instanceof McpError && error.failure.code === 'http' && error.failure.error) {
		const { status, error: it, retryAfterMs } = error.failure;
		// Who must ask, or when, is for HTTP to say: neither the challenge nor the wait may be lost.
		if (status === 401 || status === 403 || retryAfterMs !== undefined) {
			return error;
		}
		return new RpcError(it.code, it.message, it.data, status);
	}
	return error;
}

/** The same error, whose message of the server has passed `text`. Its data is for programs and stays. */
export function withPlainMessage(error: unknown, text: (text: string) => string): unknown {
	if (error instanceof RpcError) {
		return new RpcError(error.code, text(error.message), error.data, error.httpStatus);
	}
	if (error instanceof McpError && error.failure.code === 'http' && error.failure.error) {
		const { error: it } = error.failure;
		return new McpError({ ...error.failure, error: { ...it, message: text(it.message) } });
	}
	return error;
}
