/**
 * The messages between the extension and the part of a page that shows a result. Both sides check the messages they receive. The view shows
 * text of servers, so its messages are untrusted.
 */
import {
	isBoolean,
	isBytes,
	isIndex,
	isText,
	listOf,
	type Messages,
	oneOf,
	optional,
	readMessage,
	record,
	stringsOf,
} from '../checks.js';

/** The texts of the view itself. It has no access to translations, so they are sent with each page. */
export const stringKeys = [
	'copy',
	'save',
	'compare',
	'history',
	'log',
	'actions',
	'result',
	'structured',
	'arguments',
	'noArguments',
	'empty',
	'details',
	'output',
	'openInEditor',
	'saveAs',
	'copyText',
	'more',
	'unplayable',
] as const;
export type Strings = Readonly<Record<(typeof stringKeys)[number], string>>;

/** The actions of the page, and those of a block. */
const pageActions = ['copy', 'save', 'compare', 'history', 'log', 'openStructured'] as const;
const blockActions = ['open', 'saveBlock', 'copyBlock'] as const;
export type PageAction = (typeof pageActions)[number];
export type BlockAction = (typeof blockActions)[number];

/** `mismatch`: the structured content doesn't match its schema. `warned`: the page has warnings. */
export const outcomes = ['done', 'warned', 'mismatch', 'toolError', 'failed', 'cancelled'] as const;

/** A JSON value in a tree. Texts are cut and cleaned. */
export interface TreeEntry {
	readonly key: string;
	readonly kind: 'object' | 'array' | 'text' | 'number' | 'boolean' | 'null';
	readonly value: string;
	/** Number of members. */
	readonly count: number;
	/** Describes why the value doesn't match the schema. */
	readonly problem: string | undefined;
}

export const blockKinds = ['text', 'media', 'link', 'note', 'tree'] as const;

/** A block of content with translated, cut and cleaned texts. Media are sent separately. */
export interface BlockView {
	readonly kind: (typeof blockKinds)[number];
	/** The role of the message, on its first block; otherwise empty. */
	readonly role: string;
	/** For example: image · image/png · 12 KB. */
	readonly title: string;
	/** The text, the URI of a link, or why nothing is shown. */
	readonly text: string;
	/** Says that `text` is cut, or describes a link; otherwise empty. */
	readonly more: string;
	/** The kind of media, if `kind` is `media`. */
	readonly media: 'image' | 'audio' | undefined;
	/** The root of the tree, if `kind` is `tree`. */
	readonly root: TreeEntry | undefined;
	readonly actions: readonly BlockAction[];
}

/** Why a call failed. */
export interface Failure {
	readonly message: string;
	/** Hidden at first, unless they are the output of the server. */
	readonly details: string;
	readonly isOutput: boolean;
}

export interface ResultPage {
	/** Messages with the id of another page are dropped. */
	readonly id: number;
	readonly title: string;
	readonly outcome: (typeof outcomes)[number];
	/** For example: Done · 12 ms · 1.2 KB. */
	readonly facts: string;
	readonly failure: Failure | undefined;
	/** Violations of the protocol by the server. */
	readonly warnings: readonly string[];
	readonly blocks: readonly BlockView[];
	readonly structured: TreeEntry | undefined;
	/** Whether the structured content matches its schema. */
	readonly check: { readonly kind: 'valid' | 'invalid' | 'unchecked'; readonly text: string } | undefined;
	readonly arguments: TreeEntry;
	/** The labels of what only this kind of result can be used for. */
	readonly uses: readonly string[];
	/** The buttons of the whole result, the most useful first. */
	readonly actions: readonly PageAction[];
}

/** Members in a tree; `path` has the index of the member at each level, and a number is the tree of a block. */
export interface TreePlace {
	readonly tree: 'structured' | 'arguments' | number;
	readonly path: readonly number[];
	/** Index of the first member. */
	readonly from: number;
}

export type ToView =
	| { readonly type: 'page'; readonly page: ResultPage; readonly strings: Strings }
	/** The bytes of a block whose kind is `media`. */
	| {
			readonly type: 'media';
			readonly id: number;
			readonly block: number;
			readonly mimeType: string;
			readonly bytes: Uint8Array;
	  }
	| {
			readonly type: 'children';
			readonly id: number;
			readonly place: TreePlace;
			readonly entries: readonly TreeEntry[];
			/** Number of members after these. */
			readonly left: number;
	  }
	/** An announcement for screen readers. */
	| { readonly type: 'said'; readonly id: number; readonly text: string };

export type FromView =
	/** `index`: of the use on the page. */
	| { readonly type: 'use'; readonly id: number; readonly index: number }
	| { readonly type: 'press'; readonly id: number; readonly action: PageAction }
	| { readonly type: 'pressBlock'; readonly id: number; readonly action: BlockAction; readonly block: number }
	| { readonly type: 'expand'; readonly id: number; readonly place: TreePlace };

const isEntry = record<TreeEntry>({
	key: isText,
	kind: oneOf(['object', 'array', 'text', 'number', 'boolean', 'null']),
	value: isText,
	count: isIndex,
	problem: optional(isText),
});

const isBlock = record<BlockView>({
	kind: oneOf(blockKinds),
	role: isText,
	title: isText,
	text: isText,
	more: isText,
	media: optional(oneOf(['image', 'audio'])),
	root: optional(isEntry),
	actions: listOf(oneOf(blockActions)),
});

const isPage = record<ResultPage>({
	id: isIndex,
	title: isText,
	outcome: oneOf(outcomes),
	facts: isText,
	failure: optional(record({ message: isText, details: isText, isOutput: isBoolean })),
	warnings: listOf(isText),
	blocks: listOf(isBlock),
	structured: optional(isEntry),
	check: optional(record({ kind: oneOf(['valid', 'invalid', 'unchecked']), text: isText })),
	arguments: isEntry,
	uses: listOf(isText),
	actions: listOf(oneOf(pageActions)),
});

const isTree = oneOf(['structured', 'arguments']);
const isPlace = record<TreePlace>({
	tree: (value): value is TreePlace['tree'] => isIndex(value) || isTree(value),
	path: listOf(isIndex),
	from: isIndex,
});

const fromView: Messages<FromView> = {
	use: { id: isIndex, index: isIndex },
	press: { id: isIndex, action: oneOf(pageActions) },
	pressBlock: { id: isIndex, action: oneOf(blockActions), block: isIndex },
	expand: { id: isIndex, place: isPlace },
};

const toView: Messages<ToView> = {
	page: { page: isPage, strings: stringsOf(stringKeys) },
	media: { id: isIndex, block: isIndex, mimeType: isText, bytes: isBytes },
	children: { id: isIndex, place: isPlace, entries: listOf(isEntry), left: isIndex },
	said: { id: isIndex, text: isText },
};

/** Reads a message of the view; `undefined` if it isn't valid. */
export function readFromView(message: unknown): FromView | undefined {
	return readMessage(message, fromView);
}

/** Reads a message of the extension; `undefined` if it isn't valid, because other scripts of the frame can also post. */
export function readToView(message: unknown): ToView | undefined {
	return readMessage(message, toView);
}
