/**
 * One POST, and its response to the end: JSON, or a stream of events that is taken up again where it breaks,
 * until what answers the request has come.
 */
import type { Logger } from '../../base/log.js';
import { McpError } from '../jsonrpc/errors.js';
import { isObject, type Message, type RequestId } from '../jsonrpc/messages.js';
import { isSameId } from '../jsonrpc/requestId.js';
import { errorObjectIn, mediaType, readText, statusError } from './httpBody.js';
import { networkError } from './httpEndpoint.js';
import type { HttpAbort, HttpResponse } from './httpFetch.js';
import { readEvents, type SsePosition, startOfStream } from './eventStream.js';

/** What `initialize` began: an object, so that an old one cannot be taken for its successor. */
export interface Session {
	readonly id: string | undefined;
}

/** The transport, as a POST sees it. */
export interface PostOwner {
	readonly log: Logger;
	readonly delays: { readonly linger: number; readonly errorBody: number };
	readonly maxMessageBytes: number;
	/** Given the text of each message and the POST that it came for; returns the message, undefined if it is none. */
	readonly receive: (text: string, post: HttpPost) => unknown;
	/** The answer will not come. */
	readonly lose: (post: HttpPost, error: McpError) => void;
	/** See GetStream.resume. */
	readonly resume: (
		post: HttpPost,
		position: SsePosition,
		failures: number,
		isAtOnce: boolean,
	) => Promise<HttpResponse | undefined>;
	/** Nothing is left of the POST. */
	readonly release: (post: HttpPost) => void;
}

/** Attempts to take up a stream that bring nothing, before its answer counts as lost. */
const maxResumes = 4;

export class HttpPost {
	/** Of the request that it carries; undefined for a notification or an answer. */
	readonly id: RequestId | undefined;
	readonly method: string;
	isAnswered = false;

	constructor(
		private readonly owner: PostOwner,
		message: Message,
		readonly isModern: boolean,
		readonly session: Session | undefined,
		readonly abort: HttpAbort,
	) {
		this.method = 'method' in message ? message.method : '';
		this.id = 'method' in message && 'id' in message ? message.id : undefined;
	}

	/**
	 * Decides whether the server took the message.
	 * @returns undefined if it did and may answer in this response, otherwise why not
	 */
	refusal(response: HttpResponse): Promise<McpError> | McpError | undefined {
		const { status } = response;
		if (status < 200 || status > 299) {
			return statusError(response, !this.isModern && this.session?.id !== undefined, this.owner.delays.errorBody);
		}
		if (this.id === undefined || status === 202) {
			return undefined;
		}
		const type = mediaType(response);
		if (type === 'application/json' || type === 'text/event-stream') {
			return undefined;
		}
		response.discard();
		return new McpError({ code: 'invalidResult', method: this.method, why: `content type ${JSON.stringify(type)}` });
	}

	/** Reads the response of a request to its end; never rejects. */
	async follow(response: HttpResponse): Promise<void> {
		try {
			if (mediaType(response) === 'application/json') {
				const text = await readText(response, this.owner.maxMessageBytes);
				this.checkAnswer(this.owner.receive(text, this));
			} else {
				await this.followStream(response);
			}
		} catch (error) {
			this.owner.lose(this, networkError(error));
		} finally {
			this.owner.release(this);
		}
	}

	/** To be told of every message before it is passed on. */
	look(message: unknown): void {
		// A stream can bring a hundred thousand notifications before the answer.
		if (!isObject(message) || message['id'] !== undefined) {
			this.isAnswered ||= this.id !== undefined && isAnswerTo(this.id, message);
		}
	}

	private checkAnswer(message: unknown): void {
		if (!this.isAnswered) {
			// A server that could not read the id has answered all the same.
			const error = errorObjectIn(message);
			const why = message === undefined ? 'not JSON' : 'no answer to this request';
			throw new McpError(
				error
					? { code: 'http', status: 200, error, challenge: undefined }
					: { code: 'invalidResult', method: this.method, why },
			);
		}
	}

	/** Reads the stream of a request until its answer has come, over as many responses as that takes. */
	private async followStream(first: HttpResponse): Promise<void> {
		const position = startOfStream();
		let failures = 0;
		let response: HttpResponse | undefined = first;
		let isAtOnce = false;
		this.abort.refresh = () => {
			// Spec 2025-11-25: "Disconnection SHOULD NOT be interpreted as the client cancelling its request".
			if (response && !this.isModern && position.lastEventId !== undefined) {
				isAtOnce = true;
				response.discard();
			}
		};
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
			response = undefined;
			const wasAtOnce = isAtOnce;
			isAtOnce = false;
			response = await this.owner.resume(this, position, failures, wasAtOnce);
		}
	}

	/**
	 * True if anything came. A break is no error yet: the stream may be taken up again.
	 * @throws McpError `tooLarge` at an event past the limit: it may have been the answer, and its end may never come
	 */
	private async readStream(response: HttpResponse, position: SsePosition): Promise<boolean> {
		const { delays, log, maxMessageBytes } = this.owner;
		let lingering: ReturnType<typeof setTimeout> | undefined;
		try {
			return await readEvents(response, position, maxMessageBytes, ({ event, data }) => {
				if (event === 'message' && data !== '') {
					this.owner.receive(data, this);
				}
				if (this.isAnswered) {
					// Spec: the server SHOULD end the stream now. One that does not would keep a socket for ever.
					lingering ??= setTimeout(() => response.discard(), delays.linger);
				}
			});
		} catch (error) {
			if (error instanceof McpError || this.abort.isAborted) {
				throw error;
			}
			log.debug(`A response stream broke: ${networkError(error).message}`);
			return false;
		} finally {
			clearTimeout(lingering);
		}
	}
}

/** True for the response to this request, alone or in a batch. */
function isAnswerTo(id: RequestId, value: unknown): boolean {
	if (Array.isArray(value)) {
		return value.some(it => isAnswerTo(id, it));
	}
	return isObject(value) && isSameId(id, value['id']) && typeof value['method'] !== 'string';
}
