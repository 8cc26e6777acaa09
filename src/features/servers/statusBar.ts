/** The status bar item: how many servers run or have problems. It opens a list of actions for all servers. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import type { PendingRequests } from '../../core/requests/pendingRequests.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { isSignedOut, type ServerState } from '../../core/servers/serverState.js';
import { registerCommand } from '../../editor/commands.js';
import { Commands, InternalCommands, trustCommand } from '../../editor/contributions.js';
import { describeNeeds, describeNumber, describePending } from '../../editor/l10n/messages.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { describeServer } from '../../editor/l10n/stateWords.js';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { ServerNode } from '../../editor/tree/treeNodes.js';

export function registerStatusBar(registry: ServerRegistry, pending: PendingRequests): Disposable {
	const owned = new DisposableStore();
	const item = owned.add(vscode.window.createStatusBarItem('servers', vscode.StatusBarAlignment.Left));
	item.name = vscode.l10n.t('MCP servers');
	item.command = InternalCommands.showServers;
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
	owned.add(registerCommand(InternalCommands.showServers, () => showServers(registry, pending.count)));
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

/** Servers that need a person first, then those that reconnect, then the others, each in the order of configuration. */
export function byUrgency<T extends { readonly state: ServerState }>(servers: readonly T[]): T[] {
	const rank = ({ state }: T): number => (needsPerson(state) ? 0 : isInTrouble(state) ? 1 : 2);
	return servers.toSorted((a, b) => rank(a) - rank(b));
}

interface ActionItem extends vscode.QuickPickItem {
	readonly run?: () => Thenable<unknown>;
}

/** Shows one list: pending requests first, then the actions for each server below its name and state. */
async function showServers(registry: ServerRegistry, pending: number): Promise<void> {
	const { t } = vscode.l10n;
	const items = [
		...(pending > 0 ? [pendingItem(pending)] : []),
		...byUrgency(registry.servers).flatMap(it => actionItems(registry, it)),
	];
	const waiting = registry.servers.filter(it => isInTrouble(it.state)).length;
	const placeHolder =
		items.length === 0
			? t('No servers configured')
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
	const looks = actionLooks();
	const actions = actionsFor(server.state).map(action => {
		const { label, icon, command } = looks[action];
		return {
			label: `$(${icon}) ${label}`,
			// The name is on each line, so that typing it finds all lines of a server, and screen readers announce it.
			description: quickPickText(name),
			run: () => vscode.commands.executeCommand(command, new ServerNode(server)),
		};
	});
	return [separator, ...actions];
}

interface ActionLook {
	readonly label: string;
	readonly icon: string;
	readonly command: string;
}

export type ServerAction = keyof ReturnType<typeof actionLooks>;

function actionLooks() {
	const { t } = vscode.l10n;
	return {
		trust: { label: t('Manage Workspace Trust'), icon: 'shield', command: trustCommand },
		explain: { label: t('Diagnose Server'), icon: 'question', command: Commands.explainServer },
		signIn: { label: t('Sign In'), icon: 'key', command: Commands.signIn },
		start: { label: t('Start'), icon: 'debug-start', command: Commands.startServer },
		stop: { label: t('Stop'), icon: 'debug-stop', command: Commands.stopServer },
		restart: { label: t('Restart'), icon: 'debug-restart', command: Commands.restartServer },
		showLog: { label: t('Show Log'), icon: 'output', command: Commands.showServerLog },
		configure: { label: t('Edit Configuration'), icon: 'gear', command: Commands.openConfiguration },
	} satisfies Readonly<Record<string, ActionLook>>;
}

/** The actions for a server in this state, the most likely one first. */
export function actionsFor(state: ServerState): readonly ServerAction[] {
	const { kind } = state;
	switch (kind) {
		case 'stopped':
			return ['start', 'showLog', 'configure'];
		case 'untrusted':
			return ['trust', 'showLog', 'configure'];
		case 'waiting':
			return [state.what === 'signIn' ? 'signIn' : 'start', 'showLog', 'configure'];
		case 'starting':
		case 'reconnecting':
			return ['stop', 'restart', 'showLog', 'configure'];
		case 'running':
			return [...(isSignedOut(state) ? ['signIn' as const] : []), 'stop', 'restart', 'showLog', 'configure'];
		case 'stopping':
			return ['showLog', 'configure'];
		case 'failed':
			return ['explain', 'start', 'showLog', 'configure'];
		default:
			return assertNever(kind);
	}
}
