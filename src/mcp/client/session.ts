/**
 * The session of a client with its server, from the handshake to the end: requests in both directions, and renewal (by
 * a new handshake when the server has lost the session, by a new connection when the server does not respond).
 */
import { delay, raceAbort } from '../../base/async.js';
import { clock } from '../../base/clock.js';
import { toMessage } from '../../base/errors.js';
import { type Disposable, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { Connection, type Reply } from '../jsonrpc/connection.js';
import { hasFailure, McpError, redactError } from '../jsonrpc/errors.js';
import type { JsonObject, RequestId } from '../jsonrpc/messages.js';
import type { RequestOptions } from '../jsonrpc/pending.js';
import { defaultLimits, type Limits } from '../limits.js';
import type { Transport, TransportEnd } from '../transport/transport.js';
import type { Sender } from '../wire/codec.js';
import type { LoggingLevel, ServerCapabilities } from '../wire/types.js';
import { ResultCache } from './cache.js';
import { ClientEvents } from './clientEvents.js';
import type { ClientOptions } from './clientOptions.js';
import { answerInput, type ClientHandlers, declaredCapabilities, withFileRootsOnly } from './handlers.js';
import { declaredTasks } from './inboundTasks.js';
import { finishRounds, type RoundTrips } from './inputRequired.js';
import { KeepAlive } from './keepAlive.js';
import { initialize, negotiate, type NegotiateOptions, type Session } from './negotiate.js';
import { Operations } from './operations.js';
import { answerRequests } from './serverRequests.js';
import { Subscriptions } from './subscriptions.js';
import { awaitTask, mayAnswerByTask, tasksExtension, type TaskState } from './tasks.js';
import { visitPages } from './urlElicitation.js';

export interface TaskWait {
	readonly signal?: AbortSignal | undefined;
	/** Receives each state of the task. */
	readonly onTask?: ((state: TaskState) => void) | undefined;
}

/** `onTask` matters only to calls that become tasks. */
export interface CallOptions extends Omit<RequestOptions, 'timeoutMs'>, TaskWait {
	/** As in RequestOptions. Default: the client's time-out. */
	readonly timeoutMs?: number;
	/** Parameters of a tool call besides its name and arguments. */
	readonly others?: JsonObject | undefined;
}

export interface OwnCallOptions extends CallOptions {
	/** Called when the server has asked for input, before the retry. */
	readonly onRetry?: () => void;
	/** The only session in which the request may be sent; in any other one it fails with McpError `sessionLost`. */
	readonly session?: Session | undefined;
}

/** Disposing ends the connection at once; `close` ends it in order. */
export class ClientSession extends Owner {
	protected readonly cache = new ResultCache(() => clock.now());
	private readonly events = this.own(new ClientEvents(this.cache));
	/** One of the server's lists has changed, or may have. */
	readonly onDidChangeList = this.events.didChangeList.event;
	/** Carries the URI of a subscribed resource that has changed, or may have. */
	readonly onDidUpdateResource = this.events.didUpdateResource.event;
	/** Carries the id of a URL elicitation. The person has finished its page. */
	readonly onDidCompleteElicitation = this.events.didCompleteElicitation.event;
	readonly onDidLog = this.events.didLog.event;
	/** Everything that crosses the wire. Without a listener, nothing is recorded. */
	readonly onDidTransfer = this.events.tap.onDidTransfer;
	readonly onDidReceiveNoise = this.events.didReceiveNoise.event;
	/** The last tool call, prompt or read that was in progress has ended. */
	readonly onDidEndCalls = this.events.didEndCalls.event;
	/** The connection ended, during the negotiation or later. */
	readonly onDidEnd = this.events.didEnd.event;
	/** A new session has replaced a lost one. It may differ in everything. */
	readonly onDidRenewSession = this.events.didRenewSession.event;

	protected readonly limits: Limits;
	private readonly handlers: ClientHandlers;
	private readonly operations = new Operations(() => this.events.didEndCalls.fire());
	/** The connection in use; undefined before the first one and after the last one. */
	private readonly current = this.own(new MutableDisposable<Connection>());
	private readonly subscriptions = this.own(new MutableDisposable<Subscriptions>());
	private readonly keepAlive = this.own(new MutableDisposable<KeepAlive>());
	/** The capabilities that every request of the modern era declares. */
	private readonly modernCapabilities: JsonObject;
	/** Every connection that has not ended, also those that are still being negotiated: `close` closes them all. */
	private readonly opened = new Set<Connection>();
	private agreed: Session | undefined;
	private logLevel: LoggingLevel | undefined;
	/** The part that must be replaced before the next request can be sent. */
	private lost: 'session' | 'connection' | undefined;
	private recovery: Promise<void> | undefined;
	/** `close` aborts the negotiation with it. */
	private attempt: AbortController | undefined;
	/** Settles with the negotiation; undefined while none runs. */
	private connecting: Promise<unknown> | undefined;
	/** How the last connection ended during a negotiation. Reported only if the negotiation fails. */
	private lastEnd: TransportEnd | undefined;

	constructor(protected readonly options: ClientOptions) {
		super();
		this.events.tap.recorder = options.recorder;
		this.handlers = withFileRootsOnly(options.handlers ?? {}, options.log);
		this.modernCapabilities = {
			...declaredCapabilities(this.handlers, 'modern'),
			extensions: { [tasksExtension]: {} },
		};
		this.limits = { ...defaultLimits, ...options.limits };
		if (options.onDidChangeIdentity) {
			this.own(options.onDidChangeIdentity(() => this.cache.clear()));
		}
	}

	/** The negotiated session. @throws McpError `closed` before `connect` has succeeded */
	get session(): Session {
		if (!this.agreed) {
			throw new McpError({ code: 'closed' });
		}
		return this.agreed;
	}

	/** Default time-out of requests in milliseconds; 0 for none. */
	get requestTimeoutMs(): number {
		return this.options.timeoutMs;
	}

	/** Id of the current operation (tool call, prompt or read). Operations that overlap share one id. */
	get operation(): number {
		return this.operations.current;
	}

	/** Whether a tool call, a prompt or a read is in progress. */
	get isInUse(): boolean {
		return this.operations.isAny;
	}

	/** Whether the server declared a capability. True if the server was not asked for its capabilities. */
	offers(capability: keyof ServerCapabilities & string): boolean {
		const { capabilities } = this.session;
		return capabilities === undefined || Boolean(capabilities[capability]);
	}

	// The handshake

	/**
	 * Connects to the server and negotiates a session.
	 * @throws McpError `spawn`, `noFolder`, `network`, `http`, `closed`, `timeout`, `unsupportedVersion` or
	 * `invalidResult`; RpcError if the server refuses; AbortError if `signal` aborts
	 */
	async connect(signal: AbortSignal): Promise<Session> {
		try {
			await this.open(signal);
			return this.session;
		} catch (error) {
			if (this.lastEnd) {
				this.events.didEnd.fire(this.lastEnd);
			}
			throw error;
		}
	}

	/** @param before the connection to close first */
	private async open(signal: AbortSignal, before?: Connection): Promise<void> {
		const attempt = new AbortController();
		this.attempt = attempt;
		this.lastEnd = undefined;
		const closed = before?.transport.close();
		const negotiation = this.negotiation(AbortSignal.any([signal, attempt.signal]));
		const negotiating = closed ? closed.then(() => negotiate(negotiation)) : negotiate(negotiation);
		this.connecting = Promise.allSettled([negotiating]);
		try {
			const { connection, session } = await negotiating;
			// The connection may have ended, or been closed, before this continuation ran.
			if (attempt.signal.aborted || !this.opened.has(connection)) {
				connection.dispose();
				throw new McpError({ code: 'closed' });
			}
			this.adopt(connection, session);
		} catch (error) {
			throw attempt.signal.aborted && !signal.aborted ? new McpError({ code: 'closed' }) : error;
		} finally {
			this.connecting = undefined;
		}
	}

	private negotiation(signal: AbortSignal): NegotiateOptions {
		const { open, openLegacySse, mode = 'auto' } = this.options;
		return {
			...this.options,
			mode,
			signal,
			open: () => this.openConnection(open()),
			openLegacySse: openLegacySse && (() => this.openConnection(openLegacySse())),
			capabilities: { ...declaredCapabilities(this.handlers, 'legacy'), ...declaredTasks(this.handlers) },
		};
	}

	/** Makes a connection over a new transport, with every handler: a server may send messages during the negotiation. */
	private openConnection(transport: Transport): Connection {
		const { options, events, limits } = this;
		const tap = events.tap.join(transport, () => connection.era);
		const connection: Connection = new Connection(transport, options.log, tap, () => this.sender(), limits);
		this.opened.add(connection);
		connection.hold(toDisposable(() => this.opened.delete(connection)));
		connection.hold(connection.onDidReceiveNoise(noise => events.didReceiveNoise.fire(noise)));
		connection.hold(
			transport.onDidEnd(end => {
				this.opened.delete(connection);
				if (this.connecting) {
					this.lastEnd = end;
				} else {
					events.didEnd.fire(end);
				}
			}),
		);
		connection.hold(answerRequests(connection, this.handlers));
		events.listenTo(connection, params => this.subscriptions.value?.accepts(params) ?? true);
		connection.onNotification('notifications/subscriptions/acknowledged', params =>
			this.subscriptions.value?.acknowledge(params),
		);
		return connection;
	}

	/** Uses a new connection, and moves the subscriptions to it. */
	private adopt(connection: Connection, session: Session): void {
		this.begin(session);
		this.current.value = connection;
		if (this.subscriptions.value) {
			this.subscriptions.value.renew(connection, session);
		} else {
			this.subscriptions.value = new Subscriptions(connection, session, this.options, () => this.reportAllChanged());
		}
		const isLegacy = session.era === 'legacy';
		this.keepAlive.value = new KeepAlive({
			intervalMs: isLegacy ? (this.options.pingMs ?? 0) : 0,
			// The modern era has no ping.
			ping: timeoutMs => this.request(isLegacy ? 'ping' : 'server/discover', {}, { timeoutMs }),
			isBusy: () => connection.isAtWork,
			onGone: () => this.replaceConnection(),
			onAlive: () => this.refresh(connection),
			log: this.options.log,
		});
	}

	private begin(session: Session): void {
		this.agreed = session;
		this.cache.clear();
	}

	/** Describes this client in every request of the modern era. */
	private sender(): Sender {
		return { clientInfo: this.options.clientInfo, capabilities: this.modernCapabilities, logLevel: this.logLevel };
	}

	// Requests

	/** The connection in use. @throws McpError `closed` while there is no session */
	private get connection(): Connection {
		if (!this.current.value) {
			throw new McpError({ code: 'closed' });
		}
		return this.current.value;
	}

	/**
	 * Sends a request and does everything its result needs: rounds of input, a task, pages that the person has to
	 * visit, and a new session if the server has lost this one. Every request of the client passes here.
	 * @throws RpcError, McpError or AbortError; `invalidResult` if anything but a tool call becomes a task
	 */
	protected async request(method: string, params: JsonObject, options: OwnCallOptions = {}): Promise<JsonObject> {
		const { signal, onProgress } = options;
		const timed = { timeoutMs: this.options.timeoutMs, origin: {}, ...options };
		// Spec 2025-11-25, tasks: the progress token of a call stays valid while its task runs.
		const followed: RequestId[] = [];
		const isFollowed = method === 'tools/call' && onProgress !== undefined;
		const sent = isFollowed ? { ...timed, followsProgress: true, onId: (id: RequestId) => followed.push(id) } : timed;
		this.operations.begin(method);
		try {
			for (let isRetry = false; ; isRetry = true) {
				if (this.lost) {
					await raceAbort(this.recover(), signal);
				}
				const { connection, session } = this;
				if (options.session && options.session !== session) {
					throw new McpError({ code: 'sessionLost' });
				}
				let hasReply = false;
				try {
					const reply = await connection.request(method, params, sent);
					hasReply = true;
					const isDone = reply.kind === 'complete';
					return isDone ? reply.result : await this.finish(connection, method, params, reply, sent);
				} catch (error) {
					if (isRetry) {
						throw error;
					}
					await this.prepareRetry(error, method, session, hasReply, signal);
				} finally {
					for (const id of followed.splice(0)) {
						connection.endProgress(id);
					}
				}
			}
		} catch (error) {
			throw redactError(error, this.options.redact);
		} finally {
			this.operations.end(method);
		}
	}

	/**
	 * Resolves if the request may be sent once more.
	 * @param hasReply whether the server had answered the request, with a task, before the error
	 * @throws the error itself if it may not
	 */
	private async prepareRetry(
		error: unknown,
		method: string,
		session: Session,
		hasReply: boolean,
		signal?: AbortSignal,
	): Promise<void> {
		if (hasFailure(error, 'sessionLost')) {
			// If the sessions differ, another request has replaced the lost one already.
			if (this.agreed === session) {
				this.lost ??= 'session';
			}
			// Most servers refuse a lost session before they look at the request.
			if (method === 'tools/call' && (hasReply || error.failure.mayHaveRun)) {
				this.recoverSoon();
				throw error;
			}
		} else if (session.era === 'legacy') {
			await visitPages(error, this.handlers, signal);
		} else if (method === 'tools/call' || !hasFailure(error, 'network')) {
			// Spec 2026-07-28, transports: a request whose stream broke is sent again as a new request. Tool calls are
			// not, because their effects may have happened already.
			throw error;
		}
	}

	/** Completes a request whose first reply is no result: a question, or a task. */
	private async finish(
		connection: Connection,
		method: string,
		params: JsonObject,
		first: Reply,
		options: OwnCallOptions & RequestOptions,
	): Promise<JsonObject> {
		const { onRetry, signal } = options;
		const reply = await finishRounds(method, params, first, {
			send: next => connection.request(method, next, options),
			answer: this.answerer(signal),
			delay: ms => delay(ms, signal),
			onRetry,
		});
		if (reply.kind === 'complete') {
			return reply.result;
		}
		if (method !== 'tools/call' || !mayAnswerByTask(this.session)) {
			throw new McpError({ code: 'invalidResult', method, why: 'it may not become a task' });
		}
		return this.finishTask(connection, reply.task, options);
	}

	/** Waits for the result of a task, whichever client has begun it. */
	private finishTask(
		connection: Connection,
		task: JsonObject,
		{ onTask, signal, onAnswer, origin }: TaskWait & Pick<RequestOptions, 'onAnswer' | 'origin'>,
	): Promise<JsonObject> {
		return awaitTask(task, {
			era: this.session.era,
			answer: this.answerer(signal),
			delay: (ms, taskId) => this.untilTaskChanges(taskId, ms, signal),
			onState: onTask,
			signal,
			send: async (method, params) => {
				// Other requests ignore the signal: an abort sends `tasks/cancel`, which must not be aborted too.
				const wait = method === 'tasks/result' ? { timeoutMs: 0, signal } : { timeoutMs: this.requestTimeoutMs };
				const reply = await connection.request(method, params, { ...wait, origin, ...(onAnswer && { onAnswer }) });
				return reply.kind === 'complete' ? reply.result : reply.kind === 'task' ? reply.task : {};
			},
		});
	}

	/** Waits `ms` milliseconds, or until the server says that the task has changed. */
	private async untilTaskChanges(taskId: string, ms: number, signal: AbortSignal | undefined): Promise<void> {
		let listening: Disposable | undefined;
		const change = new Promise<void>(resolve => {
			listening = this.events.didChangeTask.event(id => id === taskId && resolve());
		});
		const over = new AbortController();
		try {
			await Promise.race([change, delay(ms, signal ? AbortSignal.any([signal, over.signal]) : over.signal)]);
		} finally {
			over.abort();
			listening?.dispose();
		}
	}

	private answerer(signal: AbortSignal | undefined): RoundTrips['answer'] {
		return (method, params, useless) =>
			answerInput(this.handlers, method, params, signal ? AbortSignal.any([signal, useless]) : useless);
	}

	/**
	 * The result of a tool call that became a task earlier, in this session or in an earlier one.
	 * @throws RpcError if the server does not know the task, or the task failed; McpError `taskCancelled`
	 */
	protected async requestTaskResult(taskId: string, wait: TaskWait): Promise<JsonObject> {
		this.operations.begin('tools/call');
		try {
			const origin = {};
			const task = await this.request('tasks/get', { taskId }, { signal: wait.signal, origin });
			return await this.finishTask(this.connection, task, { ...wait, origin });
		} catch (error) {
			throw redactError(error, this.options.redact);
		} finally {
			this.operations.end('tools/call');
		}
	}

	// Settings of the session

	/**
	 * Asks for log messages of `level` and above: with every request in the modern era, otherwise by one request. Does
	 * nothing if the server has no logging.
	 */
	async setLoggingLevel(level: LoggingLevel): Promise<void> {
		this.logLevel = level;
		if (this.session.era === 'legacy' && this.offers('logging')) {
			await this.request('logging/setLevel', { level });
		}
	}

	/** Tells a legacy server that the roots have changed. A modern server asks whenever it needs them. */
	async notifyRootsChanged(): Promise<void> {
		if (this.handlers.roots && this.session.era === 'legacy') {
			await this.current.value?.notify('notifications/roots/list_changed');
		}
	}

	/** Makes `onDidUpdateResource` report changes of the resource until disposed, if the server supports it. */
	subscribeResource(uri: string): Disposable {
		return this.subscriptions.value?.add(uri) ?? { dispose() {} };
	}

	/** Whether the server has acknowledged a subscription to the resource, and the subscription is still open. */
	isSubscribed(uri: string): boolean {
		return this.lost === undefined && (this.subscriptions.value?.isAcknowledged(uri) ?? false);
	}

	/** Only the modern era over HTTP sends arguments of tools in headers. */
	protected get usesHeaders(): boolean {
		return this.session.era === 'modern' && this.current.value?.transport.kind === 'http';
	}

	// Renewal

	/**
	 * Checks at once whether the server responds. Call this when the machine has slept or the network has changed, because
	 * connections over HTTP may then be dead without an error. Does nothing over stdio.
	 */
	checkAlive(): void {
		if (this.current.value?.transport.kind !== 'stdio') {
			this.keepAlive.value?.checkAlive();
		}
	}

	/**
	 * The server has responded after `checkAlive`. Its notifications may have been lost, so streams are opened again and
	 * everything counts as changed.
	 */
	private refresh(connection: Connection): void {
		connection.transport.refresh?.();
		this.subscriptions.value?.refresh();
		this.reportAllChanged();
	}

	private reportAllChanged(): void {
		this.events.changeAll(this.subscriptions.value?.resources);
	}

	/** Begins one new session, however many requests wait for it. */
	private recover(): Promise<void> {
		this.recovery ??= (this.lost === 'connection' ? this.reconnect() : this.renewSession()).finally(() => {
			this.recovery = undefined;
		});
		return this.recovery;
	}

	/** Begins a new session that nothing waits for yet. If that fails, the next request tries again. */
	private recoverSoon(): void {
		if (this.lost) {
			this.recover().catch((error: unknown) => this.options.log.debug(`No new session: ${toMessage(error)}`));
		}
	}

	/** Replaces a session that the server has lost, on the same connection. */
	private async renewSession(): Promise<void> {
		const { connection } = this;
		this.options.log.info('The server has lost the session; starting a new one.');
		connection.transport.forgetSession?.();
		const negotiation = this.negotiation(new AbortController().signal);
		const session = await initialize(connection, negotiation, this.session.eraReason);
		this.begin(session);
		this.subscriptions.value?.renew(connection, session);
		this.didRenew();
	}

	/** The server does not respond. Without a new connection, the session has ended. */
	private replaceConnection(): void {
		this.lost = 'connection';
		this.recover().catch((error: unknown) => {
			this.options.log.info(`The server does not come back: ${toMessage(error)}`);
			this.lost = undefined;
			this.current.value = undefined;
			this.events.didEnd.fire({ ...this.lastEnd, expected: this.attempt?.signal.aborted ?? false });
		});
	}

	/** Closes the connection, and negotiates again over a new one. */
	private async reconnect(): Promise<void> {
		this.options.log.info('The server does not respond; connecting again.');
		await this.open(new AbortController().signal, this.current.value);
		this.didRenew();
	}

	private didRenew(): void {
		const { connection, session, logLevel } = this;
		const { log, timeoutMs } = this.options;
		this.lost = undefined;
		if (logLevel !== undefined && session.era === 'legacy' && this.offers('logging')) {
			// Not by `request`, which would wait for the recovery that this call is part of.
			connection.request('logging/setLevel', { level: logLevel }, { timeoutMs }).catch((error: unknown) => {
				log.debug(`logging/setLevel: ${toMessage(error)}`);
			});
		}
		this.events.didRenewSession.fire(session);
		this.reportAllChanged();
	}

	// The end

	/** Shuts the session down, by force if the server does not cooperate. Resolves when the connection has ended. */
	async close(): Promise<void> {
		this.keepAlive.value = undefined;
		this.subscriptions.value = undefined;
		this.attempt?.abort();
		// An aborted negotiation closes its own connection.
		await this.connecting;
		await Promise.all(Array.from(this.opened, it => it.transport.close()));
	}

	override dispose(): void {
		this.attempt?.abort();
		for (const connection of this.opened) {
			connection.dispose();
		}
		super.dispose();
	}
}
