/**
 * A tab with one of our pages. A page shows text of servers, so it has no network and only our script, and its messages
 * are checked before they have an effect.
 */
import * as vscode from 'vscode';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { reportErrors } from '../commands.js';
import { isWritable } from '../documents/documents.js';

/** The kinds of pages that `webviews/page/main.ts` can show. */
export type PageKind = 'messages' | 'reading' | 'run';

interface Message {
	readonly type: string;
}

/** Handlers for the messages of a page's view. */
export interface PageHandlers<From extends Message> {
	/** Checks a message. */
	readonly read: (message: unknown) => From | undefined;
	/** The view is empty and can receive its content: when it opens, and when it becomes visible again. */
	readonly onReady: () => void;
	readonly onMessage: (message: Exclude<From, { readonly type: 'ready' }>) => unknown;
}

export class PagePanel<From extends Message, To> extends Owner {
	private readonly _onDidClose = this.own(new Emitter<void>());
	/** Fires once, when the tab is closed. */
	readonly onDidClose: Event<void> = this._onDidClose.event;
	private readonly panel: vscode.WebviewPanel;
	private _isReady = false;

	/** @param tab opens a tab, or fills one that the editor has restored */
	constructor(
		extensionUri: vscode.Uri,
		kind: PageKind,
		tab: PageTab | vscode.WebviewPanel,
		private readonly handlers: PageHandlers<From>,
	) {
		super();
		const localResourceRoots = ['dist', 'media'].map(it => vscode.Uri.joinPath(extensionUri, it));
		const options = { enableScripts: true, localResourceRoots };
		if ('webview' in tab) {
			tab.webview.options = options;
			this.panel = tab;
		} else {
			const { viewType, title, place, retains = false } = tab;
			// No find widget: hiding it with its tab gives the hidden view the focus (microsoft/vscode#248324).
			const all = { ...options, retainContextWhenHidden: retains };
			this.panel = vscode.window.createWebviewPanel(viewType, title, place, all);
		}
		const { webview } = this.panel;
		webview.onDidReceiveMessage((message: unknown) => void reportErrors(() => this.take(message)));
		this.panel.onDidDispose(() => {
			this._onDidClose.fire();
			this.dispose();
		});
		webview.html = pageHtml(webview, extensionUri, kind);
	}

	/** Whether the view can receive messages. */
	get isReady(): boolean {
		return this._isReady;
	}

	/** Whether the person has closed the tab, or it was disposed. */
	get isClosed(): boolean {
		return this.owned.isDisposed;
	}

	get title(): string {
		return this.panel.title;
	}

	set title(title: string) {
		this.panel.title = title;
	}

	reveal(preserveFocus: boolean): void {
		this.panel.reveal(undefined, preserveFocus);
	}

	/**
	 * Shows the tab without covering a text that the person edits: revealing it in front of the text would also take the
	 * focus from it.
	 */
	revealQuietly(): void {
		const { visible, viewColumn } = this.panel;
		const covers = !visible && editedText()?.viewColumn === viewColumn;
		this.panel.reveal(covers ? besideColumn() : undefined, true);
	}

	/** Sends a message, unless the tab is closed, or the view isn't ready: then `onReady` sends everything. */
	post(message: To): void {
		if (this._isReady && !this.isClosed) {
			// The editor delivers the message to this view only. There is no origin to name.
			void this.panel.webview.postMessage(message);
		}
	}

	override dispose(): void {
		super.dispose();
		this.panel.dispose();
	}

	private async take(message: unknown): Promise<void> {
		const received = this.handlers.read(message);
		if (received?.type === 'ready') {
			this._isReady = true;
			this.handlers.onReady();
		} else if (received) {
			await this.handlers.onMessage(received as Exclude<From, { readonly type: 'ready' }>);
		}
	}
}

/** The column for a tab that must not cover a text that the person edits. */
export function quietColumn(): vscode.ViewColumn {
	return editedText() ? besideColumn() : vscode.ViewColumn.Active;
}

/** The column of another group of editors: a new group only if there is just one. */
export function besideColumn(): vscode.ViewColumn {
	const { all, activeTabGroup } = vscode.window.tabGroups;
	return all.find(it => it !== activeTabGroup)?.viewColumn ?? vscode.ViewColumn.Beside;
}

function editedText(): vscode.TextEditor | undefined {
	const editor = vscode.window.activeTextEditor;
	return editor && isWritable(editor.document) ? editor : undefined;
}

/** How a tab is opened. */
export interface PageTab {
	readonly viewType: string;
	/** Already cleaned. */
	readonly title: string;
	readonly place: { readonly viewColumn: vscode.ViewColumn; readonly preserveFocus: boolean };
	/** Whether the view keeps its content while the tab is hidden, which costs memory. */
	readonly retains?: boolean;
}

/** The HTML of a page. Its policy allows one script, our style sheets, and media that the script makes. */
function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, kind: PageKind): string {
	const nonce = crypto.randomUUID();
	const own = (...path: string[]): string =>
		webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
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
${['page.css', 'form.css', 'messages.css', 'run.css'].map(it => `<link rel="stylesheet" href="${own('media', it)}">`).join('\n')}
</head>
<body data-kind="${kind}"><script nonce="${nonce}" src="${own('dist', 'page.js')}"></script></body>
</html>`;
}
