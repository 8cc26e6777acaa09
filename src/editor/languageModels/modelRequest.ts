/** What models can do with servers: the functions behind the language-model tools, which the chat participant also calls. */
import type { JsonObject } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { Server } from '../../core/servers/server.js';
import type { Budget } from './budget.js';
import type { ModelImage } from './modelImages.js';

/** The part of the editor that the model calls through. */
export type ModelChannel = Extract<Caller, { kind: 'model' }>['through'];

/** One tool call of a model. */
export interface SentModelRequest {
	readonly input: unknown;
	readonly budget: Budget;
	readonly signal: AbortSignal;
	readonly through: ModelChannel;
	/** Whether the answer may contain images. */
	readonly takesImages: boolean;
}

/** The answer to a model. */
export interface ModelAnswer {
	readonly text: string;
	readonly images: readonly ModelImage[];
	/** URIs of the server's resources that the answer names or contains. */
	readonly resources: readonly string[];
}

/** Each function returns the answer for the model, or throws an error: an AbortError, or one whose message is for the model. */
export interface ModelAccess {
	findTools(request: SentModelRequest): Promise<string>;
	listResources(request: SentModelRequest): Promise<string>;
	callTool(request: SentModelRequest): Promise<ModelAnswer>;
	/** Like `callTool`, but the caller has already found the server and the tool. */
	call(server: Server, tool: string, args: JsonObject, request: SentModelRequest): Promise<ModelAnswer>;
	readResource(request: SentModelRequest): Promise<ModelAnswer>;
	readMore(request: SentModelRequest): Promise<string>;
	/** Keeps a text that is too long for a model. Returns the handle for `readMore`. */
	keep(text: string): string;
	/** Finds a server by its name. @throws Error for the model that lists the known names */
	find(name: string): Promise<Server>;
}
