/**
 * Messages for a model of the editor. All of it is text of servers: a model gets nothing that a person who reads along
 * could not see, and images only if they are what they say they are.
 */
import * as vscode from 'vscode';
import { type ContentBlock, isObject, type JsonObject } from '../../mcp/index.js';
import type {
	SamplingBlock,
	SamplingMessage,
	SamplingRequest,
	SamplingTool,
	ToolResultBlock,
} from '../../core/requests/sampling.js';
import type { ToolNames } from '../../core/approvals/toolNames.js';
import { contentText } from '../documents/contentText.js';
import { ImagesForModel } from './modelImages.js';
import { imagePart, modelAbilities } from '../newerApi.js';
import { jsonText, modelText } from '../ui/plainText.js';

type MessagePart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart;

/** Those that one request to this model may hold. */
export function imagesFor(model: vscode.LanguageModelChat): ImagesForModel {
	// An editor that does not say what its models take may have one that takes them.
	return new ImagesForModel(modelAbilities(model).images ?? true);
}

/** A block as a part of a message; what is no text, and cannot be given as what it is, is named. */
export function toModelPart(block: ContentBlock, images: ImagesForModel): vscode.LanguageModelTextPart {
	if (block.type === 'image' && images.tryGive(block.mimeType, block.data) !== undefined) {
		const { bytes, mimeType } = images.given.at(-1) ?? { bytes: new Uint8Array(), mimeType: '' };
		return imagePart(bytes, mimeType);
	}
	return new vscode.LanguageModelTextPart(modelText(contentText(block)));
}

/** A message of somebody; it is theirs whatever it holds. */
export function toModelMessage(
	role: 'user' | 'assistant',
	parts: readonly MessagePart[],
): vscode.LanguageModelChatMessage {
	const { User, Assistant } = vscode.LanguageModelChatMessageRole;
	return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, [...parts]);
}

/**
 * The messages of a request. The editor knows no role of a system: its prompt is a first message of the user.
 * @param images gets those that are given
 */
export function toModelMessages(
	{ systemPrompt, messages }: Pick<SamplingRequest, 'systemPrompt' | 'messages'>,
	images: ImagesForModel,
	names: ToolNames,
): vscode.LanguageModelChatMessage[] {
	const all: readonly SamplingMessage[] = [
		...(systemPrompt === undefined
			? []
			: [{ role: 'user' as const, content: [{ type: 'text' as const, text: systemPrompt }] }]),
		...messages,
	];
	return (
		all
			// Some models refuse a text without a letter, and an answer may have been one.
			.map(({ role, content }) => ({
				role,
				content: content.filter(it => it.type !== 'text' || it.text.trim() !== ''),
			}))
			.filter(it => it.content.length > 0)
			.map(({ role, content }) =>
				toModelMessage(
					role,
					content.map(it => toPart(it, images, names)),
				),
			)
	);
}

function toPart(block: SamplingBlock, images: ImagesForModel, names: ToolNames): MessagePart {
	switch (block.type) {
		case 'tool_use':
			return new vscode.LanguageModelToolCallPart(block.id, names.toModel(block.name), cleaned(block.input));
		case 'tool_result':
			return new vscode.LanguageModelToolResultPart(block.toolUseId, resultParts(block, images));
		default:
			return toModelPart(block, images);
	}
}

function resultParts(
	{ content, structuredContent, isError }: ToolResultBlock,
	images: ImagesForModel,
): vscode.LanguageModelTextPart[] {
	const parts = content.map(it => toModelPart(it, images));
	// Spec, tools: who sends structured content SHOULD send it as text too; without any text it is all there is.
	if (parts.length === 0 && structuredContent !== undefined) {
		parts.push(new vscode.LanguageModelTextPart(modelText(jsonText(structuredContent))));
	}
	return isError ? [new vscode.LanguageModelTextPart('[the tool failed]'), ...parts] : parts;
}

export function toModelTools(tools: readonly SamplingTool[], names: ToolNames): vscode.LanguageModelChatTool[] {
	return tools.map(({ name, description = '', inputSchema }) => ({
		name: names.toModel(name),
		description: modelText(description),
		inputSchema: cleaned(inputSchema),
	}));
}

/** Every text in it, and every name of a member, as a model may have it. */
function cleaned(value: JsonObject): JsonObject {
	return cleanedValue(value) as JsonObject;
}

function cleanedValue(value: unknown): unknown {
	if (typeof value === 'string') {
		return modelText(value);
	}
	if (Array.isArray(value)) {
		return value.map(cleanedValue);
	}
	return isObject(value)
		? Object.fromEntries(Object.entries(value).map(([key, it]) => [modelText(key), cleanedValue(it)]))
		: value;
}
