/**
 * What the editor and the view of a result tell each other. Both sides check what they get: the view shows text of
 * servers, and what comes out of it is believed no more than that.
 */

/** Everything the view says in its own words: it has no l10n, so these come with the page. */
export const stringKeys = [
	'runAgain',
	'edit',
	'copy',
	'save',
	'compare',
	'history',
	'log',
	'actions',
	'uses',
	'result',
	'structured',
	'arguments',
	'noArguments',
	'empty',
	'details',
	'openInEditor',
	'saveAs',
	'copyText',
	'more',
	'unplayable',
] as const;
export type Strings = Readonly<Record<(typeof stringKeys)[number], string>>;

/** What a person can ask for; those of the second list concern one block. */
export const pageActions = ['runAgain', 'edit', 'copy', 'save', 'compare', 'history', 'log', 'openStructured'] as const;
export const blockActions = ['open', 'saveBlock', 'copyBlock'] as const;
export type PageAction = (typeof pageActions)[number];
export type BlockAction = (typeof blockActions)[number];

/** `mismatch`: the structured content breaks its schema. */
export const outcomes = ['done', 'mismatch', 'toolError', 'failed', 'cancelled'] as const;

/** One line of a tree of JSON. Texts are cut and cleaned. */
export interface TreeEntry {
	readonly key: string;
	readonly kind: 'object' | 'array' | 'text' | 'number' | 'boolean' | 'null';
	readonly value: string;
	/** Members it has. */
	readonly count: number;
	/** What is wrong with it, in our words. */
	readonly problem: string | undefined;
}

/** A block of content, made ready: words, cut texts, no base64. */
export interface BlockView {
	readonly kind: 'text' | 'media' | 'link' | 'note' | 'tree';
	/** Who says it and what follows, where somebody else has said what is before. */
	readonly role: string;
	/** What it is: "image · image/png · 12 KB". */
	readonly title: string;
	/** The text, the address of a link, or why nothing is shown. */
	readonly text: string;
	/** Says that there is more than `text`. */
	readonly more: string;
	/** Names an image to those who do not see it. */
	readonly media: 'image' | 'audio' | undefined;
	/** What there is to unfold, where `kind` is `tree`. */
	readonly root: TreeEntry | undefined;
	readonly actions: readonly BlockAction[];
}

export interface ResultPage {
	/** Answers to another page than this are dropped. */
	readonly id: number;
	readonly title: string;
	readonly outcome: (typeof outcomes)[number];
	/** "Done · 12 ms · 1.2 KB" */
	readonly facts: string;
	/** Where there is no result: what went wrong, and what stands behind the disclosure. */
	readonly failure: { readonly message: string; readonly details: string } | undefined;
	readonly blocks: readonly BlockView[];
	readonly structured: TreeEntry | undefined;
	/** What the structured content is against its schema. */
	readonly check: { readonly kind: 'valid' | 'invalid' | 'unchecked'; readonly text: string } | undefined;
	readonly arguments: TreeEntry;
	/** Whether the history may have it, and others of its kind to compare it with. */
	readonly isCall: boolean;
	/** What else can be done with it: a button each. */
	readonly uses: readonly string[];
}

/** Which tree, and the way into it: the position of the member at each step. */
export interface TreePlace {
	readonly tree: 'structured' | 'arguments' | number;
	readonly path: readonly number[];
	/** The first member that is meant. */
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
			/** Members that follow those. */
			readonly left: number;
	  }
	/** What was done, for those who do not see it. */
	| { readonly type: 'said'; readonly id: number; readonly text: string };

export type FromView =
	| { readonly type: 'ready' }
	| { readonly type: 'press'; readonly id: number; readonly action: PageAction }
	| { readonly type: 'pressUse'; readonly id: number; readonly use: number }
	| { readonly type: 'pressBlock'; readonly id: number; readonly action: BlockAction; readonly block: number }
	| { readonly type: 'expand'; readonly id: number; readonly place: TreePlace };

type Loose = Readonly<Record<string, unknown>>;

/** What the view said, or `undefined` for what no view of ours says. */
export function readFromView(message: unknown): FromView | undefined {
	if (!isRecord(message)) {
		return undefined;
	}
	const { type, id, action, block, place, use } = message;
	if (type === 'ready') {
		return { type };
	}
	if (!isIndex(id)) {
		return undefined;
	}
	if (type === 'press' && isOneOf(pageActions, action)) {
		return { type, id, action };
	}
	if (type === 'pressUse' && isIndex(use)) {
		return { type, id, use };
	}
	if (type === 'pressBlock' && isOneOf(blockActions, action) && isIndex(block)) {
		return { type, id, action, block };
	}
	if (type === 'expand' && isPlace(place)) {
		return { type, id, place: { tree: place.tree, path: place.path, from: place.from } };
	}
	return undefined;
}

/** What the editor said, or `undefined` for what somebody else did: other scripts of the frame can post as well. */
export function readToView(message: unknown): ToView | undefined {
	if (!isRecord(message)) {
		return undefined;
	}
	switch (message['type']) {
		case 'page':
			return isPage(message['page']) && isStrings(message['strings']) ? (message as unknown as ToView) : undefined;
		case 'media': {
			const { id, block, mimeType, bytes } = message;
			const isWhole = isIndex(id) && isIndex(block) && typeof mimeType === 'string' && bytes instanceof Uint8Array;
			return isWhole ? { type: 'media', id, block, mimeType, bytes } : undefined;
		}
		case 'children': {
			const { id, place, entries, left } = message;
			const isWhole =
				isIndex(id) && isPlace(place) && isIndex(left) && Array.isArray(entries) && entries.every(isEntry);
			return isWhole ? { type: 'children', id, place, entries, left } : undefined;
		}
		case 'said': {
			const { id, text } = message;
			return isIndex(id) && typeof text === 'string' ? { type: 'said', id, text } : undefined;
		}
		default:
			return undefined;
	}
}

function isPage(page: unknown): page is ResultPage {
	if (!isRecord(page)) {
		return false;
	}
	const { id, title, outcome, facts, failure, blocks, structured, check, uses, isCall } = page;
	return (
		isIndex(id) &&
		areTexts(title, facts) &&
		isOneOf(outcomes, outcome) &&
		(failure === undefined || (isRecord(failure) && areTexts(failure['message'], failure['details']))) &&
		Array.isArray(blocks) &&
		blocks.every(isBlock) &&
		(structured === undefined || isEntry(structured)) &&
		(check === undefined ||
			(isRecord(check) && isOneOf(['valid', 'invalid', 'unchecked'], check['kind']) && areTexts(check['text']))) &&
		isEntry(page['arguments']) &&
		typeof isCall === 'boolean' &&
		Array.isArray(uses) &&
		areTexts(...(uses as readonly unknown[]))
	);
}

function isBlock(block: unknown): block is BlockView {
	if (!isRecord(block)) {
		return false;
	}
	const { kind, role, title, text, more, media, root, actions } = block;
	return (
		isOneOf(['text', 'media', 'link', 'note', 'tree'], kind) &&
		areTexts(role, title, text, more) &&
		isOneOf([undefined, 'image', 'audio'], media) &&
		(root === undefined || isEntry(root)) &&
		Array.isArray(actions) &&
		actions.every(it => isOneOf(blockActions, it))
	);
}

function isEntry(entry: unknown): entry is TreeEntry {
	if (!isRecord(entry)) {
		return false;
	}
	const { key, kind, value, count, problem } = entry;
	return (
		areTexts(key, value) &&
		isOneOf(['object', 'array', 'text', 'number', 'boolean', 'null'], kind) &&
		isIndex(count) &&
		(problem === undefined || typeof problem === 'string')
	);
}

function isPlace(place: unknown): place is TreePlace {
	if (!isRecord(place)) {
		return false;
	}
	const { tree, path, from } = place;
	return (
		(isIndex(tree) || isOneOf(['structured', 'arguments'], tree)) &&
		Array.isArray(path) &&
		path.every(isIndex) &&
		isIndex(from)
	);
}

function isStrings(strings: unknown): strings is Strings {
	return isRecord(strings) && stringKeys.every(it => typeof strings[it] === 'string');
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

function isOneOf<T>(values: readonly T[], value: unknown): value is T {
	return (values as readonly unknown[]).includes(value);
}
