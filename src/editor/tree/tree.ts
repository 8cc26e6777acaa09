/**
 * The data of the view "Servers": servers, and below them the groups that features register. Lists may have 100,000 entries,
 * so a group creates only the rows that it shows, and is redrawn only when its own list has changed.
 */
import * as vscode from 'vscode';
import { type Disposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { itemsOf, type ListState } from '../../core/servers/catalog.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { EntryFilter } from '../../core/search/matcher.js';
import type { ServerIcon } from '../../core/servers/icons.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { ServerState } from '../../core/servers/serverState.js';
import { folderItem, groupItem, leafItem, moreItem, noteItem, serverItem } from './treeItems.js';
import { TreeChanges } from './treeChanges.js';
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
import { clock, type Timer } from '../../base/clock.js';

/**
 * Milliseconds between two redraws of a list that keeps changing. While the editor redraws a group, a click on one of its
 * rows reaches the command without the row.
 */
const redrawMs = 2000;

/** The data of a server that its row was last drawn with. */
interface Drawn {
	readonly state: ServerState;
	readonly icon: ServerIcon | undefined;
	readonly warnings: number;
	readonly hasLines: boolean;
	readonly lists: readonly (ListState<unknown> | undefined)[];
}

export class ServersTree extends Owner implements vscode.TreeDataProvider<TreeNode> {
	private readonly changes = this.own(new TreeChanges<TreeNode>());
	readonly onDidChangeTreeData = this.changes.onDidChange as vscode.Event<TreeNode[] | undefined>;

	private readonly nodes = new Map<Server, ServerNode>();
	/** Groups keep their objects, by which the editor identifies rows. */
	private readonly groupNodes = new WeakMap<ServerNode, Map<TreeGroup, GroupNode>>();
	private readonly drawn = new WeakMap<Server, Drawn>();
	/** Rows that the person has expanded or collapsed, by id. */
	private readonly expanded = new Map<string, boolean>();
	private readonly lists = this.own(new Throttler<GroupNode>(redrawMs, it => this.changes.fire([...it])));
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

	/** Shows only matching entries, also of lists that are loaded later. An empty text removes the filter. */
	set filter(query: string) {
		const next = new EntryFilter(query, this.currentFilter);
		if (next.query !== this.filter) {
			this.currentFilter = next.query === '' ? undefined : next;
			this.changes.fire(undefined);
		}
	}

	/** Number of loaded entries, and of those that match the filter. */
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

	/** Shows the next page of a group or folder. Returns its first row. */
	showMore(node: GroupNode | FolderNode): TreeNode | undefined {
		const prefix = prefixOf(node);
		const group = groupOf(node);
		const first = group.shownIn(prefix);
		group.showMore(prefix);
		this.changes.fire([node]);
		return linesOf(node)[first];
	}

	/** Call this when the person has checked or unchecked rows. Each group gets its entries at once. */
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
				// The editor has already drawn the new checkboxes.
				this.changes.fire([node]);
				throw error;
			}
		}
	}

	/** Redraws the rows of a group whose list is the same but whose looks have changed. */
	redraw(groupId: string): void {
		const group = this.groups.find(it => it.id === groupId);
		if (group) {
			this.changes.fire([...this.nodes.values()].map(it => this.groupNode(it, group)));
		}
	}

	/** Redraws the row of a server whose lists and state are the same. */
	redrawServer({ id }: ServerDefinition): void {
		this.changes.fire([...this.nodes.values()].filter(it => it.server.definition.id === id));
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

	/** Call this when the person has expanded or collapsed a row. */
	setExpanded(node: TreeNode, isExpanded: boolean): void {
		const { id } = this.itemOf(node);
		if (id !== undefined) {
			this.expanded.set(id, isExpanded);
		}
	}

	getChildren(node?: TreeNode): TreeNode[] | Promise<TreeNode[]> {
		return this.changes.send(node, this.childrenOf(node));
	}

	childrenOf(node: TreeNode | undefined): TreeNode[] | Promise<TreeNode[]> {
		switch (node?.kind) {
			case undefined:
				return this.visibleServers();
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
			case 'server': {
				const { server } = node;
				const label = this.registry.label(server);
				return this.withExpansion(serverItem(server, label, this.hasSeveralFolders(), this.hasLines(server)));
			}
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

	/** The rows of all servers; with a filter, of those that have a match or a list that is still loading. */
	visibleServers(): ServerNode[] {
		const nodes = this.serverNodes();
		return this.currentFilter ? nodes.filter(it => this.visibleGroups(it).length > 0) : nodes;
	}

	/** Restores the expansion of a row that was hidden, for example by a filter. */
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

	/** The rows to redraw together with their children; `undefined` for the whole tree. */
	private changedLines(server: Server): TreeNode[] | undefined {
		const { state, icon } = server;
		const warnings = server.warnings.length;
		const before = this.drawn.get(server);
		const lists = this.groups.map(it => listOf(it, server));
		const hasLines = this.hasLines(server);
		this.drawn.set(server, { state, icon, warnings, hasLines, lists });
		const node = this.nodes.get(server);
		// With a filter, rows of servers can appear and disappear.
		if (!node || this.currentFilter) {
			return undefined;
		}
		const isOnlyArrow = ![...this.nodes.keys()].some(it => it !== server && this.drawn.get(it)?.hasLines === true);
		if ((before?.hasLines ?? false) !== hasLines && isOnlyArrow) {
			// The texts of all rows shift when the first arrow appears or the last one disappears. Each row is listed: during
			// a redraw of the whole tree, the command of a clicked row would get no row.
			return [...this.nodes.values()];
		}
		if (!before) {
			return [node];
		}
		const changed = this.groups.filter((_, index) => lists[index] !== before.lists[index]);
		const isOther = (group: TreeGroup, index: number): boolean =>
			changed.includes(group) && (lists[index]?.kind === 'absent') !== (before.lists[index]?.kind === 'absent');
		const isServerOther = before.state !== state || before.icon !== icon || before.warnings !== warnings;
		return isServerOther || this.groups.some(isOther) ? [node] : changed.map(it => this.groupNode(node, it));
	}

	/** Whether the row of a server can have children. */
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

/** A thing that was passed on within the interval. */
interface Resting {
	readonly timer: Timer;
	isWanted: boolean;
}

/** Passes things on at once, but each only once in an interval. Requests within the interval are passed on at its end. */
export class Throttler<T extends object> implements Disposable {
	private readonly resting = new Map<T, Resting>();
	private isDisposed = false;

	/** @param ms the interval in milliseconds */
	constructor(
		private readonly ms: number,
		private readonly pass: (things: readonly T[]) => void,
	) {}

	ask(things: readonly T[]): void {
		if (this.isDisposed) {
			return;
		}
		const due: T[] = [];
		for (const it of things) {
			const resting = this.resting.get(it);
			if (resting) {
				resting.isWanted = true;
			} else {
				due.push(it);
			}
		}
		this.passNow(due);
	}

	/** Cancels waiting requests. */
	drop(isMeant: (thing: T) => boolean): void {
		for (const [thing, resting] of this.resting) {
			resting.isWanted &&= !isMeant(thing);
		}
	}

	dispose(): void {
		this.isDisposed = true;
		this.resting.forEach(({ timer }) => clock.clearTimeout(timer));
		this.resting.clear();
	}

	private passNow(things: readonly T[]): void {
		for (const it of things) {
			this.resting.set(it, { timer: clock.setTimeout(() => this.wake(it), this.ms), isWanted: false });
		}
		if (things.length > 0) {
			this.pass(things);
		}
	}

	private wake(thing: T): void {
		const isWanted = this.resting.get(thing)?.isWanted === true;
		this.resting.delete(thing);
		if (isWanted) {
			this.passNow([thing]);
		}
	}
}
