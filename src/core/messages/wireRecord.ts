/** The records of messages, HTTP exchanges, and requests that get no answer. */
import { isObject, type JsonObject, relatedTaskOf, type RequestId, type WireChannel } from '../../mcp/index.js';
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
	/** The id of the call, as in `Call`. Prompts and reads from a page have one too, but aren't in the history. */
	readonly callId?: string | undefined;
	readonly caller: Caller;
}

export const recordKinds = ['request', 'answer', 'notification', 'exchange', 'lost', 'other'] as const;
/** `lost`: the wait for the answer ended without one. */
export const outcomeKinds = ['ok', 'toolError', 'inputRequired', 'task', 'error', 'lost', 'canceled'] as const;

/** How a request ended. */
export interface Outcome {
	readonly kind: (typeof outcomeKinds)[number];
	/** Of an error, or the status of an HTTP exchange. */
	readonly code?: number | undefined;
}

/** The facts that a message itself contains. */
export interface Facts {
	readonly kind: (typeof recordKinds)[number];
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

/** Data besides the text, which only few messages have. */
export interface More {
	/** Shared by all requests of one operation. */
	readonly origin?: object | undefined;
	/** The id of our request in whose response stream the message was received. */
	readonly streamOf?: RequestId | undefined;
	/** Without them, they are read from the text when they are needed: most messages are never looked at. */
	readonly facts?: Facts | undefined;
	/** Bytes of the whole message, if the text is only its beginning. */
	readonly fullSize?: number | undefined;
}

export class WireRecord {
	private known: Facts | undefined;

	constructor(
		/** Numbers the records of all servers in order of arrival. */
		readonly number: number,
		/** Milliseconds since 1970. */
		readonly time: number,
		readonly channel: Channel,
		/** The text on the wire, or its beginning. For an HTTP exchange, its facts as JSON; for a lost request, the reason. */
		readonly text: string,
		readonly more: More = {},
	) {
		this.known = more.facts;
	}

	get origin(): object | undefined {
		return this.more.origin;
	}

	/** The call that a request belongs to; empty for other requests. */
	get call(): Partial<CallOrigin> {
		return this.origin ?? {};
	}

	get facts(): Facts {
		this.known ??= factsOf(JSON.parse(this.text), this.more.streamOf);
		return this.known;
	}

	/** Bytes of the whole message. */
	get size(): number {
		return this.more.fullSize ?? byteLength(this.text);
	}
}

export function byteLength(text: string): number {
	return new TextEncoder().encode(text).length;
}

/** What most messages don't say. */
export const noFacts: Facts = {
	kind: 'other',
	method: '',
	id: undefined,
	target: undefined,
	about: undefined,
	task: undefined,
	outcome: undefined,
};

export function factsOf(value: unknown, streamOf?: RequestId): Facts {
	const message = isObject(value) ? value : {};
	const { id, method, params, result, error } = message;
	const hasId = typeof id === 'string' || typeof id === 'number';
	const named = isObject(params) ? params : {};
	const facts = { ...noFacts, id: hasId ? id : undefined, about: streamOf };
	if (typeof method === 'string') {
		const about = requestIn(method, named) ?? streamOf;
		const kind = hasId ? 'request' : 'notification';
		return { ...facts, kind, method: bounded(method), target: targetOf(named), about, task: relatedTaskOf(named) };
	}
	const isAnswer = result !== undefined || error !== undefined;
	return isAnswer ? { ...facts, kind: 'answer', task: taskIn(result), outcome: outcomeOf(result, error) } : facts;
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
	const { isError, resultType, task } = result;
	const isTask = resultType === 'task' || isObject(task);
	return {
		kind: isError === true ? 'toolError' : isTask ? 'task' : resultType === 'input_required' ? 'inputRequired' : 'ok',
	};
}
