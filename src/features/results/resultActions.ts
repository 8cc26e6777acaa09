/** Copies, saves and opens results and their blocks. */
import * as vscode from 'vscode';
import type { ContentBlock, ToolResult } from '../../mcp/index.js';
import type { CallOutcome } from '../../core/calls/callOutcome.js';
import { tryDecodeBase64 } from '../../base/base64.js';
import { InternalCommands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { copyText, saveBytes } from '../../editor/documents/export.js';
import { describeSize } from '../../editor/l10n/messages.js';
import { jsonText } from '../../editor/ui/plainText.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { mediaTypeOf } from '../../editor/documents/media.js';
import { contentText } from '../../editor/documents/contentText.js';

/** Largest text that is opened, in characters. The editor gives extensions no larger documents. */
const maxOpened = 20_000_000;

interface CopyItem extends vscode.QuickPickItem {
	readonly text: () => string;
}

/** Asks for a format and copies. Gives false if the person chose none. */
export async function copyOutcome({ end, arguments: args, prompt }: CallOutcome): Promise<boolean> {
	const { t } = vscode.l10n;
	const result = end.kind === 'result' ? end.result : undefined;
	const items: CopyItem[] = [
		...(result
			? [
					{ label: t('Text'), description: t('Text of the result'), text: () => plainResult(result) },
					{ label: t('JSON'), description: t('Complete result'), text: () => resultJson(result, prompt) },
				]
			: []),
		...(result?.structuredContent === undefined
			? []
			: [{ label: t('Structured result'), text: () => jsonText(result.structuredContent, 2) }]),
		{ label: t('Arguments'), text: () => jsonText(args, 2) },
	];
	const chosen = await chooseLine(items, t('Select what to copy'));
	if (chosen) {
		await copyText(chosen.text());
	}
	return chosen !== undefined;
}

/** Saves the whole result, or the arguments if the call failed. */
export async function saveOutcome({ tool, end, arguments: args, prompt }: CallOutcome): Promise<void> {
	const text = end.kind === 'result' ? resultJson(end.result, prompt) : jsonText(args, 2);
	await saveBytes(`${tool.name}.json`, () => new TextEncoder().encode(text));
}

export async function openStructured({ tool, end }: CallOutcome, documents: Documents): Promise<void> {
	if (end.kind === 'result') {
		await openText(`${tool.name}.json`, jsonText(end.result.structuredContent, 2), documents);
	}
}

/** Opens a block in a text editor, and a link as resources are opened. */
export async function openBlock(call: CallOutcome, block: ContentBlock, documents: Documents): Promise<void> {
	if (block.type === 'resource_link') {
		await vscode.commands.executeCommand(InternalCommands.openResource, { server: call.server, uri: block.uri });
	} else {
		await openText(fileName(call, block), contentOf(block).text ?? '', documents);
	}
}

/** Saves the text or the decoded bytes of a block. */
export async function saveBlock(call: CallOutcome, block: ContentBlock): Promise<void> {
	await saveBytes(fileName(call, block), () => {
		const { text, base64 = '' } = contentOf(block);
		const bytes = text === undefined ? tryDecodeBase64(base64) : new TextEncoder().encode(text);
		if (!bytes) {
			throw new Error(vscode.l10n.t("The content can't be saved because its base64 data is invalid."));
		}
		return bytes;
	});
}

/** Copies the text of a block, or its base64. */
export async function copyBlock(block: ContentBlock): Promise<void> {
	const { text, base64 = '' } = contentOf(block);
	await copyText(text ?? base64);
}

async function openText(name: string, text: string, documents: Documents): Promise<void> {
	if (text.length > maxOpened) {
		const { t } = vscode.l10n;
		const choice = t('Save…');
		const message = t('The content is too large for an editor ({0}).', describeSize(text.length));
		if ((await vscode.window.showInformationMessage(message, choice)) === choice) {
			await saveBytes(name, () => new TextEncoder().encode(text));
		}
		return;
	}
	await documents.showFile(name, text);
}

/** The text of a block, or its bytes in base64. */
function contentOf(block: ContentBlock): { readonly text?: string | undefined; readonly base64?: string | undefined } {
	switch (block.type) {
		case 'text':
			return { text: block.text };
		case 'image':
		case 'audio':
			return { base64: block.data };
		case 'resource':
			return { text: block.resource.text, base64: block.resource.blob };
		case 'resource_link':
			return { text: block.uri };
		case 'unknown':
			return { text: jsonText(block.raw, 2) };
	}
}

/** The name for a file: that of the resource, or that of the tool with an extension for the type of the block. */
function fileName({ tool }: CallOutcome, block: ContentBlock): string {
	switch (block.type) {
		case 'image':
		case 'audio':
			return `${tool.name}.${mediaTypeOf(block.mimeType)?.extension ?? 'bin'}`;
		case 'resource': {
			const [path = ''] = block.resource.uri.split(/[?#]/, 1);
			return path.split('/').findLast(it => it !== '') ?? tool.name;
		}
		case 'text':
		case 'resource_link':
			return `${tool.name}.txt`;
		case 'unknown':
			return `${tool.name}.json`;
	}
}

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
