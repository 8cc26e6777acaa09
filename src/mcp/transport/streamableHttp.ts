/**
 * Streamable HTTP, both eras. Spec 2025-11-25 and 2026-07-28, basic/transports.
 *
 * Legacy (2025-03-26 to 2025-11-25): a POST for every message, a session, a GET stream for what the server
 * has to say unasked, streams that can be taken up again, DELETE at the end. Modern (2026-07-28): only the
 * POST; what breaks is not taken up again, closing a response stream cancels its request.
 * A message is modern once that was agreed on, and before any agreement when it comes with headers: the
 * probe, which only the modern era has.
 */
import { within } from '../../base/async.js';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { shorten } from '../../base/trim.js';
import { McpError } from '../jsonrpc/errors.js';
import type { Message } from '../jsonrpc/messages.js';
import { GetStream } from './getStream.js';
import { defaultLimits } from '../limits.js';
import { HttpEndpoint, type HttpEndpointOptions, type HttpExchange } from './httpEndpoint.js';
import { HttpAbort, HttpAborts, type HttpResponse } from './httpFetch.js';
import { HttpPost, type PostOwner, type Session } from './httpPost.js';
import type { Agreement, Lost, Received, SendOptions, Transport, TransportEnd } from './transport.js';

/** Every wait of the HTTP transports, in milliseconds. */
export interface HttpDelays {
	/** Before a broken stream is taken up again, unless the server says `retry`; doubles at every failure. */
	readonly reconnect: number;
	/** What that doubling ends at. */
	readonly maxReconnect: number;
	/** For the DELETE when closing. */
	readonly close: number;
	/** For the server to answer the request for the GET stream; some say nothing until they have an event. */
	readonly getStream: number;
	/** For a stream to end after the answer that it was there for. */
	readonly linger: number;
	/** For the body of a response without success. */
	readonly errorBody: number;
}

export interface StreamableHttpOptions extends HttpEndpointOptions {
	/** A larger message fails its request; on the GET stream, it costs what the stream brings until it is open again. */
	readonly maxMessageBytes?: number;
	readonly delays?: Partial<HttpDelays>;
}

type Headers = Readonly<Record<string, string>>;

const defaultDelays: HttpDelays = {
	reconnect: 1000,
	maxReconnect: 30_000,
	close: 1000,
	getStream: 250,
	linger: 5000,
	errorBody: 2000,
};
const maxNoiseLength = 300;

export class StreamableHttp extends Owner implements Transport {
	readonly kind = 'http';

	private readonly _onDidReceive = this.own(new Emitter<Received>());
	readonly onDidReceive: Event<Received> = this._onDidReceive.event;

	private readonly _onDidReceiveNoise = this.own(new Emitter<{ readonly text: string }>());
	readonly onDidReceiveNoise: Event<{ readonly text: string }> = this._onDidReceiveNoise.event;

	private readonly _onDidLose = this.own(new Emitter<Lost>());
	readonly onDidLose: Event<Lost> = this._onDidLose.event;

	private readonly _onDidMiss = this.own(new Emitter<void>());
	readonly onDidMiss: Event<void> = this._onDidMiss.event;

	private readonly _onDidEnd = this.own(new Emitter<TransportEnd>());
	readonly onDidEnd: Event<TransportEnd> = this._onDidEnd.event;

	/** Every request and response with its headers, for the tap. */
	readonly onDidExchange: Event<HttpExchange>;

	private readonly endpoint: HttpEndpoint;
	private readonly delays: HttpDelays;
	private readonly getStream: GetStream;
	private readonly posts: PostOwner;

	private session: Session | undefined;
	private agreement: Agreement | undefined;
	/** Made once for a session and an agreement: nearly every POST has the same. */
	private postHeaders: { readonly session: Session | undefined; readonly headers: Headers } | undefined;
	/** The next message that the server takes opens the GET stream: by then it knows that we are ready. */
	private opensStream = false;
	/** Whatever goes on. */
	private readonly open = new HttpAborts();
	private isStarted = false;
	private isEnded = false;
	private closing: Promise<void> | undefined;

	/** @throws TypeError if the URL is none */
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
				onGap: () => this._onDidMiss.fire(),
			}),
		);
		this.posts = {
			log,
			delays: this.delays,
			maxMessageBytes,
			receive: (text, post) => this.receiveText(text, post),
			lose: (post, error) => this.lose(post, error),
			resume: (post, position, failures, isAtOnce) =>
				this.getStream.resume(position, failures, post.abort, this.protocolHeaders(post.session), isAtOnce),
			release: post => this.open.delete(post.abort),
		};
	}

	get heldUntil(): number {
		return this.endpoint.heldUntil;
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
			response = await this.endpoint.call({
				method: 'POST',
				headers: this.headersOf(post, options),
				body: JSON.stringify(message),
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
			await this.openGetStream();
		}
		if (post.id === undefined || response.status === 202) {
			response.discard();
			this.endWithoutAnswer(post);
			return;
		}
		this.readSession(post, response);
		void post.follow(response);
	}

	didAgree(agreement: Agreement): void {
		this.agreement = agreement;
		this.postHeaders = undefined;
		this.opensStream = agreement.era === 'legacy';
	}

	forgetSession(): void {
		this.session = undefined;
		this.agreement = undefined;
		this.postHeaders = undefined;
		this.opensStream = false;
		this.getStream.stop();
	}

	refresh(): void {
		if (!this.isOver()) {
			this.getStream.refresh();
			this.open.refreshAll();
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
		const isModern = this.agreement ? this.agreement.era === 'modern' : headers !== undefined && hasAny(headers);
		return new HttpPost(this.posts, message, isModern, this.session, abort);
	}

	private headersOf(post: HttpPost, { headers }: SendOptions): Headers {
		const session = post.isModern ? undefined : post.session;
		if (!this.postHeaders || this.postHeaders.session !== session) {
			const own = {
				accept: 'application/json, text/event-stream',
				'content-type': 'application/json',
				...this.protocolHeaders(session),
			};
			this.postHeaders = { session, headers: own };
		}
		return headers ? { ...this.postHeaders.headers, ...headers } : this.postHeaders.headers;
	}

	private protocolHeaders(session: Session | undefined): Record<string, string> {
		return {
			...(session?.id === undefined ? {} : { 'mcp-session-id': session.id }),
			...(this.agreement ? { 'mcp-protocol-version': this.agreement.protocolVersion } : {}),
		};
	}

	/** Only what answers `initialize` may begin a session, and nothing else is asked before the agreement. */
	private readSession(post: HttpPost, response: HttpResponse): void {
		if (!post.isModern && !this.agreement && this.session === post.session) {
			this.session = { id: readSessionId(response) };
		}
	}

	/** A request that was taken with 202 may still be answered on the GET stream; without one, never. */
	private endWithoutAnswer(post: HttpPost): void {
		this.open.delete(post.abort);
		if (post.id !== undefined && (post.isModern || !this.getStream.isRunning)) {
			this.lose(post, new McpError({ code: 'invalidResult', method: post.method, why: 'no answer, but 202' }));
		}
	}

	/** The server should hear of it before it is asked for anything: what it says first would have no way to us. */
	private async openGetStream(): Promise<void> {
		if (!this.agreement) {
			return;
		}
		this.opensStream = false;
		await within(this.getStream.start(this.protocolHeaders(this.session)), this.delays.getStream);
	}

	/** @returns the message; undefined if it was none */
	private receiveText(text: string, post?: HttpPost): unknown {
		let value: unknown;
		try {
			value = JSON.parse(text);
		} catch {
			this._onDidReceiveNoise.fire({ text: shorten(text, maxNoiseLength) });
			return undefined;
		}
		post?.look(value);
		if (!this.isEnded) {
			this._onDidReceive.fire({ value, text, requestId: post?.id });
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

	/** Spec: "Clients that no longer need a particular session SHOULD send an HTTP DELETE"; 405 is fine. */
	private async deleteSession(session: Session): Promise<void> {
		const abort = new HttpAbort();
		this.open.add(abort);
		const timer = setTimeout(() => abort.abort(), this.delays.close);
		try {
			const headers = this.protocolHeaders(session);
			const response = await this.endpoint.call({ method: 'DELETE', headers, abort });
			response.discard();
		} catch (error) {
			this.options.log.debug(`The session was not ended: ${String(error)}`);
		} finally {
			clearTimeout(timer);
			this.open.delete(abort);
		}
	}
}

/** Spec: visible ASCII only. Anything else is no session id. */
function readSessionId(response: HttpResponse): string | undefined {
	const id = response.headers['mcp-session-id'];
	return id !== undefined && /^[\x21-\x7e]+$/.test(id) ? id : undefined;
}

function hasAny(headers: Headers): boolean {
	return Object.keys(headers).length > 0;
}
