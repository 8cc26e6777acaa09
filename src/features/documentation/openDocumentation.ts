/** Lists the pages by question and opens the selected one. */
import * as vscode from 'vscode';
import { chooseLine } from '../../editor/ui/quickInput.js';
import { listPages } from './pages.js';

/** @param extensionUri the folder of the extension */
export async function openDocumentation(extensionUri: vscode.Uri): Promise<void> {
	const { t } = vscode.l10n;
	const items = listPages().map(({ file, title, question }) => ({ label: title, detail: question, file }));
	const chosen = await chooseLine(items, t('Select a page, or search by question'), t('Documentation'));
	if (chosen) {
		await openPage(vscode.Uri.joinPath(extensionUri, 'docs', chosen.file));
	}
}

/** Opens the preview, which works in Restricted Mode, too; or the text, if the editor has no Markdown extension. */
async function openPage(uri: vscode.Uri): Promise<void> {
	try {
		await vscode.commands.executeCommand('markdown.showPreview', uri);
	} catch {
		await vscode.window.showTextDocument(uri);
	}
}
