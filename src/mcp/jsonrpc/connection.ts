/**
 * JSON-RPC over a transport: ids, the requests in flight, time-outs, progress, cancellation both ways,
 * and the dispatch of what the peer asks. Knows no MCP method but the three that JSON-RPC needs:
 * `notifications/cancelled`, `notifications/progress` and `ping`.
 */
import { AbortError } from '../../base/errors.js';
import { type Disposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { onAbort } from '../../base/async.js';
import type { Logger } from '../../base/log.js';
import type { TransportTap } from '../transport/tap.js';
import type { Received, SendOptions, Transport, TransportEnd } from '../transport/transport.js';
import { FloodGate } from '../../base/floodGate.js';
import { defaultLimits, type Limits } from '../limits.js';
import { HttpAbort } from '../transport/httpFetch.js';
import { McpError, RpcError, RpcErrorCode, toRpcError } from './errors.js';
import { InboundRequests } from './inbound.js';
import { PendingRequest, PendingRequests } from './pending.js';
import { relatedTaskOf } from './relatedTask.js';
import { type RequestOptions, withProgressToken } from './requestOptions.js';
import {
	classify,
	describeJson,
	isOneResponse,
	type JsonObject,
	type Message,
	type RequestId,
	type RequestMessage,
} from './messages.js';

/** What the agreed revision allows. */
export interface ConnectionPolicy {
	/** Without it, requests of the peer are dropped unanswered. */
	readonly acceptsRequests: boolean;
	readonly acceptsBatches: boolean;
	/** How the peer learns that nobody waits any more: by a notification, or by the end of the stream. */
	readonly cancelsBy: 'notification' | 'stream';
	/** Methods of our requests during which the peer may send requests of its own. */
	readonly operations?: ReadonlySet<string>;
}

type ProgressListener = NonNullable<RequestOptions['onProgress']>;
type RequestHandler = (params: JsonObject, signal: AbortSignal) => Promise<JsonObject>;
type NotificationHandler = (params: JsonObject) => void;

/** So many characters that an answer repeats count for as much as the answer. */
const owedChars = 200;

const emptyParams: JsonObject = {};

/** One peer. Owns the transport's subscriptions, not the transport. */
export class Connection extends Owner {
	/** Set once both sides have agreed on a revision. */
	policy: ConnectionPolicy = { acceptsRequests: true, acceptsBatches: false, cancelsBy: 'notification' };

	private nextId = 1;
	private ended = false;
	private readonly pending = this.own(
		new PendingRequests(
			(request, ms) => this.giveUp(request, 'timeout', new McpError({ code: 'timeout', method: request.method, ms })),
			// Whoever waits for our answer has a reason to be silent; often it is a person who thinks.
			() => (this.inbound.size > 0 ? Infinity : (this.transport.heldUntil ?? -Infinity)),
		),
	);
	/** By token: who wants to know of progress after the answer. */
	private readonly followed = new Map<RequestId, ProgressListener>();
	private readonly inbound = new InboundRequests();
	/** What we have yet to answer, as `limits.answersOwed` counts it: a peer that asks and never reads would fill our memory. */
	private owed = 0;
	/** What may come in any number, and is worth little. */
	private readonly chatter: FloodGate;
	private readonly requestHandlers = new Map<string, RequestHandler>();
	private readonly notificationHandlers = new Map<string, NotificationHandler>();

	/** @param tap told of every message */
	constructor(
		private readonly transport: Transport,
		private readonly log: Logger,
		private readonly tap: TransportTap,
		private readonly limits: Limits = defaultLimits,
	) {
		super();
		const perSecond = limits.notificationsPerSecond;
		this.chatter = this.own(
			new FloodGate(perSecond, count =>
				log.warn(`Dropped ${count} notifications: the server sends more than ${perSecond} in a second.`),
			),
		);
		this.own(transport.onDidReceive(it => this.receive(it)));
		this.own(
			transport.onDidLose(({ id, error, isRequest }) => {
				if (isRequest) {
					this.refuse(id, error);
				} else {
					this.fail(id, error);
				}
			}),
		);
		this.own(transport.onDidEnd(end => this.end(end)));
		this.own(toDisposable(() => this.end({ expected: true })));
		this.onRequest('ping', () => Promise.resolve(emptyParams));
		this.onNotification('notifications/cancelled', params => this.cancelInbound(params));
		this.onChatter('notifications/progress', params => this.deliverProgress(params));
	}

	/** Answers a method of the peer. Throw RpcError to answer with an error. */
	onRequest(method: string, handler: RequestHandler): Disposable {
		this.requestHandlers.set(method, handler);
		return { dispose: () => this.requestHandlers.delete(method) };
	}

	onNotification(method: string, handler: NotificationHandler): Disposable {
		this.notificationHandlers.set(method, handler);
		return { dispose: () => this.notificationHandlers.delete(method) };
	}

	/** As `onNotification`, for what may be dropped where too much of it comes. */
	onChatter(method: string, handler: NotificationHandler): Disposable {
		return this.onNotification(method, params => {
			if (this.chatter.pass()) {
				handler(params);
			}
		});
	}

	/**
	 * Sends a request and waits for its answer.
	 * @throws RpcError if the peer answers with an error
	 * @throws McpError `closed`, `timeout`, `invalidResult` or `tooManyRequests`
	 * @throws AbortError if `options.signal` aborts
	 */
	request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
		const { signal } = options;
		if (signal?.aborted) {
			return Promise.reject(new AbortError());
		}
		if (this.ended) {
			return Promise.reject(new McpError({ code: 'closed' }));
		}
		if (this.pending.size >= this.limits.requestsInFlight) {
			return Promise.reject(new McpError({ code: 'tooManyRequests', limit: this.limits.requestsInFlight }));
		}
		const id = this.nextId++;
		options.onId?.(id);
		return new Promise<JsonObject>((resolve, reject) => {
			const request = new PendingRequest(id, method, options, resolve, reject, params['taskId']);
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
			const message = withProgressToken({ jsonrpc: '2.0', id, method, params }, options);
			this.write(message, sendOptions(options.headers, request.stream)).catch((error: unknown) => this.fail(id, error));
		});
	}

	/** Whether a request of ours with one of these methods waits for an answer. */
	isWaitingFor(methods: ReadonlySet<string>): boolean {
		return this.pending.hasAnyOf(methods);
	}

	/** How many requests of ours wait for an answer. */
	get inFlight(): number {
		return this.pending.size;
	}

	/** Nobody wants to know of the progress of this request any more. */
	endProgress(id: RequestId): void {
		this.followed.delete(id);
	}

	/** Sends a notification. @throws McpError `closed` */
	async notify(method: string, params: JsonObject = emptyParams, headers?: RequestOptions['headers']): Promise<void> {
		await this.write({ jsonrpc: '2.0', method, params }, sendOptions(headers, undefined));
	}

	/** Nobody waits any more for a request that was taken off: the peer is told. */
	private giveUp(request: PendingRequest, reason: string, error: Error): void {
		if (this.policy.cancelsBy === 'notification' && !request.options.uncancellable) {
			this.post('notifications/cancelled', { requestId: request.id, reason });
		}
		// The older era is told by the notification; the answer that nobody reads would hold a socket all the same.
		request.stream?.abort();
		this.inbound.abortCausedBy(request);
		request.reject(error);
	}

	/** Settles a request that will not be answered. An HTTP error that carries a JSON-RPC error is that. */
	private fail(id: RequestId, error: unknown): void {
		this.pending.take(id)?.reject(toRpcError(error));
	}

	/** Answers a request of the peer that could not be read: it would wait for ever. */
	private refuse(id: RequestId, error: McpError): void {
		this.log.warn(`A request of the server could not be read: ${error.message}`);
		if (this.policy.acceptsRequests) {
			const reply = { code: RpcErrorCode.invalidRequest, message: error.message };
			this.owe(id, '', () => this.write({ jsonrpc: '2.0', id, error: reply }, undefined));
		}
	}

	/** Not async: one promise less on the way of every message. */
	private write(message: Message, options: SendOptions | undefined): Promise<void> {
		if (this.ended) {
			return Promise.reject(new McpError({ code: 'closed' }));
		}
		if (this.tap.isRead) {
			this.tap.message('sent', message);
		}
		return this.transport.send(message, options);
	}

	/** Sends what nobody waits for; that the peer is gone by now is no news. */
	private post(method: string, params: JsonObject): void {
		this.notify(method, params).catch((error: unknown) => this.log.debug(`${method} not sent: ${String(error)}`));
	}

	private receive({ value, text, requestId }: Received): void {
		if (this.ended) {
			return;
		}
		if (this.tap.isRead) {
			this.tap.message('received', value, text);
		}
		if (!Array.isArray(value)) {
			this.dispatch(value, text, requestId);
		} else if (this.policy.acceptsBatches || isOneResponse(value)) {
			value.forEach(it => this.dispatch(it, text, requestId));
		} else {
			this.warn('Ignored a batch: this revision has none.');
			value.forEach(it => this.failBatched(it));
		}
	}

	/** What is in a batch that may not be is no answer; nor will there be another. */
	private failBatched(message: unknown): void {
		const it = classify(message);
		if (it.kind === 'result' || it.kind === 'error') {
			this.failInvalid(it.message.id, 'a batch');
		}
	}

	private dispatch(value: unknown, text: string, streamOf: RequestId | undefined): void {
		const it = classify(value, text);
		switch (it.kind) {
			case 'result': {
				const { id, result } = it.message;
				const request = this.takeAnswered(id);
				if (request?.onProgress && request.options.followsProgress) {
					this.followed.set(request.id, request.onProgress);
				}
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
				if (!this.policy.acceptsRequests) {
					this.warn(`Dropped ${it.message.method}: servers may not ask in this revision.`);
					return;
				}
				this.owe(it.message.id, it.message.method, () => this.answer(it.message, this.causeOf(it.message, streamOf)));
				return;
			case 'invalid':
				this.receiveInvalid(it.why, it.id);
		}
	}

	private takeAnswered(id: RequestId | null): PendingRequest | undefined {
		const request = id === null ? undefined : this.pending.take(id);
		if (!request) {
			// Late after a cancellation, or never asked: spec says ignore.
			this.log.debug(`Ignored a response with id ${describeJson(id)} that nothing waits for.`);
		}
		return request;
	}

	private receiveInvalid(why: string, id: RequestId | undefined): void {
		this.warn(`Ignored an invalid message: ${why}.`);
		this.failInvalid(id ?? null, why);
	}

	/** Of what the server may do a million times. */
	private warn(text: string): void {
		if (this.chatter.pass()) {
			this.log.warn(text);
		}
	}

	private failInvalid(id: RequestId | null, why: string): void {
		const request = id === null ? undefined : this.pending.take(id);
		request?.reject(new McpError({ code: 'invalidResult', method: request.method, why }));
	}

	/** Answers, unless the peer has too many questions open: then this one stays without, and everything else goes on. */
	private owe(id: RequestId, method: string, answer: () => Promise<void>): void {
		const cost = 1 + (String(id).length + method.length) / owedChars;
		if (this.owed + cost > this.limits.answersOwed) {
			this.warn('Left a request of the server unanswered: it asks, and does not read the answers.');
			return;
		}
		this.owed += cost;
		answer()
			.catch((error: unknown) => this.log.debug(`Answer not sent: ${String(error)}`))
			.finally(() => {
				this.owed -= cost;
			});
	}

	/**
	 * Our request that a request of the peer was sent because of: the one in whose response stream it came, or else the
	 * only pending operation. Many servers send their requests on the stream that belongs to no request.
	 */
	private causeOf(
		{ params = emptyParams }: RequestMessage,
		streamOf: RequestId | undefined,
	): PendingRequest | undefined {
		const { operations } = this.policy;
		if (streamOf !== undefined) {
			return this.pending.get(streamOf);
		}
		const task = relatedTaskOf(params);
		return task === undefined ? operations && this.pending.onlyOf(operations) : this.pending.resultOf(task);
	}

	private async answer(request: RequestMessage, cause: PendingRequest | undefined): Promise<void> {
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
		// Spec, cancellation: no response to a request that was cancelled.
		if (!inbound.isCancelled) {
			await this.write(reply, undefined);
		}
	}

	private cancelInbound(params: JsonObject): void {
		const id = params['requestId'];
		if (typeof id === 'string' || typeof id === 'number') {
			this.log.debug(`The server cancelled request ${describeJson(id)}: ${describeJson(params['reason'])}`);
			if (this.policy.acceptsRequests) {
				this.inbound.cancel(id);
			} else {
				// Spec 2026-07-28, cancellation: so a server tears down a subscription, which is a request of ours.
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
		const listener = entry ? entry.onProgress : this.followed.get(token);
		listener?.({
			progress,
			...(typeof total === 'number' ? { total } : {}),
			...(typeof message === 'string' ? { message } : {}),
		});
	}

	private end({ error = new McpError({ code: 'closed' }) }: TransportEnd): void {
		this.ended = true;
		for (const request of this.pending.takeAll()) {
			request.reject(error);
		}
		this.inbound.cancelAll();
	}
}

function sendOptions(headers: SendOptions['headers'], abort: HttpAbort | undefined): SendOptions | undefined {
	return headers === undefined && abort === undefined ? undefined : { headers, abort };
}
