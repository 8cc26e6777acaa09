/**
 * Reads files that can come from a repository. A link in a repository can lead to a device or an endless pipe, so a
 * file is only opened after a check that it is a regular file within its size limit.
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
