/**
 * Converts content of servers to messages for a language model of the editor. Texts are cleaned by `modelText`, so that
 * the model gets no characters that a person couldn't see, and images are checked by `ImagesForModel`.
 */
import * as vscode from 'vscode';
import { type ContentBlock, isObject, type JsonObject } from '../../mcp/index.js';
import type {
	SamplingBlock,
	SamplingMessage,
	SamplingRequest,
	SamplingTool,
	ToolResultBlock,
} from '../../core/requests/samplingRequest.js';
import type { ToolNames } from '../../core/approvals/toolNames.js';
import { contentText } from '../../editor/documents/contentText.js';
import { ImagesForModel } from '../../editor/languageModels/modelImages.js';
import { imagePart, modelAbilities } from '../../editor/newerApi.js';
import { jsonText, modelText } from '../../editor/ui/plainText.js';

type MessagePart = vscode.LanguageModelTextPart | vscode.LanguageModelToolCallPart | vscode.LanguageModelToolResultPart;

/** Collects the images of one request to a model. */
export function imagesFor(model: vscode.LanguageModelChat): ImagesForModel {
	// If the editor doesn't say whether the model supports images, they are sent.
	return new ImagesForModel(modelAbilities(model).images ?? true);
}

/** Converts a block to a part of a message. A block that isn't text or an accepted image is described in a text. */
export function toModelPart(block: ContentBlock, images: ImagesForModel): vscode.LanguageModelTextPart {
	if (block.type === 'image' && images.tryGive(block.mimeType, block.data) !== undefined) {
		const { bytes, mimeType } = images.given.at(-1) ?? { bytes: new Uint8Array(), mimeType: '' };
		return imagePart(bytes, mimeType);
	}
	return new vscode.LanguageModelTextPart(modelText(contentText(block)));
}

export function toModelMessage(
	role: 'user' | 'assistant',
	parts: readonly MessagePart[],
): vscode.LanguageModelChatMessage {
	const { User, Assistant } = vscode.LanguageModelChatMessageRole;
	return new vscode.LanguageModelChatMessage(role === 'user' ? User : Assistant, [...parts]);
}

/**
 * The messages of a request. The editor has no system role, so a system prompt becomes the first message of the user.
 * @param images receives the images of the messages
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
			// Some models reject texts without characters other than spaces. An earlier answer can contain one.
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
	// Spec, tools: a tool with structured content SHOULD also return it as text. If it doesn't, the structured content
	// is used.
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

/** Cleans all texts and names of members for a model. */
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
