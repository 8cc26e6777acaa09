/** What can be done with a result besides looking at it: copy, save, open in an editor. */
import * as vscode from 'vscode';
import type { ContentBlock } from '../../mcp/index.js';
import type { CallOutcome } from '../../core/calls/callOutcome.js';
import { tryDecodeBase64 } from '../../base/base64.js';
import { Commands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { copyText, saveBytes } from '../../editor/documents/export.js';
import { describeSize } from '../../editor/l10n/messages.js';
import { jsonText } from '../../editor/ui/plainText.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { mediaTypeOf } from '../../editor/documents/media.js';
import { resultJson, resultText } from './resultText.js';

/** The editor hands no larger text to extensions, and ours come from one. */
const maxOpened = 20_000_000;

interface CopyItem extends vscode.QuickPickItem {
	readonly text: () => string;
}

/** Asks in which form, and copies; false if nothing was chosen. */
export async function copyOutcome({ end, arguments: args, prompt }: CallOutcome): Promise<boolean> {
	const { t } = vscode.l10n;
	const result = end.kind === 'result' ? end.result : undefined;
	const items: CopyItem[] = [
		...(result
			? [
					{ label: t('Text'), description: t('what the blocks say'), text: () => resultText(result) },
					{ label: t('JSON'), description: t('the whole result, as it came'), text: () => resultJson(result, prompt) },
				]
			: []),
		...(result?.structuredContent === undefined
			? []
			: [{ label: t('Structured Result'), text: () => jsonText(result.structuredContent, 2) }]),
		{ label: t('Arguments'), text: () => jsonText(args, 2) },
	];
	const chosen = await chooseLine(items, t('Copy as…'));
	if (chosen) {
		await copyText(chosen.text());
	}
	return chosen !== undefined;
}

/** Asks where, and saves the whole result; of what failed, the arguments. */
export async function saveOutcome({ tool, end, arguments: args, prompt }: CallOutcome): Promise<void> {
	const text = end.kind === 'result' ? resultJson(end.result, prompt) : jsonText(args, 2);
	await saveBytes(`${tool.name}.json`, () => new TextEncoder().encode(text));
}

export async function openStructured({ tool, end }: CallOutcome, documents: Documents): Promise<void> {
	if (end.kind === 'result') {
		await openText(`${tool.name}.json`, jsonText(end.result.structuredContent, 2), documents);
	}
}

/** A text in a tab of its own; a link in the way that resources open. */
export async function openBlock(call: CallOutcome, block: ContentBlock, documents: Documents): Promise<void> {
	switch (block.type) {
		case 'resource_link':
			await vscode.commands.executeCommand(Commands.openResource, { server: call.server, uri: block.uri });
			break;
		case 'resource':
			await openText(fileName(call, block), block.resource.text ?? '', documents);
			break;
		case 'text':
			await openText(fileName(call, block), block.text, documents);
			break;
		case 'unknown':
			await openText(fileName(call, block), jsonText(block.raw, 2), documents);
			break;
		case 'image':
		case 'audio':
			// There is no such button.
			break;
	}
}

/** Asks where, and saves the bytes that the block stands for. */
export async function saveBlock(call: CallOutcome, block: ContentBlock): Promise<void> {
	await saveBytes(fileName(call, block), () => {
		const bytes = bytesOf(block);
		if (!bytes) {
			throw new Error(vscode.l10n.t('The server sent it in broken base64, so there is nothing to save.'));
		}
		return bytes;
	});
}

export async function copyBlock(block: ContentBlock): Promise<void> {
	switch (block.type) {
		case 'text':
			await copyText(block.text);
			break;
		case 'resource':
			await copyText(block.resource.text ?? block.resource.blob ?? '');
			break;
		case 'image':
		case 'audio':
			await copyText(block.data);
			break;
		case 'resource_link':
			await copyText(block.uri);
			break;
		case 'unknown':
			await copyText(jsonText(block.raw, 2));
			break;
	}
}

async function openText(name: string, text: string, documents: Documents): Promise<void> {
	if (text.length > maxOpened) {
		const { t } = vscode.l10n;
		const choice = t('Save…');
		const message = t('It is too large for an editor ({0}).', describeSize(text.length));
		if ((await vscode.window.showInformationMessage(message, choice)) === choice) {
			await saveBytes(name, () => new TextEncoder().encode(text));
		}
		return;
	}
	await documents.showFile(name, text);
}

function bytesOf(block: ContentBlock): Uint8Array | undefined {
	switch (block.type) {
		case 'text':
			return new TextEncoder().encode(block.text);
		case 'image':
		case 'audio':
			return tryDecodeBase64(block.data);
		case 'resource': {
			const { text, blob } = block.resource;
			return text === undefined ? tryDecodeBase64(blob ?? '') : new TextEncoder().encode(text);
		}
		case 'resource_link':
			return new TextEncoder().encode(block.uri);
		case 'unknown':
			return new TextEncoder().encode(jsonText(block.raw, 2));
	}
}

/** What the file is called: by the resource's own name, or by the tool's with the ending of its type. */
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
