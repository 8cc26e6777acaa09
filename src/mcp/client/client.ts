/**
 * The client of one server: typed calls that are the same in every revision. `clientSession.ts` carries them out;
 * this file adds reading, lists, caching and headers.
 */
import { clock } from '../../base/clock.js';
import { type Disposable, Owner } from '../../base/lifecycle.js';
import { hasFailure, isRpcError, McpError, RpcErrorCode } from '../jsonrpc/errors.js';
import { isObject, type JsonObject, toObject } from '../jsonrpc/messages.js';
import * as read from '../wire/read.js';
import type {
	CompletionResult,
	LoggingLevel,
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
import { ClientEvents } from './clientEvents.js';
import type { ClientOptions } from './clientOptions.js';
import { ClientSession } from './clientSession.js';
import type { CallOptions, OwnCallOptions, TaskWait } from './completeRequest.js';
import type { Session } from './negotiate.js';
import { ToolHeaders } from './toolHeaders.js';

/** What is completed: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
	| { readonly type: 'ref/prompt'; readonly name: string }
	| { readonly type: 'ref/resource'; readonly uri: string };

/** Disposing a client ends its connection at once; `close` ends it in order. */
export class Client extends Owner {
	private readonly cache = new ResultCache(() => clock.now());
	private readonly events = this.own(new ClientEvents(this.cache));
	private readonly clientSession: ClientSession;
	private readonly toolHeaders: ToolHeaders;

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
	/** The server has not responded in time after `prove`: carries the reason, and `undefined` when it responds later. */
	readonly onDidDoubt = this.events.didDoubt.event;

	constructor(private readonly options: ClientOptions) {
		super();
		this.clientSession = this.own(new ClientSession(options, this.events, this.cache));
		this.toolHeaders = new ToolHeaders(options.log);
	}

	/** The negotiated session. @throws McpError `closed` before `connect` has succeeded */
	get session(): Session {
		return this.clientSession.session;
	}

	/** Default time-out of requests in milliseconds; 0 for none. */
	get requestTimeoutMs(): number {
		return this.options.timeoutMs;
	}

	/** Id of the current operation (tool call, prompt or read). Operations that overlap share one id. */
	get operation(): number {
		return this.clientSession.operations.current;
	}

	/** Whether a tool call, a prompt or a read is in progress. */
	get isInUse(): boolean {
		return this.clientSession.operations.isAny;
	}

	/**
	 * Connects to the server and negotiates a session.
	 * @throws McpError `spawn`, `noFolder`, `network`, `http`, `closed`, `timeout`, `unsupportedVersion` or
	 * `invalidResult`; RpcError if the server refuses; AbortError if `signal` aborts
	 */
	connect(signal: AbortSignal): Promise<Session> {
		return this.clientSession.connect(signal);
	}

	/** Shuts the session down, by force if the server does not cooperate. Resolves when the connection has ended. */
	close(): Promise<void> {
		return this.clientSession.close();
	}

	/** Whether the server declared a capability. True if the server was not asked for its capabilities. */
	offers(capability: keyof ServerCapabilities & string): boolean {
		return this.clientSession.offers(capability);
	}

	/**
	 * To be called when the machine has slept or the network has changed: connections over HTTP may be dead without an
	 * error by then, so the server has to respond at once. Does nothing over stdio.
	 */
	prove(): void {
		this.clientSession.prove();
	}

	async listTools(signal?: AbortSignal): Promise<Tool[]> {
		const tools = await this.listAll('tools/list', 'tools', read.readTool, signal);
		return this.usesHeaders ? this.toolHeaders.accept(tools) : tools;
	}

	/** @param onPage receives all resources read so far, after each page but the last; the array keeps growing */
	listResources(signal?: AbortSignal, onPage?: (items: readonly Resource[]) => void): Promise<Resource[]> {
		return this.listAll('resources/list', 'resources', read.readResource, signal, onPage);
	}

	/** @param onPage as for `listResources` */
	listResourceTemplates(
		signal?: AbortSignal,
		onPage?: (items: readonly ResourceTemplate[]) => void,
	): Promise<ResourceTemplate[]> {
		return this.listAll('resources/templates/list', 'resourceTemplates', read.readResourceTemplate, signal, onPage);
	}

	/** @param onPage as for `listResources` */
	listPrompts(signal?: AbortSignal, onPage?: (items: readonly Prompt[]) => void): Promise<Prompt[]> {
		return this.listAll('prompts/list', 'prompts', read.readPrompt, signal, onPage);
	}

	/** Makes the next listing of every kind ask the server, even if the cached one is still fresh. */
	forgetLists(): void {
		for (const kind of ['tools', 'resources', 'prompts'] as const) {
			this.cache.forgetList(kind);
		}
	}

	/** All contents of one resource; may be empty. */
	async readResource(uri: string, signal?: AbortSignal): Promise<ResourceContents[]> {
		const result = await this.cached('resources/read', { uri }, { signal });
		return read.readList(result, 'contents', read.readResourceContents);
	}

	/** Makes the next read ask the server, even if the cached one is still fresh. */
	forgetResource(uri: string): void {
		this.cache.forgetResource(uri);
	}

	/**
	 * A tool that fails returns a result with `isError`.
	 * @throws RpcError, McpError or AbortError: errors of the protocol
	 */
	async callTool(tool: string | Tool, args: JsonObject, options?: CallOptions): Promise<ToolResult> {
		const name = typeof tool === 'string' ? tool : tool.name;
		const params = { name, arguments: args, ...(typeof tool === 'string' ? undefined : this.taskParameter(tool)) };
		try {
			return read.readToolResult(await this.requestToolCall(params, options));
		} catch (error) {
			if (!this.usesHeaders || !isRpcError(error, RpcErrorCode.headerMismatch)) {
				throw error;
			}
			// The annotations that the headers were made from are outdated. Spec: "SHOULD" list the tools and retry.
			this.cache.forgetList('tools');
			await this.listTools(options?.signal);
			return read.readToolResult(await this.requestToolCall(params, options));
		}
	}

	private requestToolCall(
		params: { readonly name: string; readonly arguments: JsonObject },
		options: CallOptions | undefined,
	): Promise<JsonObject> {
		const headers = this.usesHeaders ? this.toolHeaders.for(params.name, params.arguments) : undefined;
		return this.clientSession.request('tools/call', params, headers ? { ...options, headers } : options);
	}

	/**
	 * Waits for the result of a tool call that became a task earlier, in this session or in an earlier one.
	 * @throws RpcError if the server does not know the task, or the task failed; McpError `taskCancelled`
	 */
	async resumeTask(taskId: string, wait: TaskWait = {}): Promise<ToolResult> {
		return read.readToolResult(await this.clientSession.resumeTask(taskId, wait));
	}

	async getPrompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<PromptResult> {
		return read.readPromptResult(
			await this.clientSession.request('prompts/get', { name, arguments: args }, { signal }),
		);
	}

	/**
	 * Values for an argument, beginning with `argument.value`.
	 * @param context the arguments that are already filled in; not sent to servers of revisions before 2025-06-18
	 */
	async complete(
		ref: CompletionReference,
		argument: { readonly name: string; readonly value: string },
		context: Readonly<Record<string, string>> = {},
		options?: Pick<CallOptions, 'signal' | 'timeoutMs'>,
	): Promise<CompletionResult> {
		const hasContext = Object.keys(context).length > 0 && this.session.protocolVersion >= '2025-06-18';
		const params = { ref, argument, ...(hasContext ? { context: { arguments: context } } : {}) };
		return read.readCompletion(await this.clientSession.request('completion/complete', params, options));
	}

	/** Whether the server has acknowledged a subscription to the resource, and the subscription is still open. */
	isSubscribed(uri: string): boolean {
		return this.clientSession.isSubscribed(uri);
	}

	/** Makes `onDidUpdateResource` report changes of the resource until disposed, if the server supports it. */
	subscribeResource(uri: string): Disposable {
		return this.clientSession.subscriptions.value?.add(uri) ?? { dispose() {} };
	}

	/** Asks for log messages of `level` and above. Does nothing if the server has no logging. */
	async setLoggingLevel(level: LoggingLevel): Promise<void> {
		await this.clientSession.setLoggingLevel(level);
	}

	/** Tells a legacy server that the roots have changed. A modern server asks whenever it needs them. */
	async notifyRootsChanged(): Promise<void> {
		if (this.clientSession.handlers.roots && this.session.era === 'legacy') {
			await this.clientSession.link.value?.notify('notifications/roots/list_changed');
		}
	}

	/** Only the modern era over HTTP sends arguments in headers. */
	private get usesHeaders(): boolean {
		return this.session.era === 'modern' && this.clientSession.link.value?.transport.kind === 'http';
	}

	/** Some legacy tools have to be called as tasks. A server without tasks must not get the parameter. */
	private taskParameter({ taskSupport }: Tool): JsonObject {
		const { era, capabilities } = this.session;
		const { requests } = toObject(capabilities?.['tasks']);
		const canCall = isObject(toObject(toObject(requests)['tools'])['call']);
		return era === 'legacy' && canCall && taskSupport === 'required' ? { task: {} } : {};
	}

	private async cached(method: string, params: JsonObject, options: OwnCallOptions): Promise<JsonObject> {
		const known = this.cache.get(method, params);
		if (known) {
			return known;
		}
		const { epoch } = this.cache;
		let isRetried = false;
		const onRetry = (): void => {
			isRetried = true;
		};
		const result = await this.clientSession.request(method, params, { ...options, onRetry });
		// Spec 2026-07-28, caching: the result of a retry with input is valid for that input only.
		if (!isRetried) {
			this.cache.put(method, params, result, epoch);
		}
		return result;
	}

	/**
	 * Reads all pages of a list. Spec, pagination: a missing cursor marks the last page. Some servers send an empty or
	 * repeated cursor instead; following it would never end, so the list ends there.
	 * @throws McpError `tooManyItems` or `tooManyPages`
	 */
	private async listAll<T>(
		method: string,
		key: string,
		readEntry: (entry: JsonObject) => T | undefined,
		signal: AbortSignal | undefined,
		onPage?: (items: readonly T[]) => void,
	): Promise<T[]> {
		const { pages: maxPages, items: maxItems } = this.clientSession.limits;
		const items: T[] = [];
		const seen = new Set<string>();
		let params: JsonObject = {};
		let session: Session | undefined;
		let isRestarted = false;
		for (let page = 0; page < maxPages; page++) {
			let result: JsonObject;
			try {
				result = await this.cached(method, params, { signal, session });
			} catch (error) {
				if (!isEndOfCursor(error) || isRestarted || !('cursor' in params)) {
					throw error;
				}
				// The pages that were read with that cursor's predecessors are invalid too.
				isRestarted = true;
				this.cache.forget(method);
				items.length = 0;
				seen.clear();
				params = {};
				session = undefined;
				continue;
			}
			read.readList(result, key, readEntry, items);
			if (items.length > maxItems) {
				throw new McpError({ code: 'tooManyItems', method, limit: maxItems });
			}
			const cursor = result['nextCursor'];
			if (typeof cursor !== 'string') {
				return items;
			}
			if (cursor === '' || seen.has(cursor)) {
				const why = cursor === '' ? 'sent an empty cursor' : 'repeated a cursor';
				this.options.log.warn(`${method} ended at page ${page + 1} because the server ${why}.`);
				return items;
			}
			seen.add(cursor);
			onPage?.(items);
			params = { cursor };
			({ session } = this);
		}
		throw new McpError({ code: 'tooManyPages', method, limit: maxPages });
	}
}

/** Whether the cursor is invalid. Spec, pagination: servers answer -32602, and no cursor is valid "across sessions". */
function isEndOfCursor(error: unknown): boolean {
	return hasFailure(error, 'sessionLost') || isRpcError(error, RpcErrorCode.invalidParams);
}
