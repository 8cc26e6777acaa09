/**
 * Files that can come from a repository. A link in a repository can lead to a device, to an endless pipe, or anywhere on the
 * machine: check that a file is regular and within its size limit before it is opened, and call `assertUnlinked` before one of
 * our own files is written, or read for a decision.
 */
import * as vscode from 'vscode';

export type FileProblem =
	/** A folder, a device, a pipe or a socket. */
	{ readonly code: 'notRegular' } | { readonly code: 'tooLarge'; readonly maxBytes: number };

/** The file exists, but isn't read. */
export class RefusedFileError extends Error {
	override readonly name = 'RefusedFileError';

	constructor(
		readonly uri: vscode.Uri,
		readonly problem: FileProblem,
	) {
		super(problem.code);
	}
}

/**
 * Reads a file, or the file that a link leads to.
 * @throws RefusedFileError
 * @throws vscode.FileSystemError if the file doesn't exist or can't be read
 */
export async function readBoundedFile(uri: vscode.Uri, maxBytes: number): Promise<Uint8Array> {
	const { size } = await assertBoundedFile(uri, maxBytes);
	// Files in /proc report no size, and some of them are endless.
	const bytes = size === 0 && uri.scheme === 'file' ? new Uint8Array() : await vscode.workspace.fs.readFile(uri);
	if (bytes.length > maxBytes) {
		throw new RefusedFileError(uri, { code: 'tooLarge', maxBytes });
	}
	return bytes;
}

/** Makes the checks of `readBoundedFile` for a file that the editor reads. @throws as `readBoundedFile` */
export async function assertBoundedFile(uri: vscode.Uri, maxBytes: number): Promise<vscode.FileStat> {
	const stat = await vscode.workspace.fs.stat(uri);
	if ((stat.type & vscode.FileType.File) === 0) {
		throw new RefusedFileError(uri, { code: 'notRegular' });
	}
	if (stat.size > maxBytes) {
		throw new RefusedFileError(uri, { code: 'tooLarge', maxBytes });
	}
	return stat;
}

/** Reads a file as `readBoundedFile` does, and decodes it as UTF-8 without a byte order mark. */
export async function readBoundedText(uri: vscode.Uri, maxBytes: number): Promise<string> {
	return new TextDecoder().decode(await readBoundedFile(uri, maxBytes));
}

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
