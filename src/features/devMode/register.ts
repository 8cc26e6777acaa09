/**
 * The feature `devMode`: restarts servers with `dev.watch` when their files change, or when their debugging has failed. Each
 * glob has its own file watcher of the editor, which ignores files that the setting `files.watcherExclude` excludes. A message
 * says that the editor's own MCP support starts servers with `dev`, too.
 */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, Owner, toDisposable } from '../../base/lifecycle.js';
import type { Debugging } from '../../editor/workspace/debugging.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { didUseButton, reportErrors } from '../../editor/commands.js';
import { clock, type Timer } from '../../base/clock.js';
import type { EditorState } from '../../editor/storage/editorState.js';
import { denyEditorAccess, editorAccessSetting } from '../../editor/workspace/config.js';
import { settingText } from '../../editor/workspace/variables.js';
import { watchFiles } from '../../editor/workspace/watchFiles.js';
import { foldersOf } from '../../core/config/devMode.js';
import type { ServerState } from '../../core/servers/serverState.js';

interface DevDeps {
	readonly registry: ServerRegistry;
	readonly debugging: Debugging;
	/** The state of the workspace. */
	readonly state: EditorState;
}

export function registerDevMode({ registry, debugging, state }: DevDeps): Disposable {
	const owned = new DisposableStore();
	owned.add(registerSecondCopies(registry, state));
	const watchers = new Map<Server, Watcher>();
	const drop = (server: Server): void => {
		watchers.get(server)?.dispose();
		watchers.delete(server);
	};
	const update = (): void => {
		const wanted = registry.servers.filter(it => it.state.kind !== 'untrusted' && it.definition.watch !== undefined);
		for (const [server, { globs }] of watchers) {
			if (!wanted.includes(server) || globs.join('\n') !== server.definition.watch?.join('\n')) {
				drop(server);
			}
		}
		for (const server of wanted) {
			if (!watchers.has(server)) {
				watchers.set(server, new Watcher(server, server.definition.watch ?? [], it => registry.label(it)));
			}
		}
	};
	owned.add(registry.onDidChange(server => (server === undefined || !watchers.has(server)) && update()));
	owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => [...watchers.keys()].forEach(drop)));
	owned.add(debugging.onDidFail(definition => void registry.serverOf(definition)?.restart(false)));
	owned.add(toDisposable(() => [...watchers.keys()].forEach(drop)));
	return owned;
}

/** Says once in a window that a server runs twice, because the editor starts each server with `dev` in `.vscode/mcp.json`. */
export function registerSecondCopies(
	registry: Pick<ServerRegistry, 'servers' | 'label' | 'onDidChange'>,
	state: EditorState,
): Disposable {
	let isReported = state.get('secondCopyTold') === true;
	return registry.onDidChange(() => {
		const server = isReported ? undefined : registry.servers.find(runsTwice);
		if (server) {
			isReported = true;
			void reportErrors(() => reportSecondCopy(registry.label(server), state));
		}
	});
}

function runsTwice({ state, definition: { source, launch, watch } }: Server): boolean {
	const hasDev = watch !== undefined || (launch.kind === 'stdio' && launch.debug !== undefined);
	const isOurs = hasDev && state.kind === 'running' && source.kind === 'vscodeFolder';
	// Editors without the setting are older, and don't start servers because of `dev`.
	return isOurs && (settingText(editorAccessSetting, source) ?? 'none') !== 'none';
}

async function reportSecondCopy(label: string, state: EditorState): Promise<void> {
	const { t } = vscode.l10n;
	const [switchOff, never] = [t('Switch Off for This Workspace'), t("Don't Show Again")];
	const message = t(
		'{0} runs twice: the MCP support of {1} starts every server with "dev" in .vscode/mcp.json, too.',
		label,
		vscode.env.appName,
	);
	const chosen = await vscode.window.showInformationMessage(message, switchOff, never);
	if (chosen === switchOff) {
		await denyEditorAccess();
	} else if (chosen === never) {
		await state.update('secondCopyTold', true);
	}
}

/** Milliseconds without a change before the restart, because a build writes many files one after another. */
const settleMs = 300;
/** Milliseconds after the first change within which the server is restarted in any case. */
const maxSettleMs = 3000;
/** Number of files that are searched for in a new folder. */
const maxFound = 1000;

/** Restarts one server when its files change. */
class Watcher extends Owner {
	private readonly watchers = this.own(new DisposableStore());
	private readonly changed = new Set<string>();
	/** Changed files that a glob with `!` excludes. */
	private readonly excluded = new Set<string>();
	private timer: Timer | undefined;
	private firstChange = 0;
	private isRestarting = false;

	constructor(
		private readonly server: Server,
		readonly globs: readonly string[],
		private readonly label: (server: Server) => string,
	) {
		super();
		this.watch();
	}

	override dispose(): void {
		clock.clearTimeout(this.timer);
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

	/** Searches new folders for files, because the editor reports only the folder if it is created together with files. */
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
		// The search of a new folder may end after this watcher was disposed.
		if (this.owned.isDisposed || !(this.isRestarting || isWanted(this.server.state))) {
			return;
		}
		(isExcluding ? this.excluded : this.changed).add(uri.toString());
		const now = clock.elapsed();
		this.firstChange = this.timer === undefined ? now : this.firstChange;
		clock.clearTimeout(this.timer);
		this.timer = clock.setTimeout(() => this.settle(), Math.min(settleMs, this.firstChange + maxSettleMs - now));
	}

	private settle(): void {
		this.timer = undefined;
		if (this.isRestarting) {
			// `restart` continues with the changes once it has ended.
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
		void this.restart(more.length > 0 ? `${path} and ${more.length} more` : path);
	}

	/** Says that inputs are needed. If consent is needed, the list of pending requests says so. */
	private async reportNeededInput(): Promise<void> {
		const { t } = vscode.l10n;
		const start = t('Start');
		const message = t('{0} needs input values before it can restart.', this.label(this.server));
		if ((await vscode.window.showInformationMessage(message, start)) === start) {
			didUseButton();
			await this.server.start();
		}
	}

	private async restart(what: string): Promise<void> {
		this.isRestarting = true;
		try {
			this.server.log.info(`Restarting: ${what} changed.`);
			const state = await this.server.restart(false);
			if (state.kind === 'waiting' && state.what === 'input') {
				void reportErrors(() => this.reportNeededInput());
			}
		} finally {
			this.isRestarting = false;
			if (this.changed.size > 0 && !this.owned.isDisposed && this.timer === undefined) {
				this.settle();
			}
		}
	}
}

/** Whether a change restarts the server: not if the person has stopped it, but also if it has failed. */
function isWanted({ kind }: ServerState): boolean {
	return kind === 'running' || kind === 'starting' || kind === 'reconnecting' || kind === 'failed';
}
