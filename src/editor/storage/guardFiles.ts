/**
 * Locations of policy files, lock files, and stored tool definitions. Policy and lock are beside the file that defines
 * the server, and in our storage for servers in the person's settings. Definitions of tools that ran are always in our
 * storage.
 */
import * as vscode from 'vscode';
import { sha256 } from '../../base/hash.js';
import { textLimits } from '../../mcp/index.js';
import { isCanceledByEditor, WindowClosingError } from '../../core/servers/closing.js';
import type { ConfigSource, ServerDefinition } from '../../core/config/serverDefinition.js';
import { readBoundedText } from '../documents/boundedFile.js';
import { assertUnlinked, isNotFound } from '../documents/unlinkedFiles.js';
import type { StoredFile } from './stateKeys.js';

export type GuardFile = Extract<StoredFile, 'mcp-policy.json' | 'mcp-lock.json'>;

/** The extension's storage folders. The one of the workspace exists only if a folder is open. */
export type Storage = Pick<vscode.ExtensionContext, 'globalStorageUri' | 'storageUri'>;

/** The members of a definition that locate its files. */
export type Guarded = Pick<ServerDefinition, 'id' | 'source'>;

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
			return ownGuardFile(file, storage);
	}
}

/** The file for the servers in the person's settings. */
export function ownGuardFile(file: GuardFile, storage: Storage): vscode.Uri {
	return vscode.Uri.joinPath(storage.globalStorageUri, file);
}

/**
 * The stored definitions of a server's tools as they last ran: a lock file in our storage, which no repository can
 * change. Servers in the person's settings have one for all workspaces.
 */
export async function seenFileOf({ id, source }: Guarded, storage: Storage): Promise<vscode.Uri> {
	const folder = source.kind === 'userSettings' ? storage.globalStorageUri : storage.storageUri;
	const name = 'seenTools' satisfies StoredFile;
	return vscode.Uri.joinPath(folder ?? storage.globalStorageUri, name, `${await sha256(id)}.json`);
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
