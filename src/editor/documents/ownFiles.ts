/** What the file systems of this extension have in common: their files are made by us, and nobody else moves them. */
import * as vscode from 'vscode';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';

export abstract class OwnFiles extends Owner implements vscode.FileSystemProvider {
	private readonly _onDidChangeFile = this.own(new Emitter<vscode.FileChangeEvent[]>());
	readonly onDidChangeFile = this._onDidChangeFile.event as Event<vscode.FileChangeEvent[]> &
		vscode.Event<vscode.FileChangeEvent[]>;

	abstract stat(uri: vscode.Uri): vscode.FileStat | Promise<vscode.FileStat>;
	abstract readFile(uri: vscode.Uri): Uint8Array | Promise<Uint8Array>;

	/** Read-only, unless a file system says otherwise. */
	writeFile(uri: vscode.Uri, _bytes: Uint8Array): void {
		throw vscode.FileSystemError.NoPermissions(uri);
	}

	watch(): vscode.Disposable {
		// Whoever changes a file here tells of it, watched or not.
		return new vscode.Disposable(() => undefined);
	}

	readDirectory(_uri: vscode.Uri): [string, vscode.FileType][] {
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

	/** The editor reads these again. */
	tellOfChange(...uris: readonly vscode.Uri[]): void {
		if (uris.length > 0) {
			this._onDidChangeFile.fire(uris.map(uri => ({ type: vscode.FileChangeType.Changed, uri })));
		}
	}
}
