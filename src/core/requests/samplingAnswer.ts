/** Answers to sampling requests, written by a model or a person. Spec 2025-11-25, schema: CreateMessageResult. */
import { isObject } from '../../mcp/index.js';
import type { SamplingRequest, ToolUseBlock } from './samplingRequest.js';
import { usesTools } from './samplingGrants.js';

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
	/** `toolRequired`: the server demands that the answer uses a tool. */
	| { readonly code: 'notObject' | 'role' | 'model' | 'stopReason' | 'noContent' | 'toolRequired' }
	/** The type of the block is unknown; or missing (`undefined`). */
	| { readonly code: 'kind'; readonly index: number; readonly type: string | undefined }
	/** The member `name` of the block is missing, or has the wrong type. */
	| {
			readonly code: 'member';
			readonly index: number;
			readonly name: 'text' | 'data' | 'mimeType' | 'id' | 'name' | 'input';
	  }
	| { readonly code: 'notBase64' | 'toolsNotOffered'; readonly index: number }
	| { readonly code: 'unknownTool'; readonly index: number; readonly tool: string }
	| { readonly code: 'sameId'; readonly index: number; readonly id: string };

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

/** @param ids the ids of earlier tool uses; the id of this one is added */
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
				const wrong = typeof id !== 'string' ? 'id' : typeof name !== 'string' ? 'name' : 'input';
				return { code: 'member', index, name: wrong };
			}
			if (!usesTools(request)) {
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
