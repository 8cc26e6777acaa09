/**
 * A conversation with one server: agree on a session, keep it alive (a new handshake when it was lost, a new link when
 * the server no longer answers), and answer what the server asks. What can be asked of it is `client.ts`.
 */
import { raceAbort } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { Emitter, type Event, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { McpError, type McpFailure } from '../jsonrpc/errors.js';
import type { JsonObject } from '../jsonrpc/messages.js';
import { Tap } from '../transport/tap.js';
import type { Transport, TransportEnd, TransportNoise } from '../transport/transport.js';
import { defaultLimits, type Limits } from '../limits.js';
import type { Sender } from '../wire/codec.js';
import type { LoggingLevel, ServerCapabilities } from '../wire/types.js';
import { ResultCache } from './cache.js';
import type { ClientOptions } from './clientOptions.js';
import { type ClientHandlers, declaredCapabilities, withFileRootsOnly } from './handlers.js';
import { declaredTasks } from './inboundTasks.js';
import { KeepAlive } from './keepAlive.js';
import { Link } from './link.js';
import { initialize, negotiate, type Negotiated, type NegotiateOptions, type Session } from './negotiate.js';
import { type OwnCallOptions, type RequestContext, requestToEnd, type SentOptions } from './requestToEnd.js';
import { ServerEvents } from './serverEvents.js';
import { answerRequests } from './serverRequests.js';
import { Subscriptions } from './subscriptions.js';
import { tasksExtension } from './tasks.js';
import { elicitAll, requiredElicitations } from './urlElicitation.js';

const defaultProbeMs = 5000;

export abstract class Conversation extends Owner {
	protected readonly cache = new ResultCache(() => Date.now());
	private readonly events = this.own(new ServerEvents(this.cache));
	readonly onDidChangeList = this.events.onDidChangeList;
	readonly onDidUpdateResource = this.events.onDidUpdateResource;
	readonly onDidCompleteElicitation = this.events.onDidCompleteElicitation;
	readonly onDidLog = this.events.onDidLog;

	private readonly tap = this.own(new Tap());
	/** Everything on the wire. Costs nothing while nobody listens. */
	readonly onDidTransfer = this.tap.onDidTransfer;

	private readonly _onDidReceiveNoise = this.own(new Emitter<TransportNoise>());
	readonly onDidReceiveNoise: Event<TransportNoise> = this._onDidReceiveNoise.event;

	private readonly _onDidEnd = this.own(new Emitter<TransportEnd>());
	/** The way to the server ended, during the handshake or later. */
	readonly onDidEnd: Event<TransportEnd> = this._onDidEnd.event;

	private readonly _onDidRenewSession = this.own(new Emitter<Session>());
	/** The session was lost and there is another, which may differ in everything. */
	readonly onDidRenewSession: Event<Session> = this._onDidRenewSession.event;

	private readonly _onDidDoubt = this.own(new Emitter<McpFailure | undefined>());
	/** The server should have proved that it is there and has not yet, and why; `undefined` once it has. */
	readonly onDidDoubt: Event<McpFailure | undefined> = this._onDidDoubt.event;

	protected readonly link = this.own(new MutableDisposable<Link>());
	protected readonly subscriptions = this.own(new MutableDisposable<Subscriptions>());
	private readonly pinging = this.own(new MutableDisposable<KeepAlive>());
	protected readonly handlers: ClientHandlers;
	protected readonly limits: Limits;
	private readonly defaults: SentOptions;
	private current: RequestContext | undefined;
	private stated: Sender | undefined;
	/** Links that are being negotiated: closing must reach them too. */
	private readonly opened = new Set<Link>();
	private agreed: Session | undefined;
	/** The session there was when the server was last told to prove that it is there. */
	private doubted: Session | undefined;
	private wantedLevel: LoggingLevel | undefined;
	/** No request makes sense before there is another. */
	protected lost: 'session' | 'link' | undefined;
	private recovery: Promise<void> | undefined;
	/** Aborted by closing. */
	private attempt: AbortController | undefined;
	/** Settles when the negotiation has; `undefined` when there is none. */
	private connecting: Promise<void> | undefined;
	/** Of the links that were negotiated over: news only if nothing comes of it. */
	private lastEnd: TransportEnd | undefined;

	constructor(protected readonly options: ClientOptions) {
		super();
		this.handlers = withFileRootsOnly(options.handlers ?? {}, options.log);
		this.limits = { ...defaultLimits, ...options.limits };
		this.defaults = { timeoutMs: options.timeoutMs, maxTotalMs: options.maxTotalMs ?? 0 };
		if (options.onDidChangeIdentity) {
			this.own(options.onDidChangeIdentity(() => this.cache.clear()));
		}
	}

	/** Milliseconds that its requests wait unless they say otherwise; 0 for ever. */
	get requestTimeoutMs(): number {
		return this.options.timeoutMs;
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
		try {
			return (await this.open(signal, negotiate)).session;
		} catch (error) {
			if (this.lastEnd) {
				this._onDidEnd.fire(this.lastEnd);
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
		this.connecting = negotiating.then(
			() => undefined,
			() => undefined,
		);
		try {
			const negotiated = await negotiating;
			const { link, session } = negotiated;
			// It may have ended, or been closed, while the last message was on its way.
			if (attempt.signal.aborted || !this.opened.has(link)) {
				link.dispose();
				throw new McpError({ code: 'closed' });
			}
			this.adopt(link, session);
			this.connecting = undefined;
			return negotiated;
		} catch (error) {
			this.connecting = undefined;
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
		const link = new Link(transport, () => this.sender(), this.options.log, this.tap, this.limits);
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
					this._onDidEnd.fire(end);
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

	private adopt(link: Link, session: Session): void {
		this.begin(link, session);
		link.hold(link.transport.onDidMiss?.(() => this.catchUp()));
		this.link.value = link;
		if (this.subscriptions.value) {
			this.subscriptions.value.renew(link, session);
		} else {
			this.subscriptions.value = new Subscriptions(link, session, this.options, () => this.catchUp());
		}
		this.pinging.value = this.ping(link, session.era === 'legacy');
	}

	private begin(link: Link, session: Session): void {
		this.agreed = session;
		this.cache.clear();
		const { onDidChangeTask } = this.events;
		this.current = { link, session, onDidChangeTask, handlers: this.handlers, timeoutMs: this.options.timeoutMs };
	}

	/** The modern era has no ping, and needs none between requests that stand alone; any answer proves as much. */
	private ping(link: Link, isLegacy: boolean): KeepAlive {
		return new KeepAlive({
			intervalMs: isLegacy ? (this.options.pingMs ?? 0) : 0,
			ping: async timeoutMs => {
				await this.request(isLegacy ? 'ping' : 'server/discover', {}, { timeoutMs });
			},
			isBusy: () => link.isAtWork,
			onGone: () => this.replaceLink(),
			onDoubt: why => this._onDidDoubt.fire(why),
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
			this._onDidEnd.fire({ ...this.lastEnd, expected: this.attempt?.signal.aborted ?? false });
		});
	}

	/**
	 * The machine has slept, or is in another network: connections may be dead without a word. Over HTTP the server
	 * must prove at once that it is there; pipes do not mind.
	 */
	prove(): void {
		if (this.link.value?.transport.kind !== 'stdio') {
			this.doubted = this.agreed;
			this.pinging.value?.prove();
		}
	}

	/** It is there; what it said meanwhile may not have come. Another session has begun anew in everything. */
	private refresh(link: Link): void {
		if (this.agreed !== this.doubted) {
			return;
		}
		link.transport.refresh?.();
		this.subscriptions.value?.refresh();
		this.catchUp();
	}

	private catchUp(): void {
		this.events.changeAll(this.subscriptions.value?.resources);
	}

	protected get logLevel(): LoggingLevel | undefined {
		return this.wantedLevel;
	}

	protected set logLevel(level: LoggingLevel | undefined) {
		this.wantedLevel = level;
		this.stated = undefined;
	}

	private sender(): Sender {
		this.stated ??= {
			clientInfo: this.options.clientInfo,
			capabilities: {
				...declaredCapabilities(this.handlers, 'modern'),
				extensions: { [tasksExtension]: {} },
			},
			logLevel: this.logLevel,
		};
		return this.stated;
	}

	/** What a request needs of the session there is now. @throws McpError `closed` */
	protected get context(): RequestContext {
		if (!this.current) {
			throw new McpError({ code: 'closed' });
		}
		return this.current;
	}

	/**
	 * A request to its very end: rounds of input, tasks, pages to visit, and one new session if it was lost.
	 * The server refused a lost session before it looked at the request, so sending it again is safe.
	 */
	protected async request(method: string, params: JsonObject, options?: OwnCallOptions): Promise<JsonObject> {
		const settings = options ? { ...this.defaults, ...options } : this.defaults;
		if (this.lost) {
			await raceAbort(this.recover(), settings.signal);
		}
		this.expectSession(settings);
		const { agreed } = this;
		try {
			const result = await requestToEnd(this.context, method, params, settings);
			this.subscriptions.value?.didAnswer();
			return result;
		} catch (error) {
			if (!(error instanceof McpError) || error.failure.code !== 'sessionLost') {
				await this.visitPages(error, agreed, settings);
			} else if (this.agreed === agreed) {
				// Otherwise another request has noticed first, and all is well again.
				this.lost ??= 'session';
				await raceAbort(this.recover(), settings.signal);
			}
			this.expectSession(settings);
			return requestToEnd(this.context, method, params, settings);
		}
	}

	/** @throws the error itself unless it asks for pages, and the person has been to all of them */
	private async visitPages(error: unknown, agreed: Session | undefined, { signal }: OwnCallOptions): Promise<void> {
		const { url: visit, urlToEnd: url = visit } = this.handlers.elicitation ?? {};
		const elicitations = url && agreed?.era === 'legacy' ? requiredElicitations(error) : undefined;
		const until = signal ?? new AbortController().signal;
		if (!url || !elicitations || !(await elicitAll(elicitations, it => url(it, until)))) {
			throw error;
		}
	}

	private expectSession({ session }: OwnCallOptions): void {
		if (session && session !== this.agreed) {
			throw new McpError({ code: 'sessionLost' });
		}
	}

	/** One new session, however many requests notice that they need it. */
	private recover(): Promise<void> {
		this.recovery ??= (this.lost === 'link' ? this.reconnect() : this.shakeHandsAgain()).finally(() => {
			this.recovery = undefined;
		});
		return this.recovery;
	}

	/** A server that is there, but has forgotten us. */
	private async shakeHandsAgain(): Promise<void> {
		const { link } = this.context;
		this.options.log.info('The session was lost; beginning another.');
		link.transport.forgetSession?.();
		const session = await initialize(link, this.negotiation(new AbortController().signal), this.session.eraReason);
		this.begin(link, session);
		this.subscriptions.value?.renew(link, session);
		this.didRenew(link, session);
	}

	/** A server that does not answer any more: what is left of it is ended, and it is asked from the beginning. */
	private async reconnect(): Promise<void> {
		this.options.log.info('The server does not answer any more; connecting again.');
		const before = this.link.value;
		const { link, session } = await this.open(new AbortController().signal, async options => {
			await before?.transport.close();
			return negotiate(options);
		});
		this.didRenew(link, session);
	}

	private didRenew(link: Link, session: Session): void {
		const { log, timeoutMs } = this.options;
		this.lost = undefined;
		if (this.logLevel !== undefined && session.era === 'legacy' && this.offers('logging')) {
			// Not by `request`: it would wait for the recovery that this is part of.
			link.request('logging/setLevel', { level: this.logLevel }, { timeoutMs }).catch((error: unknown) => {
				log.debug(`logging/setLevel: ${toMessage(error)}`);
			});
		}
		this._onDidRenewSession.fire(session);
		this.catchUp();
	}
}
