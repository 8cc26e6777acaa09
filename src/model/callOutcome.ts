/** A call that has ended, for whoever shows or keeps it. Types only. */
import type { JsonObject, SchemaCheck, Tool, ToolResult } from '../mcp/index.js';
import type { Server } from './server.js';

export interface CallOutcome {
	/** By which the history knows it, if it keeps any. */
	readonly id: string;
	readonly server: Server;
	readonly tool: Tool;
	/** As they were sent. */
	readonly arguments: JsonObject;
	readonly durationMs: number;
	readonly end: CallEnd;
}

export type CallEnd =
	/** `schemaCheck` is what its structured content is against the tool's own `outputSchema`, where it has both. */
	| { readonly kind: 'result'; readonly result: ToolResult; readonly schemaCheck: SchemaCheck | undefined }
	/** There is no result: an error of the protocol, or none at all. */
	| { readonly kind: 'failed'; readonly error: unknown };

/** What a person can do with a call that they have seen the outcome of. */
export interface CallAgain {
	/** The same arguments, at once: they were seen. */
	readonly run: () => Promise<void>;
	/** The form first, filled in with them. */
	readonly edit: () => Promise<void>;
}

/** Shows an outcome where the person looks, without taking the focus. */
export type ShowOutcome = (call: CallOutcome, again: CallAgain) => void;
