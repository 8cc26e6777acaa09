/** Content of servers as plain text, for the clipboard, files and documents. */
import * as vscode from 'vscode';
import type { ContentBlock, PromptMessage } from '../../mcp/index.js';
import type { AnswerBlock } from '../../core/requests/samplingAnswer.js';
import type { SamplingBlock, SamplingRequest } from '../../core/requests/sampling.js';
import { base64Size } from '../../base/base64.js';
import { describeSize } from '../l10n/messages.js';
import { jsonText } from '../ui/plainText.js';

/** A text as it came; images and sound are named, not spelled out; what nobody knows is JSON. */
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
			const { uri, text, blob } = block.resource;
			return `${uri}\n${text ?? `[${describeSize(base64Size(blob ?? ''))}]`}`;
		}
		case 'unknown':
			return jsonText(block.raw, 2);
	}
}

/** What goes to a model, or comes from one: also what it wants to have run, and what came of that. */
export function samplingText(block: SamplingBlock | AnswerBlock): string {
	switch (block.type) {
		case 'tool_use':
			return `[${vscode.l10n.t('use of {0}', block.name)} · ${jsonText(block.input)}]`;
		case 'tool_result': {
			const result = block.content.map(contentText).join(' ');
			return `[${block.isError ? vscode.l10n.t('failure of a tool') : vscode.l10n.t('result of a tool')} · ${result}]`;
		}
		default:
			return contentText(block);
	}
}

/** The last thing that a model is to read, which most often is what it is asked. */
export function lastMessage({ messages }: Pick<SamplingRequest, 'messages'>): string {
	return (messages.at(-1)?.content ?? []).map(samplingText).join(' ');
}

/** Who says it. */
export function describeRole(role: PromptMessage['role']): string {
	return role === 'user' ? vscode.l10n.t('User') : vscode.l10n.t('Assistant');
}
