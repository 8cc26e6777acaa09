/**
 * The messages between the extension and the part of a page that shows a result. Both sides check the messages they receive.
 * The view shows text of servers, so its messages are untrusted.
 */
import {
	type Checked,
	either,
	isBoolean,
	isBytes,
	isIndex,
	isText,
	listOf,
	type MessageOf,
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
	'fromServer',
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
const pageAction = oneOf(['copy', 'save', 'compare', 'history', 'log', 'openStructured']);
const blockAction = oneOf(['open', 'saveBlock', 'copyBlock']);
export type PageAction = Checked<typeof pageAction>;
export type BlockAction = Checked<typeof blockAction>;

/** A JSON value in a tree. Texts are cut and cleaned. */
const entry = record({
	key: isText,
	kind: oneOf(['object', 'array', 'text', 'number', 'boolean', 'null']),
	value: isText,
	/** Number of members. */
	count: isIndex,
	/** Describes why the value doesn't match the schema. */
	problem: optional(isText),
});
export type TreeEntry = Checked<typeof entry>;

/** A block of content with translated, cut and cleaned texts. Media are sent separately. */
const block = record({
	kind: oneOf(['text', 'media', 'link', 'note', 'tree']),
	/** The role of the message, on its first block; otherwise empty. */
	role: isText,
	/** For example: image · image/png · 12 KB. */
	title: isText,
	/** The text, the URI of a link, or why nothing is shown. */
	text: isText,
	/** Says that `text` is cut, or describes a link; otherwise empty. */
	more: isText,
	/** The kind of media, if `kind` is `media`. */
	media: optional(oneOf(['image', 'audio'])),
	/** The root of the tree, if `kind` is `tree`. */
	root: optional(entry),
	actions: listOf(blockAction),
});
export type BlockView = Checked<typeof block>;

/** Why a call failed. `details` are hidden at first, unless they are the output of the server. */
const failure = record({ message: isText, details: isText, isOutput: isBoolean });
export type Failure = Checked<typeof failure>;

const page = record({
	/** Messages with the id of another page are dropped. */
	id: isIndex,
	title: isText,
	/** `mismatch`: the structured content doesn't match its schema. `warned`: the page has warnings. */
	outcome: oneOf(['done', 'warned', 'mismatch', 'toolError', 'failed', 'cancelled']),
	/** For example: Done · 12 ms · 1.2 KB. */
	facts: isText,
	failure: optional(failure),
	/** Violations of the protocol by the server. */
	warnings: listOf(isText),
	/** The server's description of a prompt's messages; may be empty. */
	description: isText,
	blocks: listOf(block),
	structured: optional(entry),
	/** Whether the structured content matches its schema. */
	check: optional(record({ kind: oneOf(['valid', 'invalid', 'unchecked']), text: isText })),
	arguments: entry,
	/** The buttons that only this kind of result has. */
	uses: listOf(record({ label: isText, icon: oneOf(['comment-discussion', 'copy', 'file', 'insert']) })),
	/** The buttons of the whole result, the most useful first. */
	actions: listOf(pageAction),
});
export type ResultPage = Checked<typeof page>;

/** Members in a tree; `path` has the index of the member at each level, and a number is the tree of a block. */
const place = record({
	tree: either(isIndex, oneOf(['structured', 'arguments'])),
	path: listOf(isIndex),
	/** Index of the first member. */
	from: isIndex,
});
export type TreePlace = Checked<typeof place>;

const toView = {
	page: { page, strings: stringsOf(stringKeys) },
	/** The bytes of a block whose kind is `media`. */
	media: { id: isIndex, block: isIndex, mimeType: isText, bytes: isBytes },
	/** `left`: number of members after these. */
	children: { id: isIndex, place, entries: listOf(entry), left: isIndex },
	/** An announcement for screen readers. */
	announce: { id: isIndex, text: isText },
};
export type ToView = MessageOf<typeof toView>;

const fromView = {
	/** `index` is an index of `ResultPage.uses`. */
	use: { id: isIndex, index: isIndex },
	press: { id: isIndex, action: pageAction },
	pressBlock: { id: isIndex, action: blockAction, block: isIndex },
	expand: { id: isIndex, place },
};
export type FromView = MessageOf<typeof fromView>;

/** Reads a message of the view; `undefined` if it isn't valid. */
export function readFromView(message: unknown): FromView | undefined {
	return readMessage<FromView>(message, fromView);
}

/** Reads a message of the extension; `undefined` if it isn't valid, because other scripts of the frame can also post. */
export function readToView(message: unknown): ToView | undefined {
	return readMessage<ToView>(message, toView);
}
