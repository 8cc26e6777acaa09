/**
 * A text of several lines, written in an editor and handed back: a file of a scheme of ours, so that undo, saving and
 * the question about what was not saved are the editor's. "Use This Text" and saving before closing hand it back;
 * closing without saving takes it back.
 */
import * as vscode from 'vscode';
import { Emitter, type Event, Owner } from '../base/lifecycle.js';
import { registerCommand } from './commands.js';
import { Commands, textScheme } from './contributions.js';
import { oneLine } from './plainText.js';

interface Editing {
	bytes: Uint8Array;
	mtime: number;
	isSaved: boolean;
	readonly end: (text: string | undefined) => void;
}

export class TextEditing extends Owner implements vscode.FileSystemProvider, vscode.CodeLensProvider {
	private readonly _onDidChangeFile = this.own(new Emitter<vscode.FileChangeEvent[]>());
	readonly onDidChangeFile = this._onDidChangeFile.event as Event<vscode.FileChangeEvent[]> &
		vscode.Event<vscode.FileChangeEvent[]>;

	/** By URI, as long as somebody waits for them. */
	private readonly open = new Map<string, Editing>();
	private lastId = 0;

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
		const path = `/${oneLine(name, 80).replaceAll(/[/\\]/g, '\u2215')}.txt`;
		const uri = vscode.Uri.from({ scheme: textScheme, path, query: String(++this.lastId) });
		const key = uri.toString();
		const written = new Promise<string | undefined>(resolve => {
			this.open.set(key, { bytes: new TextEncoder().encode(text), mtime: 0, isSaved: false, end: resolve });
		});
		try {
			await vscode.window.showTextDocument(uri, { preview: false });
			return await written;
		} finally {
			this.open.delete(key);
		}
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

	writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
		const file = this.file(uri);
		file.bytes = bytes;
		file.mtime++;
		file.isSaved = true;
		this._onDidChangeFile.fire([{ type: vscode.FileChangeType.Changed, uri }]);
	}

	watch(): vscode.Disposable {
		// Nobody else writes them.
		return new vscode.Disposable(() => undefined);
	}

	readDirectory(): [string, vscode.FileType][] {
		return [];
	}

	createDirectory(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	delete(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	rename(uri: vscode.Uri): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	/** Nobody waits any more for a text of another session. */
	private file(uri: vscode.Uri): Editing {
		const file = this.open.get(uri.toString());
		if (!file) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return file;
	}

	/** Saving ends the question about it; the tab has done its work. */
	private async use(argument: unknown): Promise<void> {
		const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
		const editing = uri && this.open.get(uri.toString());
		if (!editing) {
			return;
		}
		const document = await vscode.workspace.openTextDocument(uri);
		await document.save();
		editing.end(document.getText());
		const tabs = vscode.window.tabGroups.all.flatMap(it => it.tabs);
		await vscode.window.tabGroups.close(
			tabs.filter(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
		);
	}

	private didClose(uri: vscode.Uri): void {
		const editing = this.open.get(uri.toString());
		editing?.end(editing.isSaved ? new TextDecoder().decode(editing.bytes) : undefined);
	}
}
