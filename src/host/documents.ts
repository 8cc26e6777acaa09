/** Read-only documents of our own making, such as results. Plain text: nothing in them is rendered. */
import * as vscode from 'vscode';
import { Owner } from '../base/lifecycle.js';
import { documentScheme } from './contributions.js';
import { jsonText, oneLine } from './plainText.js';

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

	/** Opens a value as JSON, every character of it. */
	async showJson(title: string, value: unknown): Promise<void> {
		await this.show(title, jsonText(value, 2), 'active');
	}

	/**
	 * Opens `text` in a tab, focus kept; `beside` puts it next to what is being edited, if anything is. The
	 * title may hold server-provided text.
	 */
	async show(title: string, text: string, place: 'active' | 'beside'): Promise<void> {
		const document = await vscode.workspace.openTextDocument(this.keep(title, text));
		const { Active, Beside } = vscode.ViewColumn;
		const viewColumn = place === 'beside' && vscode.window.activeTextEditor ? Beside : Active;
		await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: true });
	}

	/** Opens two texts in the editor's diff view, focus kept. */
	async showDiff(title: string, before: string, after: string): Promise<void> {
		const [left, right] = [this.keep(title, before), this.keep(title, after)];
		const options: vscode.TextDocumentShowOptions = { preserveFocus: true, preview: true };
		await vscode.commands.executeCommand('vscode.diff', left, right, oneLine(title, 80), options);
	}

	/** Kept until its document is closed. */
	private keep(title: string, text: string): vscode.Uri {
		// A slash would cut the tab's title.
		const path = `/${oneLine(title, 80).replaceAll('/', '\u2215')}`;
		const uri = vscode.Uri.from({ scheme: documentScheme, path, query: String(this.nextId++) });
		this.texts.set(uri.toString(), text);
		return uri;
	}
}
