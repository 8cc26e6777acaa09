/**
 * Detects workspace folders that are missing on the disk; the editor keeps them in the workspace. Its file watcher misses
 * events shortly after its start or after another event, so the disk is also checked after the start, while a folder is
 * missing, and when the window gets the focus.
 */
import * as vscode from 'vscode';
import { clock, type Timer } from '../../base/clock.js';
import { debounce, within } from '../../base/async.js';
import { DisposableStore, Emitter, type Event, MutableDisposable, Owner, toDisposable } from '../../base/lifecycle.js';
import { normalFileUri } from '../../core/servers/roots.js';
import { isNotFound } from '../documents/repositoryFiles.js';

/** Milliseconds from one look to the next after watching has started. Activation doesn't wait for the first. */
const firstLooksMs = [0, 1000, 3000, 6000];
/** Milliseconds between looks while a folder is missing. */
const missingMs = 3000;
/** Milliseconds after which a disk counts as not responding. */
const statMs = 2000;

export class FolderPresence extends Owner {
	private readonly _onDidChange = this.own(new Emitter<void>());
	/** A workspace folder has gone, or is back. */
	readonly onDidChange: Event<void> = this._onDidChange.event;

	private readonly watching = this.own(new MutableDisposable<DisposableStore>());
	private readonly missingLook = this.own(debounce(missingMs, () => void this.refresh()));
	/** The normal URIs of the folders that were missing at the last look. */
	missing: ReadonlySet<string> = new Set();
	/** Folders on disks that don't respond. They aren't asked for again until they do: each request keeps a thread busy. */
	private readonly unresponsive = new Set<string>();
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

	/** Looks at the disk now, for 2 s at most. Never rejects. */
	async refresh(): Promise<void> {
		const look = ++this.looks;
		const folders = workspaceFolders();
		const isGone = await Promise.all(folders.map(({ uri }) => this.isMissing(uri)));
		if (look < this.used || this.owned.isDisposed) {
			return;
		}
		this.used = look;
		const gone = folders.filter((_, index) => isGone[index]).map(({ uri }) => normalFileUri(uri.toString()) ?? '');
		const before = this.missing;
		this.missing = new Set(gone);
		if (gone.length > 0) {
			this.missingLook.schedule();
		}
		if (this.missing.size !== before.size || gone.some(it => !before.has(it))) {
			this._onDidChange.fire();
		}
	}

	/** A folder on a disk that doesn't respond counts as there. */
	private async isMissing(uri: vscode.Uri): Promise<boolean> {
		const key = uri.toString();
		if (uri.scheme !== 'file' || this.unresponsive.has(key)) {
			return false;
		}
		const looked = hasVanished(uri);
		const isGone = await within(looked, statMs);
		if (isGone === undefined) {
			this.unresponsive.add(key);
			void looked.then(() => {
				this.unresponsive.delete(key);
				return this.refresh();
			});
		}
		return isGone ?? false;
	}

	private restart(): void {
		const watchers = new DisposableStore();
		this.watching.value = watchers;
		const look = (): void => void this.refresh();
		watchers.add(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && look())));
		for (const folder of workspaceFolders().filter(({ uri }) => uri.scheme === 'file')) {
			// The editor reports the removal of a folder to watchers of its contents.
			const watcher = watchers.add(
				vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'), false, true, false),
			);
			const follow = (uri: vscode.Uri): void => void (uri.path === folder.uri.path && look());
			watchers.add(watcher.onDidCreate(follow));
			watchers.add(watcher.onDidDelete(follow));
		}
		let timer: Timer | undefined;
		const lookAfter = ([ms, ...others]: readonly number[]): void => {
			if (ms !== undefined && !watchers.isDisposed) {
				timer = clock.setTimeout(() => void this.refresh().then(() => lookAfter(others)), ms);
			}
		};
		lookAfter(firstLooksMs);
		watchers.add(toDisposable(() => clock.clearTimeout(timer)));
	}
}

function workspaceFolders(): readonly vscode.WorkspaceFolder[] {
	return vscode.workspace.workspaceFolders ?? [];
}

/** A folder that can't be read counts as there. Never rejects. */
async function hasVanished(uri: vscode.Uri): Promise<boolean> {
	try {
		const { type } = await vscode.workspace.fs.stat(uri);
		return (type & vscode.FileType.Directory) === 0;
	} catch (error) {
		return isNotFound(error);
	}
}
