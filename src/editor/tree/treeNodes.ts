/** The nodes of the tree, and how lists become rows: one page of a list, and one level of folders, at a time. */
import * as vscode from 'vscode';
import type { Event } from '../../base/lifecycle.js';
import type { Catalog, ListState } from '../../core/servers/catalog.js';
import type { EntryFilter, Searchable } from '../../core/search/matcher.js';
import type { Server } from '../../core/servers/server.js';
import type { TreeContext } from '../contributions.js';
import { describeError } from '../l10n/messages.js';
import { tryDecodeUri } from '../../base/percentText.js';

/** A group of rows below each server, such as its tools. `T` is the type of an entry. */
export interface TreeGroup<T = unknown> {
	readonly id: string;
	/** Groups with smaller numbers come first. */
	readonly order: number;
	readonly label: string;
	/** Codicon. */
	readonly icon: string;
	/** Must return the same object until the list has changed. */
	readonly list: (catalog: Catalog, server: Server) => ListState<T>;
	/** Whether `list` doesn't need the catalog, so that the server has the group whether or not it runs. */
	readonly isIndependent?: boolean;
	/** Fires when lists have changed for a reason other than an event of their server. */
	readonly onDidChange?: Event<void>;
	/** The texts that the filter searches; called for all entries of a list. Filters hide a group without it. */
	readonly search?: (entry: T) => Searchable;
	/** For menus of the group's row. */
	readonly context?: TreeContext;
	/** Shown beside the label instead of the number of entries, except with a filter. */
	readonly summary?: (server: Server, entries: readonly T[]) => GroupSummary | undefined;
	/** Called when the person has checked or unchecked rows. If it throws, the error is shown and the rows are reset. */
	readonly check?: (server: Server, checked: ReadonlyMap<T, boolean>) => Promise<void>;
	/** If set, rows are in folders by the paths of these URIs, except with a filter. */
	readonly uri?: (entry: T) => string;
	/** The look of an entry. Its texts may be untrusted: the tree cleans them. */
	readonly describe: (entry: T, server: Server) => LeafLook;
	/** The rows below an entry that is expandable; called when the person expands it. */
	readonly children?: (entry: T, server: Server) => readonly ChildLine[] | Promise<readonly ChildLine[]>;
	/** Called when the person begins to drag a row, because the editor doesn't say who opens what is dropped. */
	readonly didDrag?: (entry: T, server: Server) => void;
	/** A command that a click on the row runs. It must not have effects at the server. */
	readonly open?: string;
}

/** A row below an entry. */
interface ChildLine {
	/** The `entry` of the row's node. */
	readonly entry: unknown;
	readonly look: LeafLook;
}

export interface GroupSummary {
	readonly description: string;
	readonly tooltip: string;
}

export interface LeafLook {
	/** Stays the same when the list is loaded again. */
	readonly key: string;
	readonly label: string;
	readonly description?: string | undefined;
	readonly tooltip?: string | undefined;
	/** The meaning of the icon, for screen readers. */
	readonly spoken?: string | undefined;
	readonly icon: vscode.ThemeIcon;
	/** The URI for decorations, for dragging, and for the file icon if `icon` is that of a file. */
	readonly resourceUri?: vscode.Uri | undefined;
	/** The URI for dragging, if it differs. */
	readonly drag?: vscode.Uri;
	readonly context: TreeContext;
	/** Whether the row can be expanded; for a group with `children`. */
	readonly isExpandable?: boolean;
	/** For a group with `check`. */
	readonly checkbox?: { readonly isChecked: boolean; readonly tooltip: string } | undefined;
}

export class ServerNode {
	readonly kind = 'server';
	constructor(readonly server: Server) {}
}

export class GroupNode {
	readonly kind = 'group';
	/** Number of shown rows by the prefix of the folder, if it is more than a page. */
	private readonly shown = new Map<string, number>();
	/** The rows that were created last, by key. */
	private readonly leaves = new Map<string, LeafNode>();

	constructor(
		readonly parent: ServerNode,
		readonly group: TreeGroup,
		readonly filter: EntryFilter | undefined,
	) {}

	shownIn(prefix: string): number {
		return this.shown.get(prefix) ?? pageSize;
	}

	showMore(prefix: string): void {
		this.shown.set(prefix, this.shownIn(prefix) + pageSize);
	}

	/** The row of an entry as it was last created: the editor identifies rows by object. */
	leafOf(key: string): LeafNode | undefined {
		return this.leaves.get(key);
	}

	/** @param isAll whether these replace all earlier ones */
	rememberLeaves(leaves: readonly LeafNode[], isAll: boolean): void {
		if (isAll) {
			this.leaves.clear();
		}
		for (const it of leaves) {
			this.leaves.set(it.look.key, it);
		}
	}

	/** A filtered group has its own id, so that its expansion doesn't change that of the whole list. */
	get id(): string {
		return `${this.baseId}${this.filter ? '?' : ''}`;
	}

	get baseId(): string {
		return `${this.parent.server.definition.id}/${this.group.id}`;
	}

	get server(): Server {
		return this.parent.server;
	}

	/** The list without the filter. */
	get list(): ListState<unknown> {
		return listOf(this.group, this.server) ?? { kind: 'absent' };
	}

	/** The entries that match the filter. */
	hits(entries: readonly unknown[]): readonly unknown[] {
		const { search } = this.group;
		return this.filter ? (search ? this.filter.hits(entries, search) : []) : entries;
	}
}

/** The list of a group; `undefined` if the group needs the catalog and the server doesn't run. */
export function listOf({ list, isIndependent }: TreeGroup, server: Server): ListState<unknown> | undefined {
	const { catalog } = server;
	return catalog || isIndependent ? list(catalog as Catalog, server) : undefined;
}

export class FolderNode {
	readonly kind = 'folder';
	/** @param isOnly whether it has no siblings */
	constructor(
		readonly parent: GroupNode | FolderNode,
		readonly folder: EntryFolder<unknown>,
		readonly isOnly: boolean,
	) {}

	get id(): string {
		return `${groupOf(this).baseId}/folder/${this.folder.prefix}`;
	}
}

/** One tool, resource, … of a server; `entry` is that of the group's list, or of a `ChildLine`. */
export class LeafNode {
	readonly kind = 'leaf';
	/** @param look only changed by `refreshLook` */
	constructor(
		readonly parent: GroupNode | FolderNode | LeafNode,
		readonly entry: unknown,
		readonly id: string,
		public look: LeafLook,
	) {}

	/** Updates the look from the entry. Only for entries of the group's own list. */
	refreshLook(): void {
		this.look = this.group.describe(this.entry, this.server);
	}

	get group(): TreeGroup {
		return groupOf(this).group;
	}

	get server(): Server {
		return groupOf(this).parent.server;
	}
}

/** A row with a text, such as why a group has no rows. */
export class NoteNode {
	readonly kind = 'note';
	constructor(
		readonly parent: GroupNode | LeafNode,
		readonly text: string,
		readonly isError: boolean,
	) {}
}

/** The row that shows the next page of a list. */
export class MoreNode {
	readonly kind = 'more';
	/**
	 * @param shown number of entries with rows
	 * @param left number of entries without rows
	 */
	constructor(
		readonly parent: GroupNode | FolderNode,
		readonly shown: number,
		readonly left: number,
	) {}

	/** Number of rows that the next page adds. */
	get next(): number {
		return Math.min(this.left, pageSize);
	}
}

export type TreeNode = ServerNode | GroupNode | FolderNode | LeafNode | NoteNode | MoreNode;

export function groupOf(node: GroupNode | FolderNode | LeafNode): GroupNode {
	let it = node;
	while (it.kind !== 'group') {
		it = it.parent;
	}
	return it;
}

export function prefixOf(node: GroupNode | FolderNode): string {
	return node.kind === 'folder' ? node.folder.prefix : '';
}

/** The shown rows of a group or folder. */
export function linesOf(node: GroupNode | FolderNode): TreeNode[] {
	if (node.kind === 'folder') {
		return pageLines(node, node.folder);
	}
	const { list } = node;
	switch (list.kind) {
		case 'absent':
		case 'loading':
			return [];
		case 'failed':
			return [
				new NoteNode(node, describeError(list.error), true),
				...pageLines(node, rootFolder(node.hits(list.items))),
			];
		case 'growing':
			return pageLines(node, rootFolder(node.hits(list.items)));
		case 'loaded':
			return list.items.length > 0
				? pageLines(node, rootFolder(node.hits(list.items)))
				: [new NoteNode(node, vscode.l10n.t('None'), false)];
	}
}

/** The rows below an expandable row. Never rejects: an error becomes a row. */
export async function linesBelow(node: LeafNode): Promise<TreeNode[]> {
	try {
		const lines = (await node.group.children?.(node.entry, node.server)) ?? [];
		const ids = lineIds(lines.map(it => it.look.key));
		return lines.length > 0
			? lines.map(({ entry, look }, index) => new LeafNode(node, entry, `${node.id}/${ids[index]}`, look))
			: [new NoteNode(node, vscode.l10n.t('None'), false)];
	} catch (error) {
		return [new NoteNode(node, describeError(error), true)];
	}
}

/** Folders first. */
function pageLines(node: GroupNode | FolderNode, folder: EntryFolder<unknown>): TreeNode[] {
	const owner = groupOf(node);
	const { group, baseId } = owner;
	const isFlat = !group.uri || owner.filter;
	const { folders, entries } = isFlat ? { folders: [], entries: folder.all } : contentOf(folder, group.uri);
	const shown = owner.shownIn(prefixOf(node));
	const shownFolders = folders.slice(0, shown);
	const page = pageOf(entries, shown - shownFolders.length);
	const isOnly = folders.length === 1 && entries.length === 0;
	const looks = page.entries.map(it => group.describe(it, owner.server));
	const ids = lineIds(looks.map(it => it.key));
	const left = folders.length - shownFolders.length + page.left;
	const leaves = looks.map((look, index) => new LeafNode(node, page.entries[index], `${baseId}/${ids[index]}`, look));
	owner.rememberLeaves(leaves, node === owner);
	return [
		...shownFolders.map(it => new FolderNode(node, it, isOnly)),
		...leaves,
		...(left > 0 ? [new MoreNode(node, shown, left)] : []),
	];
}

/** Rows that a group shows at first, and that each "Show more" adds. */
export const pageSize = 1000;

interface EntryPage<T> {
	readonly entries: readonly T[];
	/** Number of entries after these. */
	readonly left: number;
}

/** The first `shown` entries. */
export function pageOf<T>(entries: readonly T[], shown: number): EntryPage<T> {
	const left = Math.max(0, entries.length - shown);
	return { entries: left > 0 ? entries.slice(0, shown) : entries, left };
}

/** Unique ids for rows, as servers may send a key twice. An id doesn't depend on later entries of the list. */
export function lineIds(keys: readonly string[]): string[] {
	const seen = new Map<string, number>();
	return keys.map(key => {
		const count = seen.get(key) ?? 0;
		seen.set(key, count + 1);
		return `${count}/${key}`;
	});
}

/** A folder of the list; the list itself is the folder with an empty prefix. */
export interface EntryFolder<T> {
	/** The common beginning of the URIs of all entries; unique in the list. */
	readonly prefix: string;
	/** The prefix without that of the parent folder. It has several levels if each contains only the next. */
	readonly label: string;
	/** All entries at any depth, in the order of the list. */
	readonly all: readonly T[];
}

/** The direct contents of a folder, in the order of the list. */
interface FolderContent<T> {
	readonly folders: readonly EntryFolder<T>[];
	readonly entries: readonly T[];
}

/** `scheme:`, `scheme://` or `scheme:///`. */
const schemePattern = /^[a-z][\w+.-]*:(?:\/\/\/?)?/i;

/** The whole list as one folder. */
export function rootFolder<T>(entries: readonly T[]): EntryFolder<T> {
	return { prefix: '', label: '', all: entries };
}

/** The direct contents of `folder`. On the first level, an entry that would be alone in a folder gets none. */
export function contentOf<T>(folder: EntryFolder<T>, uriOf: (entry: T) => string): FolderContent<T> {
	const below = new Map<string, T[]>();
	const entries: T[] = [];
	for (const entry of folder.all) {
		const prefix = nextPrefix(uriOf(entry), folder.prefix);
		const known = prefix === undefined ? entries : below.get(prefix);
		if (known) {
			known.push(entry);
		} else if (prefix !== undefined) {
			below.set(prefix, [entry]);
		}
	}
	const folders: EntryFolder<T>[] = [];
	for (const all of below.values()) {
		const [only] = all;
		if (all.length === 1 && only !== undefined && folder.prefix === '') {
			entries.push(only);
		} else {
			const prefix = commonDirectory(all.map(uriOf));
			folders.push({ prefix, label: labelOf(prefix.slice(folder.prefix.length)), all });
		}
	}
	return { folders, entries };
}

/** The prefix of the folder one level below `prefix` that contains the URI; `undefined` if `prefix` contains it directly. */
function nextPrefix(uri: string, prefix: string): string | undefined {
	const directory = directoryOf(uri);
	if (directory.length <= prefix.length) {
		return undefined;
	}
	const scheme = prefix === '' ? schemeLength(uri) : 0;
	return uri.slice(0, scheme > 0 ? scheme : directory.indexOf('/', prefix.length) + 1);
}

/** A URI up to its last segment, or that of a directory up to its name. Ignores slashes in a query or fragment. */
function directoryOf(uri: string): string {
	const query = uri.search(/[?#]/);
	const path = query < 0 ? uri : uri.slice(0, query);
	const scheme = schemeLength(uri);
	// `lastIndexOf` treats a negative index as 0.
	const slash = path.length < 2 ? -1 : path.lastIndexOf('/', path.length - 2);
	return path.slice(0, Math.max(scheme, slash + 1));
}

function schemeLength(uri: string): number {
	return schemePattern.exec(uri)?.[0].length ?? 0;
}

/** The longest directory that contains all of the URIs, of which there is at least one. */
function commonDirectory(uris: readonly string[]): string {
	let common = directoryOf(uris[0] ?? '');
	for (const uri of uris) {
		const directory = directoryOf(uri);
		if (!directory.startsWith(common)) {
			common = common.slice(0, commonLength(common, directory));
			common = common.slice(0, Math.max(schemeLength(common), common.lastIndexOf('/') + 1));
		}
	}
	return common;
}

function commonLength(a: string, b: string): number {
	let length = 0;
	while (length < a.length && a[length] === b[length]) {
		length++;
	}
	return length;
}

/** Decoded and without the slash at the end, unless the slash belongs to a scheme. */
function labelOf(part: string): string {
	const text = /^[^/]+\/$|[^/:]\/$/.test(part) ? part.slice(0, -1) : part;
	return tryDecodeUri(text) ?? text;
}
