/**
 * Where the policy and the lock of a server stand: with what defines it. Those of the person's own servers are in our
 * storage, since settings have no folder. Definitions of tools that were run are always in our storage.
 */
import * as vscode from 'vscode';
import { sha256 } from '../base/hash.js';
import { textLimits } from '../mcp/index.js';
import { isHungUp, WindowClosingError } from '../model/closing.js';
import type { ConfigSource, ServerDefinition } from '../model/serverDefinition.js';
import { readBoundedText } from './boundedFile.js';
import { assertUnlinked, isNotFound } from './unlinkedFiles.js';
import type { StoredFile } from './keptKeys.js';

export type GuardFile = Extract<StoredFile, 'mcp-policy.json' | 'mcp-lock.json'>;

/** Folders of ours; that of the workspace is there if a folder is open. */
export type Storage = Pick<vscode.ExtensionContext, 'globalStorageUri' | 'storageUri'>;

/** What tells where the files of a server are. */
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

/** For the servers in the person's settings. */
export function ownGuardFile(file: GuardFile, storage: Storage): vscode.Uri {
	return vscode.Uri.joinPath(storage.globalStorageUri, file);
}

/**
 * What the tools of a server were when they were last run: a lock file in our storage, which no repository can change.
 * The person's own servers have one for all workspaces.
 */
export async function seenFileOf({ id, source }: Guarded, storage: Storage): Promise<vscode.Uri> {
	const folder = source.kind === 'userSettings' ? storage.globalStorageUri : storage.storageUri;
	const name = 'seenTools' satisfies StoredFile;
	return vscode.Uri.joinPath(folder ?? storage.globalStorageUri, name, `${await sha256(id)}.json`);
}

/**
 * The text of a file; empty if there is none.
 * @throws LinkedFileError, RefusedFileError
 * @throws if it cannot be read: it may say anything
 * @throws WindowClosingError where nobody reads any more: it says nothing, and must not be taken for broken
 */
export async function readGuardFile(uri: vscode.Uri): Promise<string> {
	try {
		await assertUnlinked(uri);
		return await readBoundedText(uri, uri.path.endsWith('policy.json') ? textLimits.configFile : textLimits.lockFile);
	} catch (error) {
		if (isNotFound(error)) {
			return '';
		}
		throw isHungUp(error) ? new WindowClosingError() : error;
	}
}
