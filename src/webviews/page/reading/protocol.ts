/**
 * The content of a page for reading, and the messages between the extension and the page view. Both sides check the
 * messages they receive. The view shows text of servers, so its messages are untrusted.
 */
import {
	type Check,
	isBoolean,
	isIndex,
	isRecord,
	isText,
	listOf,
	type Messages,
	oneOf,
	optional,
	readMessage,
	record,
	stringsOf,
} from '../checks.js';

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
	| { readonly type: 'announce'; readonly id: number; readonly text: string };

export type FromView =
	| { readonly type: 'ready' }
	| { readonly type: 'copy'; readonly id: number }
	/** `action` is an index of `PageView.actions`. */
	| { readonly type: 'press'; readonly id: number; readonly action: number };

const isRow = record<PageRow>({ label: isText, value: isText, note: optional(isText) });
const isRows = listOf(isRow);
const isTexts = listOf(isText);

const isBlock: Check<PageBlock> = (value): value is PageBlock => {
	const { kind, text, rows, items } = isRecord(value) ? value : {};
	switch (kind) {
		case 'text':
		case 'code':
			return isText(text);
		case 'rows':
			return isRows(rows);
		case 'list':
		case 'numbers':
			return isTexts(items);
		default:
			return false;
	}
};

const isPage = record<PageView>({
	id: isIndex,
	title: isText,
	summary: isText,
	tone: oneOf(tones),
	facts: isRows,
	actions: isTexts,
	sections: listOf(record<PageSection>({ title: isText, isServers: optional(isBoolean), blocks: listOf(isBlock) })),
});

const fromView: Messages<FromView> = {
	ready: {},
	copy: { id: isIndex },
	press: { id: isIndex, action: isIndex },
};

const toView: Messages<ToView> = {
	page: { page: isPage, strings: stringsOf(stringKeys) },
	announce: { id: isIndex, text: isText },
};

/** Checks a message from the view. `undefined` if it is invalid. */
export function readFromView(message: unknown): FromView | undefined {
	return readMessage(message, fromView);
}

/** Checks a message to the view. `undefined` if it is invalid. */
export function readToView(message: unknown): ToView | undefined {
	return readMessage(message, toView);
}
