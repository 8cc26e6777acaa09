/** The editor's workspace as the model sees it: folders as roots, and trust. */
import * as vscode from 'vscode';
import { DisposableStore, Emitter, MutableDisposable, Owner } from '../base/lifecycle.js';
import type { Root } from '../mcp/index.js';
import { type JudgedFolder, judgeFolders, normalFileUri, rootsOf } from '../model/roots.js';
import type { ServerDefinition } from '../model/serverDefinition.js';
import type { Roots, Trust } from '../model/serverPorts.js';
import { isNotFound } from './unlinkedFiles.js';

/** Lists of folders by name or URI: a server is told of the folders that are in all of them. */
export type FolderChoices = (server: ServerDefinition) => readonly (readonly string[])[];

/**
 * Folders as roots. The editor keeps a folder that somebody has deleted: only its file watcher tells, and only where
 * the disk can be watched. So the disk is looked at when the watcher speaks, when the window gets the focus, and whenever
 * a server asks. Before the first server runs, nothing is watched.
 */
export class WorkspaceRoots extends Owner implements Roots {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange = this._onDidChange.event;

	private readonly watching = this.own(new MutableDisposable<DisposableStore>());
	private vanished: ReadonlySet<string> = new Set();
	private looks = 0;
	/** The latest look at the disk that counts. */
	private seen = 0;

	constructor(
		private readonly choices: FolderChoices,
		onDidChangeChoices: (listener: () => void) => vscode.Disposable,
	) {
		super();
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(() => this.didChangeFolders()));
		this.own(onDidChangeChoices(() => this._onDidChange.fire()));
	}

	/** Every workspace folder, and whether the server is told of it. */
	folders(server: ServerDefinition): readonly JudgedFolder[] {
		const folders = workspaceFolders().map(({ uri, name }) => ({ uri: uri.toString(), name }));
		return judgeFolders(folders, this.vanished, this.choices(server));
	}

	list(server: ServerDefinition): readonly Root[] {
		return rootsOf(this.folders(server));
	}

	async refresh(): Promise<void> {
		if (!this.watching.value && !this.owned.isDisposed) {
			this.watching.value = this.watch();
		}
		const look = ++this.looks;
		const folders = workspaceFolders();
		const isGone = await Promise.all(folders.map(({ uri }) => hasVanished(uri)));
		// What a later look has found is newer.
		if (look < this.seen || this.owned.isDisposed) {
			return;
		}
		this.seen = look;
		const gone = folders.filter((_, index) => isGone[index]).map(({ uri }) => normalFileUri(uri.toString()) ?? '');
		const { vanished } = this;
		if (gone.length !== vanished.size || gone.some(it => !vanished.has(it))) {
			this.vanished = new Set(gone);
			this._onDidChange.fire();
		}
	}

	private didChangeFolders(): void {
		if (this.watching.value) {
			this.watching.value = this.watch();
			void this.refresh();
		}
		this._onDidChange.fire();
	}

	private watch(): DisposableStore {
		const watchers = new DisposableStore();
		const look = (): void => void this.refresh();
		watchers.add(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && look())));
		for (const folder of workspaceFolders().filter(({ uri }) => uri.scheme === 'file')) {
			// The editor watches its folders anyway, and of their own end it tells those who ask for what is in them.
			const watcher = watchers.add(
				vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*'), false, true, false),
			);
			const follow = (uri: vscode.Uri): void => void (uri.path === folder.uri.path && look());
			watchers.add(watcher.onDidCreate(follow));
			watchers.add(watcher.onDidDelete(follow));
		}
		return watchers;
	}
}

function workspaceFolders(): readonly vscode.WorkspaceFolder[] {
	return vscode.workspace.workspaceFolders ?? [];
}

/** Only what is certain: a disk that does not answer, or a folder that we may not read, is still one. */
async function hasVanished(uri: vscode.Uri): Promise<boolean> {
	if (uri.scheme !== 'file') {
		return false;
	}
	return vscode.workspace.fs.stat(uri).then(({ type }) => (type & vscode.FileType.Directory) === 0, isNotFound);
}

export const workspaceTrust: Trust = {
	isTrusted: () => vscode.workspace.isTrusted,
	onDidGrant: listener => vscode.workspace.onDidGrantWorkspaceTrust(() => listener()),
};
