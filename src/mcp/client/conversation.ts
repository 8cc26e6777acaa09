/**
 * A conversation with one server: agree on a session, keep it alive (a new handshake when it was lost),
 * answer what the server asks, and take a request to its very end whatever rounds or tasks that takes.
 * What can be asked is `client.ts`.
 */
import { delay, raceAbort } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { type Disposable, Emitter, type Event, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { RequestOptions, WireEvent } from '../jsonrpc/connection.js';
import { McpError } from '../jsonrpc/errors.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { Transport, TransportEnd, TransportNoise } from '../transport/transport.js';
import type { Sender } from '../wire/codec.js';
import * as read from '../wire/read.js';
import type { Implementation, ListKind, LoggingLevel, LogMessage, ServerCapabilities } from '../wire/types.js';
import { ResultCache } from './cache.js';
import { answerInput, type ClientHandlers, declaredCapabilities, inputMethods, withFileRootsOnly } from './handlers.js';
import { declaredTasks, InboundTasks } from './inboundTasks.js';
import { type RoundTrips, sendInRounds } from './inputRequired.js';
import { keepAlive } from './keepAlive.js';
import { Link } from './link.js';
import {
	type EraMemory,
	type EraMode,
	initialize,
	negotiate,
	type NegotiateOptions,
	type Session,
} from './negotiate.js';
import { Subscriptions } from './subscriptions.js';
import { elicitAll, requiredElicitations } from './urlElicitation.js';
import { awaitTask, mayAnswerByTask, tasksExtension, type TaskState } from './tasks.js';

const defaultProbeMs = 5000;
/** Key of `_meta`, 2025-11-25. */
const relatedTask = 'io.modelcontextprotocol/related-task';

export interface ClientOptions {
	readonly clientInfo: Implementation;
	/** Makes a transport that has not been started; called again where a new one is needed. */
	readonly open: () => Transport;
	/** The same over HTTP+SSE of 2024-11-05, for servers that refuse the newer one. */
	readonly openLegacySse?: () => Transport;
	readonly mode?: EraMode;
	readonly memory?: EraMemory;
	readonly handlers?: ClientHandlers;
	/** Milliseconds a request may go without answer or progress. */
	readonly timeoutMs: number;
	/** Milliseconds after which a request is given up whatever progress is made; 0 for never. */
	readonly maxTotalMs?: number;
	/** Milliseconds between pings in the legacy era; 0 for none. */
	readonly pingMs?: number;
	/** Milliseconds a process may be silent before it is taken for a legacy server. */
	readonly probeMs?: number;
	readonly log: Logger;
}

export interface CallOptions extends RequestOptions {
	/** Told of each state of the task that a call has become, if it becomes one. */
	readonly onTask?: (state: TaskState) => void;
}

export interface OwnCallOptions extends CallOptions {
	/** Told when the server asked for input and is asked again. */
	readonly onRetry?: () => void;
	/** Send it in this session or not at all: then McpError `sessionLost`. */
	readonly session?: Session | undefined;
}

export abstract class Conversation extends Owner {
	private readonly _onDidChangeList = this.own(new Emitter<ListKind>());
	readonly onDidChangeList: Event<ListKind> = this._onDidChangeList.event;

	private readonly _onDidUpdateResource = this.own(new Emitter<string>());
	/** The URI of a resource that was subscribed to. */
	readonly onDidUpdateResource: Event<string> = this._onDidUpdateResource.event;

	private readonly _onDidCompleteElicitation = this.own(new Emitter<string>());
	/** The id of a URL elicitation whose page was finished. */
	readonly onDidCompleteElicitation: Event<string> = this._onDidCompleteElicitation.event;

	private readonly _onDidLog = this.own(new Emitter<LogMessage>());
	readonly onDidLog: Event<LogMessage> = this._onDidLog.event;

	private readonly _onDidTransfer = this.own(new Emitter<WireEvent>());
	readonly onDidTransfer: Event<WireEvent> = this._onDidTransfer.event;

	private readonly _onDidReceiveNoise = this.own(new Emitter<TransportNoise>());
	readonly onDidReceiveNoise: Event<TransportNoise> = this._onDidReceiveNoise.event;

	private readonly _onDidEnd = this.own(new Emitter<TransportEnd>());
	/** The way to the server ended, during the handshake or later. */
	readonly onDidEnd: Event<TransportEnd> = this._onDidEnd.event;

	protected readonly link = this.own(new MutableDisposable<Link>());
	protected readonly subscriptions = this.own(new MutableDisposable<Subscriptions>());
	private readonly pinging = this.own(new MutableDisposable<Disposable>());
	protected readonly cache = new ResultCache(() => Date.now());
	protected readonly handlers: ClientHandlers;
	/** Links that are being negotiated: closing must reach them too. */
	private readonly opened = new Set<Link>();
	private agreed: Session | undefined;
	protected logLevel: LoggingLevel | undefined;
	private handshake: Promise<void> | undefined;
	/** No request makes sense before a new handshake. */
	private isSessionLost = false;
	/** Aborted by closing. */
	private attempt: AbortController | undefined;
	/** Settles when the negotiation has; `undefined` when there is none. */
	private connecting: Promise<void> | undefined;
	/** The server no longer answers: that we close is not what we wanted. */
	private isGone = false;
	/** Of the links that were negotiated over: news only if nothing comes of it. */
	private lastEnd: TransportEnd | undefined;

	constructor(protected readonly options: ClientOptions) {
		super();
		this.handlers = withFileRootsOnly(options.handlers ?? {}, options.log);
	}

	/** What was agreed on. @throws McpError `closed` before `connect` has succeeded. */
	get session(): Session {
		if (!this.agreed) {
			throw new McpError({ code: 'closed' });
		}
		return this.agreed;
	}

	/**
	 * Opens the way to the server and agrees on a session.
	 * @throws McpError `spawn`, `noFolder`, `network`, `http`, `closed`, `timeout`, `unsupportedVersion` or
	 * `invalidResult`; RpcError if the server refuses; AbortError if `signal` aborts
	 */
	async connect(signal: AbortSignal): Promise<Session> {
		const attempt = new AbortController();
		this.attempt = attempt;
		this.lastEnd = undefined;
		const negotiating = negotiate(this.negotiation(AbortSignal.any([signal, attempt.signal])));
		this.connecting = negotiating.then(
			() => undefined,
			() => undefined,
		);
		try {
			const { link, session } = await negotiating;
			// It may have ended, or been closed, while the last message was on its way.
			if (attempt.signal.aborted || !this.opened.has(link)) {
				link.dispose();
				throw new McpError({ code: 'closed' });
			}
			this.adopt(link, session);
			this.connecting = undefined;
			return session;
		} catch (error) {
			this.connecting = undefined;
			if (this.lastEnd) {
				this._onDidEnd.fire(this.lastEnd);
			}
			throw attempt.signal.aborted && !signal.aborted ? new McpError({ code: 'closed' }) : error;
		}
	}

	/** Ends the conversation politely, then firmly; resolves when nothing is left of it. */
	async close(): Promise<void> {
		this.pinging.value = undefined;
		this.subscriptions.value = undefined;
		this.attempt?.abort();
		// A negotiation that is taken back cleans up itself.
		await this.connecting;
		await Promise.all(Array.from(this.opened, it => it.transport.close()));
	}

	override dispose(): void {
		this.attempt?.abort();
		for (const link of this.opened) {
			link.dispose();
		}
		super.dispose();
	}

	/** Whether the server declared a capability; true if it was never asked. */
	offers(capability: keyof ServerCapabilities & string): boolean {
		const { capabilities } = this.session;
		return capabilities === undefined || Boolean(capabilities[capability]);
	}

	private negotiation(signal: AbortSignal): NegotiateOptions {
		const { clientInfo, open, openLegacySse, mode = 'auto', memory, timeoutMs, log } = this.options;
		return {
			mode,
			memory,
			clientInfo,
			timeoutMs,
			log,
			signal,
			open: () => this.openLink(open()),
			openLegacySse: openLegacySse && (() => this.openLink(openLegacySse())),
			capabilities: { ...declaredCapabilities(this.handlers, 'legacy'), ...declaredTasks(this.handlers) },
			probeMs: Math.min(this.options.probeMs ?? defaultProbeMs, timeoutMs || defaultProbeMs),
		};
	}

	/** A link over a new transport, wired to what the server may say before both sides have agreed. */
	private openLink(transport: Transport): Link {
		const link = new Link(transport, () => this.sender(), this.options.log, this._onDidTransfer);
		const { connection } = link;
		this.opened.add(link);
		link.hold(toDisposable(() => this.opened.delete(link)));
		link.hold(transport.onDidReceiveNoise(noise => this._onDidReceiveNoise.fire(noise)));
		link.hold(
			transport.onDidEnd(end => {
				this.opened.delete(link);
				if (this.connecting) {
					this.lastEnd = end;
				} else {
					this._onDidEnd.fire(this.isGone ? { ...end, expected: false } : end);
				}
			}),
		);
		const tasks = new InboundTasks(connection, this.handlers);
		link.hold(tasks);
		for (const method of inputMethods) {
			if (this.answers(method)) {
				connection.onRequest(method, async (params, signal) =>
					tasks.answer(params, signal, async own =>
						withTaskOf(params, await answerInput(this.handlers, method, params, own)),
					),
				);
			}
		}
		for (const kind of ['tools', 'resources', 'prompts'] as const) {
			connection.onNotification(`notifications/${kind}/list_changed`, params => {
				if (!this.isSubscribed(params)) {
					return;
				}
				this.cache.forgetList(kind);
				this._onDidChangeList.fire(kind);
			});
		}
		connection.onNotification('notifications/message', params => this._onDidLog.fire(read.readLogMessage(params)));
		connection.onNotification('notifications/subscriptions/acknowledged', params =>
			this.subscriptions.value?.acknowledge(params),
		);
		connection.onNotification('notifications/resources/updated', params => {
			const { uri } = params;
			if (typeof uri === 'string' && this.isSubscribed(params)) {
				this.cache.forgetResource(uri);
				this._onDidUpdateResource.fire(uri);
			}
		});
		connection.onNotification('notifications/elicitation/complete', ({ elicitationId }) => {
			if (typeof elicitationId === 'string') {
				this._onDidCompleteElicitation.fire(elicitationId);
			}
		});
		return link;
	}

	private isSubscribed(params: JsonObject): boolean {
		return this.subscriptions.value?.accepts(params) ?? true;
	}

	private adopt(link: Link, session: Session): void {
		const wanted = this.subscriptions.value?.resources ?? [];
		this.agreed = session;
		this.cache.clear();
		this.link.value = link;
		const subscriptions = new Subscriptions(link, session, this.options.log);
		this.subscriptions.value = subscriptions;
		for (const uri of wanted) {
			subscriptions.add(uri);
		}
		if (session.era === 'legacy') {
			this.pinging.value = keepAlive({
				intervalMs: this.options.pingMs ?? 0,
				ping: async timeoutMs => {
					await this.request('ping', {}, { timeoutMs });
				},
				onGone: () => {
					this.isGone = true;
					void link.transport.close();
				},
				log: this.options.log,
			});
		}
	}

	private answers(method: (typeof inputMethods)[number]): boolean {
		const { roots, sampling, elicitation } = this.handlers;
		switch (method) {
			case 'roots/list':
				return roots !== undefined;
			case 'sampling/createMessage':
				return sampling !== undefined;
			case 'elicitation/create':
				return elicitation !== undefined;
		}
	}

	private sender(): Sender {
		return {
			clientInfo: this.options.clientInfo,
			capabilities: {
				...declaredCapabilities(this.handlers, 'modern'),
				extensions: { [tasksExtension]: {} },
			},
			logLevel: this.logLevel,
		};
	}

	/**
	 * A request to its very end: rounds of input, tasks, and one new handshake if the session was lost.
	 * The server refused a lost session before it looked at the request, so sending it again is safe.
	 */
	protected async request(method: string, params: JsonObject, options: OwnCallOptions = {}): Promise<JsonObject> {
		try {
			return await this.requestInSession(method, params, options);
		} catch (error) {
			const url = this.handlers.elicitation?.url;
			const elicitations = url && this.session.era === 'legacy' ? requiredElicitations(error) : undefined;
			const signal = options.signal ?? new AbortController().signal;
			if (!url || !elicitations || !(await elicitAll(elicitations, it => url(it, signal)))) {
				throw error;
			}
			return this.requestInSession(method, params, options);
		}
	}

	private async requestInSession(method: string, params: JsonObject, options: OwnCallOptions): Promise<JsonObject> {
		if (this.isSessionLost) {
			await raceAbort(this.renewSession(), options.signal);
		}
		this.expectSession(options);
		const { agreed } = this;
		try {
			return await this.requestOnce(method, params, options);
		} catch (error) {
			if (!(error instanceof McpError) || error.failure.code !== 'sessionLost') {
				throw error;
			}
			// Another request may have noticed first, and all be well again.
			if (this.agreed === agreed) {
				await raceAbort(this.renewSession(), options.signal);
			}
			this.expectSession(options);
			return this.requestOnce(method, params, options);
		}
	}

	private expectSession({ session }: OwnCallOptions): void {
		if (session && session !== this.agreed) {
			throw new McpError({ code: 'sessionLost' });
		}
	}

	private async requestOnce(method: string, params: JsonObject, options: OwnCallOptions): Promise<JsonObject> {
		const link = this.link.value;
		if (!link) {
			throw new McpError({ code: 'closed' });
		}
		const { timeoutMs, maxTotalMs = 0 } = this.options;
		const { signal, onTask, onRetry, ...own } = options;
		const settings: RequestOptions = { timeoutMs, maxTotalMs, ...own, signal };
		const answer: RoundTrips['answer'] = (asked, input, useless) =>
			answerInput(this.handlers, asked, input, signal ? AbortSignal.any([signal, useless]) : useless);
		const pause = (ms: number): Promise<void> => delay(ms, signal);
		const send = (next: JsonObject): ReturnType<Link['request']> => this.send(link, method, next, settings);
		const decoded = await sendInRounds(method, params, { send, answer, delay: pause, onRetry });
		if (decoded.kind === 'complete') {
			return decoded.result;
		}
		if (method !== 'tools/call') {
			throw new McpError({ code: 'invalidResult', method, why: 'it may not become a task' });
		}
		if (!mayAnswerByTask(this.session)) {
			throw new McpError({ code: 'invalidResult', method, why: 'a task of a server that has none' });
		}
		return awaitTask(decoded.task, {
			era: this.session.era,
			answer,
			delay: pause,
			onState: onTask,
			signal,
			send: async (taskMethod, taskParams) => {
				// The task has its own time; the signal is what cancels it, not what keeps us from saying so.
				const wait = taskMethod === 'tasks/result' ? { timeoutMs: 0, signal } : { timeoutMs };
				const reply = await link.request(taskMethod, taskParams, wait);
				return reply.kind === 'complete' ? reply.result : reply.kind === 'task' ? reply.task : {};
			},
		});
	}

	/**
	 * Spec 2026-07-28, transports: what a broken stream has lost is asked for again as a new request. Not a
	 * tool, though: nobody knows what it has done already.
	 */
	private async send(
		link: Link,
		method: string,
		params: JsonObject,
		options: RequestOptions,
	): ReturnType<Link['request']> {
		try {
			return await link.request(method, params, options);
		} catch (error) {
			const isLost = error instanceof McpError && error.failure.code === 'network';
			if (!isLost || this.session.era !== 'modern' || method === 'tools/call') {
				throw error;
			}
			return link.request(method, params, options);
		}
	}

	/** One new handshake, however many requests notice that they need it. */
	private renewSession(): Promise<void> {
		this.handshake ??= this.shakeHandsAgain().finally(() => {
			this.handshake = undefined;
		});
		return this.handshake;
	}

	private async shakeHandsAgain(): Promise<void> {
		const link = this.link.value;
		if (!link) {
			throw new McpError({ code: 'closed' });
		}
		const { log, timeoutMs } = this.options;
		log.info('The session was lost; beginning another.');
		this.isSessionLost = true;
		link.transport.forgetSession?.();
		const session = await initialize(link, this.negotiation(new AbortController().signal), this.session.eraReason);
		this.isSessionLost = false;
		this.agreed = session;
		this.cache.clear();
		this.subscriptions.value?.renew(session);
		if (this.logLevel !== undefined && this.offers('logging')) {
			// Not by `request`: it would wait for the handshake that this is part of.
			link.request('logging/setLevel', { level: this.logLevel }, { timeoutMs }).catch((error: unknown) => {
				log.debug(`logging/setLevel: ${toMessage(error)}`);
			});
		}
		for (const kind of ['tools', 'resources', 'prompts'] as const) {
			this._onDidChangeList.fire(kind);
		}
	}
}

/**
 * Spec 2025-11-25, tasks: what is said because of a task names it. The server's question does, so must the
 * answer.
 */
function withTaskOf(params: JsonObject, result: JsonObject): JsonObject {
	const task = isObject(params['_meta']) ? params['_meta'][relatedTask] : undefined;
	const own = isObject(result['_meta']) ? result['_meta'] : {};
	return task === undefined ? result : { ...result, _meta: { ...own, [relatedTask]: task } };
}
