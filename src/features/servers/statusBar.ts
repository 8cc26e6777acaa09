/** The status bar item: how many servers run or have problems. A click opens what waits for the person, or shows the view. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isSignedOut, type ServerState } from '../../core/servers/serverState.js';
import { Commands, Views } from '../../editor/contributions.js';
import { describeNeeds, describeNumber, describePending } from '../../editor/l10n/messages.js';

export function showStatus(registry: ServerRegistry, pending: PendingRequests): Disposable {
	const owned = new DisposableStore();
	const item = owned.add(vscode.window.createStatusBarItem('servers', vscode.StatusBarAlignment.Left));
	item.name = vscode.l10n.t('MCP servers');
	const update = (): void => {
		if (registry.servers.length > 0) {
			showOverview(item, overviewOf(registry.servers.map(it => it.state)), pending.count);
			item.show();
		} else {
			item.hide();
		}
	};
	owned.add(registry.onDidChange(update));
	owned.add(pending.onDidChange(update));
	return owned;
}

/** @param pending number of requests that wait for the person */
function showOverview(
	item: vscode.StatusBarItem,
	{ running, needPerson, inTrouble }: ServerOverview,
	pending: number,
): void {
	const { t } = vscode.l10n;
	const words = [
		running === 1 ? t('1 MCP server is running') : t('{0} MCP servers are running', describeNumber(running)),
	];
	if (needPerson > 0) {
		words.push(describeNeeds(needPerson));
	}
	if (inTrouble > needPerson) {
		const reconnecting = inTrouble - needPerson;
		words.push(
			reconnecting === 1
				? t('1 server is reconnecting')
				: t('{0} servers are reconnecting', describeNumber(reconnecting)),
		);
	}
	if (pending > 0) {
		words.push(describePending(pending));
	}
	const parts = [
		`$(plug) ${running}`,
		...(inTrouble > 0 ? [`$(warning) ${inTrouble}`] : []),
		...(pending > 0 ? [`$(bell-dot) ${pending}`] : []),
	];
	item.text = parts.join(' ');
	item.command = pending > 0 ? Commands.answerQuestion : `${Views.servers}.focus`;
	item.backgroundColor = parts.length > 1 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
	item.tooltip = words.join('\n');
	item.accessibilityInformation = { label: words.join(', ') };
}

/** Whether the server can't continue until a person acts. */
function needsPerson(state: ServerState): boolean {
	const { kind } = state;
	return kind === 'untrusted' || kind === 'waiting' || kind === 'failed' || isSignedOut(state);
}

/** Whether the server waits for a pending request. Pending requests have a count of their own. */
function isPending(state: ServerState): boolean {
	return (state.kind === 'waiting' && state.what !== 'input') || isSignedOut(state);
}

/** Whether the server needs a person, or is reconnecting. */
function isInTrouble(state: ServerState): boolean {
	return needsPerson(state) || state.kind === 'reconnecting';
}

/** Numbers of servers. Servers with a pending request count only as running. */
export interface ServerOverview {
	readonly running: number;
	readonly needPerson: number;
	readonly inTrouble: number;
}

export function overviewOf(states: readonly ServerState[]): ServerOverview {
	const count = (accept: (state: ServerState) => boolean): number => states.filter(accept).length;
	return {
		running: count(it => it.kind === 'running'),
		needPerson: count(it => needsPerson(it) && !isPending(it)),
		inTrouble: count(it => isInTrouble(it) && !isPending(it)),
	};
}
