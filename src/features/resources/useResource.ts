/** What can be done with a resource besides opening it. */
import * as vscode from 'vscode';
import type { LiveResource, ResourceKey } from '../../core/resources/liveEntry.js';
import type { LiveResources } from '../../core/resources/liveResources.js';
import { type ReadContent, sameContents } from '../../core/resources/resourceContents.js';
import { isReadable } from '../../core/resources/contentView.js';
import { openedName } from '../../core/resources/textNames.js';
import { attachCommand } from '../../editor/languageModels/chat.js';
import { copyText, saveBytes } from '../../editor/documents/export.js';
import { notificationText, quickPickText } from '../../editor/ui/plainText.js';
import { shownAs } from './contentShown.js';
import { type ChosenResource, ensureRunning, openingOf, type ReadingDeps, readResource } from './openResource.js';
import { addressOfPart } from './resourceFileSystem.js';
import { readableName, resourceUri } from '../../editor/documents/resourceUri.js';
import { type ExternalFiles, nameWith } from './takeOut.js';

const { t } = vscode.l10n;

/** The text of all its contents. @throws Error in words if there is none */
async function textOf(chosen: ChosenResource, deps: ReadingDeps): Promise<string | undefined> {
	const contents = await contentsOf(chosen, deps);
	const texts = contents?.filter(isReadable);
	if (texts?.length === 0) {
		throw new Error(t('{0}: "{1}" has no text.', notificationText(chosen.server.name), notificationText(chosen.name)));
	}
	return texts?.map(it => new TextDecoder().decode(it.bytes)).join('\n');
}

/** The contents at the server now; if it doesn't run, those that were read last. */
async function contentsOf(chosen: ChosenResource, deps: ReadingDeps): Promise<readonly ReadContent[] | undefined> {
	const { live } = deps;
	const known = live.find(keyOf(chosen))?.contents;
	if (known && live.isFresh(keyOf(chosen))) {
		return known;
	}
	return (await ensureRunning(chosen.server)) ? (await readResource(chosen, deps)).contents : undefined;
}

export async function copyContents(chosen: ChosenResource, deps: ReadingDeps): Promise<void> {
	const text = await textOf(chosen, deps);
	if (text !== undefined) {
		await copyText(text);
	}
}

/** In place of what is selected, at each cursor. */
export async function insertContents(chosen: ChosenResource, deps: ReadingDeps): Promise<void> {
	const editor = vscode.window.activeTextEditor;
	if (!editor) {
		throw new Error(t('Open the text that it is to be inserted into first.'));
	}
	const text = await textOf(chosen, deps);
	if (text === undefined) {
		return;
	}
	const isDone = await editor.edit(edit => editor.selections.forEach(it => edit.replace(it, text)));
	if (!isDone) {
		throw new Error(t('The text in the editor cannot be changed.'));
	}
}

/** All of its contents, each where the person wants it. */
export async function saveContents(chosen: ChosenResource, deps: ReadingDeps): Promise<void> {
	for (const [name, content] of namedContents(await contentsOf(chosen, deps))) {
		await saveBytes(name, () => content.bytes);
	}
}

/** The chat takes files of a disk, and passes over others without a word: it gets a copy of what there is now. */
export async function attachToChat(chosen: ChosenResource, deps: ReadingDeps, files: ExternalFiles): Promise<void> {
	for (const [name, content] of namedContents(await contentsOf(chosen, deps))) {
		await vscode.commands.executeCommand(attachCommand, await files.write(openedName(name), content.bytes));
	}
}

/** Under names that say what they are. */
function namedContents(contents: readonly ReadContent[] = []): [name: string, content: ReadContent][] {
	return contents.map(content => {
		const shown = shownAs(content, readableName(content.uri));
		return [nameWith(content, shown.kind === 'mislabelled' ? undefined : shown.extension), content];
	});
}

/** What it is now beside what it was before it last changed. */
export async function compareWithPrevious({ server, uri, name }: ChosenResource, live: LiveResources): Promise<void> {
	const key = { serverId: server.definition.id, uri };
	const { contents: now, previous } = live.find(key) ?? {};
	if (!previous || !now) {
		const message = t('"{0}" has not changed since it was first read here.', notificationText(name));
		void vscode.window.showInformationMessage(message);
		return;
	}
	const { contents: before, at } = previous;
	// Of several contents, the first that is another now.
	const changed = now.find((it, index) => before[index] && !sameContents([it], [before[index]])) ?? now[0];
	const content = changed && before.some(it => it.uri === changed.uri) ? changed : now[0];
	if (!content) {
		return;
	}
	const address = addressOfPart(key, now, content);
	const shown = shownAs(content, readableName(content.uri));
	const extension = shown.kind === 'mislabelled' ? undefined : shown.extension;
	const right = resourceUri(address, server.name, extension);
	const left = resourceUri({ ...address, version: at }, server.name, extension);
	const title = t('{0} ({1} ↔ Now)', quickPickText(name, 60), new Date(at).toLocaleTimeString(vscode.env.language));
	await vscode.commands.executeCommand('vscode.diff', left, right, title, openingOf(right));
}

/** Reads it again; says so if it still cannot be read, since a person has asked. */
export async function refreshResource(chosen: ChosenResource, deps: ReadingDeps): Promise<LiveResource | undefined> {
	return (await ensureRunning(chosen.server)) ? readResource(chosen, deps) : undefined;
}

export function keyOf({ server, uri }: ChosenResource): ResourceKey {
	return { serverId: server.definition.id, uri };
}
