/**
 * The one tree view, "Servers". It owns the view and the server lines; what stands below a running
 * server comes from the features, each of which registers its group. Deleting a feature deletes its
 * group.
 */
import * as vscode from 'vscode';
import { type Disposable, Emitter, Owner, toDisposable } from '../base/lifecycle.js';
import type { Catalog, ListState } from '../model/catalog.js';
import type { Server } from '../model/server.js';
import type { ServerRegistry } from '../model/serverRegistry.js';
import { type TreeContext, TreeContexts, Views } from './contributions.js';
import { describeError } from './messages.js';
import { serverItem } from './serverItem.js';
import { tooltipText, treeText } from './plainText.js';

/** One kind of thing a server offers. `T` is an entry of its list. */
export interface TreeGroup<T = unknown> {
	readonly id: string;
	/** Smaller stands higher. */
	readonly order: number;
	readonly label: string;
	readonly list: (catalog: Catalog) => ListState<T>;
	/** How an entry looks; its texts may be the server's: the tree cleans them. */
	readonly describe: (entry: T) => LeafLook;
	/** Run when the line is chosen; only for what has no effect on the server. */
	readonly open?: string;
}

export interface LeafLook {
	/** Stays the same when the list is loaded again. */
	readonly key: string;
	readonly label: string;
	readonly description?: string | undefined;
	readonly tooltip?: string | undefined;
	readonly icon: vscode.ThemeIcon;
	/** Gives the line a file's icon of the theme in place of `icon`. */
	readonly resourceUri?: vscode.Uri | undefined;
	readonly context: TreeContext;
}

export class ServerNode {
	readonly kind = 'server';
	constructor(readonly server: Server) {}
}

export class GroupNode {
	readonly kind = 'group';
	constructor(
		readonly parent: ServerNode,
		readonly group: TreeGroup,
	) {}
}

/** One tool, resource, … of a server; `entry` is what the group's list holds. */
export class LeafNode {
	readonly kind = 'leaf';
	constructor(
		readonly parent: GroupNode,
		readonly entry: unknown,
		readonly id: string,
		readonly look: LeafLook,
	) {}

	get server(): Server {
		return this.parent.parent.server;
	}
}

/** Says why a group has no lines. */
class NoteNode {
	readonly kind = 'note';
	constructor(
		readonly parent: GroupNode,
		readonly text: string,
		readonly isError: boolean,
	) {}
}

export type TreeNode = ServerNode | GroupNode | LeafNode | NoteNode;

/** Owns the view. */
export class ServersTree extends Owner implements vscode.TreeDataProvider<TreeNode> {
	private readonly _onDidChangeTreeData = this.own(new Emitter<TreeNode | undefined>());
	readonly onDidChangeTreeData = this._onDidChangeTreeData.event as vscode.Event<TreeNode | undefined>;

	private readonly nodes = new Map<Server, ServerNode>();
	private readonly shapes = new WeakMap<Server, string>();
	private groups: TreeGroup[] = [];
	private readonly view: vscode.TreeView<TreeNode>;
	/** Servers whose lines are open, or will be as soon as they can be seen. */
	private readonly expanded = new Set<Server>();

	constructor(private readonly registry: ServerRegistry) {
		super();
		this.view = this.own(
			vscode.window.createTreeView<TreeNode>(Views.servers, { treeDataProvider: this, showCollapseAll: true }),
		);
		this.own(registry.onDidChange(server => this.refresh(server)));
		this.own(this.view.onDidChangeVisibility(() => this.expandStarted()));
	}

	registerGroup<T>(group: TreeGroup<T>): Disposable {
		const entry = group as TreeGroup;
		this.groups = [...this.groups, entry].toSorted((a, b) => a.order - b.order);
		return toDisposable(() => {
			this.groups = this.groups.filter(it => it !== entry);
		});
	}

	getChildren(node?: TreeNode): TreeNode[] {
		switch (node?.kind) {
			case undefined:
				return this.serverNodes();
			case 'server':
				return this.groupNodes(node);
			case 'group':
				return entryNodes(node);
			case 'leaf':
			case 'note':
				return [];
		}
	}

	getParent(node: TreeNode): TreeNode | undefined {
		return node.kind === 'server' ? undefined : node.parent;
	}

	getTreeItem(node: TreeNode): vscode.TreeItem {
		switch (node.kind) {
			case 'server':
				return serverItem(node.server, this.hasSeveralFolders());
			case 'group':
				return groupItem(node);
			case 'leaf':
				return leafItem(node);
			case 'note':
				return noteItem(node);
		}
	}

	private refresh(server: Server | undefined): void {
		const node = server && this.nodes.get(server);
		// A line that gains or loses its arrow moves the text of the others, which only a whole refresh redraws.
		const changesShape = server && this.shapes.get(server) !== server.state.kind;
		if (server) {
			this.shapes.set(server, server.state.kind);
		}
		this._onDidChangeTreeData.fire(changesShape ? undefined : node);
		this.expandStarted();
	}

	/**
	 * Opens the line of a server once it has started. The item alone cannot: a line that had nothing below
	 * it stays closed, whatever its item says later. A hidden view is left hidden.
	 */
	private expandStarted(): void {
		for (const node of this.view.visible ? this.nodes.values() : []) {
			const { server } = node;
			if (server.state.kind !== 'running') {
				this.expanded.delete(server);
			} else if (!this.expanded.has(server)) {
				this.expanded.add(server);
				this.view.reveal(node, { expand: true, select: false, focus: false }).then(undefined, () => {
					// The server or the view went away meanwhile.
					this.expanded.delete(server);
				});
			}
		}
	}

	private serverNodes(): ServerNode[] {
		const { servers } = this.registry;
		for (const server of this.nodes.keys()) {
			if (!servers.includes(server)) {
				this.nodes.delete(server);
				this.expanded.delete(server);
			}
		}
		return servers.map(server => {
			const node = this.nodes.get(server) ?? new ServerNode(server);
			this.nodes.set(server, node);
			return node;
		});
	}

	private groupNodes(node: ServerNode): GroupNode[] {
		const { catalog } = node.server;
		return catalog
			? this.groups.filter(it => it.list(catalog).kind !== 'absent').map(it => new GroupNode(node, it))
			: [];
	}

	private hasSeveralFolders(): boolean {
		const folders = this.registry.servers.map(it => it.definition.source.folderUri);
		return new Set(folders.filter(it => it !== undefined)).size > 1;
	}
}

function listOf(node: GroupNode): ListState<unknown> {
	const { catalog } = node.parent.server;
	return catalog ? node.group.list(catalog) : { kind: 'absent' };
}

function entryNodes(node: GroupNode): TreeNode[] {
	const list = listOf(node);
	switch (list.kind) {
		case 'absent':
		case 'loading':
			return [];
		case 'failed':
			return [new NoteNode(node, describeError(list.error), true)];
		case 'loaded':
			return list.items.length > 0 ? leafNodes(node, list.items) : [new NoteNode(node, vscode.l10n.t('none'), false)];
	}
}

/** Servers may send a name twice; ids in a tree must differ. */
function leafNodes(node: GroupNode, entries: readonly unknown[]): LeafNode[] {
	const seen = new Map<string, number>();
	return entries.map(entry => {
		const look = node.group.describe(entry);
		const count = seen.get(look.key) ?? 0;
		seen.set(look.key, count + 1);
		return new LeafNode(node, entry, `${groupId(node)}/${count}/${look.key}`, look);
	});
}

function groupId({ parent, group }: GroupNode): string {
	return `${parent.server.definition.id}/${group.id}`;
}

function groupItem(node: GroupNode): vscode.TreeItem {
	const item = new vscode.TreeItem(node.group.label, vscode.TreeItemCollapsibleState.Collapsed);
	item.id = groupId(node);
	item.contextValue = TreeContexts.group;
	const list = listOf(node);
	if (list.kind === 'loaded') {
		item.description = String(list.items.length);
	} else if (list.kind === 'loading') {
		item.description = vscode.l10n.t('loading');
		item.iconPath = new vscode.ThemeIcon('loading~spin');
	} else if (list.kind === 'failed') {
		item.description = vscode.l10n.t('could not be listed');
		item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
	}
	return item;
}

function leafItem(node: LeafNode): vscode.TreeItem {
	const { look, parent } = node;
	const label = treeText(look.label);
	const description = treeText(look.description ?? '');
	const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
	item.id = node.id;
	item.description = description;
	item.contextValue = look.context;
	item.iconPath = look.resourceUri ? vscode.ThemeIcon.File : look.icon;
	if (look.resourceUri) {
		item.resourceUri = look.resourceUri;
	}
	item.tooltip = tooltipText(look.tooltip ?? look.label);
	// Without it a screen reader would read the tooltip in place of the name.
	item.accessibilityInformation = { label: description === '' ? label : `${label}, ${description}` };
	if (parent.group.open) {
		item.command = { command: parent.group.open, title: vscode.l10n.t('Open'), arguments: [node] };
	}
	return item;
}

function noteItem({ text, isError }: NoteNode): vscode.TreeItem {
	const item = new vscode.TreeItem('', vscode.TreeItemCollapsibleState.None);
	item.description = treeText(text);
	item.tooltip = tooltipText(text);
	item.contextValue = TreeContexts.note;
	if (isError) {
		item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
	}
	return item;
}
