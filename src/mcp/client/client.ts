/**
 * One conversation with one server: the handshake, then typed calls. Legacy era only so far
 * (2025-11-25 and what a server answers below it).
 */
import { type Disposable, Emitter, type Event, Owner } from '../../base/lifecycle.js';
import type { Logger } from '../../base/log.js';
import { Connection, type RequestOptions, type WireEvent } from '../jsonrpc/connection.js';
import { McpError } from '../jsonrpc/errors.js';
import { isObject, type JsonObject } from '../jsonrpc/messages.js';
import type { Transport } from '../transport/transport.js';
import {
	readList,
	readLogMessage,
	readPrompt,
	readResource,
	readResourceContents,
	readResourceTemplate,
	readTool,
	readToolResult,
} from '../wire/read.js';
import type {
	Implementation,
	LoggingLevel,
	LogMessage,
	Prompt,
	Resource,
	ResourceContents,
	ResourceTemplate,
	Root,
	ServerCapabilities,
	Tool,
	ToolResult,
} from '../wire/types.js';

/** The newest revision with an `initialize` handshake: what we offer. */
export const latestLegacyVersion = '2025-11-25';

/** What we accept as an answer. 2024-10-07 is treated as 2024-11-05. */
const acceptedVersions: ReadonlySet<string> = new Set([
	'2025-11-25',
	'2025-06-18',
	'2025-03-26',
	'2024-11-05',
	'2024-10-07',
]);

/** A listing of more pages than this is taken for an endless one. */
const maxPages = 1000;

export interface ClientOptions {
	readonly clientInfo: Implementation;
	/** Milliseconds a request may go without answer or progress. */
	readonly timeoutMs: number;
	readonly log: Logger;
	/** Supplied, the client declares the `roots` capability and answers `roots/list` with it. */
	readonly roots?: () => readonly Root[];
}

/** What the handshake agreed on. */
export interface Session {
	readonly protocolVersion: string;
	readonly serverInfo: Implementation;
	readonly capabilities: ServerCapabilities;
	/** Server-provided text for a model. */
	readonly instructions: string | undefined;
}

/** The lists a server can say have changed. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** A connected server. Owns the transport. */
export class Client extends Owner {
	private readonly _onDidChangeList = this.own(new Emitter<ListKind>());
	readonly onDidChangeList: Event<ListKind> = this._onDidChangeList.event;

	private readonly _onDidLog = this.own(new Emitter<LogMessage>());
	readonly onDidLog: Event<LogMessage> = this._onDidLog.event;

	readonly onDidTransfer: Event<WireEvent>;

	private readonly connection: Connection;
	private agreed: Session | undefined;

	constructor(
		private readonly transport: Transport,
		private readonly options: ClientOptions,
	) {
		super();
		this.own(transport);
		this.connection = this.own(new Connection(transport, options.log));
		this.onDidTransfer = this.connection.onDidTransfer;
		const { roots } = options;
		if (roots) {
			this.connection.onRequest('roots/list', () => Promise.resolve({ roots: roots() }));
		}
		for (const kind of ['tools', 'resources', 'prompts'] as const) {
			this.connection.onNotification(`notifications/${kind}/list_changed`, () => this._onDidChangeList.fire(kind));
		}
		this.connection.onNotification('notifications/message', params => this._onDidLog.fire(readLogMessage(params)));
	}

	/** What was agreed on. @throws McpError `closed` before `connect` has succeeded. */
	get session(): Session {
		if (!this.agreed) {
			throw new McpError({ code: 'closed' });
		}
		return this.agreed;
	}

	/**
	 * Starts the transport and shakes hands.
	 * @throws McpError `spawn`, `closed`, `timeout`, `unsupportedVersion` or `invalidResult`
	 * @throws RpcError if the server refuses
	 * @throws AbortError if `signal` aborts
	 */
	async connect(signal: AbortSignal): Promise<Session> {
		await this.transport.start();
		const capabilities: JsonObject = this.options.roots ? { roots: { listChanged: true } } : {};
		const result = await this.connection.request(
			'initialize',
			{ protocolVersion: latestLegacyVersion, capabilities, clientInfo: this.options.clientInfo },
			{ signal, timeoutMs: this.options.timeoutMs, uncancellable: true },
		);
		const session = readSession(result);
		if (!acceptedVersions.has(session.protocolVersion)) {
			throw new McpError({ code: 'unsupportedVersion', version: session.protocolVersion });
		}
		this.agreed = session;
		await this.connection.notify('notifications/initialized');
		return session;
	}

	/** Ends the conversation politely, then firmly; resolves when nothing is left of it. */
	close(): Promise<void> {
		return this.transport.close();
	}

	listTools(signal?: AbortSignal): Promise<Tool[]> {
		return this.listAll('tools/list', 'tools', readTool, signal);
	}

	listResources(signal?: AbortSignal): Promise<Resource[]> {
		return this.listAll('resources/list', 'resources', readResource, signal);
	}

	listResourceTemplates(signal?: AbortSignal): Promise<ResourceTemplate[]> {
		return this.listAll('resources/templates/list', 'resourceTemplates', readResourceTemplate, signal);
	}

	listPrompts(signal?: AbortSignal): Promise<Prompt[]> {
		return this.listAll('prompts/list', 'prompts', readPrompt, signal);
	}

	/** All contents of one read; empty when the server says so. */
	async readResource(uri: string, signal?: AbortSignal): Promise<ResourceContents[]> {
		const result = await this.request('resources/read', { uri }, { signal });
		return readList(result, 'contents', readResourceContents);
	}

	/** A tool that fails answers with `isError`; only the protocol's errors are thrown. */
	async callTool(name: string, args: JsonObject, options: RequestOptions = {}): Promise<ToolResult> {
		return readToolResult(await this.request('tools/call', { name, arguments: args }, options));
	}

	/** Asks for log messages of `level` and above; nothing happens if the server has no logging. */
	async setLoggingLevel(level: LoggingLevel): Promise<void> {
		if (this.session.capabilities.logging) {
			await this.request('logging/setLevel', { level });
		}
	}

	/** Tells the server that the roots are others now. */
	async notifyRootsChanged(): Promise<void> {
		if (this.options.roots) {
			await this.connection.notify('notifications/roots/list_changed');
		}
	}

	/** Fires once when the transport has ended. */
	onDidEnd(listener: Parameters<Transport['onDidEnd']>[0]): Disposable {
		return this.transport.onDidEnd(listener);
	}

	private request(method: string, params: JsonObject, options: RequestOptions = {}): Promise<JsonObject> {
		return this.connection.request(method, params, { timeoutMs: this.options.timeoutMs, ...options });
	}

	/** Follows `nextCursor` to the end. Spec, pagination: a missing cursor is the end. */
	private async listAll<T>(
		method: string,
		key: string,
		read: (entry: JsonObject) => T | undefined,
		signal: AbortSignal | undefined,
	): Promise<T[]> {
		const items: T[] = [];
		const seen = new Set<string>();
		let params: JsonObject = {};
		for (let page = 0; page < maxPages; page++) {
			const result = await this.request(method, params, { signal });
			for (const item of readList(result, key, read)) {
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

function readSession(result: JsonObject): Session {
	const { protocolVersion, capabilities, serverInfo, instructions } = result;
	if (typeof protocolVersion !== 'string') {
		throw new McpError({ code: 'invalidResult', method: 'initialize', why: 'no protocolVersion' });
	}
	const info = isObject(serverInfo) ? serverInfo : {};
	return {
		protocolVersion,
		capabilities: isObject(capabilities) ? capabilities : {},
		serverInfo: {
			name: typeof info['name'] === 'string' ? info['name'] : '',
			version: typeof info['version'] === 'string' ? info['version'] : '',
			...(typeof info['title'] === 'string' ? { title: info['title'] } : {}),
		},
		instructions: typeof instructions === 'string' ? instructions : undefined,
	};
}
