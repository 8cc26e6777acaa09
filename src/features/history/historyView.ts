/** The view "History": running calls, and entries with the newest first. Older entries are loaded in pages. */
import * as vscode from 'vscode';
import { clock, type Timer } from '../../base/clock.js';
import { Owner } from '../../base/lifecycle.js';
import type { SentCall } from '../../core/calls/calls.js';
import type { History } from '../../core/history/history.js';
import { type HistoryEntry, outcomeOf, searchedText } from '../../core/history/historyEntry.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { RunningCalls } from '../../core/calls/runningCalls.js';
import { EntryFilter } from '../../core/search/matcher.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { ManagedContextKey } from '../../editor/commands.js';
import { Colors, ContextKeys, InternalCommands, TreeContexts, Views } from '../../editor/contributions.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { describeTime } from '../../editor/l10n/timeText.js';
import { oneLine, quickPickText } from '../../editor/ui/plainText.js';
import { toolTitle } from '../../editor/ui/shownNames.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { TreeChanges } from '../../editor/tree/treeChanges.js';
import { describeLine, describeSubject, tooltipOf } from './entryText.js';
import { runningItem, type RunningText } from './runningItem.js';

/** The row that shows older entries. */
export const older: unique symbol = Symbol('older');
export type HistoryLine = HistoryEntry | SentCall | typeof older;

function isRunning(line: HistoryLine): line is SentCall {
	return line !== older && 'cancel' in line;
}

/** Entries in a page. */
const pageSize = 200;
/** Milliseconds until changes are drawn, because a model can make many calls at once. */
const redrawMs = 100;
/** Milliseconds between updates of the elapsed time of running calls. */
const elapsedMs = 1000;

export interface HistoryViewDeps {
	readonly history: History;
	readonly running: RunningCalls;
	readonly pending: PendingRequests;
	/** The label of a server, by the id of its definition, also if it is no longer configured. */
	readonly labelOf: ServerRegistry['labelOf'];
	/** Describes the arguments of a running call, without secrets. */
	readonly textOf: RunningText;
}

export class HistoryView extends Owner implements vscode.TreeDataProvider<HistoryLine> {
	private readonly changes = this.own(new TreeChanges<HistoryLine>());
	readonly onDidChangeTreeData = this.changes.onDidChange;

	private readonly view: vscode.TreeView<HistoryLine>;
	private readonly hasEntries = new ManagedContextKey(ContextKeys.hasHistory);
	private readonly hasNoHits = new ManagedContextKey(ContextKeys.hasNoHistoryHits);
	private readonly hasRunning = new ManagedContextKey(ContextKeys.hasRunningCalls);
	private wanted = pageSize;
	private search = new EntryFilter('');
	private timer: Timer | undefined;
	private interval: Timer | undefined;

	constructor(private readonly deps: HistoryViewDeps) {
		super();
		const { history, running } = deps;
		this.view = this.own(
			vscode.window.createTreeView<HistoryLine>(Views.history, { treeDataProvider: this, canSelectMany: true }),
		);
		this.own(
			history.onDidChange(() => {
				// The context key also has to be right if the view was never visible.
				this.hasEntries.value = history.entries.length > 0;
				this.redrawSoon();
			}),
		);
		this.own(
			running.onDidChange(() => {
				this.hasRunning.value = running.all.length > 0;
				this.redrawSoon();
				this.updateClock();
			}),
		);
	}

	/** The selected entries, without running calls. */
	get selection(): readonly HistoryEntry[] {
		return this.view.selection.filter((it): it is HistoryEntry => it !== older && !isRunning(it));
	}

	get filter(): string {
		return this.search.query;
	}

	/** The words that shown entries must contain; empty for all entries. */
	set filter(text: string) {
		this.search = new EntryFilter(text);
		this.wanted = pageSize;
		this.redraw();
	}

	/** Asks for one of the running calls. */
	async chooseRunning(): Promise<SentCall | undefined> {
		const { t } = vscode.l10n;
		const { running, labelOf, textOf } = this.deps;
		const items = running.all.map(call => ({
			label: toolTitle({ name: call.tool, title: call.title }).join(' · '),
			// The list isn't updated, so it shows when the call began and not the elapsed time.
			description: [labelOf(call.server.definition), t('Since {0}', describeTime(call.sentAt))].join(' · '),
			detail: quickPickText(textOf(call, 120)),
			call,
		}));
		if (items.length === 0) {
			void vscode.window.showInformationMessage(t('No call is running.'));
			return undefined;
		}
		return (await chooseLine(items, t('Select a call'), t('Cancel Call')))?.call;
	}

	/** Selects the row of an entry. Clears the filter and loads older entries if needed. */
	async reveal(entry: HistoryEntry): Promise<void> {
		if (!this.matches(entry)) {
			this.search = new EntryFilter('');
		}
		this.wanted = Math.max(this.wanted, this.hits().indexOf(entry) + 1);
		this.redraw();
		await this.view.reveal(entry, { select: true, focus: true });
	}

	/** Shows one more page. */
	async showOlder(): Promise<void> {
		this.wanted += pageSize;
		await this.fill();
		this.redraw();
	}

	override dispose(): void {
		clock.clearTimeout(this.timer);
		clock.clearInterval(this.interval);
		super.dispose();
	}

	getChildren(line?: HistoryLine): HistoryLine[] | Promise<HistoryLine[]> {
		return line === undefined ? this.changes.send(undefined, this.rows()) : [];
	}

	private async rows(): Promise<HistoryLine[]> {
		await this.fill();
		const hits = this.hits();
		this.hasEntries.value = this.deps.history.entries.length > 0;
		const hasOlder = hits.length > this.wanted || this.deps.history.hasMore;
		const running = this.deps.running.all.filter(it => this.matchesRunning(it));
		const shown: HistoryLine[] = [...running, ...hits.slice(0, this.wanted)];
		const hasNoHits = this.filter !== '' && shown.length === 0;
		this.hasNoHits.value = hasNoHits;
		// The editor shows no welcome text, with its link to clear the filter, where there is a message.
		this.view.message = hasNoHits ? '' : this.message(hits.length);
		return hasOlder ? [...shown, older] : shown;
	}

	getTreeItem(line: HistoryLine): vscode.TreeItem {
		return line === older
			? olderItem()
			: isRunning(line)
				? this.runningItem(line)
				: entryItem(line, this.labelOf(line));
	}

	private runningItem(call: SentCall): vscode.TreeItem {
		const { pending, labelOf, textOf } = this.deps;
		const { definition } = call.server;
		return runningItem(call, labelOf(definition), textOf(call), pending.mayHoldUp(definition, call.sentAt));
	}

	/** The editor needs this method to reveal a row. Rows have no parents. */
	getParent(): undefined {
		return undefined;
	}

	/** Loads older entries until there are enough matches. */
	private async fill(): Promise<void> {
		while (this.deps.history.hasMore && this.hits().length <= this.wanted && !this.owned.isDisposed) {
			await this.deps.history.loadMore();
		}
	}

	private hits(): readonly HistoryEntry[] {
		const { entries } = this.deps.history;
		return this.filter === '' ? entries : entries.filter(it => this.matches(it));
	}

	/** The label of an entry's server. */
	labelOf({ serverId, server }: HistoryEntry): string {
		return this.deps.labelOf({ id: serverId, name: server });
	}

	private matches(entry: HistoryEntry): boolean {
		return this.search.matches({ names: [], description: searchedText(entry, this.labelOf(entry)) });
	}

	private matchesRunning(call: SentCall): boolean {
		const { definition } = call.server;
		const parts = [this.deps.labelOf(definition), definition.name, call.tool, call.title, this.deps.textOf(call)];
		return this.search.matches({ names: [], description: parts.join('\n') });
	}

	/** Redraws the rows of running calls every second, and no other rows, so that clicks on those work. */
	private updateClock(): void {
		if (this.deps.running.all.length === 0) {
			clock.clearInterval(this.interval);
			this.interval = undefined;
			return;
		}
		this.interval ??= clock.setInterval(() => {
			if (this.view.visible) {
				this.changes.fire([...this.deps.running.all]);
			}
		}, elapsedMs);
	}

	private message(hits: number): string {
		const { t } = vscode.l10n;
		return this.filter === '' ? '' : t('Filter: {0} ({1})', oneLine(this.filter), describeNumber(hits));
	}

	private redrawSoon(): void {
		if (!this.owned.isDisposed) {
			this.timer ??= clock.setTimeout(() => this.redraw(), redrawMs);
		}
	}

	private redraw(): void {
		clock.clearTimeout(this.timer);
		this.timer = undefined;
		this.changes.fire(undefined);
	}
}

/** The row of an entry. @param serverLabel the label of its server */
export function entryItem(entry: HistoryEntry, serverLabel: string): vscode.TreeItem {
	const label = describeSubject(entry, serverLabel);
	const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
	item.id = entry.id;
	item.description = describeLine(entry, serverLabel);
	item.tooltip = tooltipOf(entry, serverLabel);
	item.iconPath = iconOf(entry);
	item.contextValue = contextOf(entry);
	item.command = { command: InternalCommands.openHistoryEntry, title: vscode.l10n.t('Open'), arguments: [entry] };
	item.accessibilityInformation = { label: `${label}, ${item.description.replaceAll(' · ', ', ')}` };
	return item;
}

function contextOf({ kind, isCut }: HistoryEntry): string {
	return kind !== 'call'
		? TreeContexts.historyExchange
		: isCut.arguments
			? TreeContexts.historyEntryCut
			: TreeContexts.historyEntry;
}

const icons: Readonly<Record<HistoryEntry['kind'], string>> = {
	call: 'pass',
	resource: 'file',
	prompt: 'comment',
	elicitation: 'question',
	sampling: 'sparkle',
};

/** An icon for the kind of an entry that succeeded; otherwise one for its outcome. */
function iconOf(entry: HistoryEntry): vscode.ThemeIcon {
	switch (outcomeOf(entry)) {
		case 'done':
			return icon(icons[entry.kind], Colors.good);
		case 'warning':
			return icon('warning', Colors.waiting);
		case 'stopped':
			return icon('circle-slash', 'disabledForeground');
		case 'failed':
			return icon('error', Colors.failed);
	}
}

function icon(name: string, color: string): vscode.ThemeIcon {
	return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}

function olderItem(): vscode.TreeItem {
	const title = vscode.l10n.t('Show older calls');
	const item = new vscode.TreeItem(title, vscode.TreeItemCollapsibleState.None);
	item.iconPath = new vscode.ThemeIcon('unfold');
	item.command = { command: InternalCommands.showOlderCalls, title };
	item.contextValue = TreeContexts.more;
	return item;
}
