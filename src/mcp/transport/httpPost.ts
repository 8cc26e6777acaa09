/**
 * One POST and its response: JSON, or a stream of events that is resumed when it breaks, until the response to the
 * request has come.
 */
import { clock, type Timer } from '../../base/clock.js';
import type { Logger } from '../../base/log.js';
import { McpError } from '../jsonrpc/errors.js';
import { readLostSession } from './lostSession.js';
import { isObject, isSameId, type Message, type RequestId } from '../jsonrpc/messages.js';
import { errorObjectIn, isSuccess, mediaType, readText, statusError } from './httpBody.js';
import { networkError } from './httpEndpoint.js';
import type { HttpAbort, HttpResponse } from './httpFetch.js';
import { readEvents, type SsePosition, startOfStream } from './eventStream.js';

/** The session that `initialize` began. An object, so that a lost session can't be confused with its successor. */
export interface HttpSession {
	readonly id: string | undefined;
}

/** The part of the transport that a POST uses. */
export interface PostOwner {
	readonly log: Logger;
	readonly delays: { readonly linger: number; readonly errorBody: number };
	readonly maxMessageBytes: number;
	/**
	 * Receives the text of each message and the POST that it came for. Returns the parsed message; undefined if the
	 * text is none.
	 */
	readonly receive: (text: string, post: HttpPost) => unknown;
	/** Called when the request will get no response. */
	readonly lose: (post: HttpPost, error: McpError) => void;
	/** See `GetStream.resume`. */
	readonly resume: (post: HttpPost, position: SsePosition, failures: number) => Promise<HttpResponse | undefined>;
	/** Called when the response has been read or given up. */
	readonly release: (post: HttpPost) => void;
}

/** A request fails after this many attempts in a row that received nothing. */
const maxResumes = 4;

export class HttpPost {
	/** The id of the request; undefined for a notification or a response. */
	readonly id: RequestId | undefined;
	readonly method: string;
	isAnswered = false;

	constructor(
		private readonly owner: PostOwner,
		message: Message,
		readonly isModern: boolean,
		readonly session: HttpSession | undefined,
		readonly abort: HttpAbort,
	) {
		this.method = 'method' in message ? message.method : '';
		this.id = 'method' in message && 'id' in message ? message.id : undefined;
	}

	/**
	 * Whether the server refused the message.
	 * @returns undefined if the server took the message and may answer it in this response, otherwise the reason
	 */
	refusal(response: HttpResponse): Promise<McpError> | McpError | undefined {
		if (!isSuccess(response)) {
			return statusError(response, !this.isModern && this.session?.id !== undefined, this.owner.delays.errorBody);
		}
		if (this.id === undefined || response.status === 202) {
			return undefined;
		}
		const type = mediaType(response);
		if (isJsonType(type) || type === 'text/event-stream') {
			return undefined;
		}
		response.discard();
		return new McpError({ code: 'invalidResult', method: this.method, why: `content type ${JSON.stringify(type)}` });
	}

	/** Reads the complete response to a request; never rejects. */
	async follow(response: HttpResponse): Promise<void> {
		try {
			if (isJsonType(mediaType(response))) {
				const text = await readText(response, this.owner.maxMessageBytes);
				this.requireAnswer(this.owner.receive(text, this));
			} else {
				await this.followStream(response);
			}
		} catch (error) {
			this.owner.lose(this, networkError(error));
		} finally {
			this.owner.release(this);
		}
	}

	/** Call this with every message before it is passed on. @returns the transport error that the message reports */
	checkForAnswer(message: unknown): McpError | undefined {
		// Skips notifications, because a stream can contain a hundred thousand of them before the response.
		if (!isObject(message) || message['id'] !== undefined) {
			this.isAnswered ||= this.id !== undefined && isAnswerTo(this.id, message);
		}
		if (!isObject(message) || !('error' in message) || this.isModern || this.session?.id === undefined) {
			return undefined;
		}
		// Some servers leave out the id.
		const error = this.isAnswered || (message['id'] ?? null) === null ? readLostSession(message) : undefined;
		this.isAnswered ||= error !== undefined;
		return error;
	}

	private requireAnswer(message: unknown): void {
		if (!this.isAnswered) {
			// A server that could not read the id answers with an error without it.
			const error = errorObjectIn(message);
			const why = message === undefined ? 'not a JSON-RPC message' : 'no answer to this request';
			throw new McpError(
				error
					? { code: 'http', status: 200, error, challenge: undefined }
					: { code: 'invalidResult', method: this.method, why },
			);
		}
	}

	/** Reads the stream of a request until its response has come, resuming the stream as often as needed. */
	private async followStream(first: HttpResponse): Promise<void> {
		const position = startOfStream();
		let failures = 0;
		let response: HttpResponse | undefined = first;
		for (;;) {
			failures++;
			if (response && (await this.readStream(response, position))) {
				failures = 0;
			}
			if (this.isAnswered) {
				return;
			}
			if (this.isModern || position.lastEventId === undefined || failures > maxResumes) {
				throw new McpError({ code: 'network', why: 'the stream ended before the answer' });
			}
			response = await this.owner.resume(this, position, failures);
		}
	}

	/**
	 * Whether anything was received. A break is not an error yet, because the stream may be resumed.
	 * @throws McpError `tooLarge` at an event above the limit: it may have been the response, and its end may never
	 * come; `legacySse` at the event with which HTTP+SSE begins: some servers answer a POST like a GET, and wait
	 */
	private async readStream(response: HttpResponse, position: SsePosition): Promise<boolean> {
		const { delays, log, maxMessageBytes } = this.owner;
		let lingering: Timer | undefined;
		try {
			return await readEvents(response, position, maxMessageBytes, ({ event, data }) => {
				if (event === 'endpoint') {
					throw new McpError({ code: 'legacySse' });
				}
				if (event === 'message' && data !== '') {
					this.owner.receive(data, this);
				}
				if (this.isAnswered) {
					// Spec: the server SHOULD end the stream now. A server that does not would hold a socket for
					// ever.
					lingering ??= clock.setTimeout(() => response.discard(), delays.linger);
				}
			});
		} catch (error) {
			if (error instanceof McpError || this.abort.isAborted) {
				throw error;
			}
			log.debug(`A response stream broke: ${networkError(error).message}`);
			return false;
		} finally {
			clock.clearTimeout(lingering);
		}
	}
}

/** Some servers send their JSON as plain text, or without a type (ballerina-library#8090, helidon-mcp#97). */
function isJsonType(type: string): boolean {
	return type === 'application/json' || type === 'text/plain' || type === '';
}

/** Whether the message is the response to the request, or a batch that contains it. */
function isAnswerTo(id: RequestId, value: unknown): boolean {
	if (Array.isArray(value)) {
		return value.some(it => isAnswerTo(id, it));
	}
	return isObject(value) && isSameId(id, value['id']) && typeof value['method'] !== 'string';
}
