/** The history of calls: its view, and what can be done with a call that was made. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { History } from '../../model/history.js';
import { type HistoryEntry, resultText, sdkCall } from '../../model/historyEntry.js';
import type { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';
import { registerCommand } from '../../host/commands.js';
import { Commands } from '../../host/contributions.js';
import type { Documents } from '../../host/documents.js';
import { jsonText, quickPickText, titleText } from '../../host/plainText.js';
import { describeEntry, describeLine, describeTime } from './entryText.js';
import { HistoryView } from './historyView.js';

export interface HistoryFeatureDeps {
	readonly registry: ServerRegistry;
	readonly history: History;
	readonly documents: Documents;
	/** A person makes the call again: as it was, or with what they make of its arguments. */
	readonly runAgain: (server: Server, entry: HistoryEntry, how: 'exact' | 'edited') => Promise<void>;
	/** The person makes a rule of the call for calls like it. */
	readonly addRule: (server: Server, entry: HistoryEntry) => Promise<unknown>;
}

export function registerHistory(deps: HistoryFeatureDeps): Disposable {
	const { registry, history, documents, runAgain, addRule } = deps;
	const owned = new DisposableStore();
	const view = owned.add(new HistoryView(history));
	const { t } = vscode.l10n;
	/** Of a line, or of the palette: then of a call that is chosen. */
	const onEntry = (id: Parameters<typeof registerCommand>[0], action: (entry: HistoryEntry) => unknown): void => {
		owned.add(
			registerCommand(id, async argument => {
				const entry = entryIn(history, argument) ?? (await chooseEntry(history, t('Choose a call')));
				await (entry && action(entry));
			}),
		);
	};
	onEntry(Commands.openHistoryEntry, entry =>
		documents.show(titleText(entry.tool, describeTime(entry.time)), describeEntry(entry), 'active'),
	);
	onEntry(Commands.runAgain, entry => runAgain(serverOf(registry, entry), entry, 'exact'));
	onEntry(Commands.editAndRun, entry => runAgain(serverOf(registry, entry), entry, 'edited'));
	onEntry(Commands.addRule, entry => addRule(serverOf(registry, entry), entry));
	onEntry(Commands.copyEntry, entry => vscode.env.clipboard.writeText(jsonText(entry, 2)));
	onEntry(Commands.copyCall, entry => vscode.env.clipboard.writeText(sdkCall(entry)));
	onEntry(Commands.compareResults, entry => compare(history, documents, entry, view.selection));
	owned.add(registerCommand(Commands.showOlderCalls, () => view.showOlder()));
	owned.add(registerCommand(Commands.filterHistory, () => askForFilter(view)));
	owned.add(registerCommand(Commands.clearHistoryFilter, () => void (view.filter = '')));
	owned.add(registerCommand(Commands.clearHistory, () => clear(history)));
	return owned;
}

/** The server as it is configured now. @throws if it is not any more */
function serverOf({ servers }: ServerRegistry, { serverId }: HistoryEntry): Server {
	const server = servers.find(it => it.definition.id === serverId);
	if (!server) {
		throw new Error(vscode.l10n.t('The server is not configured any more.'));
	}
	return server;
}

function entryIn(history: History, argument: unknown): HistoryEntry | undefined {
	const id = typeof argument === 'object' && argument !== null && 'id' in argument ? argument.id : undefined;
	return typeof id === 'string' ? history.find(id) : undefined;
}

async function chooseEntry(
	history: History,
	placeHolder: string,
	isMeant: (entry: HistoryEntry) => boolean = () => true,
): Promise<HistoryEntry | undefined> {
	if (history.entries.length === 0 && history.hasMore) {
		await history.loadMore();
	}
	const items = history.entries
		.filter(isMeant)
		.map(entry => ({ label: quickPickText(entry.tool), description: quickPickText(describeLine(entry)), entry }));
	if (items.length === 0) {
		throw new Error(vscode.l10n.t('There is no such call in the history.'));
	}
	return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.entry;
}

/** With the other one that is chosen in the view, or one that the person chooses now: the older one is on the left. */
async function compare(
	history: History,
	documents: Documents,
	entry: HistoryEntry,
	selection: readonly HistoryEntry[],
): Promise<void> {
	const { t } = vscode.l10n;
	const others = selection.filter(it => it.id !== entry.id);
	const isSelected = selection.length === 2 && others.length === 1;
	const other = isSelected
		? others[0]
		: await chooseEntry(history, t('Compare with which call?'), it => it.id !== entry.id && it.end.kind === 'answered');
	if (other) {
		const [left, right] = entry.time < other.time ? [entry, other] : [other, entry];
		const titles = [left, right].map(it => titleText(it.tool, describeTime(it.time)));
		await documents.showDiff(titles.join(' ↔ '), resultText(left), resultText(right));
	}
}

async function askForFilter(view: HistoryView): Promise<void> {
	const { t } = vscode.l10n;
	const text = await vscode.window.showInputBox({
		title: t('Filter history'),
		prompt: t('Finds servers, tools, arguments and results. Leave it empty to see all.'),
		value: view.filter,
	});
	if (text !== undefined) {
		view.filter = text;
	}
}

async function clear(history: History): Promise<void> {
	const { t } = vscode.l10n;
	const action = t('Clear History');
	const message = t('Forget all calls of this workspace? This cannot be undone.');
	if ((await vscode.window.showWarningMessage(message, { modal: true }, action)) === action) {
		await history.clear();
	}
}
