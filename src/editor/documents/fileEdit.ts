/** Changing a text file as a person would: in the editor, with Undo, keeping what is unsaved in it, and saved. */
import * as vscode from 'vscode';
import { firstFound } from '../../base/async.js';
import { textLimits } from '../../mcp/index.js';
import { assertBoundedFile, readBoundedText } from './boundedFile.js';
import { smallestChange } from './textChange.js';
import { assertUnlinked } from './unlinkedFiles.js';

/** Milliseconds that the editor may take to hear of a change another program has made. */
const patienceMs = 1000;

/**
 * The file as it is now. Unsaved changes count; of a file changed by another program, not what the editor still holds.
 * The editor may never hear of such a change, as of one that came before its watcher: then the file is shown and read
 * again, because an edit of the old text could not be saved.
 * @throws LinkedFileError
 */
export async function openCurrent(uri: vscode.Uri): Promise<vscode.TextDocument> {
	await assertUnlinked(uri);
	if (uri.scheme === 'file') {
		// A device or a pipe would never be read to its end.
		await assertBoundedFile(uri, textLimits.lockFile);
	}
	const document = await vscode.workspace.openTextDocument(uri);
	if (!(await hasDiskText(document))) {
		await vscode.window.showTextDocument(document, { preserveFocus: true });
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await hasDiskText(document);
	}
	return document;
}

/** Resolves when it has unsaved changes or the text of the disk; with false if that took too long. */
async function hasDiskText(document: vscode.TextDocument): Promise<boolean> {
	const deadline = Date.now() + patienceMs;
	for (;;) {
		if (document.isDirty || withoutReturns(document.getText()) === (await textOf(document.uri))) {
			return true;
		}
		const left = deadline - Date.now();
		if (left <= 0) {
			// In another encoding the two are never the same.
			return false;
		}
		await firstFound(vscode.workspace.onDidChangeTextDocument, it => it?.document === document || undefined, left);
	}
}

/**
 * Gives a document another text, and saves it.
 * @returns false if the editor refused either
 * @throws LinkedFileError
 */
export async function saveAs(document: vscode.TextDocument, text: string): Promise<boolean> {
	await assertUnlinked(document.uri);
	const { start, end, content } = smallestChange(document.getText(), text);
	const edit = new vscode.WorkspaceEdit();
	edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), content);
	return (await vscode.workspace.applyEdit(edit)) && document.save();
}

/**
 * Writes a file that is not there yet, with the folders above it.
 * @throws LinkedFileError
 * @throws vscode.FileSystemError if there is one, or it cannot be written
 */
export async function createFile(uri: vscode.Uri, text: string): Promise<void> {
	await assertUnlinked(uri);
	const edit = new vscode.WorkspaceEdit();
	edit.createFile(uri, { contents: new TextEncoder().encode(text), ignoreIfExists: false });
	if (!(await vscode.workspace.applyEdit(edit))) {
		throw vscode.FileSystemError.NoPermissions(uri);
	}
}

/** The line break of a document. */
export function lineBreakOf({ eol }: vscode.TextDocument): string {
	return eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

async function textOf(uri: vscode.Uri): Promise<string> {
	return withoutReturns(await readBoundedText(uri, textLimits.lockFile));
}

/** The editor gives all lines of a document the same end. */
function withoutReturns(text: string): string {
	return text.replaceAll('\r', '');
}
