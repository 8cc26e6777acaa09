/** The view "Servers": shows the rows of `tree.ts` with a message, a badge, and expanded rows of started servers. */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { reportErrors, ManagedContextKey } from '../commands.js';
import { ContextKeys, Views } from '../contributions.js';
import { describeNumber, describePending } from '../l10n/messages.js';
import { oneLine } from '../ui/plainText.js';
import type { ServersTree } from './tree.js';
import type { TreeNode } from './treeNodes.js';

const uriList = 'text/uri-list';

/** Provides the URIs of dragged rows. Dropped on the editor area, they open. */
export function handleDrag(nodes: readonly TreeNode[], data: vscode.DataTransfer): void {
	const leaves = nodes.filter(it => it.kind === 'leaf');
	leaves.forEach(it => it.group.didDrag?.(it.entry, it.server));
	const uris = leaves.flatMap(({ look }) => (look.drag ?? look.resourceUri)?.toString() ?? []);
	if (uris.length > 0) {
		data.set(uriList, new vscode.DataTransferItem(uris.join('\r\n')));
	}
}

export class ServersView extends Owner {
	private readonly view: vscode.TreeView<TreeNode>;
	/** Servers whose rows have been expanded since they started. */
	private readonly expanded = new Set<Server>();
	private readonly hasNoHits = new ManagedContextKey(ContextKeys.hasNoHits);
	constructor(
		private readonly registry: ServerRegistry,
		private readonly tree: ServersTree,
		private readonly pending: PendingRequests,
	) {
		super();
		this.view = this.own(
			vscode.window.createTreeView<TreeNode>(Views.servers, {
				treeDataProvider: tree,
				showCollapseAll: true,
				manageCheckboxStateManually: true,
				dragAndDropController: { dragMimeTypes: [uriList], dropMimeTypes: [], handleDrag },
			}),
		);
		this.own(
			this.view.onDidChangeCheckboxState(({ items }) => {
				const { Checked } = vscode.TreeItemCheckboxState;
				void reportErrors(() => tree.check(items.map(([node, state]) => [node, state === Checked])));
			}),
		);
		this.own(this.view.onDidExpandElement(({ element }) => tree.setExpanded(element, true)));
		this.own(this.view.onDidCollapseElement(({ element }) => tree.setExpanded(element, false)));
		this.own(this.view.onDidChangeVisibility(() => this.expandStarted()));
		this.own(tree.onDidChangeTreeData(() => this.update()));
		this.own(pending.onDidChange(() => this.update()));
		this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.update()));
	}

	/** Scrolls to a row, selects it, and gives it the keyboard focus unless `focus` is false. */
	async reveal(node: TreeNode, focus = true): Promise<void> {
		await this.view.reveal(node, { select: true, focus });
	}

	/** Selects the row of a server and gives it the keyboard focus. Does nothing if the row can't be shown. */
	async focusServer(server: Server): Promise<void> {
		const node = this.tree.visibleServers().find(it => it.server === server);
		// The editor rejects it if the tree has changed meanwhile.
		await (node && this.reveal(node).catch(() => undefined));
	}

	/** Selects the first tool of a server, whose row then shows its actions. The focus stays where it is. */
	async selectFirstTool(server: Server): Promise<void> {
		const node = this.tree.visibleServers().find(it => it.server === server);
		const [tools] = node ? await this.tree.childrenOf(node) : [];
		const [first] = tools ? await this.tree.childrenOf(tools) : [];
		await (first && this.view.visible && this.reveal(first, false).catch(() => undefined));
	}

	private update(): void {
		const { tree, view } = this;
		const hasNoHits = tree.filter !== '' && tree.visibleServers().length === 0;
		this.hasNoHits.value = hasNoHits;
		// The editor shows no welcome text, with its link to clear the filter, where there is a message.
		view.message = hasNoHits ? '' : this.message();
		const { count } = this.pending;
		view.badge = count > 0 ? { value: count, tooltip: describePending(count) } : undefined;
		this.expandStarted();
	}

	/**
	 * The sentence above the rows, or an empty string. A click on a row must not show or hide it: the rows would move, and
	 * the next click would hit another server.
	 */
	private message(): string {
		const { t } = vscode.l10n;
		const { tree, registry } = this;
		if (tree.filter !== '') {
			const { hits, all } = tree.count();
			return t('Filter: {0} ({1} of {2})', oneLine(tree.filter), describeNumber(hits), describeNumber(all));
		}
		return registry.servers.length > 0 && !vscode.workspace.isTrusted
			? t('Servers are disabled in Restricted Mode. Select a server to manage Workspace Trust.')
			: '';
	}

	/**
	 * Expands the row of a server once it has started: a row without children stays collapsed whatever its item says later.
	 * Only while the view is visible, because `reveal` would show it.
	 */
	private expandStarted(): void {
		for (const server of this.expanded) {
			if (!this.tree.hasLines(server) || !this.registry.servers.includes(server)) {
				this.expanded.delete(server);
			}
		}
		for (const node of this.view.visible ? this.tree.visibleServers() : []) {
			const { server } = node;
			if (this.tree.hasLines(server) && !this.expanded.has(server)) {
				this.expanded.add(server);
				this.view.reveal(node, { expand: true, select: false, focus: false }).then(undefined, () => {
					// The row or the view has disappeared meanwhile.
					this.expanded.delete(server);
				});
			}
		}
	}
}
