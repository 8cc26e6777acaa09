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

	/**
	 * Resumes a stream where it broke, after the wait that the server asked for.
	 * @param failures the number of attempts in a row that received nothing
	 * @returns undefined if the attempt failed but another one may succeed
	 * @throws McpError if the server refuses
	 * @throws AbortError if it is aborted
	 */
	async resume(
		position: SsePosition,
		failures: number,
		abort: HttpAbort,
		headers: Headers,
	): Promise<HttpResponse | undefined> {
		const { delays } = this.options;
		// Spec: "The client MUST respect the retry field, waiting the given number of milliseconds".
		const backOff = Math.min(delays.reconnect * 2 ** Math.max(0, failures - 1), delays.maxReconnect);
		const ms = failures > 1 ? Math.max(position.retryMs ?? 0, backOff) : (position.retryMs ?? backOff);
		const { retryAfterMs = 0 } = position;
		position.retryAfterMs = undefined;
		await delay(
			Math.max(ms, Math.min(leastPause, delays.reconnect), Math.min(retryAfterMs, delays.maxReconnect)),
			abort.toSignal(),
		);
		return this.request(position, abort, headers);
	}

	/** Requests the stream without a wait. Otherwise as `resume`. */
	private async request(position: SsePosition, abort: HttpAbort, headers: Headers): Promise<HttpResponse | undefined> {
		const { endpoint, log } = this.options;
		const { lastEventId } = position;
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
		const position = startOfStream();
		let response = await this.request(position, abort, headers);
		onOpened();
		for (let failures = 0; !abort.isAborted;) {
			const hasReceived = response !== undefined && (await this.read(response, position, abort));
			failures = hasReceived ? 0 : failures + 1;
			response = await this.resume(position, failures, abort, headers);
		}
	}

	/**
	 * Receives messages until the stream ends in any way.
	 * @returns whether anything was received. False after a message that is too large, so that the delay grows.
	 */
	private async read(response: HttpResponse, position: SsePosition, abort: HttpAbort): Promise<boolean> {
		const { log, maxMessageBytes } = this.options;
		try {
			return await readEvents(response, position, maxMessageBytes, ({ event, data }) => {
				if (event === 'message' && data !== '' && !abort.isAborted) {
					this.options.receive(data);
				}
			});
		} catch (error) {
			if (hasFailure(error, 'tooLarge')) {
				log.warn(`The GET stream is opened again: ${error.message}`);
				// The stream can't be resumed before this message, because the server would send it again.
				position.lastEventId = undefined;
				position.delivered.clear();
			} else if (!abort.isAborted) {
				log.debug(`The GET stream broke: ${toMessage(error)}`);
			}
			return false;
		}
	}
}

/** An event id in UTF-8, as the bytes of a header. */
function utf8Header(text: string): string {
	return String.fromCharCode(...new TextEncoder().encode(text));
}
