/**
 * Which workspace folders exist on the disk. The editor keeps a folder that was deleted or moved, and its file watcher
 * misses both that and the folder's return within a few seconds of the watcher's own start or of the other event. So the
 * disk is also looked at shortly after watching starts, while a folder is missing, and when the window gets the focus.
 */
import * as vscode from 'vscode';
import { debounce, delay } from '../../base/async.js';
import { DisposableStore, Emitter, type Event, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { normalFileUri } from '../../core/servers/roots.js';
import { isNotFound } from '../documents/unlinkedFiles.js';

/** Milliseconds between looks after watching has started. */
const firstLooksMs = [1000, 3000, 6000];
/** Milliseconds between looks while a folder is missing. */
const missingMs = 3000;

export class FolderPresence extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** A workspace folder has gone, or is back. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private readonly watching = this.own(new MutableDisposable<DisposableStore>());
	private readonly missingLook = this.own(debounce(missingMs, () => void this.refresh()));
	private _missing: ReadonlySet<string> = new Set();
	private looks = 0;
	/** The number of the latest look whose result was used. */
	private used = 0;

	constructor() {
		super();
		this.own(
			vscode.workspace.onDidChangeWorkspaceFolders(() => {
				if (this.watching.value) {
					this.restart();
				}
			}),
		);
	}

	/** Starts watching. Calls after the first do nothing. */
	watch(): void {
		if (!this.watching.value && !this.owned.isDisposed) {
			this.restart();
		}
	}

	/** The normal URIs of the folders that were missing at the last look. */
	get missing(): ReadonlySet<string> {
		return this._missing;
	}

	/** Looks at the disk now. Never rejects; a disk that doesn't respond holds up only this look. */
	async refresh(): Promise<void> {
		const look = ++this.looks;
		const folders = workspaceFolders();
		const isGone = await Promise.all(folders.map(({ uri }) => hasVanished(uri)));
		if (look < this.used || this.owned.isDisposed) {
			return;
		}
		this.used = look;
		const gone = folders.filter((_, index) => isGone[index]).map(({ uri }) => normalFileUri(uri.toString()) ?? '');
		const { missing } = this;
		this._missing = new Set(gone);
		if (gone.length > 0) {
			this.missingLook.schedule();
		}
		if (gone.length !== missing.size || gone.some(it => !missing.has(it))) {
			this._onDidChange.fire();
		}
	}

	private restart(): void {
		const watchers = new DisposableStore();
		this.watching.value = watchers;
		const look = (): void => void this.refresh();
		watchers.add(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && look())));
		for (const folder of workspaceFolders().filter(({ uri }) => uri.scheme === 'file')) {
			// The editor reports the end of a folder to those who watch its contents.
			const watcher = watchers.add(
				vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'), false, true, false),
			);
			const follow = (uri: vscode.Uri): void => void (uri.path === folder.uri.path && look());
			watchers.add(watcher.onDidCreate(follow));
			watchers.add(watcher.onDidDelete(follow));
		}
		const ended = new AbortController();
		watchers.add(toDisposable(() => ended.abort()));
		this.lookWhileStarting(ended.signal).catch(() => undefined);
	}

	/** @throws AbortError once watching has ended */
	private async lookWhileStarting(signal: AbortSignal): Promise<void> {
		await this.refresh();
		for (const ms of firstLooksMs) {
			await delay(ms, signal);
			await this.refresh();
		}
	}
}

function workspaceFolders(): readonly vscode.WorkspaceFolder[] {
	return vscode.workspace.workspaceFolders ?? [];
}

/** A disk that doesn't respond, or a folder that can't be read, counts as there. */
async function hasVanished(uri: vscode.Uri): Promise<boolean> {
	if (uri.scheme !== 'file') {
		return false;
	}
	return vscode.workspace.fs.stat(uri).then(({ type }) => (type & vscode.FileType.Directory) === 0, isNotFound);
}
