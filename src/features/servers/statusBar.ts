/** The status bar's line: how many servers run, and whether one waits; it opens one list of what can be done. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import {
	actionsFor,
	byUrgency,
	isInTrouble,
	overviewOf,
	type ServerAction,
	type ServerOverview,
} from './serverOverview.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { registerCommand } from '../../editor/commands.js';
import { type CommandId, Commands } from '../../editor/contributions.js';
import { describeNeeds, describeNumber, describePending } from '../../editor/l10n/messages.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { describeServer } from '../../editor/l10n/stateWords.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';

interface Deps {
	readonly registry: ServerRegistry;
	readonly pending: PendingRequests;
}

export function registerStatusBar({ registry, pending }: Deps): Disposable {
	const owned = new DisposableStore();
	const item = owned.add(vscode.window.createStatusBarItem('servers', vscode.StatusBarAlignment.Left));
	item.name = vscode.l10n.t('MCP servers');
	item.command = Commands.showServers;
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
	owned.add(registerCommand(Commands.showServers, () => showServers(registry, pending.count)));
	return owned;
}

/** @param pending how many requests wait for the person */
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
		words.push(t('reconnecting: {0}', describeNumber(inTrouble - needPerson)));
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
	item.backgroundColor = parts.length > 1 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
	item.tooltip = words.join('\n');
	item.accessibilityInformation = { label: words.join(', ') };
}

interface ActionItem extends vscode.QuickPickItem {
	readonly run?: () => Thenable<unknown>;
}

/** One list: what waits first; below each server's name and state, what can be done with it. */
async function showServers(registry: ServerRegistry, pending: number): Promise<void> {
	const { t } = vscode.l10n;
	const items = [
		...(pending > 0 ? [pendingItem(pending)] : []),
		...byUrgency(registry.servers).flatMap(it => actionItems(registry, it)),
	];
	const waiting = registry.servers.filter(it => isInTrouble(it.state)).length;
	const placeHolder =
		items.length === 0
			? t('No server is configured')
			: waiting > 0
				? t('Select an action. Servers with problems come first.')
				: t('Select an action for a server');
	const chosen = await chooseLine<ActionItem>(items, placeHolder);
	await chosen?.run?.();
}

function pendingItem(pending: number): ActionItem {
	return {
		label: `$(bell-dot) ${vscode.l10n.t('Answer Pending Requests')}`,
		description: describePending(pending),
		run: () => vscode.commands.executeCommand(Commands.answerQuestion),
	};
}

function actionItems(registry: ServerRegistry, server: Server): ActionItem[] {
	const name = registry.label(server);
	const separator = {
		label: quickPickText(`${name} · ${describeServer(server)}`),
		kind: vscode.QuickPickItemKind.Separator,
	};
	const actions = actionsFor(server.state).map(action => {
		const { label, icon, command } = lookOf(action);
		return {
			label: `$(${icon}) ${label}`,
			// The name on each line: what is typed finds all lines of a server, and a screen reader says whose they are.
			description: quickPickText(name),
			run: () => vscode.commands.executeCommand(command, new ServerNode(server)),
		};
	});
	return [separator, ...actions];
}

interface ActionLook {
	readonly label: string;
	readonly icon: string;
	readonly command: CommandId;
}

function lookOf(action: ServerAction): ActionLook {
	const { t } = vscode.l10n;
	switch (action) {
		case 'trust':
			return { label: t('Manage Workspace Trust'), icon: 'shield', command: Commands.manageTrust };
		case 'explain':
			return { label: t('Diagnose Server'), icon: 'question', command: Commands.explainServer };
		case 'signIn':
			return { label: t('Sign In'), icon: 'key', command: Commands.signIn };
		case 'start':
			return { label: t('Start'), icon: 'debug-start', command: Commands.startServer };
		case 'stop':
			return { label: t('Stop'), icon: 'debug-stop', command: Commands.stopServer };
		case 'restart':
			return { label: t('Restart'), icon: 'debug-restart', command: Commands.restartServer };
		case 'refresh':
			return { label: t('Refresh'), icon: 'refresh', command: Commands.refreshServers };
		case 'showLog':
			return { label: t('Show Log'), icon: 'output', command: Commands.showServerLog };
		case 'configure':
			return { label: t('Edit Configuration'), icon: 'gear', command: Commands.openConfiguration };
	}
}
