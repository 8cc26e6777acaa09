/** Read-only documents of our own making, such as results. Plain text: nothing in them is rendered. */
import * as vscode from 'vscode';
import { Owner } from '../base/lifecycle.js';
import { documentScheme, textFolder } from './contributions.js';
import { jsonText, oneLine } from './plainText.js';

const shown: vscode.TextDocumentShowOptions = { preserveFocus: true, preview: true };
const read: vscode.TextDocumentShowOptions = { preserveFocus: false, preview: false };

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
		await this.show(title, jsonText(value, 2));
	}

	/**
	 * Opens a text in a tab. The title may hold server-provided text.
	 * @param isRead whether the person wants to read it now: then it takes the focus, and stays until it is closed
	 */
	async show(title: string, text: string, isRead = false): Promise<void> {
		await this.open(this.keep(textFolder, title, text), isRead ? read : shown);
	}

	/** The same for what is in a language of its own, by the ending of its name. */
	async showFile(name: string, text: string): Promise<void> {
		await this.open(this.keep('', name, text));
	}

	/** Opens two texts in the editor's diff view; `isRead` as in `show`. */
	async showDiff(title: string, before: string, after: string, isRead = false): Promise<void> {
		const [left, right] = [this.keep(textFolder, title, before), this.keep(textFolder, title, after)];
		await vscode.commands.executeCommand('vscode.diff', left, right, oneLine(title, 80), isRead ? read : shown);
	}

	private async open(uri: vscode.Uri, options = shown): Promise<void> {
		await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), options);
	}

	/** Kept until its document is closed. */
	private keep(folder: string, title: string, text: string): vscode.Uri {
		// A slash would cut the tab's title.
		const path = `${folder}/${oneLine(title, 80).replaceAll('/', '\u2215')}`;
		const uri = vscode.Uri.from({ scheme: documentScheme, path, query: String(this.nextId++) });
		this.texts.set(uri.toString(), text);
		return uri;
	}
}
