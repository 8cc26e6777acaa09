/** The feature `roots`: the workspace folders that are exposed to each server, in the tree and in its options. */
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/lifecycle.js';
import { TreeContexts } from '../../editor/contributions.js';
import { describeNumber } from '../../editor/l10n/messages.js';
import { warningIcon } from '../../editor/tree/treeItems.js';
import type { ServersTree } from '../../editor/tree/tree.js';
import type { GroupSummary, LeafLook } from '../../editor/tree/treeNodes.js';
import type { ServerActions } from '../../editor/ui/serverActions.js';
import type { WorkspaceRoots } from '../../editor/workspace/workspace.js';
import type { ListState } from '../../core/servers/catalog.js';
import { isExposed, type JudgedFolder } from '../../core/servers/roots.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { askForFolders, describeFolder, expose } from './chooseFolders.js';

export interface RootsDeps {
	readonly registry: ServerRegistry;
	readonly tree: ServersTree;
	readonly roots: WorkspaceRoots;
	readonly serverActions: ServerActions;
}

export function registerRoots({ registry, tree, roots, serverActions }: RootsDeps): Disposable {
	const owned = new DisposableStore();
	owned.add(registerRootsGroup(tree, roots));
	owned.add(
		serverActions.register({
			icon: 'root-folder',
			label: () => vscode.l10n.t('Exposed Folders…'),
			value: server => describeExposed(server, roots.folders(server.definition)),
			suits: () => vscode.workspace.workspaceFolders !== undefined,
			run: server => askForFolders(registry, roots, server),
		}),
	);
	return owned;
}

function describeExposed({ options }: Server, folders: readonly JudgedFolder[]): string {
	const { t } = vscode.l10n;
	const names = folders.filter(isExposed).map(it => it.name);
	return options.folderChoices.length === 0 ? t('All') : names.join(', ') || t('None');
}

function registerRootsGroup(tree: ServersTree, roots: WorkspaceRoots): Disposable {
	const list = createList(roots);
	return tree.registerGroup<JudgedFolder>({
		id: 'roots',
		order: 50,
		label: vscode.l10n.t('Exposed Folders'),
		icon: 'root-folder',
		list: (_, server) => list(server),
		onDidChange: roots.onDidChange,
		summary: summarize,
		describe: lookOf,
		check: async (server, checked) => {
			const folders = roots.folders(server.definition);
			const wanted = folders.filter(folder => {
				const change = [...checked].find(([{ uri }]) => uri === folder.uri);
				return change ? change[1] : folder.isChosen;
			});
			await expose(folders, server, wanted);
		},
	});
}

/** Gives the same object for equal lists, because the tree asks for it at each change and compares by identity. */
function createList(roots: WorkspaceRoots): (server: Server) => ListState<JudgedFolder> {
	const known = new WeakMap<Server, { readonly text: string; readonly state: ListState<JudgedFolder> }>();
	return server => {
		const items = roots.folders(server.definition);
		const text = JSON.stringify(items);
		const before = known.get(server);
		if (before?.text === text) {
			return before.state;
		}
		const state = { kind: 'loaded', items } as const;
		known.set(server, { text, state });
		return state;
	};
}

function summarize(_: Server, folders: readonly JudgedFolder[]): GroupSummary {
	const { t } = vscode.l10n;
	const exposed = describeNumber(folders.filter(isExposed).length);
	const all = describeNumber(folders.length);
	return {
		description: t('{0} of {1}', exposed, all),
		tooltip: t('Workspace folders exposed to the server (roots)'),
	};
}

function lookOf(folder: JudgedFolder): LeafLook {
	const { t } = vscode.l10n;
	const { name, uri, obstacle } = folder;
	return {
		key: uri,
		label: name,
		description: describeFolder(folder),
		tooltip: uri,
		icon: obstacle === 'vanished' ? warningIcon() : new vscode.ThemeIcon('folder'),
		context: TreeContexts.root,
		checkbox: obstacle
			? undefined
			: {
					isChecked: isExposed(folder),
					tooltip: isExposed(folder) ? t('Hide this folder from the server') : t('Expose this folder to the server'),
				},
	};
}
