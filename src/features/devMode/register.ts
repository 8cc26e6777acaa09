/** The feature `devMode`: restarts servers with `dev.watch` when their files change, or when their debugging has failed. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore, toDisposable } from '../../base/lifecycle.js';
import type { Debugging } from '../../editor/workspace/debugging.js';
import { notificationText } from '../../editor/ui/plainText.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { Watcher } from './watcher.js';

export interface DevDeps {
	readonly registry: ServerRegistry;
	readonly debugging: Debugging;
}

export function registerDevMode({ registry, debugging }: DevDeps): Disposable {
	const owned = new DisposableStore();
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
				const watcher: Watcher = new Watcher(server, server.definition.watch ?? [], path => {
					void tellLoop(registry.label(server), path, () => watchers.get(server) === watcher && watcher.watchAgain());
				});
				watchers.set(server, watcher);
			}
		}
	};
	owned.add(registry.onDidChange(server => (server === undefined || !watchers.has(server)) && update()));
	owned.add(vscode.workspace.onDidChangeWorkspaceFolders(() => [...watchers.keys()].forEach(drop)));
	owned.add(debugging.onDidFail(definition => void registry.serverOf(definition)?.restart(false)));
	owned.add(toDisposable(() => [...watchers.keys()].forEach(drop)));
	return owned;
}

async function tellLoop(name: string, path: string, watchAgain: () => void): Promise<void> {
	const { t } = vscode.l10n;
	const again = t('Watch Again');
	const message = t(
		'The files of {0} are no longer watched because {1} changes at every start, probably by the server itself. Exclude such files in "watch".',
		notificationText(name),
		notificationText(path),
	);
	if ((await vscode.window.showWarningMessage(message, again)) === again) {
		watchAgain();
	}
}
