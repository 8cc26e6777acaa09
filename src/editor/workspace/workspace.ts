/** The editor's workspace as the core sees it: folders as roots, and trust. */
import * as vscode from 'vscode';
import { Emitter, Owner } from '../../base/lifecycle.js';
import type { Root } from '../../mcp/index.js';
import { type JudgedFolder, judgeFolders, rootsOf } from '../../core/servers/roots.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Roots, Trust } from '../../core/servers/serverPorts.js';
import type { FolderPresence } from './folderPresence.js';

/** Lists of folders by name or URI: a server is told of the folders that are in all of them. */
export type FolderChoices = (server: ServerDefinition) => readonly (readonly string[])[];

/** Folders as roots, without those that are missing on the disk. Before the first server runs, nothing is watched. */
export class WorkspaceRoots extends Owner implements Roots {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange = this._onDidChange.event;

	constructor(
		private readonly presence: FolderPresence,
		private readonly choices: FolderChoices,
		onDidChangeChoices: (listener: () => void) => vscode.Disposable,
	) {
		super();
		const fire = (): void => this._onDidChange.fire();
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(fire));
		this.own(presence.onDidChange(fire));
		this.own(onDidChangeChoices(fire));
	}

	/** Every workspace folder, and whether the server is told of it. */
	folders(server: ServerDefinition): readonly JudgedFolder[] {
		const folders = vscode.workspace.workspaceFolders ?? [];
		const named = folders.map(({ uri, name }) => ({ uri: uri.toString(), name }));
		return judgeFolders(named, this.presence.missing, this.choices(server));
	}

	list(server: ServerDefinition): readonly Root[] {
		return rootsOf(this.folders(server));
	}

	async refresh(): Promise<void> {
		this.presence.watch();
		await this.presence.refresh();
	}
}

/** Needed for every server, also those of the person's own settings: roots and variables of the workspace reach them. */
export const workspaceTrust: Trust = {
	isTrusted: () => vscode.workspace.isTrusted,
	onDidGrant: listener => vscode.workspace.onDidGrantWorkspaceTrust(() => listener()),
};
