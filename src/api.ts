/**
 * What `activate` returns to other extensions. The whole of it is shipped as `dist/api.d.ts`, so nothing is imported
 * here. Versioned; grows, never changes.
 */

/** One configured server as it is now. */
export interface ServerSnapshot {
	/** Unique, and the same as long as file and name of the server are. */
	readonly id: string;
	/** As configured; other places may have a server of that name as well. */
	readonly name: string;
	readonly state: 'stopped' | 'untrusted' | 'waiting' | 'starting' | 'running' | 'stopping' | 'reconnecting' | 'failed';
	/** The state in words, in the person's language. */
	readonly description: string;
	readonly transport: 'stdio' | 'http' | 'sse';
	/** The negotiated protocol revision, while it runs. */
	readonly protocolVersion: string | undefined;
	/** Up to 2025-11-25, or from 2026-07-28 on; while it runs. */
	readonly era: 'legacy' | 'modern' | undefined;
	/** How many tools, resources, templates and prompts it lists; `undefined` until they are known. */
	readonly counts: {
		readonly tools: number | undefined;
		readonly resources: number | undefined;
		readonly resourceTemplates: number | undefined;
		readonly prompts: number | undefined;
	};
}

export interface ExtensionApi {
	readonly version: 1;
	/**
	 * Every configured server, in the order of the configuration. Servers of a file that can't be read within a second
	 * after the activation come later: `onDidChangeServers` tells of them.
	 */
	servers(): readonly ServerSnapshot[];
	/** Calls back after any change of what `servers` gives. */
	onDidChangeServers(listener: () => void): Disposable;
	/**
	 * A server to work with. It is started when something of it is first asked for, with all that the person is asked
	 * then; it may be stopped, restarted and reconfigured meanwhile.
	 * @param server its id, or its name
	 * @param caller the id of your extension (`context.extension.id`): the person is told who asks
	 * @throws ApiError `notFound`; TypeError
	 */
	connect(server: string, caller: string): Connection;
}

/** Plain data as the protocol has it: tools, resources, prompts, results. Yours to keep and to change. */
export type ProtocolObject = Record<string, unknown>;

/** All methods reject with ApiError, or TypeError for arguments of the wrong type. */
export interface Connection {
	/** The server's id. */
	readonly server: string;
	listTools(options?: RequestOptions): Promise<ProtocolObject[]>;
	listResources(options?: RequestOptions): Promise<ProtocolObject[]>;
	listResourceTemplates(options?: RequestOptions): Promise<ProtocolObject[]>;
	listPrompts(options?: RequestOptions): Promise<ProtocolObject[]>;
	/** One of the lists has changed, or may have: the server was started. */
	onDidChangeLists(listener: () => void): Disposable;
	/**
	 * Runs a tool, if the person or their policy allows it. A tool that fails answers with `isError`.
	 * @returns what the server answered: `content`, `structuredContent`, `isError`
	 */
	callTool(name: string, args: ProtocolObject, options?: CallOptions): Promise<ProtocolObject>;
	/** @returns all `contents` of one read */
	readResource(uri: string, options?: RequestOptions): Promise<ProtocolObject[]>;
	/** Calls back whenever the resource has changed, or may have: when its server runs anew. Does not start it. */
	subscribe(uri: string, listener: () => void): Disposable;
	/** @returns `description` and `messages` */
	getPrompt(name: string, args: Record<string, string>, options?: RequestOptions): Promise<ProtocolObject>;
	/**
	 * Values for an argument of a prompt, or a variable of a resource template, that begin with `value`.
	 * @param context arguments that are filled in already
	 */
	complete(
		reference: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
		argument: { name: string; value: string },
		context?: Record<string, string>,
		options?: RequestOptions,
	): Promise<{ values: string[]; total?: number; hasMore?: boolean }>;
}

export interface RequestOptions {
	/** The editor's own, or one that looks like it. */
	readonly token?: CancellationToken | undefined;
}

export interface CallOptions extends RequestOptions {
	/** @param progress how far it is, of `total` if that is known; the message is the server's own text */
	readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** An Error with a code. Its message is in the person's language. */
export interface ApiError extends Error {
	readonly code:
		| 'notFound'
		/** The server did not start, or waits for the person. */
		| 'notRunning'
		/** The person, or their policy, said no. */
		| 'denied'
		/** The tool is switched off. */
		| 'disabled'
		| 'cancelled'
		/** The server answered with an error of the protocol: `rpcCode`. */
		| 'refused'
		/** There was no answer: time-out, lost connection, an answer that breaks the protocol. */
		| 'failed';
	readonly rpcCode?: number | undefined;
}

/** Fits the editor's own. */
export interface CancellationToken {
	readonly isCancellationRequested: boolean;
	readonly onCancellationRequested: (listener: (event: unknown) => unknown) => Disposable;
}

export interface Disposable {
	dispose(): void;
}
