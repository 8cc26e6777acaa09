/** The actions on a resource besides opening it. */
import * as vscode from 'vscode';
import type { LiveResources } from '../../core/resources/liveResources.js';
import { type ReadContent, sameContents } from '../../core/resources/resourceContents.js';
import { isReadable } from '../../core/resources/contentView.js';
import { openedName } from '../../core/resources/textNames.js';
import { attachCommand, canAttach } from '../../editor/languageModels/chat.js';
import { isWritable } from '../../editor/documents/documents.js';
import { describeTime } from '../../editor/l10n/timeText.js';
import { askForOne, back } from '../../editor/ui/quickInput.js';
import { copyText, saveBytes } from '../../editor/documents/export.js';
import { notificationText, quickPickText } from '../../editor/ui/plainText.js';
import { chooseView, fileNameFor } from './externalFiles.js';
import {
	type ChosenResource,
	type OpeningDeps,
	openOptions,
	prepareRead,
	readContents,
	type ReadingDeps,
	toResourceKey,
} from './openResource.js';
import { addressOfPart } from './resourceFileSystem.js';
import { readableName, resourceUri } from '../../editor/documents/resourceUri.js';

const { t } = vscode.l10n;

interface Use extends vscode.QuickPickItem {
	readonly run: () => unknown;
}

function use(label: string, icon: string, run: () => unknown): Use {
	return { label, iconPath: new vscode.ThemeIcon(icon), run };
}

/** Asks what to do with a resource, and does it. @param isDirectory its contents are other resources */
export async function useResource(chosen: ChosenResource, deps: OpeningDeps, isDirectory: boolean): Promise<void> {
	const copyUri = use(t('Copy URI'), 'link', () => vscode.env.clipboard.writeText(chosen.uri));
	const editor = vscode.window.activeTextEditor;
	const items = isDirectory
		? [copyUri]
		: [
				use(t('Save As…'), 'save', () => saveContents(chosen, deps)),
				...(deps.live.find(toResourceKey(chosen))?.previous
					? [use(t('Compare with Previous Version'), 'diff', () => compareWithPrevious(chosen, deps.live))]
					: []),
				use(t('Copy Contents'), 'copy', () => copyContents(chosen, deps)),
				copyUri,
				...(editor && isWritable(editor.document)
					? [use(t('Insert into Editor'), 'insert', () => insertContents(chosen, editor, deps))]
					: []),
				...((await canAttach())
					? [use(t('Attach to Chat'), 'comment-discussion', () => attachToChat(chosen, deps))]
					: []),
			];
	const question = {
		title: t('Use Resource'),
		placeholder: t('Select what to do with {0}', quickPickText(chosen.name, 60)),
	};
	const item = await askForOne(question, items);
	await (item === back ? undefined : item?.run());
}

/**
 * The text of all contents; `undefined` if the server didn't start.
 * @throws Error in the person's language if reading fails or finds no text
 */
async function textOf(chosen: ChosenResource, deps: ReadingDeps): Promise<string | undefined> {
	const contents = await contentsOf(chosen, deps);
	const texts = contents?.filter(isReadable);
	if (texts?.length === 0) {
		throw new Error(t('{0}: "{1}" has no text.', deps.registry.label(chosen.server), notificationText(chosen.name)));
	}
	return texts?.map(it => new TextDecoder().decode(it.bytes)).join('\n');
}

/** The current contents, or the last ones if the server has ended; `undefined` if it didn't start and the person was notified. */
async function contentsOf(chosen: ChosenResource, deps: ReadingDeps): Promise<readonly ReadContent[] | undefined> {
	const known = deps.live.find(toResourceKey(chosen))?.contents;
	if (known && !chosen.server.client) {
		return known;
	}
	return (await prepareRead(chosen, deps)) ? (await readContents(chosen, deps)).contents : undefined;
}

async function copyContents(chosen: ChosenResource, deps: ReadingDeps): Promise<void> {
	const text = await textOf(chosen, deps);
	if (text !== undefined) {
		await copyText(text);
	}
}

/** Replaces each selection in the editor. */
async function insertContents(chosen: ChosenResource, editor: vscode.TextEditor, deps: ReadingDeps): Promise<void> {
	const text = await textOf(chosen, deps);
	if (text === undefined) {
		return;
	}
	const isDone = await editor.edit(edit => editor.selections.forEach(it => edit.replace(it, text)));
	if (!isDone) {
		throw new Error(t("The document in the editor can't be changed."));
	}
}

/** Saves all contents. The person is asked for the place of each. */
async function saveContents(chosen: ChosenResource, deps: ReadingDeps): Promise<void> {
	for (const [name, content] of namedContents(await contentsOf(chosen, deps))) {
		await saveBytes(name, () => content.bytes);
	}
}

/** Attaches a copy on the disk, because the chat ignores files that aren't there. */
async function attachToChat(chosen: ChosenResource, deps: OpeningDeps): Promise<void> {
	for (const [name, content] of namedContents(await contentsOf(chosen, deps))) {
		await vscode.commands.executeCommand(attachCommand, await deps.external.write(openedName(name), content.bytes));
	}
}

/** Contents with file names that fit their types. */
function namedContents(contents: readonly ReadContent[] = []): [name: string, content: ReadContent][] {
	return contents.map(content => {
		const shown = chooseView(content, readableName(content.uri));
		return [fileNameFor(content, shown.kind === 'mislabelled' ? undefined : shown.extension), content];
	});
}

/** Compares the contents with those before their last change. */
async function compareWithPrevious(chosen: ChosenResource, live: LiveResources): Promise<void> {
	const { server, name } = chosen;
	const key = toResourceKey(chosen);
	const { contents: now, previous } = live.find(key) ?? {};
	if (!previous || !now) {
		return;
	}
	const { contents: before, at } = previous;
	// If there are several contents, the first one that has changed.
	const changed = now.find((it, index) => before[index] && !sameContents([it], [before[index]])) ?? now[0];
	const content = changed && before.some(it => it.uri === changed.uri) ? changed : now[0];
	if (!content) {
		return;
	}
	const address = addressOfPart(key, now, content);
	const shown = chooseView(content, readableName(content.uri));
	const extension = shown.kind === 'mislabelled' ? undefined : shown.extension;
	const right = resourceUri(address, server.name, extension);
	const left = resourceUri({ ...address, version: at }, server.name, extension);
	const title = t('{0} ({1} ↔ now)', quickPickText(name, 60), describeTime(at));
	await vscode.commands.executeCommand('vscode.diff', left, right, title, openOptions(right));
}
