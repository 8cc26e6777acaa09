/**
 * The GET requests of the legacy era: the stream on which a server says what no request of ours asked for,
 * and taking up streams that broke. Spec 2025-11-25, transports, "Listening for Messages from the Server",
 * "Resumability and Redelivery".
 */
import { deferred, delay } from '../../base/async.js';
import { isAbort } from '../../base/errors.js';
import { toDisposable, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { McpError } from '../jsonrpc/errors.js';
import { mediaType, retryAfterMs, statusError } from './httpBody.js';
import type { HttpEndpoint } from './httpEndpoint.js';
import { HttpAbort, type HttpResponse } from './httpFetch.js';
import { readEvents, type SsePosition, startOfStream } from './eventStream.js';

export interface GetStreamOptions {
	readonly endpoint: HttpEndpoint;
	readonly log: Logger;
	readonly delays: { readonly reconnect: number; readonly maxReconnect: number; readonly errorBody: number };
	readonly maxMessageBytes: number;
	/** Given the text of each message. */
	readonly receive: (text: string) => void;
	/** The stream is open again after a message that was too large, and that cost all that came until now. */
	readonly onGap: () => void;
}

/** Milliseconds. A server that ends its streams at once and wants no wait would be asked thousands of times a second. */
const leastPause = 100;

/** Too slow, a stream of ours that the server has not yet missed, too many requests. */
const temporary: ReadonlySet<number> = new Set([408, 409, 429]);

type Headers = Readonly<Record<string, string>>;

export class GetStream extends Owner {
	private current: HttpAbort | undefined;
	/** The connection there is now, or the wait for the next one. */
	private attempt: HttpAbort | undefined;

	constructor(private readonly options: GetStreamOptions) {
		super();
		this.own(toDisposable(() => this.stop()));
	}

	get isRunning(): boolean {
		return this.current !== undefined;
	}

	/**
	 * Listens until `stop`, or until the server turns out to have no such stream.
	 * @returns resolves when the server has answered the first request, whatever it said
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

	/** Takes it up again over another connection: this one may be dead without a word. */
	refresh(): void {
		this.attempt?.abort();
	}

	/**
	 * Takes up a stream where it broke, after the wait that the server asked for.
	 * @param failures how many attempts have brought nothing so far
	 * @param isAtOnce it was not the server that ended it: it is not kept waiting
	 * @returns undefined if this attempt failed in a way that another may not
	 * @throws McpError if the server does not want to
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
			await wait(pause, abort);
		}
		let response: HttpResponse;
		try {
			response = await endpoint.call({
				method: 'GET',
				headers: {
					accept: 'text/event-stream',
					...(lastEventId ? { 'last-event-id': lastEventId } : {}),
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
		if (status >= 200 && status <= 299 && mediaType(response) === 'text/event-stream') {
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
		// There is nothing to come back to yet.
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
				// Its id may not be known, and the server would send it again after the id before.
				position = { ...startOfStream(), retryMs: position.retryMs };
				hasGap = true;
			}
			// A server that begins every stream with a message that is too large is asked ever more rarely.
			failures = end === 'something' || attempt.isAborted ? 0 : failures + 1;
			isAtOnce = attempt.isAborted;
		}
	}

	/**
	 * Hands over what comes until the stream ends, however it does: also what came before the attempt was aborted, as its
	 * successor begins after it.
	 * @returns whether anything came, and whether it was ended by us as a message was too large
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
			if (error instanceof McpError && error.failure.code === 'tooLarge') {
				log.warn(`The GET stream is opened again: ${error.message}`);
				return 'tooLarge';
			}
			if (!attempt.isAborted) {
				log.debug(`The GET stream broke: ${error instanceof McpError ? error.message : String(error)}`);
			}
			return 'nothing';
		}
	}
}

function wait(ms: number, abort: HttpAbort): Promise<void> {
	const controller = new AbortController();
	abort.setStop(() => controller.abort());
	return delay(ms, controller.signal);
}
