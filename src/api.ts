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
	readonly version: 2;
	/**
	 * Every configured server, in the order of the configuration. Servers whose file can't be read within a second
	 * after activation are added later; `onDidChangeServers` reports that.
	 */
	servers(): readonly ServerSnapshot[];
	/** Calls the listener after every change of what `servers` returns. */
	onDidChangeServers(listener: () => void): Disposable;
	/**
	 * Calls a tool, if the person or the policy allows it. Starts the server if it doesn't run, and asks the person
	 * whatever a start requires. A tool that fails returns a result with `isError`. Rejects with ApiError, or with
	 * TypeError for arguments of the wrong type.
	 * @returns the server's result: `content`, `structuredContent`, `isError`. A copy that you may keep and change.
	 */
	callTool(call: ToolCall, options?: CallOptions): Promise<ProtocolObject>;
}

export interface ToolCall {
	/** The id or name of the server. */
	readonly server: string;
	readonly tool: string;
	readonly arguments: ProtocolObject;
	/** The id of your extension (`context.extension.id`), which the person is shown. */
	readonly caller: string;
}

/** Plain data of the protocol. */
export type ProtocolObject = Record<string, unknown>;

export interface CallOptions {
	/** A `CancellationToken` of the editor, or an object like it. */
	readonly token?: CancellationToken | undefined;
	/** @param progress the progress so far, of `total` if that is known; `message` is text of the server */
	readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** An Error with a code. Its message is in the person's language. */
export interface ApiError extends Error {
	readonly code:
		/** There is no such server or tool. */
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
