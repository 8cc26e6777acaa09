/** Watches files for all that may happen to them. */
import * as vscode from 'vscode';

/** Calls the listener when a file that matches is created, changed or deleted. */
export function watchFiles(pattern: vscode.RelativePattern, listener: (uri: vscode.Uri) => void): vscode.Disposable {
	const watcher = vscode.workspace.createFileSystemWatcher(pattern);
	const events = [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete];
	return vscode.Disposable.from(watcher, ...events.map(it => it(listener)));
}
