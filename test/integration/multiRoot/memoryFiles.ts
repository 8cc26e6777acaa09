/** Files that are on no disk: what extensions such as GitHub Repositories give a workspace. */
import * as vscode from 'vscode';

/** Files of one scheme, in memory. A folder is there as long as something is in it. */
export class MemoryFiles implements vscode.FileSystemProvider {
	private readonly files = new Map<string, { content: Uint8Array; mtime: number }>();
	private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
	readonly onDidChangeFile = this.changed.event;

	text(path: string): string | undefined {
		const file = this.files.get(path);
		return file && new TextDecoder().decode(file.content);
	}

	watch(): vscode.Disposable {
		return new vscode.Disposable(() => undefined);
	}

	stat(uri: vscode.Uri): vscode.FileStat {
		const file = this.files.get(uri.path);
		if (!file && this.below(uri.path).length === 0) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		const { File, Directory } = vscode.FileType;
		const mtime = file?.mtime ?? 0;
		return { type: file ? File : Directory, ctime: mtime, mtime, size: file?.content.length ?? 0 };
	}

	readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
		const { File, Directory } = vscode.FileType;
		const names = this.below(uri.path).map(
			([name, ...deeper]) => [name, deeper.length === 0 ? File : Directory] as const,
		);
		return [...new Map(names)].map(([name = '', type]) => [name, type]);
	}

	readFile(uri: vscode.Uri): Uint8Array {
		const file = this.files.get(uri.path);
		if (!file) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return file.content;
	}

	writeFile(uri: vscode.Uri, content: Uint8Array): void {
		const { Changed, Created } = vscode.FileChangeType;
		const before = this.files.get(uri.path);
		this.files.set(uri.path, { content, mtime: Math.max(Date.now(), (before?.mtime ?? 0) + 1) });
		this.changed.fire([{ uri, type: before ? Changed : Created }]);
	}

	delete(uri: vscode.Uri): void {
		this.files.delete(uri.path);
		this.changed.fire([{ uri, type: vscode.FileChangeType.Deleted }]);
	}

	createDirectory(): void {
		// It is there as soon as it is written to.
	}

	rename(): never {
		throw vscode.FileSystemError.Unavailable();
	}

	/** The ways from a folder to its files. */
	private below(folder: string): string[][] {
		const prefix = `${folder.replace(/\/$/, '')}/`;
		return [...this.files.keys()].filter(it => it.startsWith(prefix)).map(it => it.slice(prefix.length).split('/'));
	}
}
