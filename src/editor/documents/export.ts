/** Copies texts to the clipboard and saves bytes to files. */
import * as vscode from 'vscode';
import { describeSize } from '../l10n/messages.js';
import { oneLine } from '../ui/plainText.js';

const maxCopied = 20_000_000;

/** @throws Error with a message for the person if the text is too large for the clipboard */
export async function copyText(text: string): Promise<void> {
	if (text.length > maxCopied) {
		throw new Error(
			vscode.l10n.t('The text is too large to copy ({0}). Save it to a file instead.', describeSize(text.length)),
		);
	}
	await vscode.env.clipboard.writeText(text);
	vscode.window.setStatusBarMessage(vscode.l10n.t('Copied'), 3000);
}

/** Asks for a file and writes it. @param name suggested file name; may be text of a server */
export async function saveBytes(name: string, bytes: () => Uint8Array): Promise<void> {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	const proposed = oneLine(name, 100).replaceAll(/[/\\:]/g, '_');
	const options = folder ? { defaultUri: vscode.Uri.joinPath(folder.uri, proposed) } : {};
	const target = await vscode.window.showSaveDialog(options);
	if (target) {
		await vscode.workspace.fs.writeFile(target, bytes());
	}
}
