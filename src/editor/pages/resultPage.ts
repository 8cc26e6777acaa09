/** Turns a call's outcome into the data that a page shows. All texts are cut, cleaned and translated here. */
import * as vscode from 'vscode';
import {
	type ContentBlock,
	McpError,
	type Resource,
	type ResourceContents,
	RpcError,
	type SchemaProblem,
	type ToolResult,
} from '../../mcp/index.js';
import type { CallOutcome } from '../../core/calls/calls.js';
import { ServerEndedError } from '../../core/servers/serverState.js';
import { base64Size, tryDecodeBase64 } from '../../base/base64.js';
import { textOfResource } from '../../core/resources/contentView.js';
import { describeRole } from '../documents/contentText.js';
import { describeDuration, describeError, describeNumber, describeSize, describeWarning } from '../l10n/messages.js';
import { checkMedia, mediaTypeOf } from '../documents/media.js';
import { jsonText, titleText, webviewText } from '../ui/plainText.js';
import { toolName } from '../ui/shownNames.js';
import { describeCheck, describeSchemaProblem } from '../l10n/schemaWords.js';
import type { BlockView, ResultPage, Strings } from '../../webviews/page/result/protocol.js';
import { type Problems, treeEntry } from './valueTree.js';

const { t } = vscode.l10n;

/** Characters of one text that are shown. Longer texts would slow down the view. */
const maxPreview = 20_000;
/** Blocks that are shown. */
const maxBlocks = 200;
/** Bytes of images and audio that are shown. */
const maxMedia = 24_000_000;

/** The bytes of an image or audio block. */
export interface BlockMedia {
	readonly block: number;
	readonly mimeType: string;
	readonly bytes: Uint8Array;
}

export interface PreparedPage {
	readonly page: ResultPage;
	readonly media: readonly BlockMedia[];
	/** The values of the blocks that are shown as trees, by the index of the block. */
	readonly trees: ReadonlyMap<number, unknown>;
	/** Problems of the structured content, by JSON pointer. */
	readonly problems: Problems;
}

/**
 * Makes a page.
 * @param id of the page, which messages about it contain
 * @param serverLabel label of the server
 */
export function preparePage(id: number, serverLabel: string, call: CallOutcome): PreparedPage {
	const { end } = call;
	const result = end.kind === 'answered' ? end.result : undefined;
	const { blocks, media, trees } = prepareBlocks(result?.content ?? [], call);
	const check = end.kind === 'answered' ? end.schemaCheck : undefined;
	const problems = check?.kind === 'invalid' ? problemWords(check.problems) : new Map<string, string>();
	const page: ResultPage = {
		id,
		title: titleText(toolName(call.tool.name, 60), serverLabel),
		outcome: outcomeOf(end),
		facts: describeFacts(call),
		failure: describeEnd(call),
		warnings: (end.warnings ?? []).map(describeWarning),
		description: webviewText(call.prompt?.description ?? '', maxPreview),
		blocks,
		structured:
			result && 'structuredContent' in result ? treeEntry('', result.structuredContent, '', problems) : undefined,
		check: check && { kind: check.kind, text: describeCheck(check) },
		arguments: treeEntry('', call.arguments, '', new Map()),
		uses: (call.uses ?? []).map(({ label, icon }) => ({ label, icon })),
		actions: actionsOf(call),
	};
	return { page, media, trees, problems };
}

/** Only tool calls have an id in the history. */
function actionsOf({ id }: CallOutcome): ResultPage['actions'] {
	return ['copy', 'save', ...(id === undefined ? [] : (['compare', 'history'] as const)), 'log'];
}

/** The translated texts of the view itself. */
export function viewStrings(): Strings {
	return {
		copy: t('Copy As…'),
		save: t('Save…'),
		compare: t('Compare Results…'),
		history: t('Show in History'),
		log: t('Show Log'),
		actions: t('Actions'),
		result: t('Result'),
		structured: t('Structured result'),
		arguments: t('Arguments'),
		noArguments: t('None'),
		empty: t('The result is empty.'),
		fromServer: t('From the server:'),
		details: t('Details'),
		output: t('Output of the server'),
		openInEditor: t('Open in Editor'),
		saveAs: t('Save…'),
		copyText: t('Copy'),
		more: t('Show more ({0} left)'),
		unplayable: t("The editor can't display this content. Save it to open it in another program."),
	};
}

/** How a call ended, how long it took, and the size of its result. */
export function describeFacts({ end, durationMs }: CallOutcome): string {
	const size = end.kind === 'answered' ? sizeOf(end.result) : 0;
	const facts = [describeOutcome(outcomeOf(end)), describeDuration(durationMs)];
	return [...facts, ...(size > 0 ? [describeSize(size)] : [])].join(' · ');
}

/** Bytes of media and characters of texts. */
function sizeOf({ content, structuredContent }: ToolResult): number {
	const sizes = content.map(block => {
		switch (block.type) {
			case 'text':
				return block.text.length;
			case 'image':
			case 'audio':
				return base64Size(block.data);
			case 'resource':
				return resourceSize(block.resource);
			case 'resource_link':
				return block.uri.length;
			case 'unknown':
				return jsonText(block.raw).length;
		}
	});
	const structured = structuredContent === undefined ? 0 : jsonText(structuredContent).length;
	return sizes.reduce((sum, it) => sum + it, structured);
}

function resourceSize({ text, blob = '' }: ResourceContents): number {
	return text?.length ?? base64Size(blob);
}

export function outcomeOf(end: CallOutcome['end']): ResultPage['outcome'] {
	if (end.kind !== 'answered') {
		return end.kind;
	}
	const { result, schemaCheck, warnings } = end;
	return result.isError
		? 'toolError'
		: schemaCheck?.kind === 'invalid'
			? 'mismatch'
			: warnings.length > 0
				? 'warned'
				: 'done';
}

function describeOutcome(outcome: ResultPage['outcome']): string {
	return {
		done: t('Done'),
		warned: t('Done, with warnings'),
		mismatch: t("Done, but the result doesn't match the output schema"),
		toolError: t('The tool reported an error'),
		failed: t('Failed'),
		cancelled: t('Canceled'),
	}[outcome];
}

/** Describes a failure. The view hides the technical details behind a disclosure. */
function describeEnd({ end, prompt, uri }: CallOutcome): ResultPage['failure'] {
	if (end.kind !== 'failed') {
		return undefined;
	}
	const { error } = end;
	if (error instanceof RpcError) {
		const { code, message, data } = error;
		const details = jsonText(data === undefined ? { code, message } : { code, message, data }, 2);
		const words = webviewText(message, 1000);
		const text = prompt
			? t('The server didn\'t return the prompt: "{0}"', words)
			: uri !== undefined
				? t('The server didn\'t return the resource: "{0}"', words)
				: t('The server didn\'t run the tool: "{0}"', words);
		return { message: text, details: webviewText(details, maxPreview), isOutput: false };
	}
	const message = webviewText(describeError(error), 1000);
	if (error instanceof ServerEndedError) {
		return { message, details: webviewText(error.stderr.join('\n'), maxPreview), isOutput: true };
	}
	const details = error instanceof McpError ? webviewText(jsonText(error.failure, 2), maxPreview) : '';
	return { message, details, isOutput: false };
}

function prepareBlocks(
	content: readonly ContentBlock[],
	{ prompt, uri }: CallOutcome,
): {
	readonly blocks: BlockView[];
	readonly media: readonly BlockMedia[];
	readonly trees: PreparedPage['trees'];
} {
	const media: BlockMedia[] = [];
	const trees = new Map<number, unknown>();
	let mediaLeft = maxMedia;
	const blocks = content.slice(0, maxBlocks).map((block, index): BlockView => {
		const { view, shown, tree } = prepareBlock(block, mediaLeft);
		if (shown) {
			mediaLeft -= shown.bytes.length;
			media.push({ block: index, ...shown });
		}
		if (tree) {
			trees.set(index, tree.value);
		}
		const role = prompt?.roles[index];
		// The first block of each message has the role.
		const isNext = role !== undefined && role !== prompt?.roles[index - 1];
		// The page of a resource template opens what was read from its toolbar.
		const actions = uri === undefined ? view.actions : view.actions.filter(it => it !== 'open');
		return { ...view, actions, role: isNext ? describeRole(role) : '' };
	});
	if (content.length > maxBlocks) {
		const left = describeNumber(content.length - maxBlocks);
		blocks.push(note('', t("{0} more blocks aren't shown. Save the result to see them.", left), []));
	}
	return { blocks, media, trees };
}

interface PreparedBlock {
	readonly view: BlockView;
	readonly shown?: Omit<BlockMedia, 'block'>;
	/** The value behind a view of kind `tree`, for the members that the view requests. */
	readonly tree?: { readonly value: unknown };
}

function prepareBlock(block: ContentBlock, mediaLeft: number): PreparedBlock {
	switch (block.type) {
		case 'text':
			return { view: textView('', block.text) };
		case 'image':
		case 'audio':
			return mediaView(block.type === 'image' ? t('Image') : t('Audio'), block.mimeType, block.data, mediaLeft);
		case 'resource_link':
			return { view: linkView(block) };
		case 'resource':
			return resourceView(block.resource, mediaLeft);
		case 'unknown': {
			const { type } = block.raw;
			const title = block.isWhole
				? t('As received')
				: typeof type === 'string'
					? t('Content of unknown type "{0}"', webviewText(type, 60))
					: t('Content of unknown type');
			return treeView(title, block.raw);
		}
	}
}

const empty: BlockView = {
	kind: 'note',
	role: '',
	title: '',
	text: '',
	more: '',
	media: undefined,
	root: undefined,
	actions: [],
};

function note(title: string, text: string, actions: BlockView['actions']): BlockView {
	return { ...empty, title, text, actions };
}

function treeView(title: string, value: unknown): PreparedBlock {
	const root = treeEntry('', value, '', new Map());
	return { view: { ...empty, kind: 'tree', title, root, actions: ['open'] }, tree: { value } };
}

function textView(title: string, text: string): BlockView {
	const isWhole = text.length <= maxPreview;
	return {
		...empty,
		kind: 'text',
		title,
		text: webviewText(text, maxPreview),
		more: isWhole ? '' : t('Showing the first {0} of {1}.', describeSize(maxPreview), describeSize(text.length)),
		actions: isWhole ? ['copyBlock'] : ['open', 'saveBlock'],
	};
}

/** @param kind "image", "audio" or the URI of the resource */
function mediaView(kind: string, mimeType: string, data: string, mediaLeft: number): PreparedBlock {
	const size = base64Size(data);
	const title = [kind, webviewText(mimeType, 60), describeSize(size)].join(' · ');
	const isKnown = mediaTypeOf(mimeType) !== undefined;
	if (!isKnown || size > mediaLeft) {
		const why = isKnown
			? t('The content is too large to be shown here. Save it to open it in another program.')
			: t("Content of this type can't be shown here. Save it to open it in another program.");
		return { view: note(title, why, ['saveBlock']) };
	}
	const bytes = tryDecodeBase64(data);
	if (!bytes) {
		return { view: note(title, t("The content can't be shown because its base64 data is invalid."), ['copyBlock']) };
	}
	const check = checkMedia(mimeType, bytes);
	if (check.kind !== 'shown') {
		const actual = check.kind === 'mismatch' ? check.actual?.mimeType : undefined;
		const why =
			actual === undefined
				? t("Not shown because the content doesn't match its type.")
				: t("Not shown because the content is {0}, which doesn't match its type.", actual);
		return { view: note(title, why, ['saveBlock']) };
	}
	const { type } = check;
	return {
		view: { ...empty, kind: 'media', title, media: type.kind, actions: ['saveBlock'] },
		shown: { mimeType: type.mimeType, bytes },
	};
}

function linkView({ name, title, uri, mimeType, size, description }: Resource): BlockView {
	const facts = [title ?? name, mimeType, size === undefined ? undefined : describeSize(size)];
	return {
		...empty,
		kind: 'link',
		title: webviewText(facts.filter(it => it !== undefined && it !== '').join(' · '), 300),
		text: webviewText(uri, 2000),
		more: webviewText(description ?? '', 1000),
		actions: ['open'],
	};
}

function resourceView(resource: ResourceContents, mediaLeft: number): PreparedBlock {
	const { uri, mimeType, blob } = resource;
	const address = webviewText(uri, 300);
	const text = textOfResource(resource);
	if (text !== undefined) {
		const size = describeSize(resourceSize(resource));
		const title = [address, ...(mimeType ? [webviewText(mimeType, 60)] : []), size].join(' · ');
		const view = textView(title, text);
		return { view: { ...view, actions: [...new Set(['open' as const, ...view.actions, 'saveBlock' as const])] } };
	}
	if (blob !== undefined) {
		return mediaView(address, mimeType ?? 'application/octet-stream', blob, mediaLeft);
	}
	return { view: note(address, t('The resource is empty.'), []) };
}

/** Describes problems by JSON pointer. Several problems of one value are joined. */
function problemWords(problems: readonly SchemaProblem[]): Problems {
	const words = new Map<string, string>();
	for (const problem of problems) {
		const before = words.get(problem.path);
		const said = describeSchemaProblem(problem);
		words.set(problem.path, before === undefined ? said : t('{0}. {1}', before, said));
	}
	return words;
}
