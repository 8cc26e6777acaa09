/**
 * The tab that shows results: one for all of them, beside what is being edited, and it never takes the focus. Its
 * content can reach nothing: no network, no scripts but ours, and what is pressed in it is checked before it is done.
 */
import * as vscode from 'vscode';
import { MutableDisposable, Owner } from '../../base/lifecycle.js';
import type { CallAgain, CallOutcome, OutcomeUse } from '../../core/calls/callOutcome.js';
import { guarded } from '../../editor/commands.js';
import { Commands, resultViewType } from '../../editor/contributions.js';
import { type Documents, isWritable } from '../../editor/documents/documents.js';
import { type FromView, readFromView, type ToView } from '../../webviews/result/protocol.js';
import { copyBlock, copyOutcome, openBlock, openStructured, saveBlock, saveOutcome } from './resultActions.js';
import { preparePage, type PreparedPage, viewStrings } from './resultPage.js';
import { treeChildren } from './valueTree.js';

interface Shown {
	readonly call: CallOutcome;
	readonly again: CallAgain;
	/** The uses that the page offers as buttons. */
	readonly uses: readonly OutcomeUse[];
	readonly prepared: PreparedPage;
}

export class ResultPanel extends Owner {
	private readonly panel = this.own(new MutableDisposable<vscode.WebviewPanel>());
	private shown: Shown | undefined;
	private isReady = false;
	private lastId = 0;

	constructor(
		private readonly extensionUri: vscode.Uri,
		private readonly documents: Documents,
	) {
		super();
	}

	/** @param whose the server's label */
	show(whose: string, call: CallOutcome, again: CallAgain): void {
		const { uses = [] } = again;
		const prepared = this.prepare(whose, call, again, uses instanceof Promise ? [] : uses);
		if (this.panel.value) {
			this.panel.value.title = prepared.page.title;
			this.panel.value.reveal(coversAnEditor(this.panel.value) ? vscode.ViewColumn.Beside : undefined, true);
		} else {
			this.panel.value = this.open(prepared.page.title);
		}
		if (this.isReady) {
			this.sendPage();
		}
		if (uses instanceof Promise) {
			void uses.then(later => {
				if (this.shown?.call === call) {
					this.prepare(whose, call, again, later);
					if (this.isReady) {
						this.sendPage();
					}
				}
			});
		}
	}

	private prepare(whose: string, call: CallOutcome, again: CallAgain, uses: readonly OutcomeUse[]): PreparedPage {
		const prepared = preparePage(++this.lastId, whose, call, uses);
		this.shown = { call, again, uses, prepared };
		return prepared;
	}

	private open(title: string): vscode.WebviewPanel {
		const { Active, Beside } = vscode.ViewColumn;
		const { activeTabGroup } = vscode.window.tabGroups;
		const viewColumn = activeTabGroup.tabs.length > 0 ? Beside : Active;
		const panel = vscode.window.createWebviewPanel(
			resultViewType,
			title,
			{ viewColumn, preserveFocus: true },
			{
				enableScripts: true,
				// One tab, whose unfolded trees and scrolling are worth its memory.
				retainContextWhenHidden: true,
				// No find widget: as it is hidden with its tab, the editor gives the hidden view the focus (microsoft/vscode#248324).
				localResourceRoots: ['dist', 'media'].map(it => vscode.Uri.joinPath(this.extensionUri, it)),
			},
		);
		this.isReady = false;
		panel.webview.onDidReceiveMessage((message: unknown) => {
			const said = readFromView(message);
			if (said) {
				void guarded(() => this.take(said));
			}
		});
		panel.onDidDispose(() => {
			if (this.panel.value === panel) {
				this.panel.value = undefined;
				this.shown = undefined;
			}
		});
		panel.webview.html = this.html(panel.webview);
		return panel;
	}

	private html(webview: vscode.Webview): string {
		const nonce = crypto.randomUUID();
		const own = (...path: string[]): string =>
			webview.asWebviewUri(vscode.Uri.joinPath(this.extensionUri, ...path)).toString();
		const policy = [
			`default-src 'none'`,
			`script-src 'nonce-${nonce}'`,
			`style-src ${webview.cspSource}`,
			'img-src blob:',
			'media-src blob:',
			`base-uri 'none'`,
			`form-action 'none'`,
		].join('; ');
		return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${own('media', 'result.css')}">
</head>
<body><script nonce="${nonce}" src="${own('dist', 'result.js')}"></script></body>
</html>`;
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
		// The editor delivers it to this one view: there is no origin to name.
		// oxlint-disable-next-line unicorn/require-post-message-target-origin
		void this.panel.value?.webview.postMessage(message);
	}

	private async take(said: FromView): Promise<void> {
		if (said.type === 'ready') {
			this.isReady = true;
			this.sendPage();
			return;
		}
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
			case 'pressUse':
				await shown.uses[said.use]?.run();
				break;
			case 'pressBlock': {
				const block = call.end.kind === 'result' ? call.end.result.content[said.block] : undefined;
				// What has no button cannot be pressed, whatever the message says.
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
		switch (action) {
			case 'runAgain':
				await again.run();
				break;
			case 'edit':
				await again.edit();
				break;
			case 'copy':
				if (await copyOutcome(call)) {
					this.sayCopied(id);
				}
				break;
			case 'save':
				await saveOutcome(call);
				break;
			case 'compare':
				await vscode.commands.executeCommand(Commands.compareResults, { id: call.id });
				break;
			case 'history':
				await vscode.commands.executeCommand(Commands.showInHistory, { id: call.id });
				break;
			case 'log':
				call.server.log.show();
				break;
			case 'openStructured':
				await openStructured(call, this.documents);
				break;
		}
	}

	/** The status bar says it too, which screen readers pass over. */
	private sayCopied(id: number): void {
		this.send({ type: 'said', id, text: vscode.l10n.t('Copied') });
	}

	private sendChildren({ call, prepared }: Shown, { id, place }: Extract<FromView, { type: 'expand' }>): void {
		const { tree, path, from } = place;
		const result = call.end.kind === 'result' ? call.end.result : undefined;
		const block = typeof tree === 'number' ? result?.content[tree] : undefined;
		const isStructured = tree === 'structured';
		const root = isStructured
			? result?.structuredContent
			: tree === 'arguments'
				? call.arguments
				: block?.type === 'unknown'
					? block.raw
					: undefined;
		const { entries, left } = treeChildren(root, path, from, isStructured ? prepared.problems : new Map());
		this.send({ type: 'children', id, place, entries, left });
	}
}

/** Whether the view is hidden behind a text that the person may be writing: shown there, it would take the focus from it. */
function coversAnEditor({ visible, viewColumn }: vscode.WebviewPanel): boolean {
	const editor = vscode.window.activeTextEditor;
	return !visible && editor !== undefined && editor.viewColumn === viewColumn && isWritable(editor.document);
}
