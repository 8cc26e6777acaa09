/** A call that has ended, for whoever shows or keeps it. Types only. */
import type { JsonObject, PromptMessage, SchemaCheck, Tool, ToolResult } from '../../mcp/index.js';
import type { Server } from '../servers/server.js';

export interface CallOutcome {
	/** By which the history knows it, if it keeps any; there is none of what it does not keep. */
	readonly id?: string;
	readonly server: Server;
	/** A prompt stands here with its name. */
	readonly tool: Tool;
	/** As they were sent. */
	readonly arguments: JsonObject;
	readonly durationMs: number;
	readonly end: CallEnd;
	/** Where it is a prompt: who says each block of the content, and the server's own word about it. */
	readonly prompt?: { readonly roles: readonly PromptMessage['role'][]; readonly description: string | undefined };
}

export type CallEnd =
	/** `schemaCheck` is what its structured content is against the tool's own `outputSchema`, where it has both. */
	| { readonly kind: 'result'; readonly result: ToolResult; readonly schemaCheck: SchemaCheck | undefined }
	/** There is no result: an error of the protocol, or none at all. */
	| { readonly kind: 'failed'; readonly error: unknown }
	/** The person cancelled the call. */
	| { readonly kind: 'cancelled' };

/** What a person can do with a call that they have seen the outcome of. */
export interface CallAgain {
	/** The same arguments, at once: they were seen. */
	readonly run: () => Promise<void>;
	/** The form first, filled in with them. */
	readonly edit: () => Promise<void>;
	/** What else can be done with this outcome; a promise where another list offers it first. Never rejects. */
	readonly uses?: readonly OutcomeUse[] | Promise<readonly OutcomeUse[]>;
}

export interface OutcomeUse {
	/** In words, and short: it stands on a button. */
	readonly label: string;
	readonly run: () => Promise<void>;
}

/** Shows an outcome where the person looks, without taking the focus. */
export type ShowOutcome = (call: CallOutcome, again: CallAgain) => void;
