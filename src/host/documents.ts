/** Read-only documents of our own making, such as results. Plain text: nothing in them is rendered. */
import * as vscode from 'vscode';
import { Owner } from '../base/lifecycle.js';
import { documentScheme } from './contributions.js';
import { oneLine } from './plainText.js';

export class Documents extends Owner implements vscode.TextDocumentContentProvider {
	/** Kept as long as the document is open. */
	private readonly texts = new Map<string, string>();
	private nextId = 1;

	constructor() {
		super();
		this.own(vscode.workspace.registerTextDocumentContentProvider(documentScheme, this));
		this.own(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())));
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		// After a reload the editor asks again for a tab whose text is gone with the session.
		return this.texts.get(uri.toString()) ?? vscode.l10n.t('This result is no longer kept. Run the tool again.');
	}

	/** Opens `text` in a tab beside, focus kept. The title may hold server-provided text. */
	async show(title: string, text: string, languageId = 'plaintext'): Promise<void> {
		// A slash would cut the tab's title.
		const path = `/${oneLine(title, 80).replaceAll('/', '\u2215')}`;
		const uri = vscode.Uri.from({ scheme: documentScheme, path, query: String(this.nextId++) });
		this.texts.set(uri.toString(), text);
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.languages.setTextDocumentLanguage(document, languageId);
		await vscode.window.showTextDocument(document, {
			viewColumn: vscode.ViewColumn.Beside,
			preserveFocus: true,
			preview: true,
		});
	}
}
