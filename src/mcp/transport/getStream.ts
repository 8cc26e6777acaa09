/**
 * The GET requests of the legacy era: the stream for messages that belong to no request of ours, and the resumption
 * of broken streams. Spec 2025-11-25, transports, "Listening for Messages from the Server", "Resumability and
 * Redelivery".
 */
import { deferred, delay } from '../../base/async.js';
import { isAbort, toMessage } from '../../base/errors.js';
import { toDisposable, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { hasFailure } from '../jsonrpc/errors.js';
import { isSuccess, mediaType, retryAfterMs, statusError } from './httpBody.js';
import type { HttpEndpoint } from './httpEndpoint.js';
import { HttpAbort, type HttpResponse } from './httpFetch.js';
import { readEvents, type SsePosition, startOfStream } from './eventStream.js';

export interface GetStreamOptions {
	readonly endpoint: HttpEndpoint;
	readonly log: Logger;
	readonly delays: { readonly reconnect: number; readonly maxReconnect: number; readonly errorBody: number };
	readonly maxMessageBytes: number;
	/** Receives the text of each message. */
	readonly receive: (text: string) => void;
	/** Called when the stream is open again after a message that was too large: messages in between were missed. */
	readonly onGap: () => void;
}

/**
 * Milliseconds between two attempts. A server that closes its streams at once would be asked thousands of times a
 * second.
 */
const leastPause = 100;

/** Too slow; a stream of ours that the server still counts as open; too many requests. */
const temporary: ReadonlySet<number> = new Set([408, 409, 429]);

type Headers = Readonly<Record<string, string>>;

export class GetStream extends Owner {
	private current: HttpAbort | undefined;
	/** The current attempt to open or read the stream. */
	private attempt: HttpAbort | undefined;

	constructor(private readonly options: GetStreamOptions) {
		super();
		this.own(toDisposable(() => this.stop()));
	}

	get isRunning(): boolean {
		return this.current !== undefined;
	}

	/**
	 * Listens until `stop` is called or the server turns out to have no such stream. Replaces a stream that is open.
	 * @returns resolves when the server has answered the first request in any way
	 */
	start(headers: Headers): Promise<void> {
		this.stop();
		const abort = new HttpAbort();
		this.current = abort;
		const opened = deferred<void>();
		const end = (): void => {
			opened.resolve();
			if (this.current === abort) {
				this.current = undefined;
			}
		};
		this.listen(headers, abort, () => opened.resolve()).then(end, (error: unknown) => {
			end();
			if (!isAbort(error)) {
				this.options.log.debug(`No GET stream: ${String(error)}`);
			}
		});
		return opened.promise;
	}

	stop(): void {
		this.current?.abort();
		this.current = undefined;
	}

	/** Replaces the connection, which may be dead without an error. */
	refresh(): void {
		this.attempt?.abort();
	}

	/**
	 * Resumes a stream where it broke, after the wait that the server asked for.
	 * @param failures the number of attempts in a row that received nothing
	 * @param isAtOnce whether the client ended the stream itself: then it does not wait
	 * @returns undefined if the attempt failed but another one may succeed
	 * @throws McpError if the server refuses
	 * @throws AbortError if it is aborted
	 */
	async resume(
		position: SsePosition,
		failures: number,
		abort: HttpAbort,
		headers: Headers,
		isAtOnce = false,
	): Promise<HttpResponse | undefined> {
		const { delays, endpoint, log } = this.options;
		// Spec: "The client MUST respect the retry field, waiting the given number of milliseconds".
		const backOff = Math.min(delays.reconnect * 2 ** Math.max(0, failures - 1), delays.maxReconnect);
		const ms = failures > 1 ? Math.max(position.retryMs ?? 0, backOff) : (position.retryMs ?? backOff);
		const { lastEventId, retryAfterMs = 0 } = position;
		position.retryAfterMs = undefined;
		const pause = Math.max(ms, Math.min(leastPause, delays.reconnect), Math.min(retryAfterMs, delays.maxReconnect));
		if (!isAtOnce) {
			await delay(pause, abort.toSignal());
		}
		let response: HttpResponse;
		try {
			response = await endpoint.call({
				method: 'GET',
				headers: {
					accept: 'text/event-stream',
					...(lastEventId ? { 'last-event-id': utf8Header(lastEventId) } : {}),
					...headers,
				},
				abort,
			});
		} catch (error) {
			if (isAbort(error)) {
				throw error;
			}
			log.debug(`A stream could not be taken up: ${String(error)}`);
			return undefined;
		}
		return this.checked(response, position, 'mcp-session-id' in headers);
	}

	private async checked(
		response: HttpResponse,
		position: SsePosition,
		hasSession: boolean,
	): Promise<HttpResponse | undefined> {
		const { status } = response;
		if (isSuccess(response) && mediaType(response) === 'text/event-stream') {
			return response;
		}
		const error = await statusError(response, hasSession, this.options.delays.errorBody);
		if (status >= 500 || temporary.has(status)) {
			position.retryAfterMs = retryAfterMs(response);
			this.options.log.debug(`A stream could not be taken up: ${error.message}`);
			return undefined;
		}
		throw error;
	}

	private async listen(headers: Headers, abort: HttpAbort, onOpened: () => void): Promise<void> {
		let position = startOfStream();
		let failures = 0;
		let hasGap = false;
		// The first request does not wait.
		let isAtOnce = true;
		for (let isFirst = true; !abort.isAborted; isFirst = false) {
			const attempt = new HttpAbort();
			this.attempt = attempt;
			abort.setStop(() => attempt.abort());
			let response: HttpResponse | undefined;
			try {
				response = await this.resume(position, failures, attempt, headers, isAtOnce);
			} catch (error) {
				if (abort.isAborted || !attempt.isAborted) {
					throw error;
				}
			}
			if (isFirst) {
				onOpened();
			}
			if (response && hasGap) {
				hasGap = false;
				this.options.onGap();
			}
			const end = response && (await this.read(response, position, abort, attempt));
			if (end === 'tooLarge') {
				// The stream can't be resumed before this message, because the server would send it again.
				position = { ...startOfStream(), retryMs: position.retryMs };
				hasGap = true;
			}
			// A message that is too large counts as a failure, so that a server that always sends one is asked less
			// and less often.
			failures = end === 'something' || attempt.isAborted ? 0 : failures + 1;
			isAtOnce = attempt.isAborted;
		}
	}

	/**
	 * Receives messages until the stream ends in any way. Messages that were received before `attempt` was aborted
	 * count, because its successor resumes after them.
	 * @returns whether anything was received, or whether a message was too large
	 */
	private async read(
		response: HttpResponse,
		position: SsePosition,
		abort: HttpAbort,
		attempt: HttpAbort,
	): Promise<'something' | 'nothing' | 'tooLarge'> {
		const { log, maxMessageBytes } = this.options;
		try {
			const hasCome = await readEvents(response, position, maxMessageBytes, ({ event, data }) => {
				if (event === 'message' && data !== '' && !abort.isAborted) {
					this.options.receive(data);
				}
			});
			return hasCome ? 'something' : 'nothing';
		} catch (error) {
			if (hasFailure(error, 'tooLarge')) {
				log.warn(`The GET stream is opened again: ${error.message}`);
				return 'tooLarge';
			}
			if (!attempt.isAborted) {
				log.debug(`The GET stream broke: ${toMessage(error)}`);
			}
			return 'nothing';
		}
	}
}

/** An event id in UTF-8, as the bytes of a header. */
function utf8Header(text: string): string {
	return String.fromCharCode(...new TextEncoder().encode(text));
}
