/** The items of the rows in the tree: a server, with its state as icon and word and details in the tooltip, and the rows below it. */
import * as vscode from 'vscode';
import { Colors, InternalCommands, type TreeContext, TreeContexts, trustCommand } from '../contributions.js';
import { describeList, describeNumber, describeWarning } from '../l10n/messages.js';
import { oneLine, tooltipText } from '../ui/plainText.js';
import type { FolderNode, GroupNode, LeafNode, MoreNode, NoteNode } from './treeNodes.js';
import { assertNever } from '../../base/errors.js';
import type { EraReason, Session } from '../../mcp/index.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import { fullName } from '../../core/servers/serverLabels.js';
import { isSignedOut, type ServerState, type ServerWarning } from '../../core/servers/serverState.js';
import { describeRemoteSide, describeSource } from '../l10n/configWords.js';
import { describeServer } from '../l10n/stateWords.js';
import { describeDateTime } from '../l10n/timeText.js';

const { t } = vscode.l10n;

export function groupItem(node: GroupNode): vscode.TreeItem {
	const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
	const { list, filter } = node;
	const item = new vscode.TreeItem(node.group.label, filter ? Expanded : Collapsed);
	item.id = node.id;
	item.contextValue = node.group.context ?? TreeContexts.group;
	item.iconPath = new vscode.ThemeIcon(node.group.icon);
	if (list.kind === 'loaded') {
		const all = describeNumber(list.items.length);
		item.description = filter ? t('{0} of {1}', describeNumber(node.hits(list.items).length), all) : all;
		const summary = filter ? undefined : node.group.summary?.(node.server, list.items);
		if (summary) {
			item.description = summary.description;
			item.tooltip = summary.tooltip;
		}
	} else if (list.kind === 'growing') {
		item.description = t('{0} so far', describeNumber(node.hits(list.items).length));
		item.iconPath = new vscode.ThemeIcon('loading~spin');
	} else if (list.kind === 'loading') {
		item.description = t('Loading');
		item.iconPath = new vscode.ThemeIcon('loading~spin');
	} else if (list.kind === 'failed') {
		const { length } = node.hits(list.items);
		item.description = list.items.length > 0 ? t('{0} (incomplete)', describeNumber(length)) : t("Can't be listed");
		item.iconPath = warningIcon();
	}
	item.accessibilityInformation = { label: [node.group.label, item.description].filter(Boolean).join(', ') };
	return item;
}

/** A folder without siblings starts expanded. */
export function folderItem(node: FolderNode): vscode.TreeItem {
	const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
	const { label, prefix, all } = node.folder;
	const item = new vscode.TreeItem(oneLine(label), node.isOnly ? Expanded : Collapsed);
	item.id = node.id;
	item.description = describeNumber(all.length);
	item.contextValue = TreeContexts.folder;
	item.iconPath = vscode.ThemeIcon.Folder;
	item.tooltip = tooltipText(prefix);
	item.accessibilityInformation = { label: `${oneLine(label)}, ${item.description}` };
	return item;
}

export function leafItem(node: LeafNode): vscode.TreeItem {
	const { look, group } = node;
	const label = oneLine(look.label);
	const description = oneLine(look.description ?? '');
	const { None, Collapsed } = vscode.TreeItemCollapsibleState;
	const item = new vscode.TreeItem(label, look.isExpandable === true ? Collapsed : None);
	item.id = node.id;
	item.description = description;
	item.contextValue = look.context;
	item.iconPath = look.icon;
	if (look.resourceUri) {
		item.resourceUri = look.resourceUri;
	}
	item.tooltip = tooltipText(look.tooltip ?? look.label);
	// Otherwise a screen reader reads the tooltip instead of the label.
	const spoken = [label, description, oneLine(look.spoken ?? '')].filter(it => it !== '');
	item.accessibilityInformation = { label: describeList(spoken) };
	if (look.checkbox) {
		const { isChecked, tooltip } = look.checkbox;
		const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
		item.checkboxState = {
			state: isChecked ? Checked : Unchecked,
			tooltip,
			accessibilityInformation: { label: tooltip },
		};
	}
	if (group.open !== undefined && look.isExpandable !== true) {
		item.command = { command: group.open, title: t('Open'), arguments: [node] };
	}
	return item;
}

export function noteItem({ text, isError }: NoteNode): vscode.TreeItem {
	const item = new vscode.TreeItem('', vscode.TreeItemCollapsibleState.None);
	item.description = oneLine(text);
	item.tooltip = tooltipText(text);
	item.contextValue = TreeContexts.note;
	item.accessibilityInformation = { label: oneLine(text) };
	if (isError) {
		item.iconPath = warningIcon();
	}
	return item;
}

export function moreItem(node: MoreNode): vscode.TreeItem {
	const { left, next, shown, parent } = node;
	const label = t('Show {0} more', describeNumber(next));
	const description = next < left ? t('{0} remaining', describeNumber(left)) : '';
	const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.None);
	// A new id for each page: otherwise the editor keeps the selection on this row, far from the rows it has added.
	item.id = `${parent.id}/more/${shown}`;
	item.description = description;
	item.tooltip = t("Filters also search entries that aren't shown yet.");
	item.contextValue = TreeContexts.more;
	item.iconPath = new vscode.ThemeIcon('unfold');
	item.accessibilityInformation = { label: description === '' ? label : `${label}, ${description}` };
	item.command = { command: InternalCommands.showMore, title: label, arguments: [node] };
	return item;
}

export function warningIcon(): vscode.ThemeIcon {
	return new vscode.ThemeIcon('warning', new vscode.ThemeColor(Colors.waiting));
}

interface StateLook {
	readonly icon: string;
	readonly color?: string;
	readonly context: TreeContext;
}

/**
 * @param label the server's label
 * @param showsFolder whether to show the workspace folder, because servers come from several
 * @param hasLines whether the row can be expanded
 */
export function serverItem(
	server: Server,
	label: string,
	showsFolder: boolean,
	hasLines = server.state.kind === 'running',
): vscode.TreeItem {
	const { state, definition } = server;
	const { Expanded, None } = vscode.TreeItemCollapsibleState;
	const item = new vscode.TreeItem(label, hasLines ? Expanded : None);
	const look = lookOf(state);
	item.id = definition.id;
	item.contextValue = look.context;
	if (state.kind === 'untrusted') {
		item.command = { command: trustCommand, title: t('Manage Workspace Trust') };
	}
	item.iconPath = iconOf(server, look);
	const parts = describeParts(server);
	if (definition.isDisabled) {
		parts.push(t('Disabled in the configuration'));
	}
	// The warning is right after the state, because the end of a long row is cut.
	const marks = [...(server.isMuted ? [t('Muted')] : []), ...(server.warnings.length > 0 ? [t('Warnings')] : [])];
	parts.splice(1, 0, ...marks);
	if (showsFolder && definition.source.folderName !== undefined) {
		parts.push(definition.source.folderName);
	}
	item.description = oneLine(parts.join(' · '));
	item.tooltip = tooltipText([fullName(definition.name), parts.join(' · '), ...describeMore(server)].join('\n'));
	item.accessibilityInformation = { label: [label, ...parts].join(', ') };
	return item;
}

/** The server's own icon while it runs without warnings and is signed in, otherwise the icon of its state. */
function iconOf(
	{ icon, state, warnings }: Server,
	{ icon: id, color }: StateLook,
): NonNullable<vscode.TreeItem['iconPath']> {
	if (warnings.length > 0 && !isSignedOut(state)) {
		return warningIcon();
	}
	return icon && !isSignedOut(state)
		? { light: vscode.Uri.parse(icon.light), dark: vscode.Uri.parse(icon.dark) }
		: new vscode.ThemeIcon(id, color ? new vscode.ThemeColor(color) : undefined);
}

type StateWithLook = Exclude<ServerState['kind'], 'waiting'> | 'consent' | 'input' | 'signIn' | 'signedOut';

const looks: Readonly<Record<StateWithLook, StateLook>> = {
	stopped: { icon: 'circle-outline', context: TreeContexts.serverStopped },
	untrusted: { icon: 'shield', color: Colors.waiting, context: TreeContexts.serverIdle },
	consent: { icon: 'shield', color: Colors.waiting, context: TreeContexts.serverStopped },
	input: { icon: 'edit', color: Colors.waiting, context: TreeContexts.serverStopped },
	signIn: { icon: 'key', color: Colors.waiting, context: TreeContexts.serverSignIn },
	starting: { icon: 'loading~spin', context: TreeContexts.serverRunning },
	stopping: { icon: 'loading~spin', context: TreeContexts.serverIdle },
	running: { icon: 'circle-filled', color: Colors.good, context: TreeContexts.serverRunning },
	signedOut: { icon: 'key', color: Colors.waiting, context: TreeContexts.serverSignedOut },
	reconnecting: { icon: 'sync~spin', color: Colors.waiting, context: TreeContexts.serverRunning },
	failed: { icon: 'error', color: Colors.failed, context: TreeContexts.serverFailed },
};

function lookOf(state: ServerState): StateLook {
	return looks[state.kind === 'waiting' ? state.what : isSignedOut(state) ? 'signedOut' : state.kind];
}

function describeParts(server: Server): string[] {
	const { state, definition } = server;
	const word = describeServer(server);
	return state.kind === 'running' ? [word, state.session.protocolVersion, definition.launch.kind] : [word];
}

/** Where the server is configured, including places that aren't used. */
function describeOrigin({ source, shadows = [] }: ServerDefinition): string[] {
	const side = describeRemoteSide();
	return [
		source.kind === 'userSettings' && source.isDemo
			? t('Part of this extension')
			: t('Configured in {0}', describeSource(source)),
		...shadows.map(it => t('Also configured in {0} (not used)', describeSource(it))),
		...(side === undefined ? [] : [side]),
	];
}

/** The watcher and the debugger of a server in development. */
function describeDev({ debugPort, isWatched, definition }: Server): string[] {
	return [
		...(isWatched ? [t('Restarts when these files change: {0}', oneLine(definition.watch?.join(', ') ?? ''))] : []),
		...(debugPort === undefined ? [] : [t('Debugging on port {0}', String(debugPort))]),
	];
}

function describeMore(server: Server): string[] {
	const { state } = server;
	const where = [...describeOrigin(server.definition), ...describeDev(server)];
	switch (state.kind) {
		case 'running':
			return [
				...describeWarnings(server.warnings),
				...describeRun(state, server.pid),
				...where,
				...describeOwnWords(state.session),
			];
		case 'failed':
		case 'reconnecting':
			return state.stderr.length > 0
				? [...where, '', t('Last lines of error output:'), ...state.stderr.map(it => oneLine(it))]
				: where;
		case 'untrusted':
			return [t('Select the server to manage Workspace Trust.'), ...where];
		default:
			return where;
	}
}

function describeWarnings(warnings: readonly ServerWarning[]): string[] {
	return warnings.length > 0
		? [t("The server doesn't follow the protocol:"), ...warnings.map(describeWarning), '']
		: [];
}

function describeRun({ session, since }: ServerState & { kind: 'running' }, pid: number | undefined): string[] {
	const { protocolVersion, eraReason, capabilities } = session;
	const when = describeDateTime(since);
	const offers = Object.keys(capabilities ?? {}).map(it => oneLine(it, 50));
	return [
		t('Protocol revision {0}: {1}', oneLine(protocolVersion, 50), describeEraReason(eraReason)),
		...(offers.length > 0 ? [t('Capabilities: {0}', oneLine(offers.join(', ')))] : []),
		pid === undefined ? t('Running since {0}', when) : t('Running since {0}, process {1}', when, String(pid)),
	];
}

/** How the era of the server was detected: a clause without a period. */
function describeEraReason(reason: EraReason): string {
	switch (reason.code) {
		case 'configured':
			return t('Set in the configuration');
		case 'remembered':
			return t('Same as at the last start');
		case 'discovered':
			return t('Reported by the server');
		case 'error':
			return t('The server answered the discovery request with error {0}', reason.error);
		case 'status':
			return t('The server answered the discovery request with HTTP status {0}', reason.status);
		case 'silence':
			return t("The server didn't answer the discovery request");
		case 'exited':
			return t('The server exited at the discovery request and was restarted');
		case 'strangeAnswer':
			return t('The server sent an invalid answer to the discovery request');
		default:
			return assertNever(reason);
	}
}

/** The server's description of itself, marked as its own words. */
function describeOwnWords({ serverInfo, instructions }: Session): string[] {
	const title = `${serverInfo.title ?? serverInfo.name} ${serverInfo.version}`;
	return [
		'',
		t('Name reported by the server: "{0}"', oneLine(title)),
		...(instructions ? [t('Instructions from the server: "{0}"', oneLine(instructions, 500))] : []),
	];
}
