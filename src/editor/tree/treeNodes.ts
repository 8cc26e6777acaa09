/**
 * The lines below the servers: what each stands for, and how a list becomes lines. Lines are made as far as they are
 * looked at: a page of a list at a time, a level of folders at a time.
 */
import * as vscode from 'vscode';
import type { Event } from '../../base/lifecycle.js';
import type { Catalog, ListState } from '../../core/servers/catalog.js';
import type { EntryFilter, Searchable } from '../../core/search/entryFilter.js';
import { contentOf, type EntryFolder, rootFolder } from './entryFolders.js';
import { lineIds, pageOf, pageSize } from './entryPage.js';
import type { Server } from '../../core/servers/server.js';
import type { TreeContext } from '../contributions.js';
import { describeError } from '../l10n/messages.js';

/** One kind of thing a server offers. `T` is an entry of its list. */
export interface TreeGroup<T = unknown> {
	readonly id: string;
	/** Smaller stands higher. */
	readonly order: number;
	readonly label: string;
	/** Codicon. */
	readonly icon: string;
	/** The same object as long as nothing in it has changed. */
	readonly list: (catalog: Catalog, server: Server) => ListState<T>;
	/** `list` takes no notice of the catalog: the server has the group whether or not it runs. */
	readonly isIndependent?: boolean;
	/** Lists have changed, of whichever server, and no server knows. */
	readonly onDidChange?: Event<void>;
	/**
	 * What the filter looks at; called for every entry of a list, however long. A group without it is nothing that the
	 * server offers: no filter shows or counts it.
	 */
	readonly search?: (entry: T) => Searchable;
	/** Stands beside the label in place of the number of entries. */
	readonly summary?: (server: Server, entries: readonly T[]) => GroupSummary;
	/** The person has checked or unchecked lines; what it throws is shown, and the lines are as they were. */
	readonly check?: (server: Server, checked: ReadonlyMap<T, boolean>) => Promise<void>;
	/** Gives the lines folders, by the paths of these URIs; a filter leaves its hits without. */
	readonly uri?: (entry: T) => string;
	/** How an entry looks; its texts may be the server's: the tree cleans them. */
	readonly describe: (entry: T, server: Server) => LeafLook;
	/** What stands below an entry whose look is expandable; asked for when its line is opened. */
	readonly children?: (entry: T, server: Server) => readonly ChildLine[] | Promise<readonly ChildLine[]>;
	/** Run when the line is chosen; only for what has no effect on the server. */
	readonly open?: string;
}

/** A line below a line. */
export interface ChildLine {
	/** What the line's node holds. */
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
	/** What the line stands for: gives it decorations, lets it be dragged, and chooses the file icon where `icon` is one. */
	readonly resourceUri?: vscode.Uri | undefined;
	/** What is dragged from the line, where that is another URI. */
	readonly drag?: vscode.Uri;
	readonly context: TreeContext;
	/** It can be opened as a folder is: for a group with `children`. */
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
	/** How many lines it and its folders have, if more than a page: by the folder's prefix. */
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

	/** A filtered group is another line, open from the start: that of the whole list keeps its own state. */
	get id(): string {
		return `${this.baseId}${this.filter ? '?' : ''}`;
	}

	get baseId(): string {
		return `${this.parent.server.definition.id}/${this.group.id}`;
	}

	get server(): Server {
		return this.parent.server;
	}

	/** All the server has. */
	get list(): ListState<unknown> {
		return listOf(this.group, this.server) ?? { kind: 'absent' };
	}

	/** Of a loaded list, what the filter leaves. */
	hits(entries: readonly unknown[]): readonly unknown[] {
		const { search } = this.group;
		return this.filter ? (search ? this.filter.hits(entries, search) : []) : entries;
	}
}

/** Undefined of a group that only a running server has. */
export function listOf({ list, isIndependent }: TreeGroup, server: Server): ListState<unknown> | undefined {
	const { catalog } = server;
	// A group that takes no notice of the catalog is given none.
	return catalog || isIndependent ? list(catalog as Catalog, server) : undefined;
}

/** Entries of a group that have the beginning of their URIs in common. */
export class FolderNode {
	readonly kind = 'folder';
	/** @param isOnly whether nothing stands beside it */
	constructor(
		readonly parent: GroupNode | FolderNode,
		readonly folder: EntryFolder<unknown>,
		readonly isOnly: boolean,
	) {}

	get id(): string {
		return `${groupOf(this).baseId}/folder/${this.folder.prefix}`;
	}
}

/** One tool, resource, … of a server; `entry` is what the group's list holds. */
export class LeafNode {
	readonly kind = 'leaf';
	constructor(
		readonly parent: GroupNode | FolderNode | LeafNode,
		readonly entry: unknown,
		readonly id: string,
		private ownLook: LeafLook,
	) {}

	get look(): LeafLook {
		return this.ownLook;
	}

	/** Updates the look from the entry. Only for entries of the group's own list. */
	refreshLook(): void {
		this.ownLook = this.group.describe(this.entry, this.server);
	}

	get group(): TreeGroup {
		return groupOf(this).group;
	}

	get server(): Server {
		return groupOf(this).parent.server;
	}
}

/** Says why a group has no lines. */
export class NoteNode {
	readonly kind = 'note';
	constructor(
		readonly parent: GroupNode | LeafNode,
		readonly text: string,
		readonly isError: boolean,
	) {}
}

/** Stands for the entries that have no lines yet. */
export class MoreNode {
	readonly kind = 'more';
	/** @param shown how many have */
	constructor(
		readonly parent: GroupNode | FolderNode,
		readonly shown: number,
		readonly left: number,
	) {}

	/** How many of them the next page adds. */
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

/** What stands in a group or folder, as far as it is shown. */
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
			// Above what came before it, which is of use all the same.
			return [
				new NoteNode(node, describeError(list.error), true),
				...pageLines(node, rootFolder(node.hits(list.items))),
			];
		case 'growing':
			return pageLines(node, rootFolder(node.hits(list.items)));
		case 'loaded':
			return list.items.length > 0
				? pageLines(node, rootFolder(node.hits(list.items)))
				: [new NoteNode(node, vscode.l10n.t('none'), false)];
	}
}

/** What stands below a line that can be opened. Never rejects: what fails is said in a line. */
export async function linesBelow(node: LeafNode): Promise<TreeNode[]> {
	try {
		const lines = (await node.group.children?.(node.entry, node.server)) ?? [];
		const ids = lineIds(lines.map(it => it.look.key));
		return lines.length > 0
			? lines.map(({ entry, look }, index) => new LeafNode(node, entry, `${node.id}/${ids[index]}`, look))
			: [new NoteNode(node, vscode.l10n.t('none'), false)];
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
