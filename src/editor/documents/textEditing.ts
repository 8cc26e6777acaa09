/**
 * A text of several lines, written in an editor and handed back: a file of a scheme of ours, so that undo, saving and
 * the question about what was not saved are the editor's. "Use This Text" and saving before closing hand it back;
 * closing without saving takes it back.
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
	readonly end: (text: string | undefined) => void;
}

/** A text in a tab of its own. */
export interface EditedText {
	/** Resolves with what the person has made of it; `undefined` if they closed it unsaved, or if it was closed for them. */
	readonly written: Promise<string | undefined>;
	/** What the tab contains, saved or not; `undefined` once it is closed. */
	read(): Promise<string | undefined>;
	show(): Promise<void>;
	/** Ends the editing. The tab is closed too, unless the person has changed its text. */
	close(): void;
}

export class TextEditing extends OwnFiles implements vscode.CodeLensProvider {
	/** By URI, as long as somebody waits for them. */
	private readonly open = new Map<string, Editing>();

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
		this.own(registerCommand(Commands.useText, argument => this.use(argument)));
	}

	/** Opens `text`; resolves with what the person has made of it, or `undefined` if they closed it unsaved. */
	async edit(name: string, text: string): Promise<string | undefined> {
		const edited = this.begin(name, text);
		try {
			await edited.show();
			return await edited.written;
		} finally {
			edited.close();
		}
	}

	/** Makes a tab for `text`, which `show` opens; `extension` decides on the editor's help with it. */
	begin(name: string, text: string, extension: 'txt' | 'json' = 'txt'): EditedText {
		const path = `/${oneLine(name, 80).replaceAll(/[/\\]/g, '\u2215')}.${extension}`;
		// A tab that the editor restores in a later window must not pass for one of that window.
		const uri = vscode.Uri.from({ scheme: textScheme, path, query: crypto.randomUUID() });
		const key = uri.toString();
		const written = new Promise<string | undefined>(resolve => {
			this.open.set(key, {
				bytes: new TextEncoder().encode(text),
				mtime: 0,
				isSaved: false,
				isUsed: false,
				end: it => {
					this.open.delete(key);
					resolve(it);
				},
			});
		});
		return {
			written,
			read: async () => (this.open.has(key) ? (await vscode.workspace.openTextDocument(uri)).getText() : undefined),
			show: async () => void (await vscode.window.showTextDocument(uri, { preview: false })),
			close: () => {
				const editing = this.open.get(key);
				editing?.end(undefined);
				if (editing?.isSaved === false) {
					void vscode.window.tabGroups.close(tabsOf(uri).filter(it => !it.isDirty));
				}
			},
		};
	}

	override dispose(): void {
		for (const { end } of this.open.values()) {
			end(undefined);
		}
		super.dispose();
	}

	provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
		const title = `$(check) ${vscode.l10n.t('Use This Text')}`;
		const range = new vscode.Range(0, 0, 0, 0);
		return this.open.has(uri.toString())
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
		this.tellOfChange(uri);
	}

	/** Nobody waits any more for a text of another session. */
	private file(uri: vscode.Uri): Editing {
		const file = this.open.get(uri.toString());
		if (!file) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return file;
	}

	/** Saving ends the question about it; the tab has done its work. Only then is the focus free for what comes next. */
	private async use(argument: unknown): Promise<void> {
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		const editing = uri && this.open.get(uri.toString());
		if (!editing) {
			throw new Error(vscode.l10n.t('No text is being edited in this editor.'));
		}
		editing.isUsed = true;
		const document = await vscode.workspace.openTextDocument(uri);
		const text = document.getText();
		await document.save();
		// The editor that is shown next must not take the focus from what is asked next.
		await vscode.window.tabGroups.close(tabsOf(uri), true);
		editing.end(text);
	}

	private didClose(uri: vscode.Uri): void {
		const editing = this.open.get(uri.toString());
		if (editing?.isUsed === false && tabsOf(uri).length === 0) {
			editing.end(editing.isSaved ? new TextDecoder().decode(editing.bytes) : undefined);
		}
	}
}

function tabsOf(uri: vscode.Uri): vscode.Tab[] {
	const tabs = vscode.window.tabGroups.all.flatMap(it => it.tabs);
	return tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString());
}
