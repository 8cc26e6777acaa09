/** One server: typed calls that read the same in every revision. How they get there is `conversation.ts`. */
import { type Disposable, Emitter, type Event } from '../../base/lifecycle.js';
import { McpError, RpcError, RpcErrorCode, withPlainMessage } from '../jsonrpc/errors.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import * as read from '../wire/read.js';
import type {
	CompletionResult,
	LoggingLevel,
	Prompt,
	PromptResult,
	Resource,
	ResourceContents,
	ResourceTemplate,
	Tool,
	ToolResult,
} from '../wire/types.js';
import type { Session } from './negotiate.js';
import { ToolHeaders } from './toolHeaders.js';
import type { ClientOptions } from './clientOptions.js';
import { Conversation } from './conversation.js';
import { Operations } from './operations.js';
import { type CallOptions, type OwnCallOptions, type TaskWait, taskToEnd } from './requestToEnd.js';

/** A reference to what is completed: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
	| { readonly type: 'ref/prompt'; readonly name: string }
	| { readonly type: 'ref/resource'; readonly uri: string };

export class Client extends Conversation {
	private readonly toolHeaders: ToolHeaders;
	private readonly _onDidEndCalls = this.own(new Emitter<void>());
	/** Nobody waits any more for a call, a prompt or a resource. */
	readonly onDidEndCalls: Event<void> = this._onDidEndCalls.event;
	private readonly operations = new Operations(() => this._onDidEndCalls.fire());

	constructor(options: ClientOptions) {
		super(options);
		this.toolHeaders = new ToolHeaders(options.log);
	}

	/** Another number for each of our operations that the server may ask questions about. */
	get operation(): number {
		return this.operations.current;
	}

	/** Whether somebody waits for a call, a prompt or a resource; all else goes on by itself. */
	get isInUse(): boolean {
		return this.operations.isAny;
	}

	async listTools(signal?: AbortSignal): Promise<Tool[]> {
		const tools = await this.listAll('tools/list', 'tools', read.readTool, signal);
		return this.usesHeaders ? this.toolHeaders.accept(tools) : tools;
	}

	/** @param onPage is given all there are so far, after each page that another follows; the array goes on growing */
	listResources(signal?: AbortSignal, onPage?: (items: readonly Resource[]) => void): Promise<Resource[]> {
		return this.listAll('resources/list', 'resources', read.readResource, signal, onPage);
	}

	/** @param onPage as for resources */
	listResourceTemplates(
		signal?: AbortSignal,
		onPage?: (items: readonly ResourceTemplate[]) => void,
	): Promise<ResourceTemplate[]> {
		return this.listAll('resources/templates/list', 'resourceTemplates', read.readResourceTemplate, signal, onPage);
	}

	/** @param onPage as for resources */
	listPrompts(signal?: AbortSignal, onPage?: (items: readonly Prompt[]) => void): Promise<Prompt[]> {
		return this.listAll('prompts/list', 'prompts', read.readPrompt, signal, onPage);
	}

	/** A person wants to see what is there now: no list is taken from before. */
	forgetLists(): void {
		for (const kind of ['tools', 'resources', 'prompts'] as const) {
			this.cache.forgetList(kind);
		}
	}

	/** All contents of one read; empty when the server says so. */
	async readResource(uri: string, signal?: AbortSignal): Promise<ResourceContents[]> {
		const result = await this.cached('resources/read', { uri }, { signal });
		return read.readList(result, 'contents', read.readResourceContents);
	}

	/** The next read asks the server, whatever it allowed to keep. */
	forgetResource(uri: string): void {
		this.cache.forgetResource(uri);
	}

	/** A tool that fails answers with `isError`; only the protocol's errors are thrown. */
	async callTool(tool: string | Tool, args: JsonObject, options?: CallOptions): Promise<ToolResult> {
		const name = typeof tool === 'string' ? tool : tool.name;
		const params = { name, arguments: args, ...(typeof tool === 'string' ? undefined : this.taskParameter(tool)) };
		try {
			return read.readToolResult(await this.request('tools/call', params, this.withHeaders(name, args, options)));
		} catch (error) {
			if (!this.usesHeaders || !(error instanceof RpcError) || error.code !== RpcErrorCode.headerMismatch) {
				throw error;
			}
			// Our picture of the tool is old: "SHOULD" list again and retry.
			this.cache.forgetList('tools');
			await this.listTools(options?.signal);
			return read.readToolResult(await this.request('tools/call', params, this.withHeaders(name, args, options)));
		}
	}

	private withHeaders(name: string, args: JsonObject, options: CallOptions | undefined): CallOptions | undefined {
		const headers = this.usesHeaders ? this.toolHeaders.for(name, args) : undefined;
		return headers ? { ...options, headers } : options;
	}

	/**
	 * The result of a call that became a task before: of this client, or of another that has kept its id.
	 * @throws RpcError if the server does not know the task, or it failed; McpError `taskCancelled`
	 */
	async resumeTask(taskId: string, wait: TaskWait = {}): Promise<ToolResult> {
		this.operations.begin('tools/call');
		try {
			const task = await this.request('tasks/get', { taskId }, { signal: wait.signal });
			return read.readToolResult(await taskToEnd(this.context, task, wait));
		} finally {
			this.operations.end('tools/call');
		}
	}

	async getPrompt(name: string, args: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<PromptResult> {
		return read.readPromptResult(await this.request('prompts/get', { name, arguments: args }, { signal }));
	}

	/**
	 * Values for an argument that begins with `value`.
	 * @param context the arguments filled in before it; not sent to servers of revisions before 2025-06-18
	 */
	async complete(
		ref: CompletionReference,
		argument: { readonly name: string; readonly value: string },
		context: Readonly<Record<string, string>> = {},
		options?: Pick<CallOptions, 'signal' | 'timeoutMs'>,
	): Promise<CompletionResult> {
		const isTold = Object.keys(context).length > 0 && this.session.protocolVersion >= '2025-06-18';
		const params = { ref, argument, ...(isTold ? { context: { arguments: context } } : {}) };
		return read.readCompletion(await this.request('completion/complete', params, options));
	}

	/** Whether the server has acknowledged a subscription to the resource that is still open. */
	isSubscribed(uri: string): boolean {
		return this.lost === undefined && (this.subscriptions.value?.isAcknowledged(uri) ?? false);
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

	protected override async request(method: string, params: JsonObject, options?: OwnCallOptions): Promise<JsonObject> {
		const { withoutSecrets } = this.options;
		this.operations.begin(method);
		try {
			return await super.request(method, params, options);
		} catch (error) {
			throw withoutSecrets ? withPlainMessage(error, withoutSecrets) : error;
		} finally {
			this.operations.end(method);
		}
	}

	/** Only the modern era over HTTP has arguments in headers. */
	private get usesHeaders(): boolean {
		return this.session.era === 'modern' && this.link.value?.transport.kind === 'http';
	}

	/** Legacy tools may need to be called as tasks, and must not be where the server has none. */
	private taskParameter({ taskSupport }: Tool): JsonObject {
		const { era, capabilities } = this.session;
		const requests = isObject(capabilities?.['tasks']) ? capabilities['tasks']['requests'] : undefined;
		const canCall = isObject(requests) && isObject(requests['tools']) && isObject(requests['tools']['call']);
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
		const result = await this.request(method, params, { ...options, onRetry });
		// Spec 2026-07-28, caching: what answers a retry with input is the answer to that input alone.
		if (!isRetried) {
			this.cache.put(method, params, result, epoch);
		}
		return result;
	}

	/**
	 * Follows `nextCursor` to the end. Spec, pagination: a missing cursor is the end. Some servers end with an empty cursor
	 * instead, or repeat one: following either would never end, so what came is the list.
	 */
	private async listAll<T>(
		method: string,
		key: string,
		readEntry: (entry: JsonObject) => T | undefined,
		signal: AbortSignal | undefined,
		onPage?: (items: readonly T[]) => void,
	): Promise<T[]> {
		const { pages: maxPages, items: maxItems } = this.limits;
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
				// The pages before do not hold either.
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

/** Spec, pagination: -32602 is for a cursor that no longer holds; and none holds "across sessions". */
function isEndOfCursor(error: unknown): boolean {
	return error instanceof McpError
		? error.failure.code === 'sessionLost'
		: error instanceof RpcError && error.code === RpcErrorCode.invalidParams;
}

/** Whether an error says that the server does not know the method at all. */
export function isUnknownMethod(error: unknown): boolean {
	return error instanceof RpcError && error.code === RpcErrorCode.methodNotFound;
}
