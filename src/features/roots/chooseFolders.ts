/** Asks which workspace folders are exposed to a server as roots, and writes the choice into the settings. */
import * as vscode from 'vscode';
import { quickInputText, quickPickText, titleText } from '../../editor/ui/plainText.js';
import { askForMany, back } from '../../editor/ui/quickInput.js';
import { placeFor, toolPlaces, writeToolList } from '../../editor/workspace/serverOptions.js';
import type { WorkspaceRoots } from '../../editor/workspace/workspace.js';
import { settingPlaces, toolEntry } from '../../core/config/serverOptions.js';
import { folderChoice, isExposed, listsFolder, type JudgedFolder } from '../../core/servers/roots.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';

/** Whether a folder is exposed, or why it can't be. */
export function describeFolder(folder: JudgedFolder): string {
	const { t } = vscode.l10n;
	switch (folder.obstacle) {
		case 'notFile':
			return t('Not on the local file system');
		case 'vanished':
			return t('Not found');
		case undefined:
			return isExposed(folder) ? t('Exposed') : t('Not exposed');
	}
}

export async function askForFolders(registry: ServerRegistry, roots: WorkspaceRoots, server: Server): Promise<void> {
	const { t } = vscode.l10n;
	await roots.refresh();
	const folders = roots.folders(server.definition);
	// A folder that isn't on a disk can't be exposed. A folder that wasn't found may come back, and then the choice counts.
	const items = folders
		.filter(it => it.obstacle !== 'notFile')
		.map(folder => ({
			label: quickPickText(folder.name),
			description: folder.obstacle ? quickPickText(describeFolder(folder)) : '',
			detail: quickPickText(vscode.Uri.parse(folder.uri).fsPath),
			folder,
		}));
	if (items.length === 0) {
		void vscode.window.showInformationMessage(t('This workspace has no folders that can be exposed to servers.'));
		return;
	}
	const others = folders.filter(it => it.obstacle === 'notFile').map(it => quickInputText(it.name));
	const question = {
		title: titleText(t('Exposed folders'), registry.label(server)),
		placeholder:
			others.length === 0
				? t('Select the folders to expose to the server')
				: t('Select the folders to expose to the server. Not on the local file system: {0}', others.join(', ')),
	};
	const chosen = await askForMany(question, items, it => it.folder.isChosen);
	if (chosen && chosen !== back) {
		await expose(
			folders,
			server,
			chosen.map(it => it.folder),
		);
	}
}

/** Exposes exactly the wanted folders. If these are all folders, the choice is removed from the settings. */
export async function expose(
	folders: readonly JudgedFolder[],
	{ definition }: Server,
	wanted: readonly JudgedFolder[],
): Promise<void> {
	const places = toolPlaces(definition);
	const target = placeFor(definition, 'roots');
	for (const place of settingPlaces) {
		const before = toolEntry(places[place], definition.name).roots;
		// A folder must be in every list. It is added by its URI, so that no folder of the same name elsewhere is exposed.
		const missing = wanted.filter(it => before && !listsFolder(it, before)).map(it => it.uri);
		const list =
			place === target
				? folderChoice(folders, new Set(wanted.map(it => it.uri)), before)
				: before && [...before, ...missing];
		await writeToolList(definition, place, 'roots', list);
	}
}
