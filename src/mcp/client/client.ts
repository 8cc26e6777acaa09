/**
 * One server: connect, then typed calls that read the same in every revision. Keeps the session alive
 * (new handshake when it was lost), answers what the server asks, and hides rounds, tasks and caching.
 */
import { delay, raceAbort } from '../../base/async.js';
import { toMessage } from '../../base/errors.js';
import { type Disposable, Emitter, type Event, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import type { RequestOptions, WireEvent } from '../jsonrpc/connection.js';
import { McpError, RpcError, RpcErrorCode } from '../jsonrpc/errors.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { Transport, TransportEnd } from '../transport/transport.js';
import type { Sender } from '../wire/codec.js';
import * as read from '../wire/read.js';
import type {
	CompletionResult,
	Implementation,
	ListKind,
	LoggingLevel,
	LogMessage,
	Prompt,
	PromptResult,
	Resource,
	ResourceContents,
	ResourceTemplate,
	ServerCapabilities,
	Tool,
	ToolResult,
} from '../wire/types.js';
import { ResultCache } from './cache.js';
import { answerInput, type ClientHandlers, declaredCapabilities, inputMethods } from './handlers.js';
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
import { ToolHeaders } from './toolHeaders.js';
import { elicitAll, requiredElicitations } from './urlElicitation.js';
import { awaitTask, tasksExtension, type TaskState } from './tasks.js';

/** A listing of more pages than this is taken for an endless one. */
const maxPages = 1000;
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

interface OwnCallOptions extends CallOptions {
	/** Told when the server asked for input and is asked again. */
	readonly onRetry?: () => void;
}

/** A reference to what is completed: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
	| { readonly type: 'ref/prompt'; readonly name: string }
	| { readonly type: 'ref/resource'; readonly uri: string };

export class Client extends Owner {
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

	private readonly _onDidReceiveNoise = this.own(new Emitter<{ readonly text: string }>());
	readonly onDidReceiveNoise: Event<{ readonly text: string }> = this._onDidReceiveNoise.event;

	private readonly _onDidEnd = this.own(new Emitter<TransportEnd>());
	/** The way to the server ended, during the handshake or later. */
	readonly onDidEnd: Event<TransportEnd> = this._onDidEnd.event;

	private readonly link = this.own(new MutableDisposable<Link>());
	private readonly subscriptions = this.own(new MutableDisposable<Subscriptions>());
	private readonly pinging = this.own(new MutableDisposable<Disposable>());
	private readonly cache = new ResultCache(() => Date.now());
	private readonly toolHeaders: ToolHeaders;
	private readonly handlers: ClientHandlers;
	/** Links that are being negotiated: closing must reach them too. */
	private readonly opened = new Set<Link>();
	private agreed: Session | undefined;
	private logLevel: LoggingLevel | undefined;
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

	constructor(private readonly options: ClientOptions) {
		super();
		this.handlers = options.handlers ?? {};
		this.toolHeaders = new ToolHeaders(options.log);
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

	async listTools(signal?: AbortSignal): Promise<Tool[]> {
		const tools = await this.listAll('tools/list', 'tools', read.readTool, signal);
		return this.usesHeaders ? this.toolHeaders.accept(tools) : tools;
	}

	listResources(signal?: AbortSignal): Promise<Resource[]> {
		return this.listAll('resources/list', 'resources', read.readResource, signal);
	}

	listResourceTemplates(signal?: AbortSignal): Promise<ResourceTemplate[]> {
		return this.listAll('resources/templates/list', 'resourceTemplates', read.readResourceTemplate, signal);
	}

	listPrompts(signal?: AbortSignal): Promise<Prompt[]> {
		return this.listAll('prompts/list', 'prompts', read.readPrompt, signal);
	}

	/** All contents of one read; empty when the server says so. */
	async readResource(uri: string, signal?: AbortSignal): Promise<ResourceContents[]> {
		const result = await this.cached('resources/read', { uri }, { signal });
		return read.readList(result, 'contents', read.readResourceContents);
	}

	/** A tool that fails answers with `isError`; only the protocol's errors are thrown. */
	async callTool(tool: string | Tool, args: JsonObject, options: CallOptions = {}): Promise<ToolResult> {
		const name = typeof tool === 'string' ? tool : tool.name;
		const task = typeof tool === 'string' ? {} : this.taskParameter(tool);
		const call = async (): Promise<JsonObject> => {
			const headers = this.usesHeaders ? this.toolHeaders.for(name, args) : undefined;
			return this.request(
				'tools/call',
				{ name, arguments: args, ...task },
				headers ? { ...options, headers } : options,
			);
		};
		try {
			return read.readToolResult(await call());
		} catch (error) {
			if (!this.usesHeaders || !(error instanceof RpcError) || error.code !== RpcErrorCode.headerMismatch) {
				throw error;
			}
			// Our picture of the tool is old: "SHOULD" list again and retry.
			this.cache.forgetList('tools');
			await this.listTools(options.signal);
			return read.readToolResult(await call());
		}
	}

	async getPrompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<PromptResult> {
		return read.readPromptResult(await this.request('prompts/get', { name, arguments: args }, { signal }));
	}

	/**
	 * Values for an argument that begins with `value`.
	 * @param context the arguments filled in before it (since 2025-06-18; older servers ignore it)
	 */
	async complete(
		ref: CompletionReference,
		argument: { readonly name: string; readonly value: string },
		context: Readonly<Record<string, string>> = {},
		signal?: AbortSignal,
	): Promise<CompletionResult> {
		const params = {
			ref,
			argument,
			...(Object.keys(context).length > 0 ? { context: { arguments: context } } : {}),
		};
		return read.readCompletion(await this.request('completion/complete', params, { signal }));
	}

	/** Told by `onDidUpdateResource` when the resource changes, until disposed. */
	subscribeResource(uri: string): Disposable {
		return this.subscriptions.value?.add(uri) ?? { dispose() {} };
	}

	/** Asks for log messages of `level` and above; nothing happens if the server has no logging. */
	async setLoggingLevel(level: LoggingLevel): Promise<void> {
		this.logLevel = level;
		if (this.session.era === 'legacy' && this.offers('logging')) {
			await this.request('logging/setLevel', { level });
		}
	}

	/** Tells a legacy server that the roots are others now; a modern one asks each time it needs them. */
	async notifyRootsChanged(): Promise<void> {
		if (this.handlers.roots && this.session.era === 'legacy') {
			await this.link.value?.notify('notifications/roots/list_changed');
		}
	}

	/** Whether the server declared a capability; true if it was never asked. */
	offers(capability: keyof ServerCapabilities & string): boolean {
		const { capabilities } = this.session;
		return capabilities === undefined || Boolean(capabilities[capability]);
	}

	/** Only the modern era over HTTP has arguments in headers. */
	private get usesHeaders(): boolean {
		return this.session.era === 'modern' && this.link.value?.transport.kind === 'http';
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
		const tasks = new InboundTasks(connection);
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

	/** Legacy tools may need to be called as tasks, and must not be where the server has none. */
	private taskParameter({ taskSupport }: Tool): JsonObject {
		const { era, capabilities } = this.session;
		const requests = isObject(capabilities?.['tasks']) ? capabilities['tasks']['requests'] : undefined;
		const canCall = isObject(requests) && isObject(requests['tools']) && isObject(requests['tools']['call']);
		return era === 'legacy' && canCall && taskSupport === 'required' ? { task: {} } : {};
	}

	/**
	 * A request to its very end: rounds of input, tasks, and one new handshake if the session was lost.
	 * The server refused a lost session before it looked at the request, so sending it again is safe.
	 */
	private async request(method: string, params: JsonObject, options: OwnCallOptions = {}): Promise<JsonObject> {
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
			return this.requestOnce(method, params, options);
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

	private async cached(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject> {
		const known = this.cache.get(method, params);
		if (known) {
			return known;
		}
		const { epoch } = this.cache;
		let isRetried = false;
		const onRetry = (): void => {
			isRetried = true;
		};
		const result = await this.request(method, params, { ...options, onRetry });
		// Spec 2026-07-28, caching: what answers a retry with input is the answer to that input alone.
		if (!isRetried) {
			this.cache.put(method, params, result, epoch);
		}
		return result;
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

	/** Follows `nextCursor` to the end. Spec, pagination: a missing cursor is the end. */
	private async listAll<T>(
		method: string,
		key: string,
		readEntry: (entry: JsonObject) => T | undefined,
		signal: AbortSignal | undefined,
	): Promise<T[]> {
		const items: T[] = [];
		const seen = new Set<string>();
		let params: JsonObject = {};
		let isRestarted = false;
		for (let page = 0; page < maxPages; page++) {
			let result: JsonObject;
			try {
				result = await this.cached(method, params, { signal });
			} catch (error) {
				const isBadCursor = error instanceof RpcError && error.code === RpcErrorCode.invalidParams;
				if (!isBadCursor || isRestarted || !('cursor' in params)) {
					throw error;
				}
				// Spec, pagination: -32602 is for a cursor that no longer holds. The pages before do not either.
				isRestarted = true;
				this.cache.forget(method);
				items.length = 0;
				seen.clear();
				params = {};
				continue;
			}
			for (const item of read.readList(result, key, readEntry)) {
				items.push(item);
			}
			const cursor = result['nextCursor'];
			if (typeof cursor !== 'string') {
				return items;
			}
			if (seen.has(cursor)) {
				break;
			}
			seen.add(cursor);
			params = { cursor };
		}
		throw new McpError({ code: 'endlessPages', method, limit: seen.size });
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

/** Whether an error says that the server does not know the method at all. */
export function isUnknownMethod(error: unknown): boolean {
	return error instanceof RpcError && error.code === RpcErrorCode.methodNotFound;
}
