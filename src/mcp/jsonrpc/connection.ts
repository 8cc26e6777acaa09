/**
 * JSON-RPC over a transport, in the negotiated revision: ids, requests in flight, time-outs, progress, cancellation in
 * both directions, and the dispatch of what the peer sends. Differences between revisions are in the codec.
 */
import { AbortError } from '../../base/errors.js';
import { type Disposable, Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import { onAbort } from '../../base/async.js';
import type { Logger } from '../../base/log.js';
import type { TransportTap } from '../transport/tap.js';
import type { Received, SendOptions, Transport, TransportEnd, TransportNoise } from '../transport/transport.js';
import { RateLimiter } from '../../base/rateLimiter.js';
import { defaultLimits, type Limits } from '../limits.js';
import { HttpAbort } from '../transport/httpFetch.js';
import { type Codec, type Decoded, type Sender, workMethods } from '../wire/codec.js';
import { McpError, RpcError, RpcErrorCode, toRpcError } from './errors.js';
import { InboundRequests } from './inbound.js';
import { RequestInFlight, type RequestOptions, RequestsInFlight } from './pending.js';
import {
	classify,
	describeJson,
	isOneResponse,
	relatedTaskOf,
	type JsonObject,
	type Message,
	type RequestId,
	type RequestMessage,
	toObject,
} from './messages.js';

/** A result that the revision allows. */
export type Reply = Exclude<Decoded, { kind: 'invalid' }>;

type ProgressListener = NonNullable<RequestOptions['onProgress']>;
type RequestHandler = (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
type NotificationHandler = (params: JsonObject) => void;

const emptyParams: JsonObject = {};

/** The connection to one peer. Owns the transport and its tap. */
export class Connection extends Owner {
	/** The codec of the negotiated revision; `undefined` before the agreement. */
	private codec: Codec | undefined;
	private nextId = 1;
	private ended = false;
	private readonly pending = this.own(
		new RequestsInFlight(
			(request, ms) => this.giveUp(request, 'timeout', new McpError({ code: 'timeout', method: request.method, ms })),
			// A peer that waits for our answer, often a person's, has a reason to be silent.
			() => (this.inbound.size > 0 ? Infinity : (this.transport.heldUntil ?? -Infinity)),
		),
	);
	/** Progress listeners by token, for requests that have been answered but are followed further. */
	private readonly followed = new Map<RequestId, ProgressListener>();
	private readonly inbound = new InboundRequests();
	/** The number of unanswered requests, which is limited: a peer that never reads the responses would fill our memory. */
	private unanswered = 0;
	/** Limits notifications that may be dropped. */
	private readonly notificationLimiter: RateLimiter;
	private readonly _onDidReceiveNoise = this.own(new Emitter<TransportNoise>());
	/** Text that is no message, or an answer to a request that was never sent. */
	readonly onDidReceiveNoise: Event<TransportNoise> = this._onDidReceiveNoise.event;
	private readonly requestHandlers = new Map<string, RequestHandler>();
	private readonly notificationHandlers = new Map<string, NotificationHandler>();

	/**
	 * @param tap sees every message
	 * @param sender called for each request of the modern era, which names its sender
	 */
	constructor(
		readonly transport: Transport,
		private readonly log: Logger,
		private readonly tap: TransportTap,
		private readonly sender: () => Sender,
		private readonly limits: Limits = defaultLimits,
	) {
		super();
		this.own(transport);
		this.own(tap);
		const perSecond = limits.notificationsPerSecond;
		this.notificationLimiter = this.own(
			new RateLimiter({ max: perSecond, periodMs: 1000 }, count =>
				log.warn(`Dropped ${count} notifications: the server sends more than ${perSecond} in a second.`),
			),
		);
		this.own(transport.onDidReceive(it => this.receive(it)));
		this.own(transport.onDidReceiveNoise(it => this._onDidReceiveNoise.fire(it)));
		this.own(transport.onDidLose(({ id, error }) => this.fail(id, error)));
		this.own(transport.onDidEnd(end => this.end(end)));
		this.own(toDisposable(() => this.end({ expected: true })));
		this.onRequest('ping', () => Promise.resolve(emptyParams));
		this.onNotification('notifications/cancelled', params => this.cancelInbound(params));
		this.onRateLimitedNotification('notifications/progress', params => this.deliverProgress(params));
	}

	/** Disposes the subscription together with this connection. */
	hold(subscription: Disposable | undefined): void {
		if (subscription) {
			this.own(subscription);
		}
	}

	/** The era of the negotiated revision; `undefined` before the agreement. */
	get era(): Codec['era'] | undefined {
		return this.codec?.era;
	}

	/** Makes both the connection and the transport use this revision from now on. */
	agree(codec: Codec): void {
		this.codec = codec;
		const { era, revision } = codec;
		this.transport.didAgree?.({ era, protocolVersion: revision });
	}

	/** Sets the handler that answers a method of the peer. A handler throws RpcError to answer with an error. */
	onRequest(method: string, handler: RequestHandler): void {
		this.requestHandlers.set(method, handler);
	}

	onNotification(method: string, handler: NotificationHandler): void {
		this.notificationHandlers.set(method, handler);
	}

	/** Like `onNotification`, for notifications that may be dropped when there are too many. */
	onRateLimitedNotification(method: string, handler: NotificationHandler): void {
		this.onNotification(method, params => {
			if (this.notificationLimiter.pass()) {
				handler(params);
			}
		});
	}

	/**
	 * Sends a request in the negotiated revision, or in that of `codec`, and waits for its response.
	 * @throws RpcError if the peer answers with an error
	 * @throws McpError `closed`, `timeout`, or `invalidResult` if the revision does not allow the result;
	 * whatever `Transport.send` throws
	 * @throws AbortError if `options.signal` aborts
	 */
	request(method: string, params: JsonObject, options: RequestOptions, codec = this.codec): Promise<Reply> {
		const { signal } = options;
		if (signal?.aborted) {
			return Promise.reject(new AbortError());
		}
		if (this.ended || !codec) {
			return Promise.reject(new McpError({ code: 'closed' }));
		}
		const encoded = codec.encodeRequest(method, params, this.sender);
		const headers = encoded.headers ? { ...encoded.headers, ...options.headers } : options.headers;
		const id = this.nextId++;
		options.onId?.(id);
		return new Promise<Reply>((resolve, reject) => {
			const didAnswer = (result: JsonObject): void => {
				const decoded = codec.decodeResult(result);
				if (decoded.kind === 'invalid') {
					reject(new McpError({ code: 'invalidResult', method, why: decoded.why }));
				} else {
					resolve(decoded);
				}
			};
			const request = new RequestInFlight(id, method, options, didAnswer, reject, params['taskId']);
			if (this.transport.kind !== 'stdio') {
				request.stream = new HttpAbort();
			}
			this.pending.add(request);
			if (signal) {
				request.aborted = onAbort(signal, () => {
					if (this.pending.take(id)) {
						this.giveUp(request, 'cancelled', new AbortError());
					}
				});
			}
			// The id is the progress token: it is unique among the requests in flight, as the spec requires.
			const _meta = options.onProgress && { ...toObject(encoded.params['_meta']), progressToken: id };
			const sent = _meta ? { ...encoded.params, _meta } : encoded.params;
			const message = { jsonrpc: '2.0', id, method, params: sent } as const;
			this.write(message, headers, request.stream, options.origin).catch((error: unknown) => this.fail(id, error));
		});
	}

	/** Whether a tool call, prompt, read or task of ours is in progress. Subscriptions, pings and lists do not count. */
	get isAtWork(): boolean {
		return this.pending.hasAnyOf(workMethods);
	}

	/** Ends the progress reports of a request with `followsProgress`. */
	endProgress(id: RequestId): void {
		this.followed.delete(id);
	}

	/** Sends a notification. @throws McpError `closed` */
	async notify(method: string, params: JsonObject = emptyParams): Promise<void> {
		const encoded = this.codec?.encodeNotification(method, params) ?? { params };
		await this.write({ jsonrpc: '2.0', method, params: encoded.params }, encoded.headers);
	}

	/** Rejects a request that has been removed from `pending`, and cancels it at the peer. */
	private giveUp(request: RequestInFlight, reason: string, error: Error): void {
		// Spec 2026-07-28: over HTTP, closing the response stream cancels the request. Stdio has no such stream.
		const isCancelledByStream = this.era === 'modern' && this.transport.kind !== 'stdio';
		if (!isCancelledByStream && !request.options.uncancellable) {
			this.notify('notifications/cancelled', { requestId: request.id, reason }).catch((cause: unknown) =>
				this.log.debug(`notifications/cancelled not sent: ${String(cause)}`),
			);
		}
		// Even where the notification cancels the request, an answer that no one reads would hold a socket.
		request.stream?.abort();
		this.inbound.abortCausedBy(request);
		this.reject(request, error);
	}

	/** Rejects a request that will get no answer. */
	private reject(request: RequestInFlight, error: unknown): void {
		this.tap.didLose(request.id, error);
		request.reject(error);
	}

	/** Rejects a request that will get no response. See `toRpcError` for HTTP errors. */
	private fail(id: RequestId, error: unknown): void {
		const request = this.pending.take(id);
		if (request) {
			this.reject(request, toRpcError(error));
		}
	}

	/** Not async, to save a promise for every message. */
	private write(message: Message, headers?: SendOptions['headers'], abort?: HttpAbort, origin?: object): Promise<void> {
		if (this.ended) {
			return Promise.reject(new McpError({ code: 'closed' }));
		}
		const text = JSON.stringify(message);
		this.tap.didSend(message, text, origin);
		return this.transport.send(message, { headers, abort, text });
	}

	private receive(received: Received): void {
		if (this.ended) {
			return;
		}
		const { value, text, requestId, error } = received;
		this.tap.didReceive(received);
		if (error && requestId !== undefined) {
			this.fail(requestId, error);
		} else if (!Array.isArray(value)) {
			this.dispatch(value, requestId, text);
		} else if (this.codec?.acceptsBatches === true || isOneResponse(value)) {
			value.forEach(it => this.dispatch(it, requestId));
		} else {
			this.warn('Ignored a batch: this revision has none.');
			value.forEach(it => this.failBatched(it));
		}
	}

	/** Fails our requests whose responses are in a batch that is not allowed. There will be no other responses. */
	private failBatched(message: unknown): void {
		const it = classify(message);
		if (it.kind === 'result' || it.kind === 'error') {
			this.failInvalid(it.message.id, 'a batch');
		}
	}

	private dispatch(value: unknown, streamOf: RequestId | undefined, text = ''): void {
		const it = classify(value);
		switch (it.kind) {
			case 'result': {
				const { id, result } = it.message;
				const request = this.takeAnswered(id);
				if (request?.options.onProgress && request.options.followsProgress) {
					this.followed.set(request.id, request.options.onProgress);
				}
				request?.options.onAnswer?.(text);
				request?.resolve(result);
				return;
			}
			case 'error': {
				const { id, error } = it.message;
				this.takeAnswered(id)?.reject(new RpcError(error.code, error.message, error.data));
				return;
			}
			case 'notification':
				this.notificationHandlers.get(it.message.method)?.(it.message.params ?? emptyParams);
				return;
			case 'request':
				if (this.codec?.acceptsRequests === false) {
					this.warn(`Dropped ${it.message.method}: servers may not ask in this revision.`);
					return;
				}
				this.answerWithinQuota(() => this.answer(it.message, this.causeOf(it.message, streamOf)));
				return;
			case 'invalid':
				this.warn(`Ignored an invalid message: ${it.why}.`);
				this.failInvalid(it.id ?? null, it.why);
		}
	}

	private takeAnswered(id: RequestId | null): RequestInFlight | undefined {
		const request = id === null ? undefined : this.pending.take(id);
		if (!request && (id === null || (Number(id) > 0 && Number(id) < this.nextId))) {
			// A late response to a cancelled request, or an error about a message that wasn't understood. Spec: ignore it.
			this.log.debug(`Ignored a response with id ${describeJson(id)} that nothing waits for.`);
		} else if (!request && this.notificationLimiter.pass()) {
			this._onDidReceiveNoise.fire({ text: describeJson(id), kind: 'unknownId' });
		}
		return request;
	}

	/** Logs a warning about something that a server may do a million times. */
	private warn(text: string): void {
		if (this.notificationLimiter.pass()) {
			this.log.warn(text);
		}
	}

	private failInvalid(id: RequestId | null, why: string): void {
		const request = id === null ? undefined : this.pending.take(id);
		request?.reject(new McpError({ code: 'invalidResult', method: request.method, why }));
	}

	/**
	 * Answers a request, unless the peer has too many unanswered requests already: then this request gets no
	 * response.
	 */
	private answerWithinQuota(answer: () => Promise<void>): void {
		if (this.unanswered >= this.limits.answersOwed) {
			this.warn('Left a request of the server unanswered, because the server does not read the answers.');
			return;
		}
		this.unanswered++;
		answer()
			.catch((error: unknown) => this.log.debug(`Answer not sent: ${String(error)}`))
			.finally(() => this.unanswered--);
	}

	/**
	 * Our request that caused a request of the peer: the one in whose response stream it came, otherwise the only
	 * operation in flight. Many servers send their requests on the stream that belongs to no request.
	 */
	private causeOf(
		{ params = emptyParams }: RequestMessage,
		streamOf: RequestId | undefined,
	): RequestInFlight | undefined {
		if (streamOf !== undefined) {
			return this.pending.get(streamOf);
		}
		const task = relatedTaskOf(params);
		if (task !== undefined) {
			return this.pending.resultOf(task);
		}
		return this.codec && this.pending.onlyOf(workMethods);
	}

	private async answer(request: RequestMessage, cause: RequestInFlight | undefined): Promise<void> {
		const { id, method } = request;
		const handler = this.requestHandlers.get(method);
		const inbound = this.inbound.add(id, cause);
		let reply: Message;
		try {
			if (!handler) {
				throw new RpcError(RpcErrorCode.methodNotFound, `Method not found: ${method}`);
			}
			reply = { jsonrpc: '2.0', id, result: await handler(request.params ?? emptyParams, inbound.controller.signal) };
		} catch (error) {
			reply = { jsonrpc: '2.0', id, error: RpcError.from(error).toErrorObject() };
		} finally {
			this.inbound.remove(inbound);
		}
		// Spec, cancellation: a cancelled request gets no response.
		if (!inbound.isCancelled) {
			await this.write(reply);
		}
	}

	private cancelInbound(params: JsonObject): void {
		const id = params['requestId'];
		if (typeof id === 'string' || typeof id === 'number') {
			this.log.debug(`The server cancelled request ${describeJson(id)}: ${describeJson(params['reason'])}`);
			if (this.codec?.acceptsRequests !== false) {
				this.inbound.cancel(id);
			} else {
				// Spec 2026-07-28, cancellation: a server ends a subscription, which is a request of ours, by this
				// notification.
				this.fail(id, new McpError({ code: 'network', why: 'the server cancelled the request' }));
			}
		}
	}

	private deliverProgress(params: JsonObject): void {
		const { progressToken: token, progress, total, message } = params;
		if (typeof progress !== 'number' || (typeof token !== 'number' && typeof token !== 'string')) {
			return;
		}
		const entry = this.pending.get(token);
		if (entry) {
			this.pending.restart(entry);
		}
		const listener = entry ? entry.options.onProgress : this.followed.get(token);
		listener?.({
			progress,
			...(typeof total === 'number' ? { total } : {}),
			...(typeof message === 'string' ? { message } : {}),
		});
	}

	private end({ error = new McpError({ code: 'closed' }) }: TransportEnd): void {
		this.ended = true;
		for (const request of this.pending.takeAll()) {
			this.reject(request, error);
		}
		this.inbound.cancelAll();
	}
}
