/**
 * Lets a person write a text of several lines in a text editor, as a file of a scheme of this extension. "Use This
 * Text", or saving and closing the file, returns the text; closing it without saving discards the text.
 */
import * as vscode from 'vscode';
import { registerCommand } from '../commands.js';
import { Commands, textScheme } from '../contributions.js';
import { OwnFiles } from './ownFiles.js';
import { oneLine } from '../ui/plainText.js';

interface Editing {
	bytes: Uint8Array;
	mtime: number;
	isSaved: boolean;
	isUsed: boolean;
	isEnded: boolean;
	readonly end: (text: string | undefined) => void;
}

/** A text in a tab of its own. */
export interface EditedText {
	/** Resolves with the text; `undefined` if the tab was closed without saving, or `close` was called. */
	readonly written: Promise<string | undefined>;
	show(): Promise<void>;
	/** Ends the editing. The tab is closed too, unless the person has changed its text. */
	close(): void;
}

export class TextEditing extends OwnFiles implements vscode.CodeLensProvider {
	/** By URI. An entry stays until its document is closed, because the editor can still be saving it. */
	private readonly files = new Map<string, Editing>();

	constructor() {
		super();
		this.own(vscode.workspace.registerFileSystemProvider(textScheme, this, { isCaseSensitive: true }));
		this.own(vscode.languages.registerCodeLensProvider({ scheme: textScheme }, this));
		this.own(
			vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
				for (const { input } of closed) {
					if (input instanceof vscode.TabInputText) {
						this.didClose(input.uri);
					}
				}
			}),
		);
		this.own(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)));
		this.own(registerCommand(Commands.useText, argument => this.use(argument)));
	}

	/** Lets the person edit `text` in a tab. Resolves with the new text, or `undefined` if they closed it unsaved. */
	async edit(name: string, text: string): Promise<string | undefined> {
		const edited = this.begin(name, text);
		try {
			await edited.show();
			return await edited.written;
		} finally {
			edited.close();
		}
	}

	/** Makes a file with `text`, which `show` opens. @param extension determines the language of the editor */
	begin(name: string, text: string, extension: 'txt' | 'json' = 'txt'): EditedText {
		const path = `/${oneLine(name, 80).replaceAll(/[/\\]/g, '\u2215')}.${extension}`;
		// Random, so that a tab that the editor restores in a later window isn't taken for one of that window.
		const uri = vscode.Uri.from({ scheme: textScheme, path, query: crypto.randomUUID() });
		const key = uri.toString();
		const written = new Promise<string | undefined>(resolve => {
			const editing: Editing = {
				bytes: new TextEncoder().encode(text),
				mtime: 0,
				isSaved: false,
				isUsed: false,
				isEnded: false,
				end: it => {
					editing.isEnded = true;
					if (!vscode.workspace.textDocuments.some(document => document.uri.toString() === key)) {
						this.files.delete(key);
					}
					resolve(it);
				},
			};
			this.files.set(key, editing);
		});
		return {
			written,
			show: async () => void (await vscode.window.showTextDocument(uri, { preview: false })),
			close: () => {
				const editing = this.waiting(uri);
				editing?.end(undefined);
				if (editing?.isSaved === false) {
					void vscode.window.tabGroups.close(tabsOf(uri).filter(it => !it.isDirty));
				}
			},
		};
	}

	override dispose(): void {
		for (const it of this.files.values()) {
			it.end(undefined);
		}
		super.dispose();
	}

	provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
		const title = `$(check) ${vscode.l10n.t('Use This Text')}`;
		const range = new vscode.Range(0, 0, 0, 0);
		return this.waiting(uri)
			? [new vscode.CodeLens(range, { title, command: Commands.useText, arguments: [uri] })]
			: [];
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const { bytes, mtime } = this.file(uri);
		return { type: vscode.FileType.File, size: bytes.length, mtime, ctime: 0 };
	}

	readFile(uri: vscode.Uri): Uint8Array {
		return this.file(uri).bytes;
	}

	override writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
		const file = this.file(uri);
		file.bytes = bytes;
		file.mtime++;
		file.isSaved = true;
		this.reportChange(uri);
	}

	/** @throws FileNotFound for a tab of an earlier session */
	private file(uri: vscode.Uri): Editing {
		const file = this.files.get(uri.toString());
		if (!file) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return file;
	}

	/** Saves the file, so that the editor doesn't ask about it, closes its tab, and only then returns the text. */
	private async use(argument: unknown): Promise<void> {
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		const editing = uri && this.waiting(uri);
		if (!editing) {
			throw new Error(vscode.l10n.t("MCP Workbench isn't waiting for text from this editor."));
		}
		editing.isUsed = true;
		let text: string | undefined;
		try {
			const document = await vscode.workspace.openTextDocument(uri);
			text = document.getText();
			await document.save();
			// Without preserveFocus, the next tab would take the focus from a quick input that opens next.
			await vscode.window.tabGroups.close(tabsOf(uri), true);
		} finally {
			if (text === undefined) {
				editing.isUsed = false;
			} else {
				editing.end(text);
			}
		}
	}

	private waiting(uri: vscode.Uri): Editing | undefined {
		const editing = this.files.get(uri.toString());
		return editing?.isEnded === false ? editing : undefined;
	}

	private forget(uri: vscode.Uri): void {
		if (!this.waiting(uri)) {
			this.files.delete(uri.toString());
		}
	}

	private didClose(uri: vscode.Uri): void {
		const editing = this.waiting(uri);
		if (editing?.isUsed === false && tabsOf(uri).length === 0) {
			editing.end(editing.isSaved ? new TextDecoder().decode(editing.bytes) : undefined);
		}
	}
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
	const tabs = vscode.window.tabGroups.all.flatMap(it => it.tabs);
	return tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}
