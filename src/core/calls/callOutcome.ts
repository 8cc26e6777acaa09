/** Types of a call that has ended, for the code that shows or stores it. */
import type { JsonObject, PromptMessage, SchemaCheck, Tool, ToolResult } from '../../mcp/index.js';
import type { Server } from '../servers/server.js';

export interface CallOutcome {
	/** The id of the call in the history; left out if the history doesn't keep the call. */
	readonly id?: string;
	readonly server: Server;
	/** For a prompt: a tool with the prompt's name. */
	readonly tool: Tool;
	/** The arguments that were sent. */
	readonly arguments: JsonObject;
	readonly durationMs: number;
	readonly end: CallEnd;
	/** For a prompt: the role of each block of the content, and the server's description of the result. */
	readonly prompt?: { readonly roles: readonly PromptMessage['role'][]; readonly description: string | undefined };
}

export type CallEnd =
	/** `schemaCheck` is the check of the structured content against the tool's `outputSchema`, if there are both. */
	| { readonly kind: 'result'; readonly result: ToolResult; readonly schemaCheck: SchemaCheck | undefined }
	/** There is no result: the server answered with an error, or didn't answer. */
	| { readonly kind: 'failed'; readonly error: unknown }
	/** The person cancelled the call. */
	| { readonly kind: 'cancelled' };

/** The actions that are offered with the outcome of a call. */
export interface CallAgain {
	/** Runs the call again with the same arguments, without a form. */
	readonly run: () => Promise<void>;
	/** Shows the form, filled in with the arguments. */
	readonly edit: () => Promise<void>;
}

/** Shows an outcome without taking the focus. */
export type ShowOutcome = (call: CallOutcome, again: CallAgain) => void;
