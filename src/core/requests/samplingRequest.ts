/**
 * Reads sampling requests, as a server has sent or a person has edited them (spec 2025-11-25, client/sampling), and checks
 * the answers of a model or a person. Mistakes that would change the question to the model are errors; harmless ones, such
 * as `null` for a missing member, are ignored.
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

/** Since 2025-11-25: a tool call by the model, in a message of the assistant. */
interface ToolUseBlock {
	readonly type: 'tool_use';
	readonly id: string;
	readonly name: string;
	readonly input: JsonObject;
}

/** Since 2025-11-25: the result of a tool call, in a message of the user with no other content. */
export interface ToolResultBlock {
	readonly type: 'tool_result';
	/** The `id` of the tool use. */
	readonly toolUseId: string;
	readonly content: readonly ContentBlock[];
	/** Any JSON; `undefined` if there is none. */
	readonly structuredContent: unknown;
	readonly isError: boolean;
}

/** Blocks of other types are kept unchanged, as type `unknown`. */
export type SamplingBlock = ContentBlock | ToolUseBlock | ToolResultBlock;

export interface SamplingMessage {
	readonly role: 'user' | 'assistant';
	/** May be empty. */
	readonly content: readonly SamplingBlock[];
}

/** A tool that the server offers to the model. The server runs it. */
export interface SamplingTool {
	readonly name: string;
	readonly description: string | undefined;
	readonly inputSchema: JsonObject;
}

type ToolChoice = 'auto' | 'required' | 'none';

/** A request of a server, which the person may have edited. All members are untrusted. */
export interface SamplingRequest {
	readonly messages: readonly SamplingMessage[];
	readonly systemPrompt: string | undefined;
	/** Parts of model names, in the order in which they are tried. */
	readonly hints: readonly string[];
	/** Shown but ignored, because the capability `sampling.context` isn't declared. */
	readonly includeContext: 'none' | 'thisServer' | 'allServers';
	readonly temperature: number | undefined;
	/** At least 1. */
	readonly maxTokens: number;
	/** Not empty. */
	readonly stopSequences: readonly string[];
	/** With unique names. */
	readonly tools: readonly SamplingTool[];
	/** `required` only if there are tools. */
	readonly toolChoice: ToolChoice;
}

/**
 * Reads the parameters of `sampling/createMessage`.
 * @throws RpcError `invalidParams`, with a message for the server
 */
export function readSampling(params: JsonObject): SamplingRequest {
	const problem = samplingProblem(params, true);
	if (problem !== undefined) {
		throw invalid(problem);
	}
	const { systemPrompt, includeContext, temperature } = params;
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

/** Content may be missing, as in the result of a tool with structured content. */
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

/** Hints that aren't texts are ignored. */
function readHints(preferences: unknown): string[] {
	const hints = isObject(preferences) ? preferences['hints'] : undefined;
	return textsOf((Array.isArray(hints) ? hints : []).map((it: unknown) => (isObject(it) ? it['name'] : undefined)));
}

function textsOf(value: unknown): string[] {
	return (Array.isArray(value) ? value : []).filter((it: unknown) => typeof it === 'string' && it !== '') as string[];
}

/** Some libraries send `null` for missing members. */
function isGiven<T>(value: T): value is NonNullable<T> {
	return value !== undefined && value !== null;
}

function invalid(message: string): RpcError {
	return new RpcError(RpcErrorCode.invalidParams, message);
}

/** Whether the model may use tools of the server. */
export function usesTools({ tools, toolChoice }: Pick<SamplingRequest, 'tools' | 'toolChoice'>): boolean {
	return tools.length > 0 && toolChoice !== 'none';
}

/** `data` is base64. */
export type AnswerBlock =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
	| ToolUseBlock;

export interface SamplingAnswer {
	readonly role: 'assistant';
	/** An array only for several blocks, because revisions before 2025-11-25 don't know arrays here. */
	readonly content: AnswerBlock | readonly AnswerBlock[];
	/** The name of the model, or of the person or extension that has written the answer. */
	readonly model: string;
	/** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or any other text. */
	readonly stopReason?: string;
}

/** Why a value is no valid answer to a request; `index` is that of the block, from 0. */
export type AnswerProblem =
	/** `notAnswer`: the value isn't an object with the members of an answer. `toolRequired`: the server requires a tool use. */
	| { readonly code: 'notAnswer' | 'toolRequired' }
	/** `block`: the block has an unknown type, or lacks a member. `tool`: the tool isn't offered, or the id isn't unique. */
	| { readonly code: 'block' | 'tool'; readonly index: number };

/** An answer with these blocks. */
export function toAnswer(blocks: readonly AnswerBlock[], model: string, stopReason?: string): SamplingAnswer {
	const content = blocks.length > 1 ? blocks : (blocks[0] ?? ({ type: 'text', text: '' } as const));
	return { role: 'assistant', content, model, ...(stopReason === undefined ? {} : { stopReason }) };
}

export function blocksOf({ content }: SamplingAnswer): readonly AnswerBlock[] {
	return 'type' in content ? [content] : content;
}

/** The problem of an answer that a model or a person has written; `undefined` if the answer can be sent. */
export function answerProblem(answer: unknown, request: SamplingRequest): AnswerProblem | undefined {
	const { role, content, model, stopReason } = isObject(answer) ? answer : {};
	const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
	if (
		role !== 'assistant' ||
		typeof model !== 'string' ||
		model === '' ||
		(stopReason !== undefined && typeof stopReason !== 'string') ||
		blocks.length === 0
	) {
		return { code: 'notAnswer' };
	}
	const ids = new Set<unknown>();
	for (const [index, block] of blocks.entries()) {
		if (!isAnswerBlock(block)) {
			return { code: 'block', index };
		}
		if (block.type === 'tool_use') {
			const { id, name } = block;
			if (!usesTools(request) || !request.tools.some(it => it.name === name) || ids.has(id)) {
				return { code: 'tool', index };
			}
			ids.add(id);
		}
	}
	return request.toolChoice === 'required' && ids.size === 0 ? { code: 'toolRequired' } : undefined;
}

function isAnswerBlock(block: unknown): block is AnswerBlock {
	const { type, text, data, mimeType, id, name, input } = isObject(block) ? block : {};
	switch (type) {
		case 'text':
			return typeof text === 'string';
		case 'image':
		case 'audio':
			return typeof data === 'string' && typeof mimeType === 'string' && isBase64(data);
		case 'tool_use':
			return typeof id === 'string' && typeof name === 'string' && isObject(input);
		default:
			return false;
	}
}

function isBase64(data: string): boolean {
	return data !== '' && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
