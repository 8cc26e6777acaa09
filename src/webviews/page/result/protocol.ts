/**
 * The messages between the extension and the part of a page that shows a result. The view shows
 * text of servers, so its messages are untrusted, and checked.
 */
import { isIndex, listOf, type Messages, oneOf, readMessage, record } from '../checks.js';

/** The texts of the view itself. It has no access to translations, so they are sent with each page. */
export type Strings = Readonly<
	Record<
		| 'copy'
		| 'save'
		| 'compare'
		| 'history'
		| 'log'
		| 'actions'
		| 'result'
		| 'structured'
		| 'arguments'
		| 'noArguments'
		| 'empty'
		| 'details'
		| 'output'
		| 'openInEditor'
		| 'saveAs'
		| 'copyText'
		| 'more'
		| 'unplayable',
		string
	>
>;

/** The actions of the page, and those of a block. */
const pageActions = ['copy', 'save', 'compare', 'history', 'log', 'openStructured'] as const;
const blockActions = ['open', 'saveBlock', 'copyBlock'] as const;
export type PageAction = (typeof pageActions)[number];
export type BlockAction = (typeof blockActions)[number];

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

/** A block of content with translated, cut and cleaned texts. Media are sent separately. */
export interface BlockView {
	readonly kind: 'text' | 'media' | 'link' | 'note' | 'tree';
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
	/** `mismatch`: the structured content doesn't match its schema. `warned`: the page has warnings. */
	readonly outcome: 'done' | 'warned' | 'mismatch' | 'toolError' | 'failed' | 'cancelled';
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

/** Reads a message of the view; `undefined` if it isn't valid. */
export function readFromView(message: unknown): FromView | undefined {
	return readMessage(message, fromView);
}
