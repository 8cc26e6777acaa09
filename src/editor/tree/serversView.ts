/** The view "Servers": shows the rows of `tree.ts` with a message, a badge, and expanded rows of started servers. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { DisposableStore, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { reportErrors, ManagedContextKey } from '../commands.js';
import { ContextKeys, Views } from '../contributions.js';
import { describeNumber, describePending } from '../l10n/messages.js';
import { treeText } from '../ui/plainText.js';
import { isInputOpen } from '../ui/quickInput.js';
import type { ServersTree } from './tree.js';
import type { TreeNode } from './treeNodes.js';

const uriList = 'text/uri-list';

/** Milliseconds within which a removed row disappears, unless the removal is undone. */
const emptyMs = 5000;

/** Milliseconds until the editor has drawn the text of the empty view. Before, there is nothing to focus. */
const drawnMs = 200;

/** Provides the URIs of dragged rows. Dropped on the editor area, they open. */
export function handleDrag(nodes: readonly TreeNode[], data: vscode.DataTransfer): void {
	const uris = nodes.flatMap(it => {
		const uri = it.kind === 'leaf' ? (it.look.drag ?? it.look.resourceUri) : undefined;
		return uri ? [uri.toString()] : [];
	});
	if (uris.length > 0) {
		data.set(uriList, new vscode.DataTransferItem(uris.join('\r\n')));
	}
}

export class ServersView extends Owner {
	private readonly view: vscode.TreeView<TreeNode>;
	/** Servers whose rows have been expanded since they started. */
	private readonly expanded = new Set<Server>();
	private readonly hasNoHits = new ManagedContextKey(ContextKeys.hasNoHits);
	/** Whether the person has used a text editor since they used a row. The editor doesn't report clicks on a selected row. */
	private isInText = false;
	/** The pending focus of the empty view. */
	private readonly focusing = this.own(new MutableDisposable<DisposableStore>());

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
		for (const use of [this.view.onDidChangeSelection, this.view.onDidExpandElement, this.view.onDidCollapseElement]) {
			this.own(use(() => (this.isInText = false)));
		}
		const { Keyboard, Mouse } = vscode.TextEditorSelectionChangeKind;
		this.own(
			vscode.window.onDidChangeTextEditorSelection(
				({ kind }) => (this.isInText ||= kind === Keyboard || kind === Mouse),
			),
		);
		this.own(this.view.onDidExpandElement(({ element }) => tree.setExpanded(element, true)));
		this.own(this.view.onDidCollapseElement(({ element }) => tree.setExpanded(element, false)));
		this.own(this.view.onDidChangeVisibility(() => this.expandStarted()));
		this.own(tree.onDidChangeTreeData(() => this.update()));
		this.own(pending.onDidChange(() => this.update()));
		this.own(vscode.workspace.onDidGrantWorkspaceTrust(() => this.update()));
	}

	/** Scrolls to a row, and selects and focuses it. */
	async reveal(node: TreeNode): Promise<void> {
		await this.view.reveal(node, { select: true, focus: true });
	}

	/** Selects the row of a server and gives it the keyboard focus. Does nothing if the row can't be shown. */
	async focusServer(server: Server): Promise<void> {
		const node = this.tree.visibleServers().find(it => it.server === server);
		// The editor rejects it if the tree has changed meanwhile.
		await (node && this.reveal(node).catch(() => undefined));
	}

	/** Gives the keyboard focus to the text of the empty view, once the last row has disappeared. */
	private focusWhenEmpty(): void {
		const waiting = new DisposableStore();
		this.focusing.value = waiting;
		const after = (ms: number, act: () => void): void => {
			const timer = clock.setTimeout(act, ms);
			waiting.add(toDisposable(() => clock.clearTimeout(timer)));
		};
		const focus = (): void => {
			this.focusing.value = undefined;
			// A list that has just opened would close.
			if (this.tree.visibleServers().length === 0 && !isInputOpen()) {
				void vscode.commands.executeCommand(`${Views.servers}.focus`);
			}
		};
		after(emptyMs, () => (this.focusing.value = undefined));
		waiting.add(this.tree.onDidEmpty(() => after(drawnMs, focus)));
	}

	/**
	 * Whether the row of a server may have the keyboard focus, which extensions can't ask for: it is selected and the person
	 * hasn't used a text editor since, or no editor is open. Arrow keys move the focus without selecting the row.
	 */
	mayHaveFocus(server: Server): boolean {
		const isSelected = this.view.selection.some(it => it.kind === 'server' && it.server === server);
		const { activeTab } = vscode.window.tabGroups.activeTabGroup;
		return (isSelected && !this.isInText) || (this.view.visible && activeTab === undefined);
	}

	/** Focuses the row that takes the place of a removed one; the text of the empty view if there is none. */
	focusInsteadOf(next: Server | undefined): void {
		if (next) {
			void this.focusServer(next);
		} else {
			this.focusWhenEmpty();
		}
	}

	/** The server on the next row, or on the previous one if this is the last; `undefined` if it has no neighbor. */
	neighborOf(server: Server): Server | undefined {
		const servers = this.tree.visibleServers().map(it => it.server);
		const index = servers.indexOf(server);
		return index === -1 ? undefined : (servers[index + 1] ?? servers[index - 1]);
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
			return t('Filter: {0} ({1} of {2})', treeText(tree.filter), describeNumber(hits), describeNumber(all));
		}
		return registry.servers.length > 0 && !vscode.workspace.isTrusted
			? t('Servers are disabled in Restricted Mode.')
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
