/** The base of the file systems of this extension. Their files can't be created, renamed or deleted by a person. */
import * as vscode from 'vscode';
import { Emitter, type Event, Owner } from '../../base/lifecycle.js';

export abstract class OwnFiles extends Owner implements vscode.FileSystemProvider {
	private readonly _onDidChangeFile = this.own(new Emitter<vscode.FileChangeEvent[]>());
	readonly onDidChangeFile = this._onDidChangeFile.event as Event<vscode.FileChangeEvent[]> &
		vscode.Event<vscode.FileChangeEvent[]>;

	abstract stat(uri: vscode.Uri): vscode.FileStat | Promise<vscode.FileStat>;
	abstract readFile(uri: vscode.Uri): Uint8Array | Promise<Uint8Array>;

	/** Files are read-only unless a subclass overrides this method. */
	writeFile(uri: vscode.Uri, _bytes: Uint8Array): void {
		refuseChange(uri);
	}

	watch(): vscode.Disposable {
		// All changes are reported, also of files that aren't watched.
		return new vscode.Disposable(() => undefined);
	}

	readDirectory(_uri: vscode.Uri): [string, vscode.FileType][] {
		return [];
	}

	readonly createDirectory = refuseChange;
	readonly delete = refuseChange;
	readonly rename = refuseChange;

	/** Makes the editor read the files again. */
	reportChange(...uris: readonly vscode.Uri[]): void {
		if (uris.length > 0) {
			this._onDidChangeFile.fire(uris.map(uri => ({ type: vscode.FileChangeType.Changed, uri })));
		}
	}
}

function refuseChange(uri: vscode.Uri): void {
	throw vscode.FileSystemError.NoPermissions(uri);
}
