/**
 * Rejects symbolic links for files of this extension in folders such as a repository: a link can lead anywhere on the
 * machine. Call `assertUnlinked` before such a file is written, or read for a decision.
 */
import * as vscode from 'vscode';

/** A file, or its `.vscode` folder, is a symbolic link. */
export class LinkedFileError extends Error {
	override readonly name = 'LinkedFileError';

	/** @param uri of the link */
	constructor(readonly uri: vscode.Uri) {
		super(
			vscode.l10n.t(
				'{0} is a symbolic link. Replace the link with a regular file or folder so that MCP Workbench can use it.',
				nameOf(uri),
			),
		);
	}
}

/**
 * Checks a file and its `.vscode` folder. Folders above may be links, because the person has opened them.
 * @throws LinkedFileError
 * @throws vscode.FileSystemError if the check fails
 */
export async function assertUnlinked(uri: vscode.Uri): Promise<void> {
	const folder = vscode.Uri.joinPath(uri, '..');
	for (const part of nameOf(folder) === '.vscode' ? [folder, uri] : [uri]) {
		if (await isLink(part)) {
			throw new LinkedFileError(part);
		}
	}
}

/** Also true for a broken link: writing to it would create a file elsewhere. */
async function isLink(uri: vscode.Uri): Promise<boolean> {
	try {
		const { type } = await vscode.workspace.fs.stat(uri);
		return (type & vscode.FileType.SymbolicLink) !== 0;
	} catch (error) {
		if (isNotFound(error)) {
			return false;
		}
		throw error;
	}
}

/** Whether a file or folder exists. Never rejects. */
export async function exists(uri: vscode.Uri): Promise<boolean> {
	return vscode.workspace.fs.stat(uri).then(
		() => true,
		() => false,
	);
}

/** Whether an error of the file system says that there is no such file. */
export function isNotFound(error: unknown): boolean {
	return error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
}

function nameOf({ path }: vscode.Uri): string {
	return path.slice(path.lastIndexOf('/') + 1);
}
