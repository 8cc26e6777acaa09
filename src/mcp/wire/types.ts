/**
 * Types of the data that servers send, in one shape for every revision. All of it is untrusted text of a server: it is
 * shown as plain text, never run, and never rendered as markup.
 */
import type { JsonObject } from '../jsonrpc/messages.js';

/** The members of everything that has a name. `name` is the key; `title` (since 2025-06-18) is for people. */
export interface Named {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
}

/** An icon as received: `src` may be anything. */
export interface Icon {
	readonly src: string;
	readonly mimeType?: string;
	/** Each one is `48x48` or the like, or `any`; absent means any. */
	readonly sizes?: readonly string[];
	/** The background that the icon is made for; absent means both. */
	readonly theme?: 'light' | 'dark';
}

export interface Implementation extends Named {
	readonly version: string;
	/** Since 2025-11-25. */
	readonly icons?: readonly Icon[];
}

/** A capability is declared if its key exists, whatever the value. */
export interface ServerCapabilities {
	readonly tools?: { readonly listChanged?: boolean };
	readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
	readonly prompts?: { readonly listChanged?: boolean };
	readonly logging?: JsonObject;
	readonly completions?: JsonObject;
	readonly [key: string]: unknown;
}

/** A server's claims about a tool, which are never trusted. */
export interface ToolAnnotations {
	readonly title?: string;
	readonly readOnlyHint?: boolean;
	readonly destructiveHint?: boolean;
	readonly idempotentHint?: boolean;
	readonly openWorldHint?: boolean;
}

export interface Tool extends Named {
	/** A JSON Schema of `type: "object"`, exactly as sent. */
	readonly inputSchema: JsonObject;
	readonly outputSchema?: JsonObject;
	readonly annotations?: ToolAnnotations;
	/** 2025-11-25: whether the tool must, may or must not be called as a task; absent means it must not. */
	readonly taskSupport?: 'forbidden' | 'optional' | 'required';
}

/**
 * Since 2025-03-26: for whom something is intended, and how important it is. As received, so members may have any
 * type.
 */
export interface Annotations {
	/** `user`, `assistant`. */
	readonly audience?: unknown;
	/** From 0 (optional) to 1 (required). */
	readonly priority?: unknown;
	/** ISO 8601. */
	readonly lastModified?: unknown;
}

export interface Resource extends Named {
	readonly uri: string;
	readonly mimeType?: string;
	/** In bytes, before any encoding. */
	readonly size?: number;
	readonly annotations?: Annotations;
}

export interface ResourceTemplate extends Named {
	/** RFC 6570. */
	readonly uriTemplate: string;
	readonly mimeType?: string;
}

export interface PromptArgument extends Named {
	readonly required?: boolean;
}

export interface Prompt extends Named {
	readonly arguments?: readonly PromptArgument[];
}

/** One content of a resource: `text`, or `blob` in base64. */
export interface ResourceContents {
	readonly uri: string;
	readonly mimeType?: string;
	readonly text?: string;
	readonly blob?: string;
}

export interface PromptMessage {
	readonly role: 'user' | 'assistant';
	readonly content: ContentBlock;
}

export interface PromptResult {
	readonly description: string | undefined;
	readonly messages: readonly PromptMessage[];
}

export interface CompletionResult {
	/** At most 100. */
	readonly values: readonly string[];
	/** The number of all values, if the server says. */
	readonly total: number | undefined;
	readonly hasMore: boolean;
}

/** A block of content; blocks of unknown kinds are kept as received. */
export type ContentBlock =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
	| ({ readonly type: 'resource_link' } & Resource)
	| { readonly type: 'resource'; readonly resource: ResourceContents }
	/** With `isWhole`, `raw` is the whole result of a tool call, which has no content in the form of the protocol. */
	| { readonly type: 'unknown'; readonly raw: JsonObject; readonly isWhole?: true };

export interface ToolResult {
	readonly content: readonly ContentBlock[];
	readonly structuredContent?: unknown;
	/** The tool failed. Errors of the protocol are RpcErrors instead. */
	readonly isError: boolean;
	/** `_meta` as received. */
	readonly meta?: JsonObject;
	/** Names of members that the protocol doesn't have, if there are any. */
	readonly unknownMembers?: readonly string[];
}

/** A folder that the server may use. `uri` is a `file:` URI. */
export interface Root {
	readonly uri: string;
	readonly name?: string;
}

/** The lists whose changes a server can report. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** RFC 5424 severities, least severe first. */
export const loggingLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LoggingLevel = (typeof loggingLevels)[number];

/** `notifications/message`: one line of the server's log. */
export interface LogMessage {
	readonly level: LoggingLevel;
	readonly logger?: string;
	/** Any JSON. */
	readonly data: unknown;
}
