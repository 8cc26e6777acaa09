/** Formats content of servers as plain text, for the clipboard, files and documents. The text isn't cleaned. */
import * as vscode from 'vscode';
import type { ContentBlock, PromptMessage } from '../../mcp/index.js';
import type { AnswerBlock, SamplingBlock, SamplingRequest } from '../../core/requests/samplingRequest.js';
import { textOfResource } from '../../core/resources/contentView.js';
import { base64Size } from '../../base/base64.js';
import { describeSize } from '../l10n/messages.js';
import { jsonText } from '../ui/plainText.js';

/** Text unchanged, a type and a size in place of images and audio, and JSON for unknown blocks. */
export function contentText(block: ContentBlock): string {
	switch (block.type) {
		case 'text':
			return block.text;
		case 'image':
		case 'audio':
			return `[${block.type} · ${block.mimeType} · ${describeSize(base64Size(block.data))}]`;
		case 'resource_link':
			return vscode.l10n.t('Link to {0}', block.uri);
		case 'resource': {
			const { uri, blob = '' } = block.resource;
			return `${uri}\n${textOfResource(block.resource) ?? `[${describeSize(base64Size(blob))}]`}`;
		}
		case 'unknown':
			return jsonText(block.raw, 2);
	}
}

/** The same for blocks of sampling messages, which can also be tool calls and their results. */
export function samplingText(block: SamplingBlock | AnswerBlock): string {
	switch (block.type) {
		case 'tool_use':
			return `[${vscode.l10n.t('Tool use: {0}', block.name)} · ${jsonText(block.input)}]`;
		case 'tool_result': {
			const result = block.content.map(contentText).join(' ');
			return `[${block.isError ? vscode.l10n.t('Tool error') : vscode.l10n.t('Tool result')} · ${result}]`;
		}
		default:
			return contentText(block);
	}
}

/** The text of the last message of a sampling request, which usually is the question to the model. */
export function lastMessage({ messages }: Pick<SamplingRequest, 'messages'>): string {
	return (messages.at(-1)?.content ?? []).map(samplingText).join(' ');
}

export function describeRole(role: PromptMessage['role']): string {
	return role === 'user' ? vscode.l10n.t('User') : vscode.l10n.t('Assistant');
}
