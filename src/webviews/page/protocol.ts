/**
 * A page to read: what it is made of, and what the editor and its view tell each other. Both sides check what they get:
 * the view shows text of servers, and the editor believes what comes out of it no more than that.
 */

/** Everything the view says in its own words: it has no l10n, so these come with the page. */
export const stringKeys = ['actions', 'copy', 'fromServer'] as const;
export type Strings = Readonly<Record<(typeof stringKeys)[number], string>>;

/** How the summary is marked. */
export const tones = ['plain', 'good', 'warning', 'error'] as const;

/** A value under a label; `note` says more about it. */
export interface PageRow {
	readonly label: string;
	readonly value: string;
	readonly note?: string | undefined;
}

/** `code` is shown as it is, in the editor's font. */
export type PageBlock =
	| { readonly kind: 'text' | 'code'; readonly text: string }
	| { readonly kind: 'rows'; readonly rows: readonly PageRow[] }
	| { readonly kind: 'list' | 'numbers'; readonly items: readonly string[] };

export interface PageSection {
	readonly title: string;
	/** Whether its blocks are text of a server. They are marked as such. */
	readonly isServers?: boolean | undefined;
	readonly blocks: readonly PageBlock[];
}

/** The content of a page, uncleaned: `features/pages` cuts and cleans every text of it. */
export interface PageContent {
	readonly title: string;
	/** One sentence: what this is, or how it ended. */
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

/** What a feature gives to `ShowPage`. */
export interface Page {
	/** Of the tab. */
	readonly name: string;
	readonly content: PageContent;
	/** Buttons, the most useful first. Copy as Text is added to each page. */
	readonly actions: readonly PageAction[];
	/** The page replaces the one of the same key, in its tab. Without a key it has a tab of its own. */
	readonly key?: string | undefined;
	/** Whether the person wants to read it now: then it takes the focus. */
	readonly isRead?: boolean | undefined;
	/** Whether the person decides about the sections: then nothing in them may be cut or cleaned away. */
	readonly isExact?: boolean | undefined;
}

/** A page that is open. */
export interface OpenedPage {
	/** Calls back once when the tab is closed. */
	readonly onDidClose: (listener: () => unknown) => { dispose(): void };
	/** Closes the tab, unless the person has pinned it. */
	close(): void;
}

/** @throws Error if an exact page can't be shown whole */
export type ShowPage = (page: Page) => OpenedPage;

/** A page as it is sent: actions are their labels. */
export interface PageView extends PageContent {
	/** Answers to another page than this are dropped. */
	readonly id: number;
	readonly actions: readonly string[];
}

export type ToView =
	| { readonly type: 'page'; readonly page: PageView; readonly strings: Strings }
	/** What was done, for screen readers. */
	| { readonly type: 'said'; readonly id: number; readonly text: string };

export type FromView =
	| { readonly type: 'ready' }
	| { readonly type: 'copy'; readonly id: number }
	/** `action` is the position among the actions. */
	| { readonly type: 'press'; readonly id: number; readonly action: number };

type Loose = Readonly<Record<string, unknown>>;

/** What the view said, or `undefined` for what no view of ours says. */
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

/** What the editor said, or `undefined` for a message of anyone else: other scripts of the frame can post as well. */
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
