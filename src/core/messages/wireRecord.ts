/**
 * What is kept of one message, HTTP exchange or lost request. Made for everything on the wire, so it reads only a few
 * members of a message, and never parses or copies a text that isn't cut.
 */
import { isObject, type JsonObject, relatedTaskOf, type RequestId, type WireEvent } from '../../mcp/index.js';
import type { Caller } from '../approvals/approval.js';
import type { Redactor } from '../text/redactor.js';

/** A longer message is kept in part, in characters. */
const maxWhole = 256 * 1024;
const keptOfLong = 64 * 1024;

/** The server of a record. Texts must be redacted before they are shown or leave the memory. */
export interface MessageSource {
	/** The id of the definition. */
	readonly id: string;
	/** The name in the configuration. */
	readonly name: string;
	/** Of the log; `undefined` for messages of a file, which are redacted. */
	readonly redactor: Redactor | undefined;
}

/** The `origin` of requests for a call: see `RequestOptions` of the client. */
export interface CallOrigin {
	/** The id of the call, as in `Call`. */
	readonly callId?: string | undefined;
	readonly caller: Caller['kind'];
}

/** The members of a `CallOrigin`, if the origin is one: other requests have an empty object. */
export function asCallOrigin(origin: Partial<CallOrigin> | undefined = {}): Partial<CallOrigin> {
	return origin;
}

export type RecordKind = 'request' | 'answer' | 'notification' | 'exchange' | 'lost' | 'other';

/** How a request ended. `lost`: there is no answer, and none will come. */
export type Outcome =
	| { readonly kind: 'ok' | 'toolError' | 'inputRequired' | 'task' }
	| { readonly kind: 'error'; readonly code: number | undefined }
	| { readonly kind: 'lost'; readonly reason: string };

export interface WireRecord {
	/** Counts the records of all servers; also the order in which they came. */
	readonly number: number;
	/** Milliseconds since 1970. */
	readonly time: number;
	readonly source: MessageSource;
	/** The number of the connection, within which ids are unique. */
	readonly connection: number;
	readonly kind: RecordKind;
	readonly direction: 'sent' | 'received';
	/** Empty for an answer. For an HTTP exchange, its method. */
	readonly method: string;
	readonly id: RequestId | undefined;
	/** The tool, prompt, URI or task that the message names. */
	readonly target: string | undefined;
	/** The id of the request that a message belongs to, if it says so or its stream does. */
	readonly about: RequestId | undefined;
	/** The id of the task that the message belongs to, or that an answer begins. */
	readonly task: string | undefined;
	/** Of an answer, a lost request, or an HTTP exchange. */
	readonly outcome: Outcome | undefined;
	/** The requests of one operation have the same. */
	readonly origin: object | undefined;
	/** On the wire; of a long message only the beginning. Of an HTTP exchange, its facts as JSON. */
	readonly text: string;
	/** The length of the whole text, in characters. */
	readonly length: number;
}

/** The records of one event: one, or as many as the messages of a batch. @param number of the first record */
export function recordsOf(number: number, source: MessageSource, event: WireEvent): WireRecord[] {
	if (event.kind === 'message') {
		const { message, text } = event;
		return Array.isArray(message)
			? message.map((it: unknown, index) => messageRecord(number + index, source, event, it, JSON.stringify(it)))
			: [messageRecord(number, source, event, message, text)];
	}
	const { time, connection, id } = event;
	const common = { number, time, source, connection, id, task: undefined, origin: undefined };
	if (event.kind === 'lost') {
		const { reason } = event;
		const outcome = { kind: 'lost', reason } as const;
		const rest = { method: '', target: undefined, about: undefined, text: '', length: 0 };
		return [{ ...common, kind: 'lost', direction: 'received', outcome, ...rest }];
	}
	const { method, url, status, ms, requestHeaders, headers } = event;
	const text = JSON.stringify({ method, url, requestHeaders, status, ms, headers });
	const outcome: Outcome = status < 400 ? { kind: 'ok' } : { kind: 'error', code: status };
	const rest = { method, target: url, about: id, outcome, text, length: text.length };
	return [{ ...common, kind: 'exchange', direction: 'sent', ...rest }];
}

function messageRecord(
	number: number,
	source: MessageSource,
	{ direction, time, connection, origin, streamOf }: Extract<WireEvent, { kind: 'message' }>,
	value: unknown,
	text: string,
): WireRecord {
	const message = isObject(value) ? value : {};
	const { id, method, params, result, error } = message;
	const hasId = typeof id === 'string' || typeof id === 'number';
	const named = isObject(params) ? params : {};
	const isCall = typeof method === 'string';
	const isAnswer = !isCall && (result !== undefined || error !== undefined);
	return {
		number,
		time,
		source,
		connection,
		kind: isCall ? (hasId ? 'request' : 'notification') : isAnswer ? 'answer' : 'other',
		direction,
		method: isCall ? method : '',
		id: hasId ? id : undefined,
		target: isCall ? targetOf(named) : undefined,
		about: isCall ? (requestIn(method, named) ?? streamOf) : streamOf,
		task: isCall ? relatedTaskOf(named) : taskIn(result),
		outcome: isAnswer ? outcomeOf(result, error) : undefined,
		origin,
		text: text.length > maxWhole ? copyOfStart(text) : text,
		length: text.length,
	};
}

function targetOf({ name, uri, taskId, ref, message, progress, data }: JsonObject): string | undefined {
	const target = name ?? uri ?? taskId ?? (isObject(ref) ? (ref['name'] ?? ref['uri']) : undefined);
	const shown = target ?? message ?? progress ?? data;
	return typeof shown === 'string' || typeof shown === 'number' ? String(shown) : undefined;
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

/** The beginning of a long text. A slice would keep the whole text in memory. */
function copyOfStart(text: string): string {
	return new TextDecoder().decode(new TextEncoder().encode(text.slice(0, keptOfLong)));
}
