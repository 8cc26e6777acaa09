/**
 * Streamable HTTP, both eras. Spec 2025-11-25 and 2026-07-28, basic/transports.
 *
 * Legacy (2025-03-26 to 2025-11-25): a POST for every message, a session, a GET stream for what the server
 * has to say unasked, streams that can be taken up again, DELETE at the end. Modern (2026-07-28): only the
 * POST; what breaks is not taken up again, closing a response stream cancels its request.
 * A message is modern once that was agreed on, and before any agreement when it comes with headers: the
 * probe, which only the modern era has.
 */
import { onAbort } from '../../base/async.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { McpError } from '../jsonrpc/errors.js';
import { isObject, type Message, type RequestId } from '../jsonrpc/messages.js';
import { GetStream } from './getStream.js';
import { errorObjectIn, mediaType, readText, statusError } from './httpBody.js';
import { HttpEndpoint, type HttpEndpointOptions, type HttpExchange, networkError } from './httpEndpoint.js';
import { defaultLimits } from '../limits.js';
import { HttpAbort, type HttpResponse } from './httpFetch.js';
import { readEvents, type SsePosition, startOfStream, tooLarge } from './sseReading.js';
import type { Agreement, Received, SendOptions, Transport, TransportEnd } from './transport.js';

/** Every wait of the HTTP transports, in milliseconds. */
export interface HttpDelays {
	/** Before a broken stream is taken up again, unless the server says `retry`; doubles at every failure. */
	readonly reconnect: number;
	/** What that doubling ends at. */
	readonly maxReconnect: number;
	/** For the DELETE when closing. */
	readonly close: number;
	/** For a stream to end after the answer that it was there for. */
	readonly linger: number;
	/** For the body of a response without success. */
	readonly errorBody: number;
}

export interface StreamableHttpOptions extends HttpEndpointOptions {
	/** A larger message fails, and only that one. */
	readonly maxMessageBytes?: number;
	readonly delays?: Partial<HttpDelays>;
}

/** One POST until its response has been read. */
interface Post {
	/** Of the request that it carries; undefined for a notification or an answer. */
	readonly id: RequestId | undefined;
	readonly method: string;
	readonly isModern: boolean;
	readonly session: Session | undefined;
	readonly abort: HttpAbort;
	isAnswered: boolean;
	/** Nothing is left of it. */
	readonly release: () => void;
}

/** Something that this transport can end at any time. */
interface Scope {
	readonly abort: HttpAbort;
	/** It has ended by itself. */
	readonly release: () => void;
}

/** What `initialize` began: an object, so that an old one cannot be taken for its successor. */
interface Session {
	readonly id: string | undefined;
}

const defaultDelays: HttpDelays = {
	reconnect: 1000,
	maxReconnect: 30_000,
	close: 1000,
	linger: 5000,
	errorBody: 2000,
};
/** Attempts to take up a stream that bring nothing, before its answer counts as lost. */
const maxResumes = 4;
const maxNoiseLength = 300;

export class StreamableHttp extends Owner implements Transport {
	readonly kind = 'http';

	private readonly _onDidReceive = this.own(new Emitter<Received>());
	readonly onDidReceive: Event<Received> = this._onDidReceive.event;

	private readonly _onDidReceiveNoise = this.own(new Emitter<{ readonly text: string }>());
	readonly onDidReceiveNoise: Event<{ readonly text: string }> = this._onDidReceiveNoise.event;

	private readonly _onDidLose = this.own(new Emitter<{ readonly id: RequestId; readonly error: McpError }>());
	readonly onDidLose: Transport['onDidLose'] = this._onDidLose.event;

	private readonly _onDidEnd = this.own(new Emitter<TransportEnd>());
	readonly onDidEnd: Event<TransportEnd> = this._onDidEnd.event;

	/** Every request and response with its headers, for the tap. */
	readonly onDidExchange: Event<HttpExchange>;

	private readonly endpoint: HttpEndpoint;
	private readonly delays: HttpDelays;
	private readonly maxMessageBytes: number;
	private readonly getStream: GetStream;

	private session: Session | undefined;
	private agreement: Agreement | undefined;
	/** The next message that the server takes opens the GET stream: by then it knows that we are ready. */
	private opensStream = false;
	private readonly open = new Set<Scope>();
	private isStarted = false;
	private isEnded = false;
	private closing: Promise<void> | undefined;

	/** @throws TypeError if the URL is none */
	constructor(private readonly options: StreamableHttpOptions) {
		super();
		this.endpoint = this.own(new HttpEndpoint(options));
		this.onDidExchange = this.endpoint.onDidExchange;
		this.delays = { ...defaultDelays, ...options.delays };
		this.maxMessageBytes = options.maxMessageBytes ?? defaultLimits.messageBytes;
		this.getStream = this.own(
			new GetStream({
				endpoint: this.endpoint,
				log: options.log,
				delays: this.delays,
				maxMessageBytes: this.maxMessageBytes,
				receive: text => void this.receiveText(text),
			}),
		);
	}

	/** Nothing is sent yet: the first message shows whether the server is there. */
	start(): Promise<void> {
		this.isStarted = true;
		return Promise.resolve();
	}

	async send(message: Message, options: SendOptions = {}): Promise<void> {
		const post = this.openPost(message, options);
		let response: HttpResponse;
		try {
			response = await this.post(post, message, options);
			await this.check(post, response);
		} catch (error) {
			post.release();
			throw this.isOver() ? new McpError({ code: 'closed' }) : error;
		}
		this.openGetStream();
		if (post.id === undefined || response.status === 202) {
			response.discard();
			this.endWithoutAnswer(post);
			return;
		}
		void this.follow(post, response);
	}

	didAgree(agreement: Agreement): void {
		this.agreement = agreement;
		this.opensStream = agreement.era === 'legacy';
	}

	forgetSession(): void {
		this.session = undefined;
		this.agreement = undefined;
		this.opensStream = false;
		this.getStream.stop();
	}

	close(): Promise<void> {
		this.closing ??= this.shutDown();
		return this.closing;
	}

	override dispose(): void {
		this.isEnded = true;
		this.abortAll();
		super.dispose();
	}

	private isOver(): boolean {
		return this.isEnded || this.closing !== undefined;
	}

	private openPost(message: Message, options: SendOptions): Post {
		if (this.isOver()) {
			throw new McpError({ code: 'closed' });
		}
		const isRequest = 'method' in message && 'id' in message;
		const hasOwnHeaders = options.headers !== undefined && Object.keys(options.headers).length > 0;
		const { abort, release } = this.openScope(options.signal);
		return {
			id: isRequest ? message.id : undefined,
			method: 'method' in message ? message.method : '',
			isModern: this.agreement ? this.agreement.era === 'modern' : hasOwnHeaders,
			session: this.session,
			abort,
			isAnswered: false,
			release,
		};
	}

	/** Something that ends with this transport, and with `outer`. */
	private openScope(outer: AbortSignal | undefined): Scope {
		const abort = new HttpAbort();
		const subscription = outer && onAbort(outer, () => abort.abort());
		const scope: Scope = {
			abort,
			release: () => {
				this.open.delete(scope);
				subscription?.dispose();
			},
		};
		this.open.add(scope);
		return scope;
	}

	private post(post: Post, message: Message, options: SendOptions): Promise<HttpResponse> {
		return this.endpoint.call({
			method: 'POST',
			headers: {
				accept: 'application/json, text/event-stream',
				'content-type': 'application/json',
				...this.protocolHeaders(post.isModern ? undefined : post.session),
				...options.headers,
			},
			body: JSON.stringify(message),
			abort: post.abort,
			id: post.id,
		});
	}

	private protocolHeaders(session: Session | undefined): Record<string, string> {
		return {
			...(session?.id === undefined ? {} : { 'mcp-session-id': session.id }),
			...(this.agreement ? { 'mcp-protocol-version': this.agreement.protocolVersion } : {}),
		};
	}

	/** Decides whether the server took the message. */
	private async check(post: Post, response: HttpResponse): Promise<void> {
		const { status } = response;
		if (status < 200 || status > 299) {
			throw await statusError(response, !post.isModern && post.session?.id !== undefined, this.delays.errorBody);
		}
		if (post.id === undefined || status === 202) {
			return;
		}
		const type = mediaType(response);
		if (type !== 'application/json' && type !== 'text/event-stream') {
			response.discard();
			const why = `content type ${JSON.stringify(type)}`;
			throw new McpError({ code: 'invalidResult', method: post.method, why });
		}
		// Only what answers `initialize` may begin a session, and nothing else is asked before the agreement.
		if (!post.isModern && !this.agreement && this.session === post.session) {
			this.session = { id: readSessionId(response) };
		}
	}

	/** A request that was taken with 202 may still be answered on the GET stream; without one, never. */
	private endWithoutAnswer(post: Post): void {
		post.release();
		if (post.id !== undefined && (post.isModern || !this.getStream.isRunning)) {
			this.lose(post, new McpError({ code: 'invalidResult', method: post.method, why: 'no answer, but 202' }));
		}
	}

	private openGetStream(): void {
		if (this.opensStream && this.agreement && !this.getStream.isRunning) {
			this.opensStream = false;
			this.getStream.start(this.protocolHeaders(this.session));
		}
	}

	/** Reads the response of a request to its end. */
	private async follow(post: Post, response: HttpResponse): Promise<void> {
		try {
			if (mediaType(response) === 'application/json') {
				const value = this.receiveText(await readText(response, this.maxMessageBytes), post);
				this.checkAnswer(post, value);
			} else {
				await this.followStream(post, response);
			}
		} catch (error) {
			this.lose(post, networkError(error));
		} finally {
			post.release();
		}
	}

	private checkAnswer(post: Post, value: unknown): void {
		if (!post.isAnswered) {
			// A server that could not read the id has answered all the same.
			const error = errorObjectIn(value);
			const why = value === undefined ? 'not JSON' : 'no answer to this request';
			throw new McpError(
				error
					? { code: 'http', status: 200, error, challenge: undefined }
					: { code: 'invalidResult', method: post.method, why },
			);
		}
	}

	/** Reads the stream of a request until its answer has come, over as many responses as that takes. */
	private async followStream(post: Post, first: HttpResponse): Promise<void> {
		const position = startOfStream();
		let failures = 0;
		for (let response: HttpResponse | undefined = first; ; response = await this.resume(post, position, failures)) {
			failures++;
			if (response && (await this.readStream(post, response, position))) {
				failures = 0;
			}
			if (post.isAnswered) {
				return;
			}
			if (post.isModern || position.lastEventId === undefined || failures > maxResumes) {
				throw new McpError({ code: 'network', why: 'the stream ended before the answer' });
			}
		}
	}

	/** True if anything came. A break is no error yet: the stream may be taken up again. */
	private async readStream(post: Post, response: HttpResponse, position: SsePosition): Promise<boolean> {
		let lingering: ReturnType<typeof setTimeout> | undefined;
		try {
			return await readEvents(
				response,
				position,
				this.maxMessageBytes,
				({ event, data }) => {
					if (event === 'message' && data !== '') {
						this.receiveText(data, post);
					}
					if (post.isAnswered) {
						// Spec: the server SHOULD end the stream now. One that does not would keep a socket for ever.
						lingering ??= setTimeout(() => response.discard(), this.delays.linger);
					}
				},
				tooLarge(this.maxMessageBytes),
			);
		} catch (error) {
			if (error instanceof McpError || post.abort.isAborted) {
				throw error;
			}
			this.options.log.debug(`A response stream broke: ${networkError(error).message}`);
			return false;
		} finally {
			clearTimeout(lingering);
		}
	}

	private resume(post: Post, position: SsePosition, failures: number): Promise<HttpResponse | undefined> {
		return this.getStream.resume(position, failures, post.abort, this.protocolHeaders(post.session));
	}

	/** @returns the message; undefined if it was none */
	private receiveText(text: string, post?: Post): unknown {
		let value: unknown;
		try {
			value = JSON.parse(text);
		} catch {
			this._onDidReceiveNoise.fire({ text: text.slice(0, maxNoiseLength) });
			return undefined;
		}
		if (post?.id !== undefined && !post.isAnswered) {
			post.isAnswered = isAnswerTo(post.id, value);
		}
		if (!this.isEnded) {
			this._onDidReceive.fire({ value, text });
		}
		return value;
	}

	private lose(post: Post, error: McpError): void {
		if (post.id !== undefined && !post.isAnswered && !post.abort.isAborted && !this.isOver()) {
			this._onDidLose.fire({ id: post.id, error });
		}
	}

	private abortAll(): void {
		this.getStream.stop();
		for (const it of this.open) {
			it.abort.abort();
			it.release();
		}
	}

	private async shutDown(): Promise<void> {
		const { session } = this;
		this.abortAll();
		if (session?.id !== undefined && this.agreement?.era !== 'modern' && !this.isEnded) {
			await this.deleteSession(session);
		}
		if (this.isStarted && !this.isEnded) {
			this.isEnded = true;
			this._onDidEnd.fire({ expected: true });
		}
	}

	/** Spec: "Clients that no longer need a particular session SHOULD send an HTTP DELETE"; 405 is fine. */
	private async deleteSession(session: Session): Promise<void> {
		const scope = this.openScope(undefined);
		const timer = setTimeout(() => scope.abort.abort(), this.delays.close);
		try {
			const headers = this.protocolHeaders(session);
			const response = await this.endpoint.call({ method: 'DELETE', headers, abort: scope.abort });
			response.discard();
		} catch (error) {
			this.options.log.debug(`The session was not ended: ${String(error)}`);
		} finally {
			clearTimeout(timer);
			scope.release();
		}
	}
}

/** Spec: visible ASCII only. Anything else is no session id. */
function readSessionId(response: HttpResponse): string | undefined {
	const id = response.headers['mcp-session-id'];
	return id !== undefined && /^[\x21-\x7e]+$/.test(id) ? id : undefined;
}

/** True for the response to this request, alone or in a batch. */
function isAnswerTo(id: RequestId, value: unknown): boolean {
	if (Array.isArray(value)) {
		return value.some(it => isAnswerTo(id, it));
	}
	return isObject(value) && value['id'] === id && !('method' in value);
}
