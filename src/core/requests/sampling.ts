/**
 * PURE: what a server asks of a model, as it was sent or as a person has edited it: read strictly where a model would be
 * asked something else than was meant, leniently where servers are sloppy and it does no harm (`null` for what is absent,
 * members of a wrong type that a client may ignore anyway). Spec 2025-11-25, client/sampling.
 */
import {
	type ContentBlock,
	describeJson,
	isObject,
	type JsonObject,
	readContentBlock,
	RpcError,
	RpcErrorCode,
	samplingProblem,
} from '../../mcp/index.js';

/** Since 2025-11-25: what a model wants to have run, in a message of the assistant. */
export interface ToolUseBlock {
	readonly type: 'tool_use';
	readonly id: string;
	readonly name: string;
	readonly input: JsonObject;
}

/** Since 2025-11-25: what came of it, in a message of the user that holds nothing else. */
export interface ToolResultBlock {
	readonly type: 'tool_result';
	/** The `id` of the use. */
	readonly toolUseId: string;
	readonly content: readonly ContentBlock[];
	/** Any JSON; `undefined` if there is none. */
	readonly structuredContent: unknown;
	readonly isError: boolean;
}

/** Kinds that the protocol does not have here are kept as they came (`unknown`). */
export type SamplingBlock = ContentBlock | ToolUseBlock | ToolResultBlock;

export interface SamplingMessage {
	readonly role: 'user' | 'assistant';
	/** May be empty. */
	readonly content: readonly SamplingBlock[];
}

/** What a model may use; nothing of it is run here. */
export interface SamplingTool {
	readonly name: string;
	readonly description: string | undefined;
	readonly inputSchema: JsonObject;
}

export type ToolChoice = 'auto' | 'required' | 'none';

/** All of it is the server's text, or what a person made of that. */
export interface SamplingRequest {
	readonly messages: readonly SamplingMessage[];
	readonly systemPrompt: string | undefined;
	/** Parts of names of models; the first that leads to one counts. */
	readonly hints: readonly string[];
	/** Shown, never honoured: `sampling.context` is not declared. */
	readonly includeContext: 'none' | 'thisServer' | 'allServers';
	readonly temperature: number | undefined;
	/** Tokens, at least 1. */
	readonly maxTokens: number;
	/** None of them empty. */
	readonly stopSequences: readonly string[];
	/** For the provider of the model; shown, never passed on. */
	readonly metadata: JsonObject | undefined;
	/** Names are unique. */
	readonly tools: readonly SamplingTool[];
	/** `required` only where there are tools. */
	readonly toolChoice: ToolChoice;
}

/**
 * Reads the parameters of `sampling/createMessage`.
 * @throws RpcError `invalidParams`, in words for the server
 */
export function readSampling(params: JsonObject): SamplingRequest {
	const problem = samplingProblem(params, true);
	if (problem !== undefined) {
		throw invalid(problem);
	}
	const { systemPrompt, includeContext, temperature, metadata } = params;
	if (isGiven(systemPrompt) && typeof systemPrompt !== 'string') {
		throw invalid('systemPrompt is not a string.');
	}
	const messages = readMessages(params['messages'] as readonly JsonObject[]);
	if (!systemPrompt && messages.every(it => it.content.length === 0)) {
		throw invalid('messages is empty.');
	}
	const tools = readTools(params['tools']);
	return {
		messages,
		systemPrompt: systemPrompt || undefined,
		hints: readHints(params['modelPreferences']),
		includeContext: includeContext === 'thisServer' || includeContext === 'allServers' ? includeContext : 'none',
		temperature: typeof temperature === 'number' ? temperature : undefined,
		maxTokens: readMaxTokens(params['maxTokens']),
		stopSequences: textsOf(params['stopSequences']),
		metadata: isObject(metadata) && Object.keys(metadata).length > 0 ? metadata : undefined,
		tools,
		toolChoice: readToolChoice(params['toolChoice'], tools),
	};
}

function readMessages(messages: readonly JsonObject[]): SamplingMessage[] {
	return messages.map(({ role, content }, index) => {
		const where = `messages[${index}]`;
		if (role !== 'user' && role !== 'assistant') {
			throw invalid(`${where}.role is ${describeJson(role)}, and must be "user" or "assistant".`);
		}
		const blocks = Array.isArray(content) ? content : [content];
		const ids = new Set<string>();
		return {
			role,
			content: blocks.map((block, at) => {
				const place = `${where}.content${Array.isArray(content) ? `[${at}]` : ''}`;
				const read = readBlock(block, place);
				if (read.type === 'tool_use') {
					if (role !== 'assistant') {
						throw invalid(`${place} is a tool use, and only a message of the assistant may hold one.`);
					}
					if (ids.has(read.id)) {
						throw invalid(`${place} has the id ${describeJson(read.id)} of another tool use.`);
					}
					ids.add(read.id);
				}
				return read;
			}),
		};
	});
}

function readBlock(block: unknown, place: string): SamplingBlock {
	if (!isObject(block)) {
		throw invalid(`${place} is not an object.`);
	}
	switch (block['type']) {
		case 'tool_use':
			return readToolUse(block, place);
		case 'tool_result':
			return readToolResult(block, place);
		case 'text':
		case 'image':
		case 'audio': {
			const read = readContentBlock(block);
			if (read.type === 'unknown') {
				throw invalid(`${place} lacks its ${block['type'] === 'text' ? 'text' : 'data'}.`);
			}
			return read;
		}
		default:
			if (typeof block['type'] !== 'string') {
				throw invalid(`${place}.type is missing.`);
			}
			return readContentBlock(block);
	}
}

function readToolUse({ id, name, input }: JsonObject, place: string): ToolUseBlock {
	if (typeof id !== 'string' || typeof name !== 'string') {
		throw invalid(`${place} lacks its ${typeof id === 'string' ? 'name' : 'id'}.`);
	}
	if (isGiven(input) && !isObject(input)) {
		throw invalid(`${place}.input is not an object.`);
	}
	return { type: 'tool_use', id, name, input: input ?? {} };
}

/** As with the result of a tool, content may be left out beside structured content. */
function readToolResult(
	{ toolUseId, content, structuredContent, isError }: JsonObject,
	place: string,
): ToolResultBlock {
	if (typeof toolUseId !== 'string') {
		throw invalid(`${place} lacks its toolUseId.`);
	}
	if (isGiven(content) && !Array.isArray(content)) {
		throw invalid(`${place}.content is not an array.`);
	}
	const blocks = ((content ?? []) as readonly unknown[]).map((it, index) => {
		if (!isObject(it)) {
			throw invalid(`${place}.content[${index}] is not an object.`);
		}
		return readContentBlock(it);
	});
	return { type: 'tool_result', toolUseId, content: blocks, structuredContent, isError: isError === true };
}

function readMaxTokens(value: unknown): number {
	if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) {
		throw invalid(`maxTokens is ${isGiven(value) ? describeJson(value) : 'missing'}, and must be a positive integer.`);
	}
	return value;
}

function readTools(value: unknown): SamplingTool[] {
	if (!isGiven(value)) {
		return [];
	}
	if (!Array.isArray(value)) {
		throw invalid('tools is not an array.');
	}
	const names = new Set<string>();
	return value.map((tool: unknown, index) => {
		const { name, description, inputSchema } = isObject(tool) ? tool : {};
		if (typeof name !== 'string' || name === '') {
			throw invalid(`tools[${index}] lacks its name.`);
		}
		if (names.has(name)) {
			throw invalid(`tools[${index}] has the name ${describeJson(name)} of another.`);
		}
		if (!isObject(inputSchema)) {
			throw invalid(`tools[${index}].inputSchema is not an object.`);
		}
		names.add(name);
		return { name, description: typeof description === 'string' ? description : undefined, inputSchema };
	});
}

/** Spec: "Default is `{ mode: "auto" }`." */
function readToolChoice(value: unknown, tools: readonly SamplingTool[]): ToolChoice {
	if (isGiven(value) && !isObject(value)) {
		throw invalid('toolChoice is not an object.');
	}
	const mode = value?.['mode'] ?? 'auto';
	if (mode !== 'auto' && mode !== 'required' && mode !== 'none') {
		throw invalid(`toolChoice.mode is ${describeJson(mode)}, and must be "auto", "required" or "none".`);
	}
	if (mode === 'required' && tools.length === 0) {
		throw invalid('toolChoice requires a tool, and there are none.');
	}
	return mode;
}

/** Hints are advice: those that aren't texts are left out. */
function readHints(preferences: unknown): string[] {
	const hints = isObject(preferences) ? preferences['hints'] : undefined;
	return textsOf((Array.isArray(hints) ? hints : []).map((it: unknown) => (isObject(it) ? it['name'] : undefined)));
}

function textsOf(value: unknown): string[] {
	return (Array.isArray(value) ? value : []).filter((it: unknown) => typeof it === 'string' && it !== '') as string[];
}

/** Libraries that write every member write `null` for those that are not there. */
function isGiven<T>(value: T): value is NonNullable<T> {
	return value !== undefined && value !== null;
}

function invalid(message: string): RpcError {
	return new RpcError(RpcErrorCode.invalidParams, message);
}
