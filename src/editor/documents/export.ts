/** What people take out of the Workbench: onto the clipboard, into a file. */
import * as vscode from 'vscode';
import { describeSize } from '../l10n/messages.js';
import { oneLine } from '../ui/plainText.js';

const maxCopied = 20_000_000;

/** @throws Error in words if it is too large for a clipboard */
export async function copyText(text: string): Promise<void> {
	if (text.length > maxCopied) {
		throw new Error(vscode.l10n.t('It is too large to be copied ({0}). Save it instead.', describeSize(text.length)));
	}
	await vscode.env.clipboard.writeText(text);
	vscode.window.setStatusBarMessage(vscode.l10n.t('Copied'), 3000);
}

/** Asks where, and writes. @param name proposed; may be the server's */
export async function saveBytes(name: string, bytes: () => Uint8Array): Promise<void> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const proposed = oneLine(name, 100).replaceAll(/[/\\:]/g, '_');
	const options = folder ? { defaultUri: vscode.Uri.joinPath(folder.uri, proposed) } : {};
	const target = await vscode.window.showSaveDialog(options);
	if (target) {
		await vscode.workspace.fs.writeFile(target, bytes());
	}
}
