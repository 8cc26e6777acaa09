/** Choosing the folders that a server is told of, and writing the choice into the workspace's settings. */
import * as vscode from 'vscode';
import { isObject, type JsonObject } from '../../mcp/index.js';
import { chooseServer } from '../../host/chooseServer.js';
import { serverOptions } from '../../host/config.js';
import { Settings } from '../../host/contributions.js';
import { quickInputText, quickPickText, titleText } from '../../host/plainText.js';
import { askForMany, back } from '../../host/quickInput.js';
import type { WorkspaceRoots } from '../../host/workspace.js';
import { choiceOf, isExposed, type JudgedFolder } from '../../model/roots.js';
import type { Server } from '../../model/server.js';
import type { ServerRegistry } from '../../model/serverRegistry.js';

/** Whether a server is told of a folder, or why it cannot be. */
export function describeFolder(folder: JudgedFolder): string {
	const { t } = vscode.l10n;
	switch (folder.obstacle) {
		case 'notFile':
			return t('not on a disk');
		case 'vanished':
			return t('not found on the disk');
		case undefined:
			return isExposed(folder) ? t('exposed') : t('not exposed');
	}
}

/** @param argument a line of the tree, a caller's `{ server: name }`, or nothing: then it asks which server */
export async function askForFolders(registry: ServerRegistry, roots: WorkspaceRoots, argument: unknown): Promise<void> {
	const { t } = vscode.l10n;
	const server = await chooseServer(registry, argument, () => true);
	if (!server) {
		return;
	}
	await roots.refresh();
	const folders = roots.folders(server.definition);
	// What is no file never will be. What has vanished may come back: the choice then counts again.
	const items = folders
		.filter(it => it.obstacle !== 'notFile')
		.map(folder => ({
			label: quickPickText(folder.name),
			description: folder.obstacle ? quickPickText(describeFolder(folder)) : '',
			detail: quickPickText(vscode.Uri.parse(folder.uri).fsPath),
			folder,
		}));
	if (items.length === 0) {
		void vscode.window.showInformationMessage(t('No folder of this workspace can be exposed to a server.'));
		return;
	}
	const others = folders.filter(it => it.obstacle === 'notFile').map(it => quickInputText(it.name));
	const question = {
		title: titleText(t('Folders to expose'), registry.label(server)),
		placeholder:
			others.length === 0
				? t('The server is told of the folders that are checked')
				: t('The server is told of what is checked. Not on a disk: {0}', others.join(', ')),
	};
	const chosen = await askForMany(question, items, it => it.folder.isChosen);
	if (chosen && chosen !== back) {
		await expose(
			roots,
			server,
			chosen.map(it => it.folder),
		);
	}
}

/** Makes `wanted` the folders that a server is told of, whether it runs or not; all of them is no choice at all. */
export async function expose(roots: WorkspaceRoots, server: Server, wanted: readonly JudgedFolder[]): Promise<void> {
	const { definition, name } = server;
	const folders = roots.folders(definition);
	const choice = choiceOf(folders, new Set(wanted.map(it => it.uri)), serverOptions(name).roots);
	const configuration = vscode.workspace.getConfiguration();
	const { workspaceValue, globalValue } = configuration.inspect(Settings.serverOptions) ?? {};
	// Where the workspace says nothing, what the person's own settings say comes through.
	const isNeeded = choice !== undefined || member(member(globalValue, name), 'roots') !== undefined;
	const all = folders.filter(it => it.obstacle !== 'notFile').map(it => it.key);
	const entry = withMember(member(workspaceValue, name), 'roots', isNeeded ? (choice ?? all) : undefined);
	const value = withMember(workspaceValue, name, entry);
	await configuration.update(Settings.serverOptions, value, vscode.ConfigurationTarget.Workspace);
}

function member(value: unknown, key: string): unknown {
	return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The same with another member, or without it; nothing, if nothing is left. */
function withMember(value: unknown, key: string, next: unknown): JsonObject | undefined {
	const others = Object.entries(isObject(value) ? value : {}).filter(([name]) => name !== key);
	const entries = next === undefined ? others : [...others, [key, next] as const];
	return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
