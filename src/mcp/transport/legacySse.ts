/**
 * HTTP+SSE, the transport of revision 2024-11-05: all messages of the server come on one GET stream, whose first
 * event names the URL for POSTs. Deprecated, but many servers still use it.
 */
import { within } from '../../base/async.js';
import type { Event } from '../../base/lifecycle.js';
import { McpError } from '../jsonrpc/errors.js';
import type { Message } from '../jsonrpc/messages.js';
import { BaseTransport } from './baseTransport.js';
import { isSuccess, mediaType, statusError } from './httpBody.js';
import { HttpEndpoint, type HttpEndpointOptions, type HttpExchange, networkError } from './httpEndpoint.js';
import { defaultLimits } from '../limits.js';
import { HttpAbort, HttpAborts, type HttpResponse } from './httpFetch.js';
import { originOf, resolveReference } from './httpUrl.js';
import { readEvents, type SseEvent, startOfStream } from './eventStream.js';
import type { Agreement, SendOptions, Transport, TransportEnd } from './transport.js';

export interface LegacySseOptions extends HttpEndpointOptions {
	/** A larger message ends the stream, and with it the session. */
	readonly maxMessageBytes?: number;
	readonly delays?: {
		/** Milliseconds to wait for the `endpoint` event. */
		readonly endpoint?: number;
		/** Milliseconds to wait for the body of a response without success. */
		readonly errorBody?: number;
	};
}

/** All responses come on one stream, so `onDidLose` never fires. */
export class LegacySse extends BaseTransport implements Transport {
	readonly kind = 'sse';

	/** Every request and response with its headers, for the tap. */
	readonly onDidExchange: Event<HttpExchange>;

	private readonly endpoint: HttpEndpoint;
	/** Aborts the stream, and with it the transport. */
	private readonly streamAbort = new HttpAbort();
	/** POSTs in progress. */
	private readonly posts = new HttpAborts();
	private readonly maxMessageBytes: number;
	private readonly endpointMs: number;
	private readonly errorBodyMs: number;
	private starting: Promise<void> | undefined;
	/** The URL for POSTs; defined once the transport has started. */
	private target: URL | undefined;
	private onTarget: ((target: URL | McpError) => void) | undefined;
	private agreement: Agreement | undefined;
	private isClosing = false;
	private isEnded = false;

	/** @throws TypeError if the URL is invalid */
	constructor(private readonly options: LegacySseOptions) {
		super();
		this.endpoint = this.own(new HttpEndpoint(options));
		this.onDidExchange = this.endpoint.onDidExchange;
		this.maxMessageBytes = options.maxMessageBytes ?? defaultLimits.messageBytes;
		this.endpointMs = options.delays?.endpoint ?? 10_000;
		this.errorBodyMs = options.delays?.errorBody ?? 2000;
	}

	get heldUntil(): number {
		return this.endpoint.heldUntil;
	}

	start(): Promise<void> {
		this.starting ??= this.connect();
		return this.starting;
	}

	async send(message: Message, options: SendOptions = {}): Promise<void> {
		const { target } = this;
		if (!target || this.isEnded || this.isClosing) {
			throw new McpError({ code: 'closed' });
		}
		const abort = new HttpAbort();
		this.posts.add(abort);
		let response: HttpResponse;
		try {
			response = await this.endpoint.call({
				method: 'POST',
				url: target,
				headers: {
					'content-type': 'application/json',
					...(this.agreement ? { 'mcp-protocol-version': this.agreement.protocolVersion } : {}),
					...options.headers,
				},
				body: options.text ?? JSON.stringify(message),
				abort,
				id: 'method' in message && 'id' in message ? message.id : undefined,
			});
		} catch (error) {
			throw abort.isAborted ? new McpError({ code: 'closed' }) : error;
		} finally {
			this.posts.delete(abort);
		}
		if (!isSuccess(response)) {
			throw await statusError(response, false, this.errorBodyMs);
		}
		response.discard();
	}

	didAgree(agreement: Agreement): void {
		this.agreement = agreement;
	}

	close(): Promise<void> {
		this.isClosing = true;
		this.abortAll();
		this.end({ expected: true });
		return Promise.resolve();
	}

	override dispose(): void {
		this.isEnded = true;
		this.abortAll();
		super.dispose();
	}

	private async connect(): Promise<void> {
		const abort = this.streamAbort;
		let response: HttpResponse;
		try {
			response = await this.endpoint.call({ method: 'GET', headers: { accept: 'text/event-stream' }, abort });
		} catch (error) {
			throw abort.isAborted ? new McpError({ code: 'closed' }) : error;
		}
		if (response.status !== 200) {
			throw await statusError(response, false, this.errorBodyMs);
		}
		if (mediaType(response) !== 'text/event-stream') {
			response.discard();
			throw new McpError({ code: 'network', why: `no event stream but ${JSON.stringify(mediaType(response))}` });
		}
		const found = new Promise<URL | McpError>(resolve => {
			this.onTarget = resolve;
		});
		void this.read(response);
		const target =
			(await within(found, this.endpointMs)) ?? new McpError({ code: 'network', why: 'no endpoint event' });
		this.onTarget = undefined;
		if (target instanceof McpError) {
			this.abortAll();
			throw target;
		}
	}

	private async read(response: HttpResponse): Promise<void> {
		const { log } = this.options;
		let error = new McpError({ code: 'network', why: 'the stream ended' });
		try {
			await readEvents(response, startOfStream(), this.maxMessageBytes, event => this.receive(event));
		} catch (cause) {
			error = networkError(cause);
			log.debug(`The stream broke: ${error.message}`);
		}
		this.onTarget?.(this.streamAbort.isAborted ? new McpError({ code: 'closed' }) : error);
		this.end({ expected: false, ...(error.failure.code === 'tooLarge' && { error }) });
	}

	private receive({ event, data }: SseEvent): void {
		if (event === 'endpoint') {
			// Only the first `endpoint` event counts: a negotiated session must not move to another URL.
			const target = this.target ?? this.readTarget(data);
			this.target = target instanceof McpError ? undefined : target;
			this.onTarget?.(target);
		} else if (event === 'message' && data !== '' && this.target && !this.isEnded && !this.isClosing) {
			const value = this.parse(data);
			if (value !== undefined) {
				this._onDidReceive.fire({ value, text: data });
			}
		}
	}

	private readTarget(reference: string): URL | McpError {
		const target = resolveReference(this.endpoint.url, reference);
		if (target && originOf(target) === originOf(this.endpoint.url)) {
			return target;
		}
		// Messages and credentials are for the configured server only.
		return new McpError({ code: 'network', why: 'the endpoint event names another origin' });
	}

	private abortAll(): void {
		this.streamAbort.abort();
		this.posts.abortAll();
	}

	private end(end: TransportEnd): void {
		if (this.target && !this.isEnded) {
			this.isEnded = true;
			this.abortAll();
			this._onDidEnd.fire(end);
		}
	}
}
