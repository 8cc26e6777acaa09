/** Changing a text file as a person would: in the editor, with Undo, keeping what is unsaved in it, and saved. */
import * as vscode from 'vscode';
import { smallestChange } from './textChange.js';

/** Milliseconds that the editor may take to hear of a change another program has made. */
const patienceMs = 3000;

/** The file as it is now. Unsaved changes count; of a file changed by another program, not what the editor still holds. */
export async function openCurrent(uri: vscode.Uri): Promise<vscode.TextDocument> {
	const document = await vscode.workspace.openTextDocument(uri);
	const isCurrent = async (): Promise<boolean> =>
		document.isDirty || withoutReturns(document.getText()) === (await textOf(uri));
	const deadline = Date.now() + patienceMs;
	// In another encoding the two are never the same.
	for (let left = patienceMs; left > 0 && !(await isCurrent()); left = deadline - Date.now()) {
		await nextChange(document, left);
	}
	return document;
}

/** Resolves when the document changes, or the milliseconds are over. */
function nextChange(document: vscode.TextDocument, timeoutMs: number): Promise<void> {
	return new Promise(resolve => {
		const done = (): void => {
			clearTimeout(timer);
			subscription.dispose();
			resolve();
		};
		const timer = setTimeout(done, timeoutMs);
		const subscription = vscode.workspace.onDidChangeTextDocument(event => {
			if (event.document === document) {
				done();
			}
		});
	});
}

/**
 * Gives a document another text, and saves it.
 * @returns false if the editor refused either
 */
export async function saveAs(document: vscode.TextDocument, text: string): Promise<boolean> {
	const { start, end, content } = smallestChange(document.getText(), text);
	const edit = new vscode.WorkspaceEdit();
	edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), content);
	return (await vscode.workspace.applyEdit(edit)) && document.save();
}

/** The line break of a document. */
export function lineBreakOf({ eol }: vscode.TextDocument): string {
	return eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

async function textOf(uri: vscode.Uri): Promise<string> {
	return withoutReturns(new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)));
}

/** The editor gives all lines of a document the same end. */
function withoutReturns(text: string): string {
	return text.replaceAll('\r', '');
}
