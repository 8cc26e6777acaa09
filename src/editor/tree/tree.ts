/**
 * The lines of the one tree view, "Servers". What stands below a running server comes from the features, each of
 * which registers its group; deleting a feature deletes its group. `serversView.ts` owns the view itself.
 *
 * A list may have 100,000 entries: a group makes lines for what it shows, a page at a time, and is drawn again only
 * when its own list has changed. Lines keep their ids, and by these the editor keeps what is chosen and open.
 */
import * as vscode from 'vscode';
import { type Disposable, Emitter, type Event, Owner, toDisposable } from '../../base/lifecycle.js';
import { Pacer } from '../../base/pacer.js';
import { itemsOf, type ListState } from '../../core/servers/catalog.js';
import { EntryFilter } from '../../core/search/entryFilter.js';
import type { ServerIcon } from '../../core/servers/iconLoader.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ServerState } from '../../core/servers/serverState.js';
import { serverItem } from './serverItem.js';
import { TreeChanges } from './treeChanges.js';
import { folderItem, groupItem, leafItem, moreItem, noteItem } from './treeItems.js';
import {
	type FolderNode,
	GroupNode,
	groupOf,
	linesBelow,
	linesOf,
	listOf,
	prefixOf,
	ServerNode,
	type TreeGroup,
	type TreeNode,
} from './treeNodes.js';

/**
 * How often a list that goes on changing is drawn again. The editor forgets the lines below what it is told to draw, until
 * it has asked for them again: a click in between reaches its command without its line.
 */
const redrawMs = 2000;

/** What was drawn of a server. */
interface Drawn {
	readonly state: ServerState;
	readonly icon: ServerIcon | undefined;
	readonly hasLines: boolean;
	readonly lists: readonly (ListState<unknown> | undefined)[];
}

export class ServersTree extends Owner implements vscode.TreeDataProvider<TreeNode> {
	private readonly _onDidEmpty = this.own(new Emitter<void>());
	/** The editor has asked for the servers, and there is none to show. */
	readonly onDidEmpty: Event<void> = this._onDidEmpty.event;
	private readonly changes = this.own(new TreeChanges<TreeNode>());
	readonly onDidChangeTreeData = this.changes.onDidChange as vscode.Event<TreeNode[] | undefined>;

	private readonly nodes = new Map<Server, ServerNode>();
	/** The same group is the same object, or the editor would not know which line to draw again. */
	private readonly groupNodes = new WeakMap<ServerNode, Map<TreeGroup, GroupNode>>();
	private readonly drawn = new WeakMap<Server, Drawn>();
	/** Lines that the person has opened or closed, by id. */
	private readonly expanded = new Map<string, boolean>();
	private readonly lists = this.own(new Pacer<GroupNode>(redrawMs, it => this.changes.fire([...it])));
	private groups: TreeGroup[] = [];
	private currentFilter: EntryFilter | undefined;

	constructor(private readonly registry: ServerRegistry) {
		super();
		this.own(registry.onDidChange(server => this.didChange(server)));
	}

	registerGroup<T>(group: TreeGroup<T>): Disposable {
		const entry = group as unknown as TreeGroup;
		this.groups = [...this.groups, entry].toSorted((a, b) => a.order - b.order);
		const subscription = group.onDidChange?.(() => this.registry.servers.forEach(it => this.didChange(it)));
		return toDisposable(() => {
			subscription?.dispose();
			this.groups = this.groups.filter(it => it !== entry);
		});
	}

	get filter(): string {
		return this.currentFilter?.query ?? '';
	}

	/** Leaves what matches, of all servers and also of lists that come later; an empty text leaves everything. */
	set filter(query: string) {
		const next = new EntryFilter(query, this.currentFilter);
		if (next.query !== this.filter) {
			this.currentFilter = next.query === '' ? undefined : next;
			this.changes.fire(undefined);
		}
	}

	/** Entries of loaded lists, and how many of them have lines, or would have. */
	count(): { readonly hits: number; readonly all: number } {
		let hits = 0;
		let all = 0;
		for (const group of this.serverNodes().flatMap(it => this.allGroups(it))) {
			const { list } = group;
			if (group.group.search) {
				hits += group.hits(itemsOf(list)).length;
				all += itemsOf(list).length;
			}
		}
		return { hits, all };
	}

	/** Gives a group or folder the lines of its next page; the first of them. */
	showMore(node: GroupNode | FolderNode): TreeNode | undefined {
		const prefix = prefixOf(node);
		const group = groupOf(node);
		const first = group.shownIn(prefix);
		group.showMore(prefix);
		this.changes.fire([node]);
		return linesOf(node)[first];
	}

	/** The person checked or unchecked lines; each group hears once of what is its own. */
	async check(items: readonly (readonly [TreeNode, boolean])[]): Promise<void> {
		const groups = new Map<GroupNode, Map<unknown, boolean>>();
		for (const [node, isChecked] of items) {
			if (node.kind === 'leaf') {
				const group = groupOf(node.parent);
				const entries = groups.get(group) ?? new Map<unknown, boolean>();
				groups.set(group, entries.set(node.entry, isChecked));
			}
		}
		for (const [node, entries] of groups) {
			try {
				await node.group.check?.(node.server, entries);
			} catch (error) {
				// The editor has drawn what is not so.
				this.changes.fire([node]);
				throw error;
			}
		}
	}

	/** Draws the lines of a group again though its list is the same: what is shown of it has changed. */
	redraw(groupId: string): void {
		const group = this.groups.find(it => it.id === groupId);
		if (group) {
			this.changes.fire([...this.nodes.values()].map(it => this.groupNode(it, group)));
		}
	}

	/** Redraws one row of a group and no other row, so that a click on another row isn't lost. */
	redrawEntry(groupId: string, server: Server, key: string): void {
		const group = this.groups.find(it => it.id === groupId);
		const node = this.nodes.get(server);
		const leaf = group && node && this.groupNode(node, group).leafOf(key);
		if (leaf) {
			leaf.refreshLook();
			this.changes.fire([leaf]);
		}
	}

	/** The person opened or closed a line. */
	setExpanded(node: TreeNode, isExpanded: boolean): void {
		const { id } = this.itemOf(node);
		if (id !== undefined) {
			this.expanded.set(id, isExpanded);
		}
	}

	getChildren(node?: TreeNode): TreeNode[] | Promise<TreeNode[]> {
		return this.changes.send(node, this.childrenOf(node));
	}

	private childrenOf(node: TreeNode | undefined): TreeNode[] | Promise<TreeNode[]> {
		switch (node?.kind) {
			case undefined: {
				const servers = this.visibleServers();
				if (servers.length === 0) {
					this._onDidEmpty.fire();
				}
				return servers;
			}
			case 'server':
				return this.visibleGroups(node);
			case 'group':
			case 'folder':
				return linesOf(node);
			case 'leaf':
				return node.look.isExpandable === true ? linesBelow(node) : [];
			case 'note':
			case 'more':
				return [];
		}
	}

	getParent(node: TreeNode): TreeNode | undefined {
		return node.kind === 'server' ? undefined : node.parent;
	}

	getTreeItem(node: TreeNode): vscode.TreeItem {
		this.changes.didRead(node);
		return this.itemOf(node);
	}

	private itemOf(node: TreeNode): vscode.TreeItem {
		switch (node.kind) {
			case 'server':
				return this.withExpansion(serverItem(node.server, this.hasSeveralFolders(), this.hasLines(node.server)));
			case 'group':
				return this.withExpansion(groupItem(node));
			case 'folder':
				return this.withExpansion(folderItem(node));
			case 'leaf':
				return this.withExpansion(leafItem(node));
			case 'note':
				return noteItem(node);
			case 'more':
				return moreItem(node);
		}
	}

	/** The lines of the servers that have one, with a filter those where it finds something or may do so yet. */
	visibleServers(): ServerNode[] {
		const nodes = this.serverNodes();
		return this.currentFilter ? nodes.filter(it => this.visibleGroups(it).length > 0) : nodes;
	}

	/** A line that comes back, or that the editor forgot while a filter hid it, is as the person left it. */
	private withExpansion(item: vscode.TreeItem): vscode.TreeItem {
		const { None, Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
		const isExpanded = this.expanded.get(item.id ?? '');
		if (isExpanded !== undefined && item.collapsibleState !== None) {
			item.collapsibleState = isExpanded ? Expanded : Collapsed;
		}
		return item;
	}

	private didChange(server: Server | undefined): void {
		const lines = server ? this.changedLines(server) : undefined;
		if (lines?.every(it => it.kind === 'group') === true) {
			this.lists.ask(lines);
			return;
		}
		const drawn = lines && new Set(lines);
		this.lists.drop(it => drawn?.has(it.parent) !== false);
		this.changes.fire(lines);
	}

	/** Which lines to draw again with everything below them; `undefined` is all of them, and lines may come or go. */
	private changedLines(server: Server): TreeNode[] | undefined {
		const { state, icon } = server;
		const before = this.drawn.get(server);
		const lists = this.groups.map(it => listOf(it, server));
		const hasLines = this.hasLines(server);
		this.drawn.set(server, { state, icon, hasLines, lists });
		const node = this.nodes.get(server);
		// With a filter, whole servers may come and go.
		if (!node || this.currentFilter) {
			return undefined;
		}
		const isOnlyArrow = ![...this.nodes.keys()].some(it => it !== server && this.drawn.get(it)?.hasLines === true);
		if ((before?.hasLines ?? false) !== hasLines && isOnlyArrow) {
			// The first arrow, and the end of the last one, move the text of the others. They are named all the same: where
			// everything is drawn anew, a click at that moment reaches its command without the line.
			return [...this.nodes.values()];
		}
		if (!before) {
			return [node];
		}
		const changed = this.groups.filter((_, index) => lists[index] !== before.lists[index]);
		const isOther = (group: TreeGroup, index: number): boolean =>
			changed.includes(group) && (lists[index]?.kind === 'absent') !== (before.lists[index]?.kind === 'absent');
		return before.state !== state || before.icon !== icon || this.groups.some(isOther)
			? [node]
			: changed.map(it => this.groupNode(node, it));
	}

	/** Whether anything can stand below the line of a server. */
	hasLines(server: Server): boolean {
		const isThere = (it: TreeGroup): boolean => it.isIndependent === true && listOf(it, server)?.kind === 'loaded';
		return server.state.kind === 'running' || this.groups.some(isThere);
	}

	private serverNodes(): ServerNode[] {
		const { servers } = this.registry;
		for (const server of this.nodes.keys()) {
			if (!servers.includes(server)) {
				this.nodes.delete(server);
			}
		}
		return servers.map(server => {
			const node = this.nodes.get(server) ?? new ServerNode(server);
			this.nodes.set(server, node);
			return node;
		});
	}

	private visibleGroups(node: ServerNode): GroupNode[] {
		return this.allGroups(node).filter(group => {
			const { list } = group;
			return !group.filter || list.kind !== 'loaded' || group.hits(list.items).length > 0;
		});
	}

	private allGroups(node: ServerNode): GroupNode[] {
		return this.groups.map(it => this.groupNode(node, it)).filter(it => it.list.kind !== 'absent');
	}

	private groupNode(node: ServerNode, group: TreeGroup): GroupNode {
		const known = this.groupNodes.get(node) ?? new Map<TreeGroup, GroupNode>();
		this.groupNodes.set(node, known);
		let result = known.get(group);
		if (!result || result.filter !== this.currentFilter) {
			result = new GroupNode(node, group, this.currentFilter);
			known.set(group, result);
		}
		return result;
	}

	private hasSeveralFolders(): boolean {
		const folders = this.registry.servers.map(it => it.definition.source.folderUri);
		return new Set(folders.filter(it => it !== undefined)).size > 1;
	}
}
