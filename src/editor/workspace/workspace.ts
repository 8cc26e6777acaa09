/** Implements the core's ports to the workspace: folders as roots, and Workspace Trust. */
import * as vscode from 'vscode';
import { within } from '../../base/async.js';
import { Emitter, Owner } from '../../base/lifecycle.js';
import type { Root } from '../../mcp/index.js';
import { type JudgedFolder, judgeFolders, normalFileUri, rootsOf } from '../../core/servers/roots.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import type { Roots, Trust } from '../../core/servers/serverPorts.js';
import { isNotFound } from '../documents/repositoryFiles.js';
import { onDidChangeSetting } from './config.js';
import { serverOptions } from './serverOptions.js';

/** Milliseconds after which a disk counts as not responding. */
const statMs = 2000;

/**
 * Workspace folders as roots, without folders that no longer exist on the disk but are still in the workspace. The disk is
 * checked when a server starts or requests the roots, and when the window gets the focus.
 */
export class WorkspaceRoots extends Owner implements Roots {
	private readonly _onDidChange = this.own(new Emitter<void>());
	readonly onDidChange = this._onDidChange.event;

	/** The normalized URIs of the folders that were missing at the last check. */
	private missing: ReadonlySet<string> = new Set();

	constructor() {
		super();
		const fire = (): void => this._onDidChange.fire();
		this.own(vscode.workspace.onDidChangeWorkspaceFolders(fire));
		this.own(onDidChangeSetting('tools', fire));
		this.own(vscode.window.onDidChangeWindowState(({ focused }) => void (focused && this.refresh())));
	}

	/** All workspace folders, and whether the server gets them as roots. */
	folders(server: ServerDefinition): readonly JudgedFolder[] {
		const folders = vscode.workspace.workspaceFolders ?? [];
		const named = folders.map(({ uri, name }) => ({ uri: uri.toString(), name }));
		return judgeFolders(named, this.missing, serverOptions(server).folderChoices);
	}

	list(server: ServerDefinition): readonly Root[] {
		return rootsOf(this.folders(server));
	}

	/** Checks the disk, for 2 s at most. Never rejects. */
	async refresh(): Promise<void> {
		const uris = (vscode.workspace.workspaceFolders ?? []).map(it => it.uri);
		// A folder on a disk that doesn't respond counts as existing.
		const isMissing = await Promise.all(uris.map(async it => (await within(hasVanished(it), statMs)) ?? false));
		const missing = new Set(uris.filter((_, index) => isMissing[index]).map(it => normalFileUri(it.toString()) ?? ''));
		const isChanged = [...missing].join('\n') !== [...this.missing].join('\n');
		this.missing = missing;
		if (isChanged && !this.owned.isDisposed) {
			this._onDidChange.fire();
		}
	}
}

/** Whether a folder no longer exists. A folder that can't be read counts as existing. Never rejects. */
async function hasVanished(uri: vscode.Uri): Promise<boolean> {
	try {
		return uri.scheme === 'file' && ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) === 0;
	} catch (error) {
		return isNotFound(error);
	}
}

/** Also servers of User Settings need trust, because roots and variables of the workspace reach them. */
export const workspaceTrust: Trust = {
	isTrusted: () => vscode.workspace.isTrusted,
	onDidGrant: listener => vscode.workspace.onDidGrantWorkspaceTrust(() => listener()),
};
