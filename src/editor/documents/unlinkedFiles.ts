/**
 * Checks for our files in folders that others fill, such as a repository. Such files are neither read for a decision nor
 * written through a symbolic link, which may lead anywhere on the machine. Every writer calls `assertUnlinked` first.
 */
import * as vscode from 'vscode';

/** A file, or the `.vscode` folder it is in, is a symbolic link. */
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
 * The folder itself may be reached through links: the person has opened it there.
 * @throws LinkedFileError
 * @throws vscode.FileSystemError if that cannot be told
 */
export async function assertUnlinked(uri: vscode.Uri): Promise<void> {
	const folder = vscode.Uri.joinPath(uri, '..');
	for (const part of nameOf(folder) === '.vscode' ? [folder, uri] : [uri]) {
		if (await isLink(part)) {
			throw new LinkedFileError(part);
		}
	}
}

/** A link that leads nowhere is one as well: writing to it would make a file elsewhere. */
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

/** Whether there is anything at the URI that the file system can look at. Never rejects. */
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
