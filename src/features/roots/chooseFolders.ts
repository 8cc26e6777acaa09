/** Choosing the folders that a server is told of, and writing the choice into the workspace's settings. */
import * as vscode from 'vscode';
import { chooseServer } from '../../editor/ui/chooseServer.js';
import { quickInputText, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { askForMany, back } from '../../editor/ui/quickInput.js';
import { chooseOption, placeFor, placesOf } from '../../editor/workspace/serverOptions.js';
import type { WorkspaceRoots } from '../../editor/workspace/workspace.js';
import { choiceOf, isExposed, isIn, type JudgedFolder } from '../../core/servers/roots.js';
import { readEntry } from '../../core/config/serverOptions.js';
import type { Server } from '../../core/servers/server.js';
import type { SettingPlace } from '../../core/config/settings.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

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
	const server = await chooseServer(registry, argument, () => true, { title: t('Choose Exposed Folders') });
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
	const { definition } = server;
	const folders = roots.folders(definition);
	const places = placesOf(definition);
	const listIn = (place: SettingPlace): readonly string[] | undefined =>
		readEntry(places[place], definition.name).roots;
	const list = choiceOf(folders, new Set(wanted.map(it => it.uri)), listIn(placeFor(definition, 'roots')));
	// A folder must be in every list. It is added by its URI, so that no folder of the same name elsewhere is exposed.
	const missing = (place: SettingPlace): readonly string[] => {
		const before = listIn(place);
		return before ? wanted.filter(it => !isIn(it, before)).map(it => it.uri) : [];
	};
	const added = { user: missing('user'), workspace: missing('workspace'), folder: missing('folder') };
	await chooseOption(server, { key: 'roots', list, added });
}
