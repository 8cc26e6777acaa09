/** Content of servers as plain text, for the clipboard, files and documents. */
import * as vscode from 'vscode';
import type { ContentBlock, PromptMessage } from '../mcp/index.js';
import { base64Size } from './base64.js';
import { describeSize } from './messages.js';
import { jsonText, modelText } from './plainText.js';

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

/** Who says it. */
export function describeRole(role: PromptMessage['role']): string {
	return role === 'user' ? vscode.l10n.t('User') : vscode.l10n.t('Assistant');
}

/** A message of a prompt, as the editor's models take it. */
export function modelMessage({ role, content }: PromptMessage): vscode.LanguageModelChatMessage {
	const text = modelText(contentText(content));
	return role === 'user' ? vscode.LanguageModelChatMessage.User(text) : vscode.LanguageModelChatMessage.Assistant(text);
}
