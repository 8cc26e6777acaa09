/**
 * The API for other extensions: what `activate` returns. This file is shipped as `dist/api.d.ts`, so it imports
 * nothing. The API is versioned: it may grow, but existing members never change.
 */

/** The current state of one configured server. */
export interface ServerSnapshot {
	/** Unique. Stays the same as long as the server's file and name do. */
	readonly id: string;
	/** The name in the configuration. Servers of other files may have the same name. */
	readonly name: string;
	readonly state: 'stopped' | 'untrusted' | 'waiting' | 'starting' | 'running' | 'stopping' | 'reconnecting' | 'failed';
	/** A description of the state in the person's language. */
	readonly description: string;
	readonly transport: 'stdio' | 'http' | 'sse';
	/** The negotiated protocol revision, while the server runs. */
	readonly protocolVersion: string | undefined;
	/** While the server runs: `legacy` for revisions up to 2025-11-25, `modern` from 2026-07-28 on. */
	readonly era: 'legacy' | 'modern' | undefined;
	/** The numbers of listed tools, resources, resource templates and prompts; `undefined` until they are known. */
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
	 * Every configured server, in the order of the configuration. Servers whose file can't be read within a second
	 * after activation are added later; `onDidChangeServers` reports that.
	 */
	servers(): readonly ServerSnapshot[];
	/** Calls the listener after every change of what `servers` returns. */
	onDidChangeServers(listener: () => void): Disposable;
	/**
	 * Returns a connection to a server. The server starts when the connection first needs it, and the person is asked
	 * whatever a start requires. The server may be stopped, restarted and reconfigured meanwhile.
	 * @param server the id or name of the server
	 * @param caller the id of your extension (`context.extension.id`), which the person is shown
	 * @throws ApiError `notFound`; TypeError
	 */
	connect(server: string, caller: string): Connection;
}

/**
 * Plain data of the protocol: tools, resources, prompts, results. The object is a copy that you may keep and change.
 */
export type ProtocolObject = Record<string, unknown>;

/** A connection to one server. All methods reject with ApiError, or with TypeError for arguments of the wrong type. */
export interface Connection {
	/** The server's id. */
	readonly server: string;
	listTools(options?: RequestOptions): Promise<ProtocolObject[]>;
	listResources(options?: RequestOptions): Promise<ProtocolObject[]>;
	listResourceTemplates(options?: RequestOptions): Promise<ProtocolObject[]>;
	listPrompts(options?: RequestOptions): Promise<ProtocolObject[]>;
	/** Calls the listener when a list has changed, or may have because the server has started. */
	onDidChangeLists(listener: () => void): Disposable;
	/**
	 * Runs a tool, if the person or the policy allows it. A tool that fails returns a result with `isError`.
	 * @returns the server's result: `content`, `structuredContent`, `isError`
	 */
	callTool(name: string, args: ProtocolObject, options?: CallOptions): Promise<ProtocolObject>;
	/** @returns the `contents` of the resource */
	readResource(uri: string, options?: RequestOptions): Promise<ProtocolObject[]>;
	/**
	 * Calls the listener when the resource has changed, or may have because its server has started. Does not start
	 * the server.
	 */
	subscribe(uri: string, listener: () => void): Disposable;
	/** @returns `description` and `messages` of the prompt */
	getPrompt(name: string, args: Record<string, string>, options?: RequestOptions): Promise<ProtocolObject>;
	/**
	 * Values for an argument of a prompt or a variable of a resource template, beginning with `argument.value`.
	 * @param context the arguments that are already filled in
	 */
	complete(
		reference: { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string },
		argument: { name: string; value: string },
		context?: Record<string, string>,
		options?: RequestOptions,
	): Promise<{ values: string[]; total?: number; hasMore?: boolean }>;
}

export interface RequestOptions {
	/** A `CancellationToken` of the editor, or an object like it. */
	readonly token?: CancellationToken | undefined;
}

export interface CallOptions extends RequestOptions {
	/** @param progress the progress so far, of `total` if that is known; `message` is text of the server */
	readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** An Error with a code. Its message is in the person's language. */
export interface ApiError extends Error {
	readonly code:
		| 'notFound'
		/** The server did not start, or waits for the person. */
		| 'notRunning'
		/** The person or the policy denied the call. */
		| 'denied'
		/** The tool is disabled. */
		| 'disabled'
		| 'cancelled'
		/** The server answered with a protocol error: see `rpcCode`. */
		| 'refused'
		/** There was no valid response: time-out, lost connection, or a violation of the protocol. */
		| 'failed';
	readonly rpcCode?: number | undefined;
}

/** Compatible with the editor's `CancellationToken`. */
export interface CancellationToken {
	readonly isCancellationRequested: boolean;
	readonly onCancellationRequested: (listener: (event: unknown) => unknown) => Disposable;
}

export interface Disposable {
	dispose(): void;
}
