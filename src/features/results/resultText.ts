/** A result as plain text, for the clipboard and for files. */
import type { ToolResult } from '../../mcp/index.js';
import type { CallOutcome } from '../../model/callOutcome.js';
import { contentText } from '../../host/contentText.js';
import { jsonText } from '../../host/plainText.js';

/** The texts of its blocks; images and sound are named, not spelled out. Without blocks, what is structured. */
export function resultText(result: ToolResult): string {
	if (result.content.length === 0 && result.structuredContent !== undefined) {
		return jsonText(result.structuredContent, 2);
	}
	return result.content.map(contentText).join('\n\n');
}

/** Everything that came, as the protocol has it. */
export function resultJson(
	{ content, structuredContent, isError, meta }: ToolResult,
	prompt?: CallOutcome['prompt'],
): string {
	const blocks = content.map(it => (it.type === 'unknown' ? it.raw : it));
	if (prompt) {
		return jsonText({ messages: blocks.map((it, index) => ({ role: prompt.roles[index], content: it })) }, 2);
	}
	const wire = {
		content: blocks,
		...(structuredContent === undefined ? {} : { structuredContent }),
		isError,
		...(meta ? { _meta: meta } : {}),
	};
	return jsonText(wire, 2);
}
