/** Makes the row of a running call, which is above the entries of the history. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import type { JsonObject } from '../../mcp/index.js';
import type { SentCall } from '../../core/calls/calls.js';
import { keepSmall } from '../../core/history/keptValue.js';
import { redactedArguments } from '../../core/text/callArguments.js';
import type { Server } from '../../core/servers/server.js';
import { Colors, TreeContexts } from '../../editor/contributions.js';
import { describeProgress } from '../../editor/l10n/messages.js';
import { tooltipText } from '../../editor/ui/plainText.js';
import { toolTitle } from '../../editor/ui/shownNames.js';
import { describeArguments } from './entryText.js';

/** Describes the arguments of a running call, without secrets. @param maxLength that of a row if it is left out */
export type RunningText = (call: SentCall, maxLength?: number) => string;

/** Makes a `RunningText`. @param redact removes the secrets of servers */
export function runningText(redact: <T>(value: T, server: Server) => T): RunningText {
	// Rows are redrawn every second, and arguments can be large.
	const known = new WeakMap<SentCall, JsonObject>();
	return (call, maxLength) => {
		const { inputSchema, arguments: args, server } = call;
		const shown = known.get(call) ?? keepSmall(redactedArguments(inputSchema, args), it => redact(it, server)).value;
		known.set(call, shown);
		return describeArguments(shown, maxLength);
	};
}

/**
 * Makes the row of a running call.
 * @param serverLabel the label of its server
 * @param text of its arguments, from `RunningText`
 * @param isWaitingForPerson whether the server of the call waits for an answer of the person
 * @param now in milliseconds since 1970
 */
export function runningItem(
	call: SentCall,
	serverLabel: string,
	text: string,
	isWaitingForPerson: boolean,
	now: number = clock.now(),
): vscode.TreeItem {
	const { t } = vscode.l10n;
	const label = toolTitle({ name: call.tool, title: call.title }).join(' · ');
	const elapsed = describeProgress(now - call.sentAt, {}, isWaitingForPerson ? 'waitingForPerson' : 'working');
	const parts = [serverLabel, elapsed, ...(text === '' ? [] : [text])];
	const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
	// The history entry of the call has the same id, so a selected row stays selected.
	item.id = call.id;
	item.description = parts.join(' · ');
	item.tooltip = tooltipText([t('{0} is running', label), ...parts].join('\n'));
	item.iconPath = isWaitingForPerson
		? new vscode.ThemeIcon('question', new vscode.ThemeColor(Colors.waiting))
		: new vscode.ThemeIcon('loading~spin');
	item.contextValue = TreeContexts.historyRunning;
	item.accessibilityInformation = { label: [t('{0} is running', label), ...parts].join(', ') };
	return item;
}
