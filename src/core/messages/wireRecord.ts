/** The records of messages, HTTP exchanges, and requests that get no answer. */
import {
	type HttpExchange,
	isObject,
	type JsonObject,
	relatedTaskOf,
	type RequestId,
	type WireChannel,
} from '../../mcp/index.js';
import type { Caller } from '../approvals/approval.js';
import type { Redactor } from '../text/redactor.js';

/** The most characters of a method or a target that are kept. */
const maxTarget = 1000;

/** The server of a record. Texts must be redacted before they are shown or leave the memory. */
export interface MessageSource {
	/** The id of the server's definition. */
	readonly id: string;
	/** The name in the configuration. */
	readonly name: string;
	/** The redactor of the server's log; `undefined` for messages of a file, which are already redacted. */
	readonly redactor: Redactor | undefined;
}

/** One direction of a connection to a server. */
export interface Channel extends WireChannel {
	readonly source: MessageSource;
}

/** The `origin` of requests for a call: see `RequestOptions` of the client. */
export interface CallOrigin {
	/** The id of the call, as in `Call`. */
	readonly callId?: string | undefined;
	readonly caller: Caller;
}

/** The members of a `CallOrigin`, if the origin is one: other requests have an empty object. */
export function asCallOrigin(origin: Partial<CallOrigin> | undefined = {}): Partial<CallOrigin> {
	return origin;
}

export type RecordKind = 'request' | 'answer' | 'notification' | 'exchange' | 'lost' | 'other';

/** How a request ended. `lost`: there is no answer, and none will come. */
export type Outcome =
	/** `code`: the code of an error, or the status of an HTTP exchange. */
	| { readonly kind: 'ok' | 'toolError' | 'inputRequired' | 'task' | 'error'; readonly code?: number | undefined }
	| { readonly kind: 'lost'; readonly reason: string };

/** What can be read from a message itself. */
export interface Facts {
	readonly kind: RecordKind;
	/** Empty for an answer. For an HTTP exchange, the HTTP method. */
	readonly method: string;
	readonly id: RequestId | undefined;
	/** The tool, prompt, URI or task that the message names. */
	readonly target: string | undefined;
	/** The id of the request that a message belongs to, if the message or its stream tells. */
	readonly about: RequestId | undefined;
	/** The id of the task that the message belongs to, or that an answer begins. */
	readonly task: string | undefined;
	/** Set for an answer, a lost request, or an HTTP exchange. */
	readonly outcome: Outcome | undefined;
}

export interface WireRecord extends Facts {
	/** Numbers the records of all servers in order of arrival. */
	readonly number: number;
	/** Milliseconds since 1970. */
	readonly time: number;
	readonly channel: Channel;
	/** The requests of one operation have the same origin. */
	readonly origin: object | undefined;
	/** The text on the wire; only its beginning if it is long. For an HTTP exchange, its facts as JSON. */
	readonly text: string;
	/** The length of the whole text, in characters. */
	readonly length: number;
}

interface MessageParts {
	readonly origin: object | undefined;
	readonly streamOf: RequestId | undefined;
	readonly facts: Facts | undefined;
	readonly length: number | undefined;
}

/** The record of a message. `facts` and `length` are required if the text is cut. Otherwise, they are read from the text. */
export function messageRecord(
	number: number,
	channel: Channel,
	time: number,
	text: string,
	{ origin, streamOf, facts, length }: MessageParts,
): WireRecord {
	const read = facts ?? factsOf(JSON.parse(text), streamOf);
	return { number, time, channel, origin, text, length: length ?? text.length, ...read };
}

export function lostRecord(number: number, channel: Channel, time: number, id: RequestId, reason: string): WireRecord {
	const outcome = { kind: 'lost', reason } as const;
	const none = { method: '', target: undefined, about: undefined, task: undefined, origin: undefined };
	return { number, time, channel, kind: 'lost', id, outcome, ...none, text: '', length: 0 };
}

export function exchangeRecord(number: number, channel: Channel, time: number, exchange: HttpExchange): WireRecord {
	const { method, url: target, status, ms, requestHeaders, headers, id } = exchange;
	const text = JSON.stringify({ method, url: target, requestHeaders, status, ms, headers });
	const outcome: Outcome = { kind: status < 400 ? 'ok' : 'error', code: status };
	const facts = { kind: 'exchange', method, id, target, about: id, task: undefined, outcome } as const;
	return { number, time, channel, origin: undefined, text, length: text.length, ...facts };
}

export function factsOf(value: unknown, streamOf: RequestId | undefined): Facts {
	const message = isObject(value) ? value : {};
	const { id, method, params, result, error } = message;
	const hasId = typeof id === 'string' || typeof id === 'number';
	const named = isObject(params) ? params : {};
	const isCall = typeof method === 'string';
	const isAnswer = !isCall && (result !== undefined || error !== undefined);
	return {
		kind: isCall ? (hasId ? 'request' : 'notification') : isAnswer ? 'answer' : 'other',
		method: isCall ? bounded(method) : '',
		id: hasId ? id : undefined,
		target: isCall ? targetOf(named) : undefined,
		about: isCall ? (requestIn(method, named) ?? streamOf) : streamOf,
		task: isCall ? relatedTaskOf(named) : taskIn(result),
		outcome: isAnswer ? outcomeOf(result, error) : undefined,
	};
}

function targetOf({ name, uri, taskId, ref, message, progress, data }: JsonObject): string | undefined {
	const target = name ?? uri ?? taskId ?? (isObject(ref) ? (ref['name'] ?? ref['uri']) : undefined);
	const shown = target ?? message ?? progress ?? data;
	return typeof shown === 'string' || typeof shown === 'number' ? bounded(String(shown)) : undefined;
}

function bounded(text: string): string {
	return text.length > maxTarget ? copyOfStart(text, maxTarget) : text;
}

/** Copies the beginning of a long text. A slice would keep the whole text in memory. */
export function copyOfStart(text: string, length: number): string {
	return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, length)));
}

/** The id of the request that a notification names. Ids of our requests are also their progress tokens. */
function requestIn(method: string, { progressToken, requestId }: JsonObject): RequestId | undefined {
	const id =
		method === 'notifications/progress' ? progressToken : method === 'notifications/cancelled' ? requestId : undefined;
	return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}

function taskIn(result: unknown): string | undefined {
	const { taskId, task } = isObject(result) ? result : {};
	const id = taskId ?? (isObject(task) ? task['taskId'] : undefined);
	return typeof id === 'string' ? id : undefined;
}

function outcomeOf(result: unknown, error: unknown): Outcome {
	if (!isObject(result)) {
		const code = isObject(error) ? error['code'] : undefined;
		return { kind: 'error', code: typeof code === 'number' ? code : undefined };
	}
	if (result['isError'] === true) {
		return { kind: 'toolError' };
	}
	const { resultType } = result;
	return { kind: resultType === 'input_required' ? 'inputRequired' : isTask(result) ? 'task' : 'ok' };
}

function isTask({ resultType, task }: JsonObject): boolean {
	return resultType === 'task' || isObject(task);
}
