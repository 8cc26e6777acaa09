/**
 * The tabs that show pages for reading. A tab shows text of servers, so it has no network and only the script of this
 * extension, and its messages are checked before they have an effect. Tabs aren't restored after a reload of the window,
 * because the content of their pages isn't stored.
 */
import * as vscode from 'vscode';
import { type Disposable, Emitter, type Event, Owner } from '../../base/lifecycle.js';
import { didUseButton, reportErrors } from '../../editor/commands.js';
import { pageViewType } from '../../editor/contributions.js';
import { copyText } from '../../editor/documents/export.js';
import { oneLine } from '../../editor/ui/plainText.js';
import { webviewHtml } from '../../editor/ui/webviewHtml.js';
import {
	type OpenedPage,
	type Page,
	type PageContent,
	readFromView,
	type ShowPage,
	type ToView,
} from '../../webviews/page/protocol.js';
import { cleanPage, isShownWhole, pageText, viewStrings } from './pageView.js';

export class Pages extends Owner {
	private readonly tabs = new Set<PageTab>();

	constructor(private readonly extensionUri: vscode.Uri) {
		super();
		this.own({ dispose: () => this.tabs.forEach(it => it.dispose()) });
	}

	show(page: Page): OpenedPage {
		const { key } = page;
		if (page.isExact === true && !isShownWhole(page.content)) {
			throw new Error(vscode.l10n.t('The page is too large to be shown.'));
		}
		const known = key === undefined ? undefined : [...this.tabs].find(it => it.key === key);
		const tab = known ?? new PageTab(this.extensionUri, page);
		if (known) {
			known.show(page);
		} else {
			this.tabs.add(tab);
			tab.onDidClose(() => this.tabs.delete(tab));
		}
		return tab;
	}
}

class PageTab extends Owner implements OpenedPage {
	readonly key: string | undefined;
	private readonly _onDidClose = this.own(new Emitter<void>());
	readonly onDidClose: Event<void> = this._onDidClose.event;
	private readonly panel: vscode.WebviewPanel;
	private id = 0;
	private content!: PageContent;
	private isReady = false;

	constructor(
		private readonly extensionUri: vscode.Uri,
		private page: Page,
	) {
		super();
		this.key = page.key;
		this.panel = vscode.window.createWebviewPanel(
			pageViewType,
			'',
			{ viewColumn: vscode.ViewColumn.Active, preserveFocus: page.isRead !== true },
			{
				enableScripts: true,
				localResourceRoots: ['dist', 'media'].map(it => vscode.Uri.joinPath(extensionUri, it)),
			},
		);
		this.set(page);
		this.panel.webview.onDidReceiveMessage((message: unknown) => void reportErrors(() => this.take(message)));
		this.panel.onDidDispose(() => {
			this._onDidClose.fire();
			this.dispose();
		});
		this.panel.webview.html = webviewHtml(this.panel.webview, this.extensionUri, 'page.js', ['result.css', 'page.css']);
	}

	/** Shows another page in the tab. */
	show(page: Page): void {
		this.set(page);
		this.panel.reveal(undefined, page.isRead !== true);
		if (this.isReady) {
			this.send();
		}
	}

	private async copy(): Promise<void> {
		await copyText(pageText(this.content));
		// Screen readers don't read the same message of the Status Bar.
		this.post({ type: 'said', id: this.id, text: vscode.l10n.t('Copied') });
	}

	close(): void {
		// A closed panel throws.
		if (this.owned.isDisposed) {
			return;
		}
		const { title } = this.panel;
		const all = vscode.window.tabGroups.all.flatMap(it => it.tabs);
		const isPinned = all.some(it => it.isPinned && it.label === title && it.input instanceof vscode.TabInputWebview);
		if (!isPinned) {
			this.panel.dispose();
		}
	}

	override dispose(): void {
		super.dispose();
		this.panel.dispose();
	}

	private set(page: Page): void {
		this.page = page;
		this.id++;
		this.content = cleanPage(page.content);
		this.panel.title = oneLine(page.name, 80);
	}

	private send(): void {
		const actions = this.page.actions.map(it => it.label);
		this.post({ type: 'page', page: { ...this.content, id: this.id, actions }, strings: viewStrings() });
	}

	private post(message: ToView): void {
		// A webview has no origin to check: the editor delivers the message only to this view.
		void this.panel.webview.postMessage(message);
	}

	private async take(message: unknown): Promise<void> {
		const said = readFromView(message);
		if (said?.type === 'ready') {
			// Sent each time that the tab becomes visible.
			this.isReady = true;
			this.send();
		} else if (said?.id === this.id) {
			didUseButton();
			await (said.type === 'copy' ? this.copy() : this.page.actions[said.action]?.run());
		}
	}
}

/** Creates `ShowPage`. Disposing the result closes the tabs. @param context has the folder of the extension */
export function registerPages({
	context,
}: {
	readonly context: Pick<vscode.ExtensionContext, 'extensionUri'>;
}): Disposable & {
	readonly showPage: ShowPage;
} {
	const pages = new Pages(context.extensionUri);
	return { showPage: page => pages.show(page), dispose: () => pages.dispose() };
}
