/** The extension's side of a result in a page: sends the result, and runs the actions of its buttons. */
import * as vscode from 'vscode';
import type { CallOutcome } from '../../core/calls/calls.js';
import { ServerEndedError } from '../../core/servers/serverState.js';
import { InternalCommands } from '../contributions.js';
import type { Documents } from '../documents/documents.js';
import type { FromView, PageAction, ToView } from '../../webviews/page/result/protocol.js';
import { type PreparedPage, preparePage, viewStrings } from './resultPage.js';
import { treeChildren } from './valueTree.js';
import type { ContentBlock, ToolResult } from '../../mcp/index.js';
import { tryDecodeBase64 } from '../../base/base64.js';
import { copyText, saveBytes } from '../documents/export.js';
import { describeSize } from '../l10n/messages.js';
import { textOfResource } from '../../core/resources/contentView.js';
import { indentSource, resultSource } from '../../core/text/jsonSource.js';
import { jsonText } from '../ui/plainText.js';
import { chooseLine } from '../ui/quickInput.js';
import { mediaTypeOf } from '../documents/media.js';
import { contentText } from '../documents/contentText.js';

const { t } = vscode.l10n;

interface Shown {
	readonly call: CallOutcome;
	readonly prepared: PreparedPage;
}

let lastId = 0;

export class ResultHost {
	private shown: Shown | undefined;

	/** @param post sends a message to the view, or does nothing if the view isn't ready */
	constructor(
		private readonly documents: Documents,
		private readonly post: (message: ToView) => void,
	) {}

	/** Shows an outcome, and replaces the previous one. @param serverLabel label of the server */
	show(serverLabel: string, call: CallOutcome): void {
		this.shown = { call, prepared: preparePage(++lastId, serverLabel, call) };
		this.send();
	}

	/** Sends the result to a new or emptied view. */
	send(): void {
		if (!this.shown) {
			return;
		}
		const { page, media } = this.shown.prepared;
		this.post({ type: 'page', page, strings: viewStrings() });
		for (const it of media) {
			this.post({ type: 'media', id: page.id, ...it });
		}
	}

	/** Handles a message of the view. */
	async take(message: FromView): Promise<void> {
		const { shown } = this;
		if (!shown || message.id !== shown.prepared.page.id) {
			return;
		}
		const { call } = shown;
		switch (message.type) {
			case 'use':
				await call.uses?.[message.index]?.run();
				break;
			case 'expand':
				this.sendChildren(shown, message);
				break;
			case 'press':
				await this.press(message, call);
				break;
			case 'pressBlock': {
				const block = call.end.kind === 'answered' ? call.end.result.content[message.block] : undefined;
				// The view is untrusted, so only actions with a button on the page are allowed.
				if (!block || !shown.prepared.page.blocks[message.block]?.actions.includes(message.action)) {
					break;
				}
				if (message.action === 'open') {
					await openBlock(call, block, this.documents);
				} else if (message.action === 'saveBlock') {
					await saveBlock(call, block);
				} else {
					await copyBlock(block);
					this.announceCopied(message.id);
				}
				break;
			}
		}
	}

	private async press({ action, id }: Extract<FromView, { type: 'press' }>, call: CallOutcome): Promise<void> {
		const error = call.end.kind === 'failed' ? call.end.error : undefined;
		const actions: Readonly<Record<PageAction, () => unknown>> = {
			copy: async () => (await copyOutcome(call)) && this.announceCopied(id),
			save: () => saveOutcome(call),
			compare: () => vscode.commands.executeCommand(InternalCommands.compareResults, { id: call.id }),
			history: () => vscode.commands.executeCommand(InternalCommands.showInHistory, { id: call.id }),
			// After a crash, the log opens at the line about the crash.
			log: () => call.server.log.show(error instanceof ServerEndedError ? error.logLine : undefined),
			openStructured: () => openStructured(call, this.documents),
		};
		await actions[action]();
	}

	/** For screen readers, which don't read the message in the status bar. */
	private announceCopied(id: number): void {
		this.post({ type: 'announce', id, text: t('Copied') });
	}

	private sendChildren({ call, prepared }: Shown, { id, place }: Extract<FromView, { type: 'expand' }>): void {
		const { tree, path, from } = place;
		const result = call.end.kind === 'answered' ? call.end.result : undefined;
		const isStructured = tree === 'structured';
		const root = isStructured
			? result?.structuredContent
			: tree === 'arguments'
				? call.arguments
				: prepared.trees.get(tree);
		const { entries, left } = treeChildren(root, path, from, isStructured ? prepared.problems : new Map());
		this.post({ type: 'children', id, place, entries, left });
	}
}

/** Largest text that is opened, in characters. The editor gives extensions no larger documents. */
const maxOpened = 20_000_000;

interface CopyItem extends vscode.QuickPickItem {
	readonly text: () => string;
}

/** Asks for a format and copies. Returns false if the person chose none. */
export async function copyOutcome(call: CallOutcome): Promise<boolean> {
	const { end, arguments: args } = call;
	const { result, text: message } = end.kind === 'answered' ? end : {};
	const items: CopyItem[] = [
		...(result
			? [
					{ label: t('Text'), description: t('Text of the result'), text: () => plainResult(result) },
					{ label: t('JSON'), description: t('Complete result'), text: () => resultJson(result, call, message) },
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
export async function saveOutcome(call: CallOutcome): Promise<void> {
	const { tool, end, arguments: args } = call;
	const text = end.kind === 'answered' ? resultJson(end.result, call, end.text) : jsonText(args, 2);
	// The names of prompts begin with a slash.
	await saveBytes(`${tool.name.replace(/^\//, '')}.json`, () => new TextEncoder().encode(text));
}

export async function openStructured({ tool, end }: CallOutcome, documents: Documents): Promise<void> {
	if (end.kind === 'answered') {
		await openText(`${tool.name}.json`, jsonText(end.result.structuredContent, 2), documents);
	}
}

/** Opens a block in a text editor, or the resource of a link. */
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
		const { text, base64 } = contentOf(block);
		const bytes = base64 === undefined ? new TextEncoder().encode(text) : tryDecodeBase64(base64);
		if (!bytes) {
			throw new Error(t("The content can't be saved because its base64 data is invalid."));
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
		const choice = t('Save…');
		const message = t('The content is too large for an editor ({0}).', describeSize(text.length));
		if ((await vscode.window.showInformationMessage(message, choice)) === choice) {
			await saveBytes(name, () => new TextEncoder().encode(text));
		}
		return;
	}
	await documents.showFile(name, text);
}

/** The text of a block, its bytes in base64, or both if its text was sent in base64. */
function contentOf(block: ContentBlock): { readonly text?: string | undefined; readonly base64?: string | undefined } {
	switch (block.type) {
		case 'text':
			return { text: block.text };
		case 'image':
		case 'audio':
			return { base64: block.data };
		case 'resource':
			return { text: textOfResource(block.resource), base64: block.resource.blob };
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
			const { uri, mimeType = '' } = block.resource;
			const [path = ''] = uri.split(/[?#]/, 1);
			const name = path.split('/').findLast(it => it !== '') ?? tool.name;
			const { extension } = mediaTypeOf(mimeType) ?? {};
			return extension === undefined || name.includes('.') ? name : `${name}.${extension}`;
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

/**
 * The whole result as JSON: as in the message `text` if it is known, or else in the format of the protocol.
 * @param call the call that returned the result, if it may be `prompts/get` or `resources/read`
 */
export function resultJson(
	{ content, structuredContent, isError, meta }: ToolResult,
	{ prompt, uri }: Pick<CallOutcome, 'prompt' | 'uri'> = {},
	text = '',
): string {
	const source = resultSource(text);
	if (source !== undefined) {
		return indentSource(source);
	}
	const [first] = content;
	if (first?.type === 'unknown' && first.isWhole) {
		return jsonText(first.raw, 2);
	}
	const blocks = content.map(it => (it.type === 'unknown' ? it.raw : it));
	if (prompt) {
		const { description, roles } = prompt;
		return jsonText({ description, messages: blocks.map((content, index) => ({ role: roles[index], content })) }, 2);
	}
	if (uri !== undefined) {
		return jsonText({ contents: content.map(it => (it.type === 'resource' ? it.resource : it)) }, 2);
	}
	const wire = {
		content: blocks,
		...(structuredContent === undefined ? {} : { structuredContent }),
		...(isError ? { isError } : {}),
		...(meta ? { _meta: meta } : {}),
	};
	return jsonText(wire, 2);
}
