/**
 * The tab that shows results: one tab for all, which never takes the focus. Its webview shows text of servers, so it
 * has no network and only the script of this extension, and its messages are checked before they have an effect.
 */
import * as vscode from 'vscode';
import { type Disposable, MutableDisposable, Owner } from '../../base/lifecycle.js';
import type { CallAgain, CallOutcome, ShowOutcome } from '../../core/calls/calls.js';
import { Commands, InternalCommands, resultViewType } from '../../editor/contributions.js';
import { type Documents, isWritable } from '../../editor/documents/documents.js';
import { type FromView, type PageAction, readFromView, type ToView } from '../../webviews/page/result/protocol.js';
import { type PreparedPage, preparePage, viewStrings } from './resultPage.js';
import { treeChildren } from './valueTree.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ContentBlock, ToolResult } from '../../mcp/index.js';
import { tryDecodeBase64 } from '../../base/base64.js';
import { copyText, saveBytes } from '../../editor/documents/export.js';
import { describeSize } from '../../editor/l10n/messages.js';
import { indentSource, resultSource } from '../../core/text/jsonSource.js';
import { jsonText } from '../../editor/ui/plainText.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { PagePanel } from '../../editor/ui/pagePanel.js';
import { mediaTypeOf } from '../../editor/documents/media.js';
import { contentText } from '../../editor/documents/contentText.js';

const { t } = vscode.l10n;

interface Shown {
	readonly call: CallOutcome;
	readonly again: CallAgain;
	readonly prepared: PreparedPage;
}

export class ResultPanel extends Owner {
	private readonly panel = this.own(new MutableDisposable<PagePanel<FromView, ToView>>());
	private shown: Shown | undefined;
	private lastId = 0;

	constructor(
		private readonly extensionUri: vscode.Uri,
		private readonly documents: Documents,
	) {
		super();
	}

	/** Shows an outcome in place of the earlier one. @param serverLabel label of the server */
	show(serverLabel: string, call: CallOutcome, again: CallAgain): void {
		const prepared = preparePage(++this.lastId, serverLabel, call);
		this.shown = { call, again, prepared };
		if (this.panel.value) {
			this.panel.value.title = prepared.page.title;
			this.panel.value.reveal(coversAnEditor(this.panel.value) ? vscode.ViewColumn.Beside : undefined, true);
		} else {
			this.panel.value = this.open(prepared.page.title);
		}
		this.sendPage();
	}

	private open(title: string): PagePanel<FromView, ToView> {
		const { Active, Beside } = vscode.ViewColumn;
		const { activeTabGroup } = vscode.window.tabGroups;
		const viewColumn = activeTabGroup.tabs.length > 0 ? Beside : Active;
		const panel = new PagePanel<FromView, ToView>(
			this.extensionUri,
			'result',
			// Keeps the expanded trees and the scroll position. There is only one tab, so the memory doesn't matter.
			{ viewType: resultViewType, title, place: { viewColumn, preserveFocus: true }, retains: true },
			{ read: readFromView, onReady: () => this.sendPage(), onMessage: it => this.take(it) },
		);
		panel.onDidClose(() => {
			if (this.panel.value === panel) {
				this.panel.value = undefined;
				this.shown = undefined;
			}
		});
		return panel;
	}

	private sendPage(): void {
		if (!this.shown) {
			return;
		}
		const { page, media } = this.shown.prepared;
		this.send({ type: 'page', page, strings: viewStrings() });
		for (const it of media) {
			this.send({ type: 'media', id: page.id, ...it });
		}
	}

	private send(message: ToView): void {
		this.panel.value?.post(message);
	}

	private async take(said: Exclude<FromView, { type: 'ready' }>): Promise<void> {
		const { shown } = this;
		if (!shown || said.id !== shown.prepared.page.id) {
			return;
		}
		const { call, again } = shown;
		switch (said.type) {
			case 'expand':
				this.sendChildren(shown, said);
				break;
			case 'press':
				await this.press(said, call, again);
				break;
			case 'pressBlock': {
				const block = call.end.kind === 'result' ? call.end.result.content[said.block] : undefined;
				// Only actions that the page has a button for are allowed.
				if (!block || !shown.prepared.page.blocks[said.block]?.actions.includes(said.action)) {
					break;
				}
				if (said.action === 'open') {
					await openBlock(call, block, this.documents);
				} else if (said.action === 'saveBlock') {
					await saveBlock(call, block);
				} else {
					await copyBlock(block);
					this.sayCopied(said.id);
				}
				break;
			}
		}
	}

	private async press(
		{ action, id }: Extract<FromView, { type: 'press' }>,
		call: CallOutcome,
		again: CallAgain,
	): Promise<void> {
		const actions: Readonly<Record<PageAction, () => unknown>> = {
			runAgain: () => again.run(),
			edit: () => again.edit(),
			copy: async () => (await copyOutcome(call)) && this.sayCopied(id),
			save: () => saveOutcome(call),
			compare: () => vscode.commands.executeCommand(InternalCommands.compareResults, { id: call.id }),
			history: () => vscode.commands.executeCommand(InternalCommands.showInHistory, { id: call.id }),
			log: () => call.server.log.show(),
			messages: () => vscode.commands.executeCommand(Commands.showMessages, { call: call.id }),
			openStructured: () => openStructured(call, this.documents),
		};
		await actions[action]();
	}

	/** For screen readers, which don't read the message in the status bar. */
	private sayCopied(id: number): void {
		this.send({ type: 'said', id, text: t('Copied') });
	}

	private sendChildren({ call, prepared }: Shown, { id, place }: Extract<FromView, { type: 'expand' }>): void {
		const { tree, path, from } = place;
		const result = call.end.kind === 'result' ? call.end.result : undefined;
		const isStructured = tree === 'structured';
		const root = isStructured
			? result?.structuredContent
			: tree === 'arguments'
				? call.arguments
				: prepared.trees.get(tree);
		const { entries, left } = treeChildren(root, path, from, isStructured ? prepared.problems : new Map());
		this.send({ type: 'children', id, place, entries, left });
	}
}

/** Whether the view is hidden behind a text editor in use. Revealing it there would take the focus from the editor. */
function coversAnEditor({ visible, viewColumn }: PagePanel<FromView, ToView>): boolean {
	const editor = vscode.window.activeTextEditor;
	return !visible && editor !== undefined && editor.viewColumn === viewColumn && isWritable(editor.document);
}

interface ResultsDeps {
	readonly registry: ServerRegistry;
	readonly documents: Documents;
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}

interface ResultsFeature extends Disposable {
	readonly show: ShowOutcome;
}

export function registerResults({ registry, documents, context }: ResultsDeps): ResultsFeature {
	const panel = new ResultPanel(context.extensionUri, documents);
	return {
		show: (call, again) => panel.show(registry.label(call.server), call, again),
		dispose: () => panel.dispose(),
	};
}

/** Largest text that is opened, in characters. The editor gives extensions no larger documents. */
const maxOpened = 20_000_000;

interface CopyItem extends vscode.QuickPickItem {
	readonly text: () => string;
}

/** Asks for a format and copies. Gives false if the person chose none. */
export async function copyOutcome({ end, arguments: args, prompt }: CallOutcome): Promise<boolean> {
	const { result, text: message } = end.kind === 'result' ? end : {};
	const items: CopyItem[] = [
		...(result
			? [
					{ label: t('Text'), description: t('Text of the result'), text: () => plainResult(result) },
					{ label: t('JSON'), description: t('Complete result'), text: () => resultJson(result, prompt, message) },
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
	const text = end.kind === 'result' ? resultJson(end.result, prompt, end.text) : jsonText(args, 2);
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

/** The whole result as JSON, as it came in the message `text` if that is known, or else in the format of the protocol. @param prompt makes it the result of `prompts/get` */
export function resultJson(
	{ content, structuredContent, isError, meta }: ToolResult,
	prompt?: CallOutcome['prompt'],
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
	const wire = {
		content: blocks,
		...(structuredContent === undefined ? {} : { structuredContent }),
		...(isError ? { isError } : {}),
		...(meta ? { _meta: meta } : {}),
	};
	return jsonText(wire, 2);
}
