/**
 * PURE: what a server gets for its request: a message of the assistant, written by a model, by a person, or by a model and
 * edited. Spec 2025-11-25, schema: CreateMessageResult.
 */
import { isObject } from '../../mcp/index.js';
import type { SamplingRequest, ToolUseBlock } from './sampling.js';

/** Images and sound are base64. */
export type AnswerBlock =
	| { readonly type: 'text'; readonly text: string }
	| { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
	| ToolUseBlock;

export interface SamplingAnswer {
	readonly role: 'assistant';
	/** Revisions before 2025-11-25 know no array: there is one only where there are several blocks, or none. */
	readonly content: AnswerBlock | readonly AnswerBlock[];
	/** The name of the model, or who else has written it. */
	readonly model: string;
	/** `endTurn`, `stopSequence`, `maxTokens`, `toolUse`, or anything. */
	readonly stopReason?: string;
}

/** Why something is no answer to a request; `index` is of the block, from 0. */
export type AnswerProblem =
	| { readonly code: 'notObject' }
	| { readonly code: 'role' }
	| { readonly code: 'model' }
	| { readonly code: 'stopReason' }
	| { readonly code: 'noContent' }
	/** `type` is what it says it is, if it says so. */
	| { readonly code: 'kind'; readonly index: number; readonly type: string | undefined }
	/** A block lacks this, or it is of a wrong type. */
	| {
			readonly code: 'member';
			readonly index: number;
			readonly name: 'text' | 'data' | 'mimeType' | 'id' | 'name' | 'input';
	  }
	| { readonly code: 'notBase64'; readonly index: number }
	| { readonly code: 'toolsNotOffered'; readonly index: number }
	| { readonly code: 'unknownTool'; readonly index: number; readonly tool: string }
	| { readonly code: 'sameId'; readonly index: number; readonly id: string }
	/** The server wants a tool to be used. */
	| { readonly code: 'toolRequired' };

/** An answer of these blocks: of one, it is the content itself. */
export function toAnswer(blocks: readonly AnswerBlock[], model: string, stopReason?: string): SamplingAnswer {
	const content = blocks.length > 1 ? blocks : (blocks[0] ?? ({ type: 'text', text: '' } as const));
	return { role: 'assistant', content, model, ...(stopReason === undefined ? {} : { stopReason }) };
}

export function blocksOf({ content }: SamplingAnswer): readonly AnswerBlock[] {
	return 'type' in content ? [content] : content;
}

/** What is wrong with an answer that was written by hand, edited, or made by a model; `undefined` if it may be sent. */
export function answerProblem(answer: unknown, request: SamplingRequest): AnswerProblem | undefined {
	if (!isObject(answer)) {
		return { code: 'notObject' };
	}
	const { role, content, model, stopReason } = answer;
	if (role !== 'assistant') {
		return { code: 'role' };
	}
	if (typeof model !== 'string' || model === '') {
		return { code: 'model' };
	}
	if (stopReason !== undefined && typeof stopReason !== 'string') {
		return { code: 'stopReason' };
	}
	const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
	if (content === undefined || blocks.length === 0) {
		return { code: 'noContent' };
	}
	const ids = new Set<string>();
	for (const [index, block] of blocks.entries()) {
		const problem = blockProblem(block, index, request, ids);
		if (problem) {
			return problem;
		}
	}
	return request.toolChoice === 'required' && ids.size === 0 ? { code: 'toolRequired' } : undefined;
}

/** @param ids of the tool uses before; gets that of this one */
function blockProblem(
	block: unknown,
	index: number,
	request: SamplingRequest,
	ids: Set<string>,
): AnswerProblem | undefined {
	const { type, text, data, mimeType, id, name, input } = isObject(block) ? block : {};
	switch (type) {
		case 'text':
			return typeof text === 'string' ? undefined : { code: 'member', index, name: 'text' };
		case 'image':
		case 'audio':
			if (typeof data !== 'string' || typeof mimeType !== 'string') {
				return { code: 'member', index, name: typeof data === 'string' ? 'mimeType' : 'data' };
			}
			return isBase64(data) ? undefined : { code: 'notBase64', index };
		case 'tool_use':
			if (typeof id !== 'string' || typeof name !== 'string' || !isObject(input)) {
				const missing = typeof id !== 'string' ? 'id' : typeof name !== 'string' ? 'name' : 'input';
				return { code: 'member', index, name: missing };
			}
			if (request.tools.length === 0 || request.toolChoice === 'none') {
				return { code: 'toolsNotOffered', index };
			}
			if (!request.tools.some(it => it.name === name)) {
				return { code: 'unknownTool', index, tool: name };
			}
			if (ids.has(id)) {
				return { code: 'sameId', index, id };
			}
			ids.add(id);
			return undefined;
		default:
			return { code: 'kind', index, type: typeof type === 'string' ? type : undefined };
	}
}

function isBase64(data: string): boolean {
	return data !== '' && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
}
