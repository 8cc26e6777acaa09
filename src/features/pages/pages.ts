/**
 * The tabs that show pages for reading. A tab shows text of servers, so it has no network and only the script of this
 * extension, and its messages are checked before they have an effect. Tabs aren't restored after a reload of the window,
 * because the content of their pages isn't stored.
 */
import * as vscode from 'vscode';
import { type Disposable, type Event, Owner } from '../../base/lifecycle.js';
import { didUseButton } from '../../editor/commands.js';
import { pageViewType } from '../../editor/contributions.js';
import { copyText } from '../../editor/documents/export.js';
import { oneLine } from '../../editor/ui/plainText.js';
import { PagePanel } from '../../editor/pages/pagePanel.js';
import {
	type OpenedPage,
	type Page,
	type PageContent,
	type FromView,
	readFromView,
	type ShowPage,
	type ToView,
} from '../../webviews/page/reading/protocol.js';
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
			const closing = tab.onDidClose(() => {
				this.tabs.delete(tab);
				closing.dispose();
			});
		}
		return tab;
	}
}

class PageTab implements OpenedPage {
	readonly key: string | undefined;
	readonly onDidClose: Event<void>;
	private readonly panel: PagePanel<FromView, ToView>;
	private id = 0;
	private content!: PageContent;

	constructor(
		extensionUri: vscode.Uri,
		private page: Page,
	) {
		this.key = page.key;
		const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: page.isRead !== true };
		this.panel = new PagePanel(
			extensionUri,
			'reading',
			{ viewType: pageViewType, title: '', place },
			{ read: readFromView, onReady: () => this.send(), onMessage: it => this.take(it) },
		);
		this.onDidClose = this.panel.onDidClose;
		this.set(page);
	}

	/** Shows another page in the tab. */
	show(page: Page): void {
		this.set(page);
		this.panel.reveal(page.isRead !== true);
		this.send();
	}

	private async copy(): Promise<void> {
		await copyText(pageText(this.content));
		// Screen readers don't read the same message of the Status Bar.
		this.panel.post({ type: 'announce', id: this.id, text: vscode.l10n.t('Copied') });
	}

	dispose(): void {
		this.panel.dispose();
	}

	close(): void {
		// A closed panel throws.
		if (this.panel.isClosed) {
			return;
		}
		const { title } = this.panel;
		const all = vscode.window.tabGroups.all.flatMap(it => it.tabs);
		const isPinned = all.some(it => it.isPinned && it.label === title && it.input instanceof vscode.TabInputWebview);
		if (!isPinned) {
			this.panel.dispose();
		}
	}

	private set(page: Page): void {
		this.page = page;
		this.id++;
		this.content = cleanPage(page.content);
		this.panel.title = oneLine(page.name, 80);
	}

	private send(): void {
		const actions = this.page.actions.map(it => it.label);
		this.panel.post({ type: 'page', page: { ...this.content, id: this.id, actions }, strings: viewStrings() });
	}

	private async take(said: Exclude<FromView, { type: 'ready' }>): Promise<void> {
		if (said.id === this.id) {
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
