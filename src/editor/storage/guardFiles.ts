/**
 * Locations of policy and lock files: both are beside the file that defines the server. For servers in the person's
 * settings, the policy is in our storage, and there is no lock file.
 */
import * as vscode from 'vscode';
import { textLimits } from '../../mcp/index.js';
import { isCanceledByEditor, WindowClosingError } from '../../core/servers/closing.js';
import type { ConfigSource, ServerDefinition } from '../../core/config/serverDefinition.js';
import { assertUnlinked, isNotFound, readBoundedText } from '../documents/repositoryFiles.js';
import type { StoredFile } from './editorState.js';

const policyFile: StoredFile = 'mcp-policy.json';

/** The extension's storage folders. The one of the workspace exists only if a folder is open. */
export type Storage = Pick<vscode.ExtensionContext, 'globalStorageUri' | 'storageUri'>;

/** The policy file that decides about the servers of a source. */
export function policyFileOf(source: ConfigSource, storage: Storage): vscode.Uri {
	const folder = folderOf(source) ?? (source.kind === 'workspaceFile' ? storage.storageUri : undefined);
	return folder ? vscode.Uri.joinPath(folder, policyFile) : ownPolicyFile(storage);
}

/** The policy file for the servers in the person's settings. */
export function ownPolicyFile(storage: Storage): vscode.Uri {
	return vscode.Uri.joinPath(storage.globalStorageUri, policyFile);
}

/** The lock file of a server; `undefined` for servers outside of a workspace. */
export function lockFileOf({ source }: Pick<ServerDefinition, 'source'>): vscode.Uri | undefined {
	const folder = folderOf(source);
	return folder && vscode.Uri.joinPath(folder, 'mcp-lock.json');
}

/** The folder for files beside a server's definition. */
function folderOf(source: ConfigSource): vscode.Uri | undefined {
	switch (source.kind) {
		case 'vscodeFolder':
		case 'projectRoot':
			return vscode.Uri.joinPath(vscode.Uri.parse(source.folderUri), '.vscode');
		case 'workspaceFile': {
			const uri = vscode.Uri.parse(source.uri);
			return uri.scheme === 'untitled' ? undefined : vscode.Uri.joinPath(uri, '..');
		}
		case 'userSettings':
			return undefined;
	}
}

/**
 * The text of a file; empty if there is none.
 * @throws LinkedFileError, RefusedFileError
 * @throws vscode.FileSystemError if it can't be read; callers must treat the file as broken
 * @throws WindowClosingError if the window closes during the read; callers must not treat the file as broken
 */
export async function readGuardFile(uri: vscode.Uri): Promise<string> {
	try {
		await assertUnlinked(uri);
		return await readBoundedText(uri, uri.path.endsWith('policy.json') ? textLimits.configFile : textLimits.lockFile);
	} catch (error) {
		if (isNotFound(error)) {
			return '';
		}
		throw isCanceledByEditor(error) ? new WindowClosingError() : error;
	}
}
