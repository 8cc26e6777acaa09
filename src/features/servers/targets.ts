/** Where a new server can be written, and the writing: comments, formatting and Undo are kept. */
import * as vscode from 'vscode';
import {
	type Addition,
	addServers,
	type ConfigEdit,
	type ConfigPlaces,
	mcpJsonPlaces,
} from '../../model/configEdit.js';
import type { ServerInput } from '../../model/serverInputs.js';
import { notificationText } from '../../host/plainText.js';
import { openConfiguration } from './openConfiguration.js';
import { configUri } from './workspaceConfig.js';

/** A file that can hold servers. */
export interface ServerTarget {
	/** What people call the place: `.vscode/mcp.json`. */
	readonly label: string;
	/** Whose it is: the folder's name. */
	readonly description: string;
	readonly uri: vscode.Uri;
	readonly places: ConfigPlaces;
}

/** The places there are now; the first is the one to propose. */
export function serverTargets(): ServerTarget[] {
	return (vscode.workspace.workspaceFolders ?? []).map(folder => ({
		label: '.vscode/mcp.json',
		description: folder.name,
		uri: configUri(folder),
		places: mcpJsonPlaces,
	}));
}

/**
 * Adds servers and saves. A file that has mistakes is not touched: it is opened at the first, and says why.
 * @returns where the first server stands; `undefined` if nothing was written
 * @throws if the file cannot be written
 */
export async function writeServers(
	{ uri, label, places }: ServerTarget,
	additions: readonly Addition[],
	inputs: readonly ServerInput[],
): Promise<{ readonly uri: string; readonly offset: number } | undefined> {
	const { t } = vscode.l10n;
	const document = await openOrCreate(uri);
	const before = document.getText();
	const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
	const result = addServers(before, additions, inputs, places, eol);
	if (result.kind === 'refused') {
		await openConfiguration({ uri: uri.toString(), offset: result.offset });
		void vscode.window.showErrorMessage(describeRefusal(result, label));
		return undefined;
	}
	const { start, end, content } = smallestChange(before, result.text);
	const edit = new vscode.WorkspaceEdit();
	edit.replace(uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), content);
	if (!(await vscode.workspace.applyEdit(edit)) || !(await document.save())) {
		throw new Error(t('{0} could not be written.', label));
	}
	return { uri: uri.toString(), offset: result.offset };
}

function describeRefusal(result: ConfigEdit & { readonly kind: 'refused' }, label: string): string {
	const { t } = vscode.l10n;
	switch (result.why) {
		case 'syntax':
			return t('Nothing was added: {0} is not valid JSON here. Mend it, then try again.', label);
		case 'shape':
			return t('Nothing was added: {0} has something else where its servers belong. Mend it, then try again.', label);
		case 'taken':
			return t('Nothing was added: {0} has a server "{1}" already.', label, notificationText(result.name));
	}
}

/** An empty file is no harm, and the editor can undo what is written into it. */
async function openOrCreate(uri: vscode.Uri): Promise<vscode.TextDocument> {
	try {
		return await vscode.workspace.openTextDocument(uri);
	} catch (error) {
		const exists = await vscode.workspace.fs.stat(uri).then(
			() => true,
			() => false,
		);
		if (exists) {
			throw error;
		}
		await vscode.workspace.fs.writeFile(uri, new Uint8Array());
		return vscode.workspace.openTextDocument(uri);
	}
}

/** What differs between two texts, without the ends they share. */
function smallestChange(before: string, after: string): { start: number; end: number; content: string } {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) {
		start++;
	}
	let tail = 0;
	while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) {
		tail++;
	}
	// Half a line break has no place in a document.
	while (start > 0 && /[\r\uD800-\uDBFF]/.test(before[start - 1] ?? '')) {
		start--;
	}
	while (tail > 0 && /[\n\uDC00-\uDFFF]/.test(before.at(-tail) ?? '')) {
		tail--;
	}
	return { start, end: before.length - tail, content: after.slice(start, after.length - tail) };
}
