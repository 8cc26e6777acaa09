/**
 * The content of a page for reading, and the messages between the extension and the page view. Both sides check the
 * messages they receive. The view shows text of servers, so its messages are untrusted.
 */

/** The keys of the view's own texts. They are sent with each page, because the view has no `vscode.l10n`. */
export const stringKeys = ['actions', 'copy', 'fromServer'] as const;
export type Strings = Readonly<Record<(typeof stringKeys)[number], string>>;

/** The kinds of summaries, which differ in the color of their border. */
export const tones = ['plain', 'good', 'warning', 'error'] as const;

/** A value under a label. `note` is an explanation of the value. */
export interface PageRow {
	readonly label: string;
	readonly value: string;
	readonly note?: string | undefined;
}

/** A part of a section. `code` keeps its line breaks and is shown in the editor's font. */
export type PageBlock =
	| { readonly kind: 'text' | 'code'; readonly text: string }
	| { readonly kind: 'rows'; readonly rows: readonly PageRow[] }
	| { readonly kind: 'list' | 'numbers'; readonly items: readonly string[] };

export interface PageSection {
	readonly title: string;
	/** Whether the blocks are text of a server. The view says so. */
	readonly isServers?: boolean | undefined;
	readonly blocks: readonly PageBlock[];
}

/** The content of a page. Its texts needn't be clean: `features/pages` cuts and cleans all of them. */
export interface PageContent {
	readonly title: string;
	/** One sentence that says what the page is about, or what happened. */
	readonly summary: string;
	readonly tone: (typeof tones)[number];
	/** Shown below the summary. */
	readonly facts: readonly PageRow[];
	readonly sections: readonly PageSection[];
}

export interface PageAction {
	readonly label: string;
	readonly run: () => unknown;
}

/** A page that a feature shows by `ShowPage`. */
export interface Page {
	/** The title of the tab. */
	readonly name: string;
	readonly content: PageContent;
	/** Buttons, the most useful first. Copy as Text is added to each page. */
	readonly actions: readonly PageAction[];
	/** The page replaces an open page with the same key. Without a key, it gets a new tab. */
	readonly key?: string | undefined;
	/** Whether the page takes the focus, because the person has asked for it. */
	readonly isRead?: boolean | undefined;
	/** Whether the person decides about the sections, so that nothing in them may be cut or cleaned. */
	readonly isExact?: boolean | undefined;
}

/** A page that is open. */
export interface OpenedPage {
	/** Calls the listener once, when the tab is closed. */
	readonly onDidClose: (listener: () => unknown) => { dispose(): void };
	/** Closes the tab, unless the person has pinned it. */
	close(): void;
}

/** Shows a page in a tab. @throws Error if `isExact` is set, but the page can't be shown in full */
export type ShowPage = (page: Page) => OpenedPage;

/** A cleaned page as the view gets it, with the labels of the actions. */
export interface PageView extends PageContent {
	/** A number for each shown page. Messages with the id of an earlier page are ignored. */
	readonly id: number;
	readonly actions: readonly string[];
}

export type ToView =
	| { readonly type: 'page'; readonly page: PageView; readonly strings: Strings }
	/** A text for screen readers, such as a confirmation. */
	| { readonly type: 'said'; readonly id: number; readonly text: string };

export type FromView =
	| { readonly type: 'ready' }
	| { readonly type: 'copy'; readonly id: number }
	/** `action` is an index of `PageView.actions`. */
	| { readonly type: 'press'; readonly id: number; readonly action: number };

type Loose = Readonly<Record<string, unknown>>;

/** Checks a message from the view. `undefined` if it is invalid. */
export function readFromView(message: unknown): FromView | undefined {
	if (!isRecord(message)) {
		return undefined;
	}
	const { type, id, action } = message;
	if (type === 'ready') {
		return { type };
	}
	if (type === 'copy' && isIndex(id)) {
		return { type, id };
	}
	return type === 'press' && isIndex(id) && isIndex(action) ? { type, id, action } : undefined;
}

/** Checks a message to the view. `undefined` if it is invalid: other scripts of the frame can post messages too. */
export function readToView(message: unknown): ToView | undefined {
	if (!isRecord(message)) {
		return undefined;
	}
	const { type, id, text, page, strings } = message;
	if (type === 'said') {
		return isIndex(id) && typeof text === 'string' ? { type, id, text } : undefined;
	}
	const isWhole =
		type === 'page' && isPage(page) && isRecord(strings) && stringKeys.every(it => typeof strings[it] === 'string');
	return isWhole ? (message as unknown as ToView) : undefined;
}

function isPage(page: unknown): page is PageView {
	return (
		isRecord(page) &&
		isIndex(page['id']) &&
		areTexts(page['title'], page['summary']) &&
		(tones as readonly unknown[]).includes(page['tone']) &&
		isTextList(page['actions']) &&
		isListOf(page['facts'], isRow) &&
		isListOf(page['sections'], isSection)
	);
}

function isSection(section: Loose): boolean {
	return (
		areTexts(section['title']) &&
		[undefined, true, false].includes(section['isServers'] as boolean | undefined) &&
		isListOf(section['blocks'], isBlock)
	);
}

function isBlock({ kind, text, rows, items }: Loose): boolean {
	switch (kind) {
		case 'text':
		case 'code':
			return areTexts(text);
		case 'rows':
			return isListOf(rows, isRow);
		case 'list':
		case 'numbers':
			return isTextList(items);
		default:
			return false;
	}
}

function isRow({ label, value, note }: Loose): boolean {
	return areTexts(label, value) && (note === undefined || areTexts(note));
}

function isListOf(value: unknown, isItem: (item: Loose) => boolean): boolean {
	return Array.isArray(value) && value.every(it => isRecord(it) && isItem(it));
}

function isTextList(value: unknown): boolean {
	return Array.isArray(value) && areTexts(...(value as readonly unknown[]));
}

function isRecord(value: unknown): value is Loose {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isIndex(value: unknown): value is number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function areTexts(...values: readonly unknown[]): boolean {
	return values.every(it => typeof it === 'string');
}
