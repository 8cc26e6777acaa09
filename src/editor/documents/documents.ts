/**
 * Read-only documents of our own making, such as results. Plain text: nothing in them is rendered, and their names and
 * languages are such that nobody fetches what they name (see `core/resources/textNames.ts`).
 */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { textLanguage, textName } from '../../core/resources/textNames.js';
import { documentScheme, textFolder } from '../contributions.js';
import { jsonText, oneLine } from '../ui/plainText.js';

const shown: vscode.TextDocumentShowOptions = { preserveFocus: true, preview: true };
const read: vscode.TextDocumentShowOptions = { preserveFocus: false, preview: false };

export class Documents extends Owner implements vscode.TextDocumentContentProvider {
	/** Kept as long as the document is open. */
	private readonly texts = new Map<string, string>();
	private nextId = 1;

	constructor() {
		super();
		this.own(vscode.workspace.registerTextDocumentContentProvider(documentScheme, this));
		this.own(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri.toString())));
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
	 * Opens a text in a tab, and resolves with its URI. The title may hold server-provided text.
	 * @param isRead whether the person wants to read it now: then it takes the focus, and stays until it is closed
	 */
	async show(title: string, text: string, isRead = false): Promise<vscode.Uri> {
		const { uri } = await this.open(this.keep(textFolder, titleName(title), text), isRead ? read : shown);
		return uri;
	}

	/** The same for what is in a language of its own, by the ending of its name. */
	async showFile(name: string, text: string): Promise<void> {
		const document = await this.open(this.keep('', textName(fileName(name)), text));
		const known = new Set(await vscode.languages.getLanguages());
		const language = textLanguage(undefined, name, document.languageId, known);
		if (language !== undefined && !document.isClosed) {
			// It may have been closed since the question was asked.
			await vscode.languages.setTextDocumentLanguage(document, language).then(undefined, () => undefined);
		}
	}

	/** Opens two texts in the editor's diff view, and resolves with the URI of the second; `isRead` as in `show`. */
	async showDiff(title: string, before: string, after: string, isRead = false): Promise<vscode.Uri> {
		const name = titleName(title);
		const [left, right] = [this.keep(textFolder, name, before), this.keep(textFolder, name, after)];
		await vscode.commands.executeCommand('vscode.diff', left, right, oneLine(title, 80), isRead ? read : shown);
		return right;
	}

	private async open(uri: vscode.Uri, options = shown): Promise<vscode.TextDocument> {
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document, options);
		return document;
	}

	/** Kept until its document is closed. */
	private keep(folder: string, name: string, text: string): vscode.Uri {
		const uri = vscode.Uri.from({ scheme: documentScheme, path: `${folder}/${name}`, query: String(this.nextId++) });
		this.texts.set(uri.toString(), text);
		return uri;
	}

	private forget(key: string): void {
		// A document whose language changes is told as closed, and stays open.
		if (!vscode.workspace.textDocuments.some(it => it.uri.toString() === key)) {
			this.texts.delete(key);
		}
	}
}

/** One segment of a path: a slash would cut the tab's title. */
function fileName(text: string): string {
	return oneLine(text, 80).replaceAll('/', '\u2215');
}

/** A title that equals no file name: a zero-width space ends what looks like an extension. */
function titleName(title: string): string {
	const name = fileName(title);
	return /\.\w+$/.test(name) ? `${name}\u200B` : name;
}

/** Whether a person can write in it. Documents of servers and of ours are read-only. */
export function isWritable({ uri }: vscode.TextDocument): boolean {
	return uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}
