/** Implements the core's ports to the workspace: folders as roots, and Workspace Trust. */
import * as vscode from 'vscode';
import { Emitter, Owner } from '../../base/lifecycle.js';
import type { Root } from '../../mcp/index.js';
import { type JudgedFolder, judgeFolders, rootsOf } from '../../core/servers/roots.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Roots, Trust } from '../../core/servers/serverPorts.js';
import { onDidChangeSetting } from './config.js';
import type { FolderPresence } from './folderPresence.js';
import { serverOptions } from './serverOptions.js';

/** Workspace folders as roots. The disk is watched from the first `refresh`, which the first running server calls. */
export class WorkspaceRoots extends Owner implements Roots {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange = this._onDidChange.event;

	constructor(private readonly presence: FolderPresence) {
		super();
		const fire = (): void => this._onDidChange.fire();
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(fire));
		this.own(presence.onDidChange(fire));
		this.own(onDidChangeSetting('tools', fire));
	}

	/** All workspace folders, and whether the server gets them as roots. */
	folders(server: ServerDefinition): readonly JudgedFolder[] {
		const folders = vscode.workspace.workspaceFolders ?? [];
		const named = folders.map(({ uri, name }) => ({ uri: uri.toString(), name }));
		return judgeFolders(named, this.presence.missing, serverOptions(server).folderChoices);
	}

	list(server: ServerDefinition): readonly Root[] {
		return rootsOf(this.folders(server));
	}

	async refresh(): Promise<void> {
		this.presence.watch();
		await this.presence.refresh();
	}
}

/** Also servers of User Settings need trust, because roots and variables of the workspace reach them. */
export const workspaceTrust: Trust = {
	isTrusted: () => vscode.workspace.isTrusted,
	onDidGrant: listener => vscode.workspace.onDidGrantWorkspaceTrust(() => listener()),
};
