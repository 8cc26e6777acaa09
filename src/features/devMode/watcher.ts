/**
 * Restarts one server when files change that it is made of. The globs are the editor's: each is a watcher of its own.
 * What `files.watcherExclude` takes out is not seen: the editor watches folders of a workspace once, for all.
 */
import * as vscode from 'vscode';
import { DisposableStore, Owner } from '../../base/lifecycle.js';
import { watchFiles } from '../../editor/workspace/watchFiles.js';
import { foldersOf, RestartGuard } from '../../core/config/devMode.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerState } from '../../core/servers/serverState.js';

/** A build writes many files one after another … */
const settleMs = 300;
/** … but not for ever. */
const maxSettleMs = 3000;
/** Of what a new folder holds, so much is enough to restart for. */
const maxFound = 1000;

export class Watcher extends Owner {
	private readonly watchers = this.own(new DisposableStore());
	private readonly changed = new Set<string>();
	/** Taken out again by a glob that begins with `!`. */
	private readonly excluded = new Set<string>();
	private readonly guard = new RestartGuard();
	private timer: ReturnType<typeof setTimeout> | undefined;
	private firstChange = 0;
	private isRestarting = false;
	private isStopped = false;

	/** @param onLoop the server changes its own files, and is not watched any more */
	constructor(
		private readonly server: Server,
		readonly globs: readonly string[],
		private readonly onLoop: (path: string) => void,
	) {
		super();
		this.own(vscode.workspace.onDidSaveTextDocument(() => this.guard.didSave()));
		this.watch();
	}

	/** After `onLoop`, when a person says so. */
	watchAgain(): void {
		this.guard.reset();
		this.isStopped = false;
		this.server.isWatched = true;
	}

	override dispose(): void {
		clearTimeout(this.timer);
		this.server.isWatched = false;
		super.dispose();
	}

	private watch(): void {
		const { folderUri } = this.server.definition.source;
		const folders =
			folderUri === undefined
				? (vscode.workspace.workspaceFolders ?? []).map(it => it.uri)
				: [vscode.Uri.parse(folderUri)];
		for (const folder of folders) {
			for (const glob of this.globs) {
				const isExcluding = glob.startsWith('!');
				const path = (isExcluding ? glob.slice(1) : glob).replace(/^\.\//, '');
				const pattern = new vscode.RelativePattern(folder, path);
				this.watchers.add(watchFiles(pattern, it => this.didChange(it, isExcluding)));
				this.followFolders(folder, path, isExcluding);
			}
		}
		this.server.isWatched = folders.length > 0;
	}

	/** Of a folder that comes with files in it, or gets them at once, the editor tells nothing but the folder itself. */
	private followFolders(base: vscode.Uri, path: string, isExcluding: boolean): void {
		for (const folder of foldersOf(path)) {
			const pattern = new vscode.RelativePattern(base, folder);
			const watcher = this.watchers.add(vscode.workspace.createFileSystemWatcher(pattern, false, true, true));
			const look = async (): Promise<void> => {
				const files = await vscode.workspace.findFiles(new vscode.RelativePattern(base, path), null, maxFound);
				files.forEach(it => this.didChange(it, isExcluding));
			};
			this.watchers.add(
				watcher.onDidCreate(() => look().catch((error: unknown) => this.server.log.warn(`Watching: ${String(error)}`))),
			);
		}
	}

	private didChange(uri: vscode.Uri, isExcluding: boolean): void {
		// The files of a new folder are looked for, and may be found after the end.
		if (this.owned.isDisposed || this.isStopped || !(this.isRestarting || isWanted(this.server.state))) {
			return;
		}
		(isExcluding ? this.excluded : this.changed).add(uri.toString());
		const now = performance.now();
		this.firstChange = this.timer === undefined ? now : this.firstChange;
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.settle(), Math.min(settleMs, this.firstChange + maxSettleMs - now));
	}

	private settle(): void {
		this.timer = undefined;
		if (this.isRestarting) {
			// What came meanwhile waits for its end.
			return;
		}
		const changed = [...this.changed].filter(it => !this.excluded.has(it));
		this.changed.clear();
		this.excluded.clear();
		const [first, ...more] = changed;
		if (first === undefined || !isWanted(this.server.state)) {
			return;
		}
		const path = vscode.workspace.asRelativePath(vscode.Uri.parse(first));
		if (!this.guard.mayRestart(performance.now())) {
			this.isStopped = true;
			this.server.isWatched = false;
			this.server.log.warn(`Not watched any more: ${path} changes at every start, as if the server changed it itself.`);
			this.onLoop(path);
			return;
		}
		void this.restart(more.length > 0 ? `${path} and ${more.length} more` : path);
	}

	private async restart(what: string): Promise<void> {
		this.isRestarting = true;
		try {
			this.server.log.info(`Restarting: ${what} changed.`);
			await this.server.restart(false);
		} finally {
			this.isRestarting = false;
			this.guard.didRestart(performance.now());
			if (this.changed.size > 0 && !this.owned.isDisposed && this.timer === undefined) {
				this.settle();
			}
		}
	}
}

/** What a person has stopped, or has not started, stays so; what failed may work now. */
function isWanted({ kind }: ServerState): boolean {
	return kind === 'running' || kind === 'starting' || kind === 'reconnecting' || kind === 'failed';
}
