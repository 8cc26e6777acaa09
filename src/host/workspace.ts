/** The editor's workspace as the model sees it: folders as roots, and trust. */
import * as vscode from 'vscode';
import type { Roots, Trust } from '../model/serverPorts.js';

/** Every workspace folder is a root; the client tells servers of those that are files. */
export const workspaceRoots: Roots = {
	list: () => (vscode.workspace.workspaceFolders ?? []).map(({ uri, name }) => ({ uri: uri.toString(), name })),
	onDidChange: listener => vscode.workspace.onDidChangeWorkspaceFolders(() => listener()),
};

export const workspaceTrust: Trust = {
	isTrusted: () => vscode.workspace.isTrusted,
	onDidGrant: listener => vscode.workspace.onDidGrantWorkspaceTrust(() => listener()),
};
