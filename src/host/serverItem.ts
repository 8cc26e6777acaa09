/** How a server's line in the tree looks: state as icon and word, everything else in the tooltip. */
import * as vscode from 'vscode';
import type { Server } from '../model/server.js';
import type { ServerDefinition } from '../model/serverConfig.js';
import type { ServerState } from '../model/serverState.js';
import { type TreeContext, TreeContexts } from './contributions.js';
import { describeSide, describeSource } from './configWords.js';
import { describeEraReason, describeState } from './messages.js';
import { oneLine, tooltipText, treeText } from './plainText.js';

interface StateLook {
	readonly icon: string;
	readonly color?: string;
	readonly context: TreeContext;
}

/** @param showsFolder whether servers come from several workspace folders, so that it matters which */
export function serverItem(server: Server, showsFolder: boolean): vscode.TreeItem {
	const { state, definition } = server;
	const { Expanded, None } = vscode.TreeItemCollapsibleState;
	const item = new vscode.TreeItem(treeText(server.name), state.kind === 'running' ? Expanded : None);
	const look = lookOf(state);
	item.id = definition.id;
	item.contextValue = look.context;
	item.iconPath = new vscode.ThemeIcon(look.icon, look.color ? new vscode.ThemeColor(look.color) : undefined);
	const parts = describeParts(server);
	if (definition.isDisabled) {
		parts.push(vscode.l10n.t('disabled in its file'));
	}
	if (showsFolder && definition.source.folderName !== undefined) {
		parts.push(definition.source.folderName);
	}
	item.description = treeText(parts.join(' · '));
	item.tooltip = tooltipText([server.name, ...parts, ...describeOrigin(definition), ...describeMore(state)].join('\n'));
	item.accessibilityInformation = { label: [oneLine(server.name), ...parts].join(', ') };
	return item;
}

function lookOf(state: ServerState): StateLook {
	switch (state.kind) {
		case 'stopped':
			return { icon: 'circle-outline', context: TreeContexts.serverStopped };
		case 'untrusted':
			return { icon: 'shield', color: 'list.warningForeground', context: TreeContexts.serverUntrusted };
		case 'waiting':
			return { icon: 'edit', color: 'list.warningForeground', context: TreeContexts.serverWaiting };
		case 'starting':
			return { icon: 'loading~spin', context: TreeContexts.serverStarting };
		case 'stopping':
			return { icon: 'loading~spin', context: TreeContexts.serverStopping };
		case 'running':
			return { icon: 'circle-filled', color: 'testing.iconPassed', context: TreeContexts.serverRunning };
		case 'reconnecting':
			return { icon: 'sync~spin', color: 'list.warningForeground', context: TreeContexts.serverReconnecting };
		case 'failed':
			return { icon: 'error', color: 'list.errorForeground', context: TreeContexts.serverFailed };
	}
}

function describeParts({ state, definition }: Server): string[] {
	const word = describeState(state);
	return state.kind === 'running' ? [word, state.session.protocolVersion, definition.launch.kind] : [word];
}

/** Where it is configured, and where else in vain. */
function describeOrigin({ source, shadows = [] }: ServerDefinition): string[] {
	const { t } = vscode.l10n;
	const side = describeSide();
	return [
		t('Configured in {0}', describeSource(source)),
		...shadows.map(it => t('Also configured in {0}, which is not used', describeSource(it))),
		...(side === undefined ? [] : [side]),
	];
}

/** What the server says of itself is marked as its own words. */
function describeMore(state: ServerState): string[] {
	if (state.kind === 'running') {
		const { serverInfo, instructions, protocolVersion, eraReason } = state.session;
		const own = [`${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`, instructions ?? ''];
		return [
			vscode.l10n.t('Protocol revision {0}: {1}', protocolVersion, describeEraReason(eraReason)),
			...own.filter(it => it !== '').map(it => vscode.l10n.t('It says: "{0}"', oneLine(it, 500))),
		];
	}
	return (state.kind === 'failed' || state.kind === 'reconnecting') && state.stderr.length > 0
		? ['', vscode.l10n.t('Last lines of its error output:'), ...state.stderr.map(it => oneLine(it))]
		: [];
}
