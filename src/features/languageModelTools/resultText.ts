/** Results of tools and contents of resources as text for a model. Content that isn't text is described. */
import { base64Size } from '../../base/base64.js';
import { ModelTools } from '../../editor/contributions.js';
import { jsonText, modelText } from '../../editor/ui/plainText.js';
import {
	canonicalJson,
	type ContentBlock,
	type ResourceContents,
	type SchemaCheck,
	type Tool,
	type ToolResult,
} from '../../mcp/index.js';
import { ImagesForModel } from '../../editor/languageModels/modelImages.js';

/** One answer is cut to this length, in UTF-16 units. */
const maxText = 2_000_000;

/** A longer block, in UTF-16 units, isn't compared with the structured content, because parsing it takes too long. */
const maxCompared = 500_000;

/**
 * The content blocks and the structured content. A block that repeats the structured content is left out.
 * @param images takes the images that the model gets besides the text
 */
export function textOfResult(
	{ content, structuredContent }: ToolResult,
	images: ImagesForModel = new ImagesForModel(false),
): string {
	const blocks = structuredContent === undefined ? content : content.filter(it => !isSame(it, structuredContent));
	const parts = blocks.map(it => textOfBlock(it, images));
	if (structuredContent !== undefined) {
		parts.push(`[structured content, JSON]\n${jsonText(structuredContent, 1)}`);
	}
	return cleaned(parts.length > 0 ? parts : ['[nothing]']);
}

export function textOfContents(
	contents: readonly ResourceContents[],
	images: ImagesForModel = new ImagesForModel(false),
): string {
	return cleaned(contents.length > 0 ? contents.map(it => textOfContent(it, images)) : ['[nothing]']);
}

/** A sentence about the check against the tool's `outputSchema`; empty if there was nothing to check. */
export function sentenceOfCheck(tool: Tool, result: ToolResult, check: SchemaCheck | undefined): string {
	if (tool.outputSchema === undefined || result.isError) {
		return '';
	}
	if (check === undefined) {
		return "The tool's outputSchema promises structured content, and there is none: do not rely on its shape.";
	}
	switch (check.kind) {
		case 'valid':
			return "The structured content was checked: it matches the tool's outputSchema.";
		case 'invalid': {
			const rules = [...new Set(check.problems.map(it => it.code))].join(', ');
			return `The structured content breaks the tool's own outputSchema (${rules}): do not rely on its shape.`;
		}
		case 'unchecked':
			return "The structured content could not be checked against the tool's outputSchema: do not rely on its shape.";
	}
}

function textOfBlock(block: ContentBlock, images: ImagesForModel): string {
	switch (block.type) {
		case 'text':
			return block.text;
		case 'image':
		case 'audio':
			return `[${block.type}, ${block.mimeType}, ${textOfBytes(block.mimeType, block.data, images)}]`;
		case 'resource_link':
			return `[link to a resource: ${jsonText({ uri: block.uri, name: block.name, mimeType: block.mimeType })}; if ${ModelTools.listResources} lists it, ${ModelTools.readResource} reads it]`;
		case 'resource':
			return textOfContent(block.resource, images);
		case 'unknown':
			return `[content of an unknown kind, JSON]\n${jsonText(block.raw, 1)}`;
	}
}

function textOfContent({ uri, mimeType, text, blob = '' }: ResourceContents, images: ImagesForModel): string {
	const head = jsonText({ uri, mimeType });
	return text === undefined
		? `[resource ${head}, ${textOfBytes(mimeType ?? '', blob, images)}]`
		: `[resource ${head}]\n${text}`;
}

function textOfBytes(mimeType: string, data: string, images: ImagesForModel): string {
	const number = images.tryGive(mimeType, data);
	const size = `${base64Size(data)} bytes`;
	return number === undefined ? `${size}: not text, not shown` : `${size}: given beside this text, as image ${number}`;
}

/** Spec, tools: "a tool that returns structured content SHOULD also return the serialized JSON in a TextContent block". */
function isSame(block: ContentBlock, structured: unknown): boolean {
	if (block.type !== 'text' || block.text.length > maxCompared) {
		return false;
	}
	try {
		return canonicalJson(JSON.parse(block.text)) === canonicalJson(structured);
	} catch {
		return false;
	}
}

function cleaned(parts: readonly string[]): string {
	const text = parts.join('\n\n');
	const cut = text.length > maxText;
	const clean = modelText(cut ? text.slice(0, maxText).replace(/[\uD800-\uDBFF]$/, '') : text);
	return cut ? `${clean}\n[the rest, ${text.length - maxText} characters, is not kept]` : clean;
}
