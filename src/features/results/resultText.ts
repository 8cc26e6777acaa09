/** Formats results as plain text and JSON, for the clipboard and files. Nothing is cleaned. */
import type { ToolResult } from '../../mcp/index.js';
import type { CallOutcome } from '../../core/calls/callOutcome.js';
import { contentText } from '../../editor/documents/contentText.js';
import { jsonText } from '../../editor/ui/plainText.js';

/** The texts of all blocks, with descriptions of images and audio. Without blocks, the structured content. */
export function plainResult(result: ToolResult): string {
	if (result.content.length === 0 && result.structuredContent !== undefined) {
		return jsonText(result.structuredContent, 2);
	}
	return result.content.map(contentText).join('\n\n');
}

/** The whole result as JSON in the format of the protocol. @param prompt makes it the result of `prompts/get` */
export function resultJson(
	{ content, structuredContent, isError, meta }: ToolResult,
	prompt?: CallOutcome['prompt'],
): string {
	const blocks = content.map(it => (it.type === 'unknown' ? it.raw : it));
	if (prompt) {
		const { description, roles } = prompt;
		return jsonText({ description, messages: blocks.map((content, index) => ({ role: roles[index], content })) }, 2);
	}
	const wire = {
		content: blocks,
		...(structuredContent === undefined ? {} : { structuredContent }),
		isError,
		...(meta ? { _meta: meta } : {}),
	};
	return jsonText(wire, 2);
}
