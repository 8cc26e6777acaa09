/** The commands of the history. */
import * as vscode from 'vscode';
import type { Caller } from '../../core/approvals/approval.js';
import type { History } from '../../core/history/history.js';
import {
	type CallEntry,
	callerOfRepeat,
	comparableResult,
	type HistoryEntry,
	sdkCall,
} from '../../core/history/historyEntry.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { RunningCalls } from '../../core/calls/runningCalls.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import type { CommandHandler, CommandHandlers } from '../../editor/commands.js';
import { Commands, InternalCommands } from '../../editor/contributions.js';
import type { Documents } from '../../editor/documents/documents.js';
import { jsonText, quickInputText, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { toolName } from '../../editor/ui/shownNames.js';
import { askForText, back, chooseLine, confirmAction } from '../../editor/ui/quickInput.js';
import { describeTime } from '../../editor/l10n/timeText.js';
import { describeHistoryEntry, describeLine, describeSubject } from './entryText.js';
import type { HistoryView } from './historyView.js';

export interface HistoryCommandDeps {
	readonly registry: ServerRegistry;
	readonly history: History;
	readonly running: RunningCalls;
	readonly pending: PendingRequests;
	readonly documents: Documents;
	/** Makes a call of the history again. */
	readonly runAgain: (server: Server, call: Pick<CallEntry, 'tool' | 'arguments'>, caller: Caller) => Promise<void>;
	/** Lets the person change the arguments of a call and run it. */
	readonly editCall: (server: Server, call: Pick<CallEntry, 'tool' | 'arguments'>) => Promise<void>;
	/** Lets the person add a policy rule for calls like this one. */
	readonly addRule: (subject: { definition: ServerDefinition; tool: string }) => Promise<unknown>;
}

interface EntryAction extends vscode.QuickPickItem {
	run(): Thenable<unknown>;
}

export function historyCommands(
	{ registry, history, running, documents, runAgain, editCall, addRule }: HistoryCommandDeps,
	view: HistoryView,
): CommandHandlers {
	const { t } = vscode.l10n;
	/**
	 * Runs an action on the entry of a row, or from the Command Palette, on an entry that the person chooses.
	 * @param action receives whether the entry is that of a row, whose command only the person can run
	 */
	const onEntry =
		<T extends HistoryEntry>(
			question: string,
			isMeant: (entry: HistoryEntry) => entry is T,
			action: (entry: T, isRow: boolean) => unknown,
		): CommandHandler =>
		async argument => {
			const named = entryIn(history, argument);
			const entry = named && isMeant(named) ? named : await chooseEntry(history, view, question, isMeant);
			// Other extensions can open the list and pass ids, but only rows pass the entry object itself.
			await (entry && action(entry, entry === argument));
		};
	const subjectOf = (entry: HistoryEntry): string =>
		entry.kind === 'call' ? toolName(entry.tool, 60) : describeSubject(entry, view.labelOf(entry));
	const onAny = (action: (entry: HistoryEntry) => unknown): CommandHandler =>
		onEntry(t('Select an entry'), (it): it is HistoryEntry => it !== undefined, action);
	const compareWith = (entry: CallEntry): Promise<void> => compare(history, documents, entry, view);
	const ruleFor = (entry: CallEntry): Promise<unknown> => {
		const { definition } = serverOf(registry, entry);
		return addRule({ definition, tool: entry.tool });
	};
	const actionsFor = (entry: HistoryEntry): readonly EntryAction[] => [
		...(isWhole(entry)
			? [
					{ label: t('Edit and Run…'), run: () => editCall(serverOf(registry, entry), entry) },
					{ label: t('Copy as SDK Call'), run: () => vscode.env.clipboard.writeText(sdkCall(entry)) },
				]
			: []),
		...(hasResult(entry) ? [{ label: t('Compare Results…'), run: () => compareWith(entry) }] : []),
		...(entry.kind === 'call' ? [{ label: t('Add Rule…'), run: () => ruleFor(entry) }] : []),
		{ label: t('Copy as JSON'), run: () => vscode.env.clipboard.writeText(jsonText(entry, 2)) },
	];
	return {
		[InternalCommands.openHistoryEntry]: onAny(entry =>
			documents.show(
				titleText(subjectOf(entry), describeTime(entry.time)),
				describeHistoryEntry(entry, view.labelOf(entry)),
			),
		),
		[InternalCommands.showInHistory]: onAny(entry => view.reveal(entry)),
		[Commands.runAgain]: onEntry(t('Select a call'), isWhole, (entry, isRow) =>
			runAgain(serverOf(registry, entry), entry, isRow ? callerOfRepeat(entry) : { kind: 'history' }),
		),
		[Commands.useEntry]: onAny(async entry => {
			const title = quickInputText(subjectOf(entry), 60);
			await (await chooseLine(actionsFor(entry), t('Select an action'), title))?.run();
		}),
		[InternalCommands.compareResults]: onEntry(t('Select a call'), hasResult, compareWith),
		// Takes a row of the view or asks, so that other extensions can't cancel a call of the person.
		[Commands.cancelCall]: async argument => {
			const chosen = argument === undefined ? await view.chooseRunning() : argument;
			const call = running.all.find(it => it === chosen);
			if (call) {
				call.cancel();
			} else if (chosen !== undefined) {
				void vscode.window.showInformationMessage(t('The call has already ended.'));
			}
		},
		[InternalCommands.showOlderCalls]: () => view.showOlder(),
		[Commands.filterHistory]: () => askForFilter(view),
		[InternalCommands.clearHistoryFilter]: () => void (view.filter = ''),
		[Commands.exportHistory]: () => exportHistory(history),
		[Commands.clearHistory]: async () => {
			if (await confirmAction(t("Clear the history of this workspace? You can't undo this."), t('Clear History'))) {
				await history.clear();
			}
		},
	};
}

/** The current server of an entry. @throws Error with a message for the person if the server is no longer configured */
function serverOf(registry: ServerRegistry, { serverId, server: name }: HistoryEntry): Server {
	const server = registry.serverOf({ id: serverId });
	if (!server) {
		throw new Error(vscode.l10n.t('{0} is no longer configured.', registry.labelOf({ id: serverId, name })));
	}
	return server;
}

/** The entry of a row or of a shown result. @throws Error with a message for the person if it isn't in the history */
function entryIn(history: History, argument: unknown): HistoryEntry | undefined {
	const id = typeof argument === 'object' && argument !== null && 'id' in argument ? argument.id : undefined;
	if (typeof id !== 'string') {
		return undefined;
	}
	const entry = history.find(id);
	if (!entry) {
		throw new Error(vscode.l10n.t("This call isn't in the history. The history was cleared."));
	}
	return entry;
}

/** Truncated arguments can't be re-run. */
function isWhole(entry: HistoryEntry): entry is CallEntry {
	return entry.kind === 'call' && !entry.isCut.arguments;
}

/** A call with a result, which can be compared with another. */
function hasResult(entry: HistoryEntry): entry is CallEntry {
	return entry.kind === 'call' && entry.end.kind === 'answered' && entry.isDecisionOnly === undefined;
}

async function chooseEntry<T extends HistoryEntry>(
	history: History,
	view: HistoryView,
	placeHolder: string,
	isMeant: (entry: HistoryEntry) => entry is T,
	whyNone = vscode.l10n.t('The history has no matching entries.'),
): Promise<T | undefined> {
	if (history.entries.length === 0 && history.hasMore) {
		await history.loadMore();
	}
	const items = history.entries.filter(isMeant).map(entry => ({
		label: quickPickText(describeSubject(entry, view.labelOf(entry))),
		description: quickPickText(describeLine(entry, view.labelOf(entry))),
		...(entry.kind === 'call' ? { detail: quickPickText(jsonText(entry.arguments), 120) } : {}),
		entry,
	}));
	if (items.length === 0) {
		throw new Error(whyNone);
	}
	return (await chooseLine(items, placeHolder))?.entry;
}

/** Compares a call with the other selected one, or with one that the person chooses. The older one is on the left. */
async function compare(history: History, documents: Documents, entry: CallEntry, view: HistoryView): Promise<void> {
	const { t } = vscode.l10n;
	const { selection } = view;
	const others = selection.filter(hasResult).filter(it => it.id !== entry.id);
	const isAnother = (it: HistoryEntry): it is CallEntry => hasResult(it) && it.id !== entry.id;
	const isSelected = selection.length === 2 && others.length === 1;
	const [question, none] = [t('Select a call to compare with'), t('The history has no other call to compare with.')];
	const other = isSelected ? others[0] : await chooseEntry(history, view, question, isAnother, none);
	if (other) {
		const [left, right] = entry.time < other.time ? [entry, other] : [other, entry];
		const titles = [left, right].map(it => titleText(toolName(it.tool, 60), describeTime(it.time)));
		await documents.showDiff(titles.join(' ↔ '), comparedText(left), comparedText(right));
	}
}

/** The result of a call. A truncated result is marked. */
function comparedText(entry: CallEntry): string {
	return `${entry.isCut.result ? `${vscode.l10n.t('(too large to keep in full)')}\n` : ''}${comparableResult(entry)}`;
}

async function askForFilter(view: HistoryView): Promise<void> {
	const { t } = vscode.l10n;
	const text = await askForText({
		title: t('Filter History'),
		prompt: t('Searches servers, tools, arguments, and results. Leave the field empty to show all.'),
		value: view.filter,
		check: () => undefined,
	});
	if (text !== undefined && text !== back) {
		view.filter = text;
	}
}

/** Asks for a file, and writes all entries to it. */
async function exportHistory(history: History): Promise<void> {
	const { t } = vscode.l10n;
	const text = await history.export();
	if (text === '') {
		void vscode.window.showInformationMessage(t('The history is empty.'));
		return;
	}
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const target = await vscode.window.showSaveDialog({
		title: t('Export History'),
		filters: { JSONL: ['jsonl'] },
		...(folder && { defaultUri: vscode.Uri.joinPath(folder.uri, 'mcp-history.jsonl') }),
	});
	if (target) {
		await vscode.workspace.fs.writeFile(target, new TextEncoder().encode(text));
		await vscode.window.showTextDocument(target);
	}
}
