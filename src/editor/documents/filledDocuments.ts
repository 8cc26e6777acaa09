/**
 * Documents that a person fills in: files of a scheme of ours, so that the editor has undo for them, and keeps what was
 * not saved when the window closed. What was saved is kept as long as the window lives.
 */
import * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/lifecycle.js';
import { OwnFiles } from './ownFiles.js';

export interface FilledDocumentsOptions {
	readonly scheme: string;
	/** Whether there may be such a document. */
	readonly isKnown: (uri: vscode.Uri) => boolean;
	/** What can be done with a document, above its first line. */
	readonly actions: (uri: vscode.Uri) => readonly vscode.Command[];
}

export class FilledDocuments extends OwnFiles implements vscode.CodeLensProvider {
	private windowId: string | undefined;
	private readonly files = new Map<string, { readonly bytes: Uint8Array; readonly mtime: number }>();
	protected readonly _onDidChangeCodeLenses = this.own(new Emitter<void>());
	readonly onDidChangeCodeLenses = this._onDidChangeCodeLenses.event as Event<void> & vscode.Event<void>;

	constructor(private readonly filled: FilledDocumentsOptions) {
		super();
		const { scheme } = filled;
		this.own(vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }));
		this.own(vscode.languages.registerCodeLensProvider({ scheme }, this));
	}

	/** Numbers of questions begin anew in each window: a tab that the editor restores belongs to none of this one. */
	private get window(): string {
		return (this.windowId ??= crypto.randomUUID().slice(0, 8));
	}

	/** Where a document is that belongs to something of this window. */
	address(path: string): vscode.Uri {
		return vscode.Uri.from({ scheme: this.filled.scheme, path, query: this.window });
	}

	isOfThisWindow({ query }: vscode.Uri): boolean {
		return query === this.window;
	}

	/** Whether somebody has seen it already. */
	has(uri: vscode.Uri): boolean {
		return this.files.has(documentKey(uri)) || isOpened(uri);
	}

	/** Shows a text, as one edit that can be undone where the document is open already. */
	async openText(uri: vscode.Uri, text: string): Promise<vscode.TextEditor> {
		const isOpen = isOpened(uri);
		if (!isOpen) {
			this.writeFile(uri, new TextEncoder().encode(text));
		}
		const document = await vscode.workspace.openTextDocument(uri);
		if (isOpen && document.getText() !== text) {
			const edit = new vscode.WorkspaceEdit();
			edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), text);
			await vscode.workspace.applyEdit(edit);
		}
		return vscode.window.showTextDocument(document, { preview: false });
	}

	/** Keeps what it says, without asking; it may be closed then. */
	async save(uri: vscode.Uri): Promise<void> {
		await (await vscode.workspace.openTextDocument(uri)).save();
	}

	/** What it says now, saved or not. */
	async readText(uri: vscode.Uri): Promise<string> {
		return (await vscode.workspace.openTextDocument(uri)).getText();
	}

	provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
		return this.filled.actions(uri).map(it => new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), it));
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const { bytes, mtime } = this.file(uri);
		return { type: vscode.FileType.File, size: bytes.length, mtime, ctime: 0 };
	}

	readFile(uri: vscode.Uri): Uint8Array {
		return this.file(uri).bytes;
	}

	override writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
		const mtime = (this.files.get(documentKey(uri))?.mtime ?? 0) + 1;
		this.files.set(documentKey(uri), { bytes, mtime });
		this.tellOfChange(uri);
	}

	/** Where a document begins: after a reload the editor asks for tabs that it restores. */
	protected emptyText(_uri: vscode.Uri): string {
		return '';
	}

	private file(uri: vscode.Uri): { readonly bytes: Uint8Array; readonly mtime: number } {
		if (!this.filled.isKnown(uri)) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return this.files.get(documentKey(uri)) ?? { bytes: new TextEncoder().encode(this.emptyText(uri)), mtime: 0 };
	}
}

/** Identifies a document: its URI without the authority, which is only the number of a schema (`jsonDocuments.ts`). */
export function documentKey(uri: vscode.Uri): string {
	return uri.with({ authority: '' }).toString();
}

function isOpened(uri: vscode.Uri): boolean {
	return vscode.workspace.textDocuments.some(it => it.uri.toString() === uri.toString());
}
