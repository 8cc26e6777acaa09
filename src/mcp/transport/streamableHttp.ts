/**
 * Streamable HTTP, both eras. Spec 2025-11-25 and 2026-07-28, basic/transports.
 *
 * Legacy (2025-03-26 to 2025-11-25): a POST for each message, a session, a GET stream for messages that belong to no
 * request, resumable streams, and a DELETE at the end. Modern (2026-07-28): only POSTs; a broken stream is not
 * resumed, and closing a response stream cancels its request. A message is modern once the modern era is negotiated.
 * Before that, only the probe is modern: the message with headers.
 */
import { clock } from '../../base/clock.js';
import { within } from '../../base/async.js';
import type { Event } from '../../base/lifecycle.js';
import { McpError } from '../jsonrpc/errors.js';
import type { Message } from '../jsonrpc/messages.js';
import { BaseTransport } from './baseTransport.js';
import { GetStream } from './getStream.js';
import { defaultLimits } from '../limits.js';
import { HttpEndpoint, type HttpEndpointOptions, type HttpExchange } from './httpEndpoint.js';
import { HttpAbort, HttpAborts, type HttpResponse } from './httpFetch.js';
import { HttpPost, type PostOwner, type HttpSession } from './httpPost.js';
import type { Agreement, SendOptions, Transport } from './transport.js';

/** The waits of the transport, in milliseconds. */
export interface HttpDelays {
	/** Before a broken stream is resumed, unless the server sends `retry`; doubles at every failure. */
	readonly reconnect: number;
	/** The maximum of that doubling. */
	readonly maxReconnect: number;
	/** For the DELETE at the end. */
	readonly close: number;
	/** For the response to the GET request; some servers send none until they have an event. */
	readonly getStream: number;
	/** For a response stream to end after its response. */
	readonly linger: number;
	/** For the body of an HTTP error. */
	readonly errorBody: number;
}

export interface StreamableHttpOptions extends HttpEndpointOptions {
	/** A larger message fails its request. On the GET stream, it ends the stream, which is opened again. */
	readonly maxMessageBytes?: number;
	readonly delays?: Partial<HttpDelays>;
}

const defaultDelays: HttpDelays = {
	reconnect: 1000,
	maxReconnect: 30_000,
	close: 1000,
	getStream: 250,
	linger: 5000,
	errorBody: 2000,
};

export class StreamableHttp extends BaseTransport implements Transport {
	readonly kind = 'http';

	/** Every request and response with its headers, for the tap. */
	readonly onDidExchange: Event<HttpExchange>;

	private readonly endpoint: HttpEndpoint;
	private readonly delays: HttpDelays;
	private readonly getStream: GetStream;
	private readonly posts: PostOwner;

	private session: HttpSession | undefined;
	private agreement: Agreement | undefined;
	/** Whether the next accepted message opens the GET stream: the server knows by then that the client is ready. */
	private opensStream = false;
	/** The exchanges in progress. */
	private readonly open = new HttpAborts();
	private isStarted = false;
	private isEnded = false;
	private closing: Promise<void> | undefined;

	/** @throws TypeError if the URL is invalid */
	constructor(private readonly options: StreamableHttpOptions) {
		super();
		this.endpoint = this.own(new HttpEndpoint(options));
		this.onDidExchange = this.endpoint.onDidExchange;
		this.delays = { ...defaultDelays, ...options.delays };
		const { log, maxMessageBytes = defaultLimits.messageBytes } = options;
		this.getStream = this.own(
			new GetStream({
				endpoint: this.endpoint,
				log,
				delays: this.delays,
				maxMessageBytes,
				receive: text => void this.receiveText(text),
			}),
		);
		this.posts = {
			log,
			delays: this.delays,
			maxMessageBytes,
			receive: (text, post) => this.receiveText(text, post),
			lose: (post, error) => this.lose(post, error),
			resume: (post, position, failures) =>
				this.getStream.resume(position, failures, post.abort, this.protocolHeaders(post.session)),
			release: post => this.open.delete(post.abort),
		};
	}

	get heldUntil(): number {
		return this.endpoint.heldUntil;
	}

	/** Sends nothing: the first message shows whether the server can be reached. */
	start(): Promise<void> {
		this.isStarted = true;
		return Promise.resolve();
	}

	async send(message: Message, options: SendOptions = {}): Promise<void> {
		const post = this.openPost(message, options);
		let response: HttpResponse;
		try {
			response = await this.endpoint.call({
				method: 'POST',
				headers: this.headersOf(post, options),
				body: options.text ?? JSON.stringify(message),
				abort: post.abort,
				id: post.id,
			});
			const refusal = post.refusal(response);
			if (refusal) {
				throw await refusal;
			}
		} catch (error) {
			this.open.delete(post.abort);
			throw this.isOver() ? new McpError({ code: 'closed' }) : error;
		}
		if (this.opensStream) {
			// Opened before the server gets a request: there would be no stream for the server's first messages otherwise.
			this.opensStream = false;
			await within(this.getStream.start(this.protocolHeaders(this.session)), this.delays.getStream);
		}
		if (post.id === undefined || response.status === 202) {
			response.discard();
			this.open.delete(post.abort);
			// A request that was accepted with 202 can still be answered on the GET stream, if there is one.
			if (post.id !== undefined && (post.isModern || !this.getStream.isRunning)) {
				this.lose(post, new McpError({ code: 'invalidResult', method: post.method, why: 'no answer, but 202' }));
			}
			return;
		}
		this.readSession(post, response);
		void post.follow(response);
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

	refresh(): void {
		if (!this.isOver() && this.getStream.isRunning) {
			void this.getStream.start(this.protocolHeaders(this.session));
		}
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

	private openPost(message: Message, { headers, abort = new HttpAbort() }: SendOptions): HttpPost {
		if (this.isOver()) {
			throw new McpError({ code: 'closed' });
		}
		this.open.add(abort);
		const isModern = this.agreement ? this.agreement.era === 'modern' : Object.keys(headers ?? {}).length > 0;
		return new HttpPost(this.posts, message, isModern, this.session, abort);
	}

	private headersOf(post: HttpPost, { headers }: SendOptions): Record<string, string> {
		return {
			accept: 'application/json, text/event-stream',
			'content-type': 'application/json',
			...this.protocolHeaders(post.isModern ? undefined : post.session),
			...headers,
		};
	}

	private protocolHeaders(session: HttpSession | undefined): Record<string, string> {
		return {
			...(session?.id === undefined ? {} : { 'mcp-session-id': session.id }),
			...(this.agreement ? { 'mcp-protocol-version': this.agreement.protocolVersion } : {}),
		};
	}

	/** Only the response to `initialize` may begin a session. Nothing else is sent before the agreement. */
	private readSession(post: HttpPost, response: HttpResponse): void {
		if (!post.isModern && !this.agreement && this.session === post.session) {
			const id = response.headers['mcp-session-id'];
			// Spec: visible ASCII only. Any other value is no session id.
			this.session = { id: id !== undefined && /^[\x21-\x7e]+$/.test(id) ? id : undefined };
		}
	}

	/** @returns the parsed message; undefined if the text is none */
	private receiveText(text: string, post?: HttpPost): unknown {
		const value = this.parse(text);
		if (value === undefined) {
			return undefined;
		}
		const error = post?.checkForAnswer(value);
		if (!this.isEnded) {
			this._onDidReceive.fire({ value, text, requestId: post?.id, error });
		}
		return value;
	}

	private lose(post: HttpPost, error: McpError): void {
		if (post.id !== undefined && !post.isAnswered && !post.abort.isAborted && !this.isOver()) {
			this._onDidLose.fire({ id: post.id, error });
		}
	}

	private abortAll(): void {
		this.getStream.stop();
		this.open.abortAll();
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

	/** Spec: "Clients that no longer need a particular session SHOULD send an HTTP DELETE". A 405 is no error. */
	private async deleteSession(session: HttpSession): Promise<void> {
		const abort = new HttpAbort();
		this.open.add(abort);
		const timer = clock.setTimeout(() => abort.abort(), this.delays.close);
		try {
			const headers = this.protocolHeaders(session);
			const response = await this.endpoint.call({ method: 'DELETE', headers, abort });
			response.discard();
		} catch (error) {
			this.options.log.debug(`The session was not ended: ${String(error)}`);
		} finally {
			clock.clearTimeout(timer);
			this.open.delete(abort);
		}
	}
}
