/**
 * The client of one server: typed calls that are the same in every revision. `session.ts` sends them; this file adds
 * reading, lists, caching and headers.
 */
import type { Logger } from '../../base/log.js';
import { hasFailure, isRpcError, McpError, RpcErrorCode } from '../jsonrpc/errors.js';
import { isObject, type JsonObject, toObject } from '../jsonrpc/messages.js';
import * as read from '../wire/read.js';
import type {
	CompletionResult,
	Named,
	Prompt,
	PromptResult,
	Resource,
	ResourceContents,
	ResourceTemplate,
	Tool,
	ToolResult,
} from '../wire/types.js';
import type { Session } from './negotiate.js';
import { type CallOptions, ClientSession, type OwnCallOptions, type TaskWait } from './session.js';
import { type ParamHeader, paramHeaders, readParamHeaders } from '../transport/httpHeaders.js';

/** The subject of a completion: an argument of a prompt, or a variable of a resource template. */
export type CompletionReference =
	| { readonly type: 'ref/prompt'; readonly name: string }
	| { readonly type: 'ref/resource'; readonly uri: string };

/** Disposing a client ends its connection at once; `close` ends it in order. */
export class Client extends ClientSession {
	private readonly toolHeaders = new ToolHeaders(this.options.log);

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
	async readResource(uri: string, options: CallOptions = {}): Promise<ResourceContents[]> {
		const result = await this.cached('resources/read', { uri }, options);
		return read.readList(result, 'contents', read.readResourceContents);
	}

	/** Sends a request of any method with any parameters. */
	send(method: string, params: JsonObject, options?: CallOptions): Promise<JsonObject> {
		return this.request(method, params, options);
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
		const params = {
			...options?.others,
			name,
			arguments: args,
			...(typeof tool === 'string' ? undefined : this.taskParameter(tool)),
		};
		for (let isRetry = false; ; isRetry = true) {
			const headers = this.usesHeaders ? this.toolHeaders.for(name, args) : undefined;
			try {
				return read.readToolResult(
					await this.request('tools/call', params, headers ? { ...options, headers } : options),
				);
			} catch (error) {
				if (isRetry || !this.usesHeaders || !isRpcError(error, RpcErrorCode.headerMismatch)) {
					throw error;
				}
			}
			// The annotations that the headers were made from are outdated. Spec: "SHOULD" list the tools and retry.
			this.cache.forgetList('tools');
			await this.listTools(options?.signal);
		}
	}

	/**
	 * Waits for the result of a tool call that became a task earlier, in this session or in an earlier one.
	 * @throws RpcError if the server does not know the task, or the task failed; McpError `taskCancelled`
	 */
	async resumeTask(taskId: string, wait: TaskWait = {}): Promise<ToolResult> {
		return read.readToolResult(await this.requestTaskResult(taskId, wait));
	}

	async getPrompt(name: string, args: Readonly<Record<string, string>>, options?: CallOptions): Promise<PromptResult> {
		return read.readPromptResult(await this.request('prompts/get', { name, arguments: args }, options));
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
		return read.readCompletion(await this.request('completion/complete', params, options));
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
		const result = await this.request(method, params, { ...options, onRetry });
		// Spec 2026-07-28, caching: the result of a retry with input is valid for that input only.
		if (!isRetried) {
			this.cache.put(method, params, result, epoch);
		}
		return result;
	}

	/**
	 * Reads all pages of a list. Spec, pagination: a missing cursor marks the last page, and since 2026-07-28 an empty
	 * cursor is one like any other. Many older servers end with an empty one (java-sdk#628, csharp-sdk#1072). A cursor
	 * that comes again would never end, so the list ends there, without the items that have come before.
	 * @throws McpError `tooManyItems` or `tooManyPages`
	 */
	private async listAll<T extends Named & { readonly uri?: string; readonly uriTemplate?: string }>(
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
				// The pages that were read with that cursor's predecessors are invalid too.
				isRestarted = true;
				this.cache.forget(method);
				items.length = 0;
				seen.clear();
				params = {};
				session = undefined;
				continue;
			}
			const before = items.length;
			read.readList(result, key, readEntry, items);
			if (items.length > maxItems) {
				throw new McpError({ code: 'tooManyItems', method, limit: maxItems });
			}
			const cursor = result['nextCursor'];
			if (typeof cursor !== 'string') {
				return items;
			}
			const isRepeated = seen.has(cursor);
			if (isRepeated || (cursor === '' && this.session.era === 'legacy')) {
				const why = isRepeated ? 'repeated a cursor' : 'sent an empty cursor';
				this.options.log.warn(`${method} ended at page ${page + 1} because the server ${why}.`);
				const known = new Set(isRepeated ? items.slice(0, before).map(identify) : []);
				return items.filter((it, index) => index < before || !known.has(identify(it)));
			}
			seen.add(cursor);
			onPage?.(items);
			params = { cursor };
			({ session } = this);
		}
		throw new McpError({ code: 'tooManyPages', method, limit: maxPages });
	}
}

/** The member that identifies an entry in its list. */
function identify({
	name,
	uri,
	uriTemplate,
}: Named & { readonly uri?: string; readonly uriTemplate?: string }): string {
	return uri ?? uriTemplate ?? name;
}

/** Whether the cursor is invalid. Spec, pagination: servers answer -32602, and no cursor is valid "across sessions". */
function isEndOfCursor(error: unknown): boolean {
	return hasFailure(error, 'sessionLost') || isRpcError(error, RpcErrorCode.invalidParams);
}

/**
 * Tool arguments that are also sent in HTTP headers (`x-mcp-header`). Spec 2026-07-28, server/tools: over HTTP, a tool with
 * invalid annotations must be left out.
 */
class ToolHeaders {
	/** Contains only tools with such arguments. */
	private readonly byTool = new Map<string, readonly ParamHeader[]>();

	constructor(private readonly log: Logger) {}

	/** Returns the tools with valid annotations, and remembers their headers for `for`. */
	accept(tools: readonly Tool[]): Tool[] {
		this.byTool.clear();
		return tools.filter(tool => {
			const { headers, problems } = readParamHeaders(tool.inputSchema);
			const [problem] = problems;
			if (problem) {
				this.log.warn(`Left out the tool ${JSON.stringify(tool.name)}: x-mcp-header at ${problem}.`);
				return false;
			}
			if (headers.length > 0) {
				this.byTool.set(tool.name, headers);
			}
			return true;
		});
	}

	/** The headers for one call; `undefined` if the tool needs none. */
	for(tool: string, args: JsonObject): Readonly<Record<string, string>> | undefined {
		const headers = this.byTool.get(tool);
		return headers && paramHeaders(headers, args);
	}
}
