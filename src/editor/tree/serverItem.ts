/** How a server's line in the tree looks: state as icon and word, everything else in the tooltip. */
import * as vscode from 'vscode';
import { assertNever } from '../../base/errors.js';
import type { EraReason, Session } from '../../mcp/index.js';
import { inputsOf } from '../../core/config/inputs.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { isSignedOut, type ServerState } from '../../core/servers/serverState.js';
import { asksSuffix, Colors, type TreeContext, TreeContexts, webSuffix } from '../contributions.js';
import { describeSide, describeSource } from '../l10n/configWords.js';
import { oneLine, tooltipText, treeText } from '../ui/plainText.js';
import { describeServer } from '../l10n/stateWords.js';
import { describeDateTime } from '../l10n/timeText.js';

interface StateLook {
	readonly icon: string;
	readonly color?: string;
	readonly context: TreeContext;
}

/**
 * @param showsFolder whether servers come from several workspace folders, so that it matters which
 * @param hasLines whether anything stands below it
 */
export function serverItem(
	server: Server,
	showsFolder: boolean,
	hasLines = server.state.kind === 'running',
): vscode.TreeItem {
	const { state, definition } = server;
	const { Expanded, None } = vscode.TreeItemCollapsibleState;
	const item = new vscode.TreeItem(treeText(server.name), hasLines ? Expanded : None);
	const look = lookOf(state);
	item.id = definition.id;
	const asks = inputsOf(definition.launch).size > 0 ? asksSuffix : '';
	item.contextValue = `${look.context}${asks}${definition.launch.kind === 'stdio' ? '' : webSuffix}`;
	item.iconPath = iconOf(server, look);
	const parts = describeParts(server);
	if (definition.isDisabled) {
		parts.push(vscode.l10n.t('disabled in its file'));
	}
	if (showsFolder && definition.source.folderName !== undefined) {
		parts.push(definition.source.folderName);
	}
	item.description = treeText(parts.join(' · '));
	item.tooltip = tooltipText([server.name, parts.join(' · '), ...describeMore(server)].join('\n'));
	item.accessibilityInformation = { label: [oneLine(server.name), ...parts].join(', ') };
	return item;
}

/** Its own icon stands where the word beside it is "running"; every other state has an icon that says so. */
function iconOf({ icon, state }: Server, { icon: id, color }: StateLook): NonNullable<vscode.TreeItem['iconPath']> {
	return icon && !isSignedOut(state)
		? { light: vscode.Uri.parse(icon.light), dark: vscode.Uri.parse(icon.dark) }
		: new vscode.ThemeIcon(id, color ? new vscode.ThemeColor(color) : undefined);
}

function lookOf(state: ServerState): StateLook {
	switch (state.kind) {
		case 'stopped':
			return { icon: 'circle-outline', context: TreeContexts.serverStopped };
		case 'untrusted':
			return { icon: 'shield', color: Colors.waiting, context: TreeContexts.serverUntrusted };
		case 'waiting':
			return {
				icon: { consent: 'shield', input: 'edit', signIn: 'key' }[state.what],
				color: Colors.waiting,
				context: state.what === 'signIn' ? TreeContexts.serverSignIn : TreeContexts.serverWaiting,
			};
		case 'starting':
			return { icon: 'loading~spin', context: TreeContexts.serverStarting };
		case 'stopping':
			return { icon: 'loading~spin', context: TreeContexts.serverStopping };
		case 'running':
			return state.signIn
				? { icon: 'key', color: Colors.waiting, context: TreeContexts.serverSignedOut }
				: { icon: 'circle-filled', color: Colors.good, context: TreeContexts.serverRunning };
		case 'reconnecting':
			return { icon: 'sync~spin', color: Colors.waiting, context: TreeContexts.serverReconnecting };
		case 'failed':
			return { icon: 'error', color: Colors.failed, context: TreeContexts.serverFailed };
	}
}

function describeParts(server: Server): string[] {
	const { state, definition } = server;
	const word = describeServer(server);
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

/** What happens to it by itself because somebody is writing it. */
function describeDev({ debugPort, isWatched, definition }: Server): string[] {
	const { t } = vscode.l10n;
	return [
		...(isWatched ? [t('Watched, and restarted on change: {0}', oneLine(definition.watch?.join(', ') ?? ''))] : []),
		...(debugPort === undefined ? [] : [t('Debugged on port {0}', String(debugPort))]),
	];
}

function describeMore(server: Server): string[] {
	const { state } = server;
	const where = [...describeOrigin(server.definition), ...describeDev(server)];
	switch (state.kind) {
		case 'running':
			return [...describeRun(state, server.pid), ...where, ...describeOwnWords(state.session)];
		case 'failed':
		case 'reconnecting':
			return state.stderr.length > 0
				? [...where, '', vscode.l10n.t('Last lines of its error output:'), ...state.stderr.map(it => oneLine(it))]
				: where;
		default:
			return where;
	}
}

function describeRun({ session, since }: ServerState & { kind: 'running' }, pid: number | undefined): string[] {
	const { t } = vscode.l10n;
	const { protocolVersion, eraReason, capabilities } = session;
	const when = describeDateTime(since);
	const offers = Object.keys(capabilities ?? {}).map(it => oneLine(it, 50));
	return [
		t('Protocol revision {0}: {1}', oneLine(protocolVersion, 50), describeEraReason(eraReason)),
		...(offers.length > 0 ? [t('Capabilities: {0}', oneLine(offers.join(', ')))] : []),
		pid === undefined ? t('Running since {0}', when) : t('Running since {0}, process {1}', when, String(pid)),
	];
}

/** How we know which era a server speaks: a clause without a full stop. */
function describeEraReason(reason: EraReason): string {
	const { t } = vscode.l10n;
	switch (reason.code) {
		case 'configured':
			return t('as configured');
		case 'remembered':
			return t('as at its last start');
		case 'discovered':
			return t('the server says so');
		case 'error':
			return t('it answered the first message of the newest revision with error {0}', reason.error);
		case 'status':
			return t('it answered the first message of the newest revision with HTTP status {0}', reason.status);
		case 'silence':
			return t('it did not answer the first message of the newest revision');
		case 'exited':
			return t('it ended at the first message of the newest revision and was started again');
		case 'strangeAnswer':
			return t('its answer to the first message of the newest revision was none');
		default:
			return assertNever(reason);
	}
}

/** What the server says of itself is marked as its own words. */
function describeOwnWords({ serverInfo, instructions }: Session): string[] {
	const { t } = vscode.l10n;
	const title = `${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`;
	return [
		'',
		t('It calls itself "{0}"', oneLine(title)),
		...(instructions ? [t('Its instructions: "{0}"', oneLine(instructions, 500))] : []),
	];
}
