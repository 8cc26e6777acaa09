/** Changes text files by edits in the editor, so that Undo works and unsaved changes of the person are kept. */
import * as vscode from 'vscode';
import { clock } from '../../base/clock.js';
import { firstFound } from '../../base/async.js';
import { textLimits } from '../../mcp/index.js';
import { assertBoundedFile, assertUnlinked, exists, readBoundedText } from './repositoryFiles.js';

/** Milliseconds to wait until the editor has noticed a change by another program. */
const noticeMs = 1000;

/**
 * Opens a file with its unsaved changes, or without any, with its text on the disk. If the editor doesn't notice that
 * another program has changed the file, the file is shown and reverted, because an edit of the old text can't be saved.
 * @throws LinkedFileError, RefusedFileError
 */
export async function openCurrent(uri: vscode.Uri): Promise<vscode.TextDocument> {
	await assertUnlinked(uri);
	if (uri.scheme === 'file') {
		// A device or a pipe could be endless.
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

/**
 * Opens a file as `openCurrent` does; `undefined` if the file is missing. A document can outlive its deleted file.
 * @throws LinkedFileError, RefusedFileError
 */
export async function openIfExists(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
	await assertUnlinked(uri);
	const isOpen = vscode.workspace.textDocuments.some(it => it.isDirty && it.uri.toString() === uri.toString());
	return isOpen || (await exists(uri)) ? openCurrent(uri) : undefined;
}

/** Waits until the document has unsaved changes or the text on the disk. Gives false if that takes too long. */
async function hasDiskText(document: vscode.TextDocument): Promise<boolean> {
	const deadline = clock.now() + noticeMs;
	for (;;) {
		if (document.isDirty || withoutReturns(document.getText()) === (await textOf(document.uri))) {
			return true;
		}
		const left = deadline - clock.now();
		if (left <= 0) {
			// Or the file has another encoding than UTF-8.
			return false;
		}
		await firstFound(vscode.workspace.onDidChangeTextDocument, it => it?.document === document || undefined, left);
	}
}

/**
 * Replaces the texts of documents, creates files with their parent folders, and saves all of them. One Undo reverts everything.
 * @returns false if the editor refused the edit or didn't save
 * @throws LinkedFileError
 */
export async function saveAll(
	files: readonly (readonly [file: vscode.TextDocument | vscode.Uri, text: string])[],
): Promise<boolean> {
	await Promise.all(files.map(([file]) => assertUnlinked('uri' in file ? file.uri : file)));
	const edit = new vscode.WorkspaceEdit();
	const documents: vscode.TextDocument[] = [];
	for (const [file, text] of files) {
		if ('uri' in file) {
			const { start, end, content } = smallestChange(file.getText(), text);
			edit.replace(file.uri, new vscode.Range(file.positionAt(start), file.positionAt(end)), content);
			documents.push(file);
		} else {
			edit.createFile(file, { contents: new TextEncoder().encode(text), ignoreIfExists: false });
		}
	}
	const isApplied = await vscode.workspace.applyEdit(edit);
	return isApplied && (await Promise.all(documents.map(it => it.save()))).every(Boolean);
}

/** Replaces and saves the text of one document. See `saveAll`. */
export function saveAs(document: vscode.TextDocument, text: string): Promise<boolean> {
	return saveAll([[document, text]]);
}

/** Creates one file. @throws as `saveAll`, and vscode.FileSystemError if the file exists or can't be written */
export async function createFile(uri: vscode.Uri, text: string): Promise<void> {
	if (!(await saveAll([[uri, text]]))) {
		throw vscode.FileSystemError.NoPermissions(uri);
	}
}

export function lineBreakOf({ eol }: vscode.TextDocument): string {
	return eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

async function textOf(uri: vscode.Uri): Promise<string> {
	return withoutReturns(await readBoundedText(uri, textLimits.lockFile));
}

/** The editor normalizes line breaks, so they aren't compared. */
function withoutReturns(text: string): string {
	return text.replaceAll('\r', '');
}

/** Finds the smallest single edit that turns one text into another. Offsets are in UTF-16 code units of `before`. */
export function smallestChange(before: string, after: string): { start: number; end: number; content: string } {
	const shorter = Math.min(before.length, after.length);
	let start = 0;
	while (start < shorter && before[start] === after[start]) {
		start++;
	}
	let tail = 0;
	while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) {
		tail++;
	}
	// Never splits a CRLF or a surrogate pair.
	while (start > 0 && /[\r\uD800-\uDBFF]/.test(before[start - 1] ?? '')) {
		start--;
	}
	while (tail > 0 && /[\n\uDC00-\uDFFF]/.test(before.at(-tail) ?? '')) {
		tail--;
	}
	return { start, end: before.length - tail, content: after.slice(start, after.length - tail) };
}
