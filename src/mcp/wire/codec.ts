/**
 * The interface over the differences between the two eras on the wire: the legacy era (revisions up to 2025-11-25,
 * which begin with `initialize`) and the modern era (2026-07-28, where every request names its sender and revision).
 * Everything above this interface is the same for both.
 */
import type { JsonObject } from '../jsonrpc/messages.js';
import type { Implementation, LoggingLevel } from './types.js';

/** The only requests that may take long or ask for input. */
export const operationMethods: ReadonlySet<string> = new Set(['tools/call', 'prompts/get', 'resources/read']);

/** Requests that keep a server busy, and during which it may send its own: operations, and the wait for a task's result. */
export const workMethods: ReadonlySet<string> = new Set([...operationMethods, 'tasks/result']);

export type Era = 'legacy' | 'modern';

/** The data about this client that every request of the modern era carries. */
export interface Sender {
	readonly clientInfo: Implementation;
	readonly capabilities: JsonObject;
	/** The lowest level of log messages to send for this request; `undefined` for none. */
	readonly logLevel: LoggingLevel | undefined;
}

/** The params of a message on the wire, and the headers that HTTP must send with them. */
export interface Encoded {
	readonly params: JsonObject;
	readonly headers?: Readonly<Record<string, string>>;
}

/** A decoded result. */
export type Decoded =
	| { readonly kind: 'complete'; readonly result: JsonObject }
	/** Modern era: the server asks for input. The request is sent again with the input and the state. */
	| { readonly kind: 'inputRequired'; readonly requests: JsonObject; readonly state: string | undefined }
	/** The request has become a task. */
	| { readonly kind: 'task'; readonly task: JsonObject }
	| { readonly kind: 'invalid'; readonly why: string };

export interface Codec {
	readonly era: Era;
	readonly revision: string;
	/** Whether the server may send requests. If not, they are dropped without a response. */
	readonly acceptsRequests: boolean;
	/** Whether messages may come in batches. */
	readonly acceptsBatches: boolean;
	/** @param sender called only if a request names its sender */
	encodeRequest(method: string, params: JsonObject, sender: () => Sender): Encoded;
	encodeNotification(method: string, params: JsonObject): Encoded;
	decodeResult(result: JsonObject): Decoded;
}
