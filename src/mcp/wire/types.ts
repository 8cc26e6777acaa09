/**
 * What servers offer and answer, in one neutral shape for every revision. Everything here was sent by
 * a server and is untrusted text: it is shown as plain text, never run, never rendered as markup.
 */
import type { JsonObject } from '../jsonrpc/messages.js';

/** Common to everything with a name: `name` is the key, `title` (since 2025-06-18) is for people. */
export interface Named {
	readonly name: string;
	readonly title?: string;
	readonly description?: string;
}

/** A picture the server wants to be known by, as it came: `src` may be anything. */
export interface Icon {
	readonly src: string;
	readonly mimeType?: string;
	/** Each `48x48`, or `any`; absent means any. */
	readonly sizes?: readonly string[];
	/** The kind of background it is made for; absent means both. */
	readonly theme?: 'light' | 'dark';
}

export interface Implementation extends Named {
	readonly version: string;
	/** Since 2025-11-25. */
	readonly icons?: readonly Icon[];
}

/** A capability is there if its key is, whatever its value. */
export interface ServerCapabilities {
	readonly tools?: { readonly listChanged?: boolean };
	readonly resources?: { readonly listChanged?: boolean; readonly subscribe?: boolean };
	readonly prompts?: { readonly listChanged?: boolean };
	readonly logging?: JsonObject;
	readonly completions?: JsonObject;
	readonly [key: string]: unknown;
}

/** Claims of the server about a tool; never to be trusted. */
export interface ToolAnnotations {
	readonly title?: string;
	readonly readOnlyHint?: boolean;
	readonly destructiveHint?: boolean;
	readonly idempotentHint?: boolean;
	readonly openWorldHint?: boolean;
}

export interface Tool extends Named {
	/** A JSON Schema of `type: "object"`; kept exactly as sent. */
	readonly inputSchema: JsonObject;
	readonly outputSchema?: JsonObject;
	readonly annotations?: ToolAnnotations;
	/** 2025-11-25: whether it must, may or must not be called as a task; absent means forbidden. */
	readonly taskSupport?: 'forbidden' | 'optional' | 'required';
}

/** Since 2025-03-26: for whom something is, and how much it matters; as it came, so each member may be anything. */
export interface Annotations {
	/** `user`, `assistant`. */
	readonly audience?: unknown;
	/** 1 matters most, 0 least. */
	readonly priority?: unknown;
	/** ISO 8601. */
	readonly lastModified?: unknown;
}

export interface Resource extends Named {
	readonly uri: string;
	readonly mimeType?: string;
	/** Bytes before any encoding. */
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

/** One content of a read: `text`, or `blob` in base64. */
export interface ResourceContents {
	readonly uri: string;
	readonly mimeType?: string;
	readonly text?: string;
	readonly blob?: string;
}

/** A message of a prompt. */
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
	/** How many there are in all, if the server says. */
	readonly total: number | undefined;
	readonly hasMore: boolean;
}

/** A block of a tool's answer; kinds we do not know are kept as they came. */
export type ContentBlock =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
	| ({ readonly type: 'resource_link' } & Resource)
	| { readonly type: 'resource'; readonly resource: ResourceContents }
	| { readonly type: 'unknown'; readonly raw: JsonObject };

export interface ToolResult {
	readonly content: readonly ContentBlock[];
	readonly structuredContent?: unknown;
	/** The tool says it failed; an error of the protocol is an RpcError instead. */
	readonly isError: boolean;
	/** `_meta` as it came. */
	readonly meta?: JsonObject;
}

/** A folder the server may work in. `uri` is a `file:` URI. */
export interface Root {
	readonly uri: string;
	readonly name?: string;
}

/** The lists a server can say have changed. */
export type ListKind = 'tools' | 'resources' | 'prompts';

/** RFC 5424 severities, least severe first. */
export const loggingLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'] as const;
export type LoggingLevel = (typeof loggingLevels)[number];

/** `notifications/message`: a line of the server's own log. */
export interface LogMessage {
	readonly level: LoggingLevel;
	readonly logger?: string;
	/** Any JSON. */
	readonly data: unknown;
}
