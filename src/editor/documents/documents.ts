/**
 * Read-only documents of this extension, such as results. They are plain text. Their names and languages must not be
 * those for which the editor or an extension downloads files that a document refers to (see
 * `core/resources/textNames.ts`).
 */
import * as vscode from 'vscode';
import { Owner } from '../../base/lifecycle.js';
import { textLanguage, textName } from '../../core/resources/textNames.js';
import { documentScheme, textFolder } from '../contributions.js';
import { jsonText, oneLine, pathSegment } from '../ui/plainText.js';

const shown: vscode.TextDocumentShowOptions = { preserveFocus: true, preview: true };
const read: vscode.TextDocumentShowOptions = { preserveFocus: false, preview: false };

/** Longest name of a document, in characters. */
const maxName = 80;

export class Documents extends Owner implements vscode.TextDocumentContentProvider {
	/** The texts of open documents, by URI. */
	private readonly texts = new Map<string, string>();
	private nextId = 1;

	constructor() {
		super();
		this.own(vscode.workspace.registerTextDocumentContentProvider(documentScheme, this));
		this.own(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri.toString())));
	}

	provideTextDocumentContent(uri: vscode.Uri): string {
		// After a reload the editor asks for the texts of restored tabs, which are lost.
		return this.texts.get(uri.toString()) ?? vscode.l10n.t('This result is no longer available. Run the tool again.');
	}

	/** Opens a value as JSON, in full. */
	async showJson(title: string, value: unknown): Promise<void> {
		await this.show(title, jsonText(value, 2));
	}

	/**
	 * Opens a text in a tab, and resolves with its URI. The title may contain text of a server.
	 * @param isRead whether the person wants to read it now: then the tab takes the focus and isn't a preview
	 */
	async show(title: string, text: string, isRead = false): Promise<vscode.Uri> {
		const { uri } = await this.open(this.keep(textFolder, titleName(title), text), isRead ? read : shown);
		return uri;
	}

	/** Opens a text in the language that the extension of its name stands for. */
	async showFile(name: string, text: string): Promise<void> {
		const document = await this.open(this.keep('', textName(pathSegment(name, maxName)), text));
		const known = new Set(await vscode.languages.getLanguages());
		const language = textLanguage(undefined, name, document.languageId, known);
		if (language !== undefined && !document.isClosed) {
			// Fails if the document was closed in the meantime.
			await vscode.languages.setTextDocumentLanguage(document, language).then(undefined, () => undefined);
		}
	}

	/** Opens two texts in the editor's diff view, and resolves with the URI of the second. @param isRead as in `show` */
	async showDiff(title: string, before: string, after: string, isRead = false): Promise<vscode.Uri> {
		const name = titleName(title);
		const [left, right] = [this.keep(textFolder, name, before), this.keep(textFolder, name, after)];
		await vscode.commands.executeCommand('vscode.diff', left, right, oneLine(title, maxName), isRead ? read : shown);
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
		// The editor also reports a document as closed when its language changes.
		if (!vscode.workspace.textDocuments.some(it => it.uri.toString() === key)) {
			this.texts.delete(key);
		}
	}
}

/** A title without a file extension: a zero-width space is added to a title that looks like it has one. */
function titleName(title: string): string {
	const name = pathSegment(title, maxName);
	return /\.\w+$/.test(name) ? `${name}\u200B` : name;
}

/** Whether a person can edit the document. Resources of servers and the documents of this file are read-only. */
export function isWritable({ uri }: vscode.TextDocument): boolean {
	return uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
}
