/** Watches files for creation, change and deletion. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';

/** Calls the listener when a file that matches is created, changed or deleted. */
export function watchFiles(pattern: vscode.RelativePattern, listener: (uri: vscode.Uri) => void): Disposable {
	const watcher = vscode.workspace.createFileSystemWatcher(pattern);
	const events = [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete];
	const owned = new DisposableStore();
	owned.add(watcher);
	events.forEach(it => owned.add(it(listener)));
	return owned;
}
