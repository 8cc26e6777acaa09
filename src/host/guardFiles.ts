/**
 * Where the policy and the lock of a server stand: with what defines it. Those of the person's own servers are in our
 * storage, since settings have no folder.
 */
import * as vscode from 'vscode';
import { isHungUp, WindowClosingError } from '../model/closing.js';
import type { StoredFile } from './keptKeys.js';
import type { ConfigSource } from '../model/serverDefinition.js';

export type GuardFile = Extract<StoredFile, 'mcp-policy.json' | 'mcp-lock.json'>;

/** Folders of ours; that of the workspace is there if a folder is open. */
export type Storage = Pick<vscode.ExtensionContext, 'globalStorageUri' | 'storageUri'>;

export function guardFileOf(source: ConfigSource, file: GuardFile, storage: Storage): vscode.Uri {
	switch (source.kind) {
		case 'vscodeFolder':
		case 'projectRoot':
			return vscode.Uri.joinPath(vscode.Uri.parse(source.folderUri), '.vscode', file);
		case 'workspaceFile': {
			const uri = vscode.Uri.parse(source.uri);
			return uri.scheme === 'untitled'
				? vscode.Uri.joinPath(storage.storageUri ?? storage.globalStorageUri, file)
				: vscode.Uri.joinPath(uri, '..', file);
		}
		case 'userSettings':
			return vscode.Uri.joinPath(storage.globalStorageUri, file);
	}
}

/**
 * The text of a file; empty if there is none.
 * @throws if it cannot be read: it may say anything
 * @throws WindowClosingError where nobody reads any more: it says nothing, and must not be taken for broken
 */
export async function readGuardFile(uri: vscode.Uri): Promise<string> {
	try {
		return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
	} catch (error) {
		if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') {
			return '';
		}
		throw isHungUp(error) ? new WindowClosingError() : error;
	}
}
