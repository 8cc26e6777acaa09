/** Watches files for all that may happen to them. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';

/** Calls the listener when a file that matches is created, changed or deleted. */
export function watchFiles(pattern: vscode.RelativePattern, listener: (uri: vscode.Uri) => void): Disposable {
	const owned = new DisposableStore();
	const watcher = owned.add(vscode.workspace.createFileSystemWatcher(pattern));
	for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete]) {
		owned.add(event(listener));
	}
	return owned;
}
