/** Computes the size of a result without copying it. */
import type { ContentBlock, ToolResult } from '../../mcp/index.js';
import { base64Size } from '../../base/base64.js';

/** Bytes of the contents of blocks and of the structured content, without their metadata. */
export function resultSize({ content, structuredContent }: ToolResult): number {
	const structured = structuredContent === undefined ? 0 : jsonSize(structuredContent);
	return content.reduce((sum, block) => sum + blockSize(block), structured);
}

function blockSize(block: ContentBlock): number {
	switch (block.type) {
		case 'text':
			return textSize(block.text);
		case 'image':
		case 'audio':
			return base64Size(block.data);
		case 'resource':
			return block.resource.text === undefined ? base64Size(block.resource.blob ?? '') : textSize(block.resource.text);
		case 'resource_link':
			return textSize(block.uri);
		case 'unknown':
			return jsonSize(block.raw);
	}
}

/** Bytes of a value as compact JSON. Works for any depth of nesting. */
function jsonSize(value: unknown): number {
	let size = 0;
	const open = [value];
	while (open.length > 0) {
		const it = open.pop();
		if (typeof it !== 'object' || it === null) {
			size += typeof it === 'string' ? textSize(JSON.stringify(it)) : String(it).length;
			continue;
		}
		const members = Object.values(it);
		// Brackets, and the commas between the members.
		size += 2 + Math.max(0, members.length - 1);
		if (!Array.isArray(it)) {
			size += Object.keys(it).reduce((sum, key) => sum + textSize(JSON.stringify(key)) + 1, 0);
		}
		for (const member of members) {
			open.push(member);
		}
	}
	return size;
}

/** Bytes of a text in UTF-8, counted in pieces to save memory. */
export function textSize(text: string): number {
	const length = 32_768;
	const encoder = new TextEncoder();
	if (text.length <= length) {
		return encoder.encode(text).length;
	}
	const bytes = new Uint8Array(3 * length);
	let size = 0;
	for (let at = 0; at < text.length;) {
		let end = Math.min(at + length, text.length);
		// Doesn't split a surrogate pair.
		end -= end < text.length && /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? 1 : 0;
		size += encoder.encodeInto(text.slice(at, end), bytes).written;
		at = end;
	}
	return size;
}
