/**
 * The session of a client with its server: it is negotiated, kept alive (by a new handshake when the server has lost
 * the session, by a new connection when the server does not respond), and used for requests in both directions.
 * `Client` documents the members that it shares with this class.
 */
import { raceAbort } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { hasFailure, McpError, withPlainMessage } from '../jsonrpc/errors.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import type { Transport, TransportEnd } from '../transport/transport.js';
import { defaultLimits, type Limits } from '../limits.js';
import type { Sender } from '../wire/codec.js';
import type { LoggingLevel, ServerCapabilities } from '../wire/types.js';
import type { ResultCache } from './cache.js';
import type { ClientEvents } from './clientEvents.js';
import type { ClientOptions } from './clientOptions.js';
import {
	type OwnCallOptions,
	type RequestContext,
	completeRequest,
	type SentOptions,
	completeTask,
	type TaskWait,
} from './completeRequest.js';
import { type ClientHandlers, declaredCapabilities, withFileRootsOnly } from './handlers.js';
import { declaredTasks } from './inboundTasks.js';
import { KeepAlive } from './keepAlive.js';
import { NegotiatedConnection } from './negotiatedConnection.js';
import { initialize, negotiate, type Negotiated, type NegotiateOptions, type Session } from './negotiate.js';
import { Operations } from './operations.js';
import { answerRequests } from './serverRequests.js';
import { Subscriptions } from './subscriptions.js';
import { tasksExtension } from './tasks.js';
import { visitPages } from './urlElicitation.js';

const defaultProbeMs = 5000;

export class ClientSession extends Owner {
	/** The connection in use; undefined before the first one and after the last one. */
	readonly link = this.own(new MutableDisposable<NegotiatedConnection>());
	readonly subscriptions = this.own(new MutableDisposable<Subscriptions>());
	private readonly pinging = this.own(new MutableDisposable<KeepAlive>());
	readonly operations = new Operations(() => this.events.didEndCalls.fire());
	readonly handlers: ClientHandlers;
	readonly limits: Limits;
	private readonly defaults: SentOptions;
	private current: RequestContext | undefined;
	/** Kept because every request of the modern era needs the same; undefined after a change of the log level. */
	private cachedSender: Sender | undefined;
	/** Every connection that has not ended, also those that are still being negotiated: `close` closes them all. */
	private readonly opened = new Set<NegotiatedConnection>();
	private agreed: Session | undefined;
	/** The session at the time of the last call of `prove`. */
	private sessionToProve: Session | undefined;
	private logLevel: LoggingLevel | undefined;
	/** What has to be replaced before the next request can be sent. */
	private lost: 'session' | 'link' | undefined;
	private recovery: Promise<void> | undefined;
	/** `close` aborts the negotiation with it. */
	private attempt: AbortController | undefined;
	/** Settles with the negotiation; undefined while none runs. */
	private connecting: Promise<unknown> | undefined;
	/** How the last connection ended during a negotiation. Reported only if the negotiation fails. */
	private lastEnd: TransportEnd | undefined;

	constructor(
		private readonly options: ClientOptions,
		private readonly events: ClientEvents,
		private readonly cache: ResultCache,
	) {
		super();
		this.handlers = withFileRootsOnly(options.handlers ?? {}, options.log);
		this.limits = { ...defaultLimits, ...options.limits };
		this.defaults = { timeoutMs: options.timeoutMs };
		if (options.onDidChangeIdentity) {
			this.own(options.onDidChangeIdentity(() => this.cache.clear()));
		}
	}

	get session(): Session {
		if (!this.agreed) {
			throw new McpError({ code: 'closed' });
		}
		return this.agreed;
	}

	async connect(signal: AbortSignal): Promise<Session> {
		try {
			return (await this.open(signal, negotiate)).session;
		} catch (error) {
			if (this.lastEnd) {
				this.events.didEnd.fire(this.lastEnd);
			}
			throw error;
		}
	}

	private async open(
		signal: AbortSignal,
		agree: (options: NegotiateOptions) => Promise<Negotiated>,
	): Promise<Negotiated> {
		const attempt = new AbortController();
		this.attempt = attempt;
		this.lastEnd = undefined;
		const negotiating = agree(this.negotiation(AbortSignal.any([signal, attempt.signal])));
		this.connecting = Promise.allSettled([negotiating]);
		try {
			const negotiated = await negotiating;
			const { link, session } = negotiated;
			// The connection may have ended, or been closed, before this continuation ran.
			if (attempt.signal.aborted || !this.opened.has(link)) {
				link.dispose();
				throw new McpError({ code: 'closed' });
			}
			this.adopt(link, session);
			return negotiated;
		} catch (error) {
			throw attempt.signal.aborted && !signal.aborted ? new McpError({ code: 'closed' }) : error;
		} finally {
			this.connecting = undefined;
		}
	}

	async close(): Promise<void> {
		this.pinging.value = undefined;
		this.subscriptions.value = undefined;
		this.attempt?.abort();
		// An aborted negotiation closes its own connection.
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

	offers(capability: keyof ServerCapabilities & string): boolean {
		const { capabilities } = this.session;
		return capabilities === undefined || Boolean(capabilities[capability]);
	}

	private negotiation(signal: AbortSignal): NegotiateOptions {
		const { open, openLegacySse, mode = 'auto', timeoutMs } = this.options;
		return {
			...this.options,
			mode,
			signal,
			open: () => this.openLink(open()),
			openLegacySse: openLegacySse && (() => this.openLink(openLegacySse())),
			capabilities: { ...declaredCapabilities(this.handlers, 'legacy'), ...declaredTasks(this.handlers) },
			probeMs: Math.min(this.options.probeMs ?? defaultProbeMs, timeoutMs || defaultProbeMs),
		};
	}

	/** Makes a connection over a new transport, with every handler: a server may send messages during the negotiation. */
	private openLink(transport: Transport): NegotiatedConnection {
		const link = new NegotiatedConnection(
			transport,
			() => this.sender(),
			this.options.log,
			this.events.tap,
			this.limits,
		);
		const { connection } = link;
		this.opened.add(link);
		link.hold(toDisposable(() => this.opened.delete(link)));
		link.hold(transport.onDidReceiveNoise(noise => this.events.didReceiveNoise.fire(noise)));
		link.hold(
			transport.onDidEnd(end => {
				this.opened.delete(link);
				if (this.connecting) {
					this.lastEnd = end;
				} else {
					this.events.didEnd.fire(end);
				}
			}),
		);
		link.hold(answerRequests(connection, this.handlers));
		this.events.listenTo(connection, params => this.subscriptions.value?.accepts(params) ?? true);
		connection.onNotification('notifications/subscriptions/acknowledged', params =>
			this.subscriptions.value?.acknowledge(params),
		);
		return link;
	}

	private adopt(link: NegotiatedConnection, session: Session): void {
		this.begin(link, session);
		link.hold(link.transport.onDidMiss?.(() => this.reportAllChanged()));
		this.link.value = link;
		if (this.subscriptions.value) {
			this.subscriptions.value.renew(link, session);
		} else {
			this.subscriptions.value = new Subscriptions(link, session, this.options, () => this.reportAllChanged());
		}
		this.pinging.value = this.ping(link, session.era === 'legacy');
	}

	private begin(link: NegotiatedConnection, session: Session): void {
		this.agreed = session;
		this.cache.clear();
		this.current = {
			link,
			session,
			handlers: this.handlers,
			timeoutMs: this.options.timeoutMs,
			onDidChangeTask: this.events.didChangeTask.event,
		};
	}

	/** The modern era has no ping. There, `server/discover` is sent when the server has to prove that it responds. */
	private ping(link: NegotiatedConnection, isLegacy: boolean): KeepAlive {
		return new KeepAlive({
			intervalMs: isLegacy ? (this.options.pingMs ?? 0) : 0,
			ping: async timeoutMs => {
				await this.request(isLegacy ? 'ping' : 'server/discover', {}, { timeoutMs });
			},
			isBusy: () => link.isAtWork,
			onGone: () => this.replaceLink(),
			onDoubt: why => this.events.didDoubt.fire(why),
			onProven: () => this.refresh(link),
			log: this.options.log,
		});
	}

	private replaceLink(): void {
		this.lost = 'link';
		this.recover().catch((error: unknown) => {
			this.options.log.info(`The server does not come back: ${toMessage(error)}`);
			this.lost = undefined;
			this.current = undefined;
			this.link.value = undefined;
			this.events.didEnd.fire({ ...this.lastEnd, expected: this.attempt?.signal.aborted ?? false });
		});
	}

	prove(): void {
		if (this.link.value?.transport.kind !== 'stdio') {
			this.sessionToProve = this.agreed;
			this.pinging.value?.prove();
		}
	}

	/**
	 * The server has responded after `prove`. Its notifications may have been lost, so streams are opened again and
	 * everything counts as changed. A session that began since then has done the same already.
	 */
	private refresh(link: NegotiatedConnection): void {
		if (this.agreed !== this.sessionToProve) {
			return;
		}
		link.transport.refresh?.();
		this.subscriptions.value?.refresh();
		this.reportAllChanged();
	}

	private reportAllChanged(): void {
		this.events.changeAll(this.subscriptions.value?.resources);
	}

	/** Asks for log messages of `level` and above: with every request in the modern era, otherwise by one request. */
	async setLoggingLevel(level: LoggingLevel): Promise<void> {
		this.logLevel = level;
		this.cachedSender = undefined;
		if (this.session.era === 'legacy' && this.offers('logging')) {
			await this.request('logging/setLevel', { level });
		}
	}

	isSubscribed(uri: string): boolean {
		return this.lost === undefined && (this.subscriptions.value?.isAcknowledged(uri) ?? false);
	}

	private sender(): Sender {
		this.cachedSender ??= {
			clientInfo: this.options.clientInfo,
			capabilities: {
				...declaredCapabilities(this.handlers, 'modern'),
				extensions: { [tasksExtension]: {} },
			},
			logLevel: this.logLevel,
		};
		return this.cachedSender;
	}

	/** @throws McpError `closed` while there is no session */
	private get context(): RequestContext {
		if (!this.current) {
			throw new McpError({ code: 'closed' });
		}
		return this.current;
	}

	/**
	 * Sends a request and does everything its result needs: rounds of input, a task, pages that the person has to
	 * visit, and a new session if the server has lost this one. Every request of the client passes here.
	 */
	request(method: string, params: JsonObject, options?: OwnCallOptions): Promise<JsonObject> {
		return this.operate(method, () => this.requestWithRecovery(method, params, options));
	}

	resumeTask(taskId: string, wait: TaskWait): Promise<JsonObject> {
		return this.operate('tools/call', async () => {
			const task = await this.request('tasks/get', { taskId }, { signal: wait.signal });
			return completeTask(this.context, task, wait);
		});
	}

	/** Counts an operation, and redacts its error. */
	private async operate(method: string, run: () => Promise<JsonObject>): Promise<JsonObject> {
		const { withoutSecrets } = this.options;
		this.operations.begin(method);
		try {
			return await run();
		} catch (error) {
			throw withoutSecrets ? withPlainMessage(error, withoutSecrets) : error;
		} finally {
			this.operations.end(method);
		}
	}

	/** A server refuses a session that it has lost before it looks at the request, so the request can be sent again. */
	private async requestWithRecovery(method: string, params: JsonObject, options?: OwnCallOptions): Promise<JsonObject> {
		const settings = options ? { ...this.defaults, ...options } : this.defaults;
		if (this.lost) {
			await raceAbort(this.recover(), settings.signal);
		}
		this.expectSession(settings);
		const { agreed } = this;
		try {
			const result = await completeRequest(this.context, method, params, settings);
			this.subscriptions.value?.didAnswer();
			return result;
		} catch (error) {
			if (!hasFailure(error, 'sessionLost')) {
				await visitPages(error, agreed?.era === 'legacy' ? this.handlers : {}, settings.signal);
			} else if (this.agreed === agreed) {
				// If the sessions differ, another request has replaced the lost session already.
				this.lost ??= 'session';
				await raceAbort(this.recover(), settings.signal);
			}
			this.expectSession(settings);
			return completeRequest(this.context, method, params, settings);
		}
	}

	private expectSession({ session }: OwnCallOptions): void {
		if (session && session !== this.agreed) {
			throw new McpError({ code: 'sessionLost' });
		}
	}

	/** Begins one new session, however many requests wait for it. */
	private recover(): Promise<void> {
		this.recovery ??= (this.lost === 'link' ? this.reconnect() : this.renewSession()).finally(() => {
			this.recovery = undefined;
		});
		return this.recovery;
	}

	/** Replaces a session that the server has lost, on the same connection. */
	private async renewSession(): Promise<void> {
		const { link } = this.context;
		this.options.log.info('The server has lost the session; starting a new one.');
		link.transport.forgetSession?.();
		const session = await initialize(link, this.negotiation(new AbortController().signal), this.session.eraReason);
		this.begin(link, session);
		this.subscriptions.value?.renew(link, session);
		this.didRenew(link, session);
	}

	/** Replaces the connection to a server that does not respond: closes the old one, and negotiates again. */
	private async reconnect(): Promise<void> {
		this.options.log.info('The server does not respond; connecting again.');
		const before = this.link.value;
		const { link, session } = await this.open(new AbortController().signal, async options => {
			await before?.transport.close();
			return negotiate(options);
		});
		this.didRenew(link, session);
	}

	private didRenew(link: NegotiatedConnection, session: Session): void {
		const { log, timeoutMs } = this.options;
		this.lost = undefined;
		if (this.logLevel !== undefined && session.era === 'legacy' && this.offers('logging')) {
			// Not by `request`, which would wait for the recovery that this call is part of.
			link.request('logging/setLevel', { level: this.logLevel }, { timeoutMs }).catch((error: unknown) => {
				log.debug(`logging/setLevel: ${toMessage(error)}`);
			});
		}
		this.events.didRenewSession.fire(session);
		this.reportAllChanged();
	}
}
