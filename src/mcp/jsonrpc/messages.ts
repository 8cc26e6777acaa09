/** JSON-RPC 2.0 messages as MCP uses them, and the tolerant reading of those that a peer sends. */
import { shorten } from '../../base/trim.js';

/** Ids `1` and `"1"` differ, but see `isSameId`. A `null` id is allowed only in the error for an unreadable message. */
export type RequestId = string | number;

/** `params` and `result` are always objects in MCP. */
export type JsonObject = { readonly [key: string]: unknown };

export interface RequestMessage {
	readonly jsonrpc: '2.0';
	readonly id: RequestId;
	readonly method: string;
	readonly params?: JsonObject;
}

export interface NotificationMessage {
	readonly jsonrpc: '2.0';
	readonly method: string;
	readonly params?: JsonObject;
}

export interface ErrorObject {
	readonly code: number;
	readonly message: string;
	readonly data?: unknown;
}

export interface ResultMessage {
	readonly jsonrpc: '2.0';
	readonly id: RequestId;
	readonly result: JsonObject;
}

export interface ErrorMessage {
	readonly jsonrpc: '2.0';
	readonly id: RequestId | null;
	readonly error: ErrorObject;
}

export type Message = RequestMessage | NotificationMessage | ResultMessage | ErrorMessage;

const maxDescription = 300;

/** The kind of a message; `why` says in a few words what is wrong with an invalid one. */
export type Classified =
	| { readonly kind: 'request'; readonly message: RequestMessage }
	| { readonly kind: 'notification'; readonly message: NotificationMessage }
	| { readonly kind: 'result'; readonly message: ResultMessage }
	| { readonly kind: 'error'; readonly message: ErrorMessage }
	| { readonly kind: 'invalid'; readonly why: string; readonly id: RequestId | undefined };

/**
 * Recognizes a message by its shape, without a schema library. Some servers omit `jsonrpc`, or send a `null` `error`
 * or `result` beside the other one; both are accepted.
 */
export function classify(value: unknown): Classified {
	if (!isObject(value)) {
		return { kind: 'invalid', why: 'not an object', id: undefined };
	}
	const id = isRequestId(value['id']) ? value['id'] : undefined;
	if (typeof value['method'] === 'string') {
		if (value['params'] !== undefined && !isObject(value['params'])) {
			// The id is the peer's own, so no request of ours fails with it.
			return { kind: 'invalid', why: 'params is not an object', id: undefined };
		}
		if (!('id' in value)) {
			return { kind: 'notification', message: value as unknown as NotificationMessage };
		}
		if (id === undefined) {
			return { kind: 'invalid', why: 'request id is neither a string nor a number', id };
		}
		// A larger number was read as another one, and MCP allows no fractions.
		if (typeof id === 'number' && !Number.isSafeInteger(id)) {
			return { kind: 'invalid', why: "request id isn't a safe integer", id: undefined };
		}
		return { kind: 'request', message: value as unknown as RequestMessage };
	}
	const hasResult = 'result' in value && (value['result'] !== null || !isObject(value['error']));
	const hasError = 'error' in value && (value['error'] !== null || !hasResult);
	// JSON-RPC 2.0 §5: exactly one of `result` and `error`.
	if (hasResult === hasError) {
		return { kind: 'invalid', why: hasResult ? 'both result and error' : 'neither a request nor a response', id };
	}
	if (hasError) {
		const error = value['error'];
		if (!isObject(error) || typeof error['code'] !== 'number' || typeof error['message'] !== 'string') {
			return { kind: 'invalid', why: 'error without a numeric code and a message', id };
		}
		return { kind: 'error', message: value as unknown as ErrorMessage };
	}
	if (id === undefined || !isObject(value['result'])) {
		return { kind: 'invalid', why: id === undefined ? 'response without an id' : 'result is not an object', id };
	}
	return { kind: 'result', message: value as unknown as ResultMessage };
}

/**
 * Whether a response with the id `theirs` answers the request with the id `ours`. Some servers send our numbers back
 * as strings. A string counts only if it is written exactly as we write the number, so it never matches two requests.
 */
export function isSameId(ours: RequestId, theirs: unknown): boolean {
	// Checked for every message of a stream, most of which have no id.
	return ours === theirs || (typeof ours === 'number' && typeof theirs === 'string' && String(ours) === theirs);
}

/** Whether the batch is a single response. Some servers send one in every revision. */
export function isOneResponse(batch: readonly unknown[]): boolean {
	return batch.length === 1 && ['result', 'error'].includes(classify(batch[0]).kind);
}

/** Whether the value is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is a JSON object, otherwise an empty object. */
export function toObject(value: unknown): JsonObject {
	return isObject(value) ? value : {};
}

/**
 * A value of a peer as JSON for logs and messages, cut to a readable length. Handles values that are nested so deeply
 * that `JSON.stringify` throws; `JSON.parse` reads those.
 */
export function describeJson(value: unknown, maxLength = maxDescription): string {
	let text: string;
	try {
		text = JSON.stringify(value) ?? 'undefined';
	} catch {
		return '(nested too deeply)';
	}
	return shorten(text, maxLength);
}

function isRequestId(value: unknown): value is RequestId {
	return typeof value === 'string' || typeof value === 'number';
}

/** The key in `_meta` for the task that a message belongs to. Spec 2025-11-25, tasks. */
export const relatedTask = 'io.modelcontextprotocol/related-task';

/** The id of the task; `undefined` if there is none. */
export function relatedTaskOf({ _meta: meta }: JsonObject): string | undefined {
	const task = isObject(meta) ? meta[relatedTask] : undefined;
	return isObject(task) && typeof task['taskId'] === 'string' ? task['taskId'] : undefined;
}

/** The result with the task in its `_meta`. */
export function withRelatedTask(result: JsonObject, task: unknown): JsonObject {
	return { ...result, _meta: { ...toObject(result['_meta']), [relatedTask]: task } };
}
