/** What models can do with servers, for whoever lets them: the language-model tools, and our own chat. */
import type { JsonObject } from '../../mcp/index.js';
import type { Caller } from '../../core/approvals/approval.js';
import type { Server } from '../../core/servers/server.js';
import type { Budget } from './budget.js';
import type { ModelImage } from './modelImages.js';

/** How a model came to ask. */
export type ModelWay = Extract<Caller, { kind: 'model' }>['through'];

/** One request of a model. */
export interface ModelRequest {
	readonly input: unknown;
	readonly budget: Budget;
	readonly signal: AbortSignal;
	readonly through: ModelWay;
	/** Whether it can be given images beside the text. */
	readonly takesImages: boolean;
}

/** What the model reads, and what it sees beside it. */
export interface ModelAnswer {
	readonly text: string;
	readonly images: readonly ModelImage[];
	/** Resources that it names or holds: URIs of the server. */
	readonly resources: readonly string[];
}

/** Each gives what the model reads, or throws what it is told: a ModelError, or an AbortError. */
export interface ModelDoors {
	findTools(request: ModelRequest): Promise<string>;
	listResources(request: ModelRequest): Promise<string>;
	callTool(request: ModelRequest): Promise<ModelAnswer>;
	/** The same for a server and a tool that are known. */
	call(server: Server, tool: string, args: JsonObject, request: ModelRequest): Promise<ModelAnswer>;
	readResource(request: ModelRequest): Promise<ModelAnswer>;
	readMore(request: ModelRequest): Promise<string>;
	/** Keeps a text that is too long for a model, which reads on by the handle that this gives. */
	keep(text: string): string;
	/** @throws ModelError with the names that a model may know */
	find(name: string): Promise<Server>;
}
