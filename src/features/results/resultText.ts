/** A result as plain text, for the clipboard and for files. */
import * as vscode from 'vscode';
import type { ContentBlock, ToolResult } from '../../mcp/index.js';
import { base64Size } from '../../host/base64.js';
import { describeSize } from '../../host/messages.js';
import { jsonText } from '../../host/plainText.js';

/** The texts of its blocks; images and sound are named, not spelled out. Without blocks, what is structured. */
export function resultText(result: ToolResult): string {
	if (result.content.length === 0 && result.structuredContent !== undefined) {
		return jsonText(result.structuredContent, 2);
	}
	return result.content.map(blockText).join('\n\n');
}

/** Everything that came, as the protocol has it. */
export function resultJson({ content, structuredContent, isError, meta }: ToolResult): string {
	const wire = {
		content: content.map(it => (it.type === 'unknown' ? it.raw : it)),
		...(structuredContent === undefined ? {} : { structuredContent }),
		isError,
		...(meta ? { _meta: meta } : {}),
	};
	return jsonText(wire, 2);
}

function blockText(block: ContentBlock): string {
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
