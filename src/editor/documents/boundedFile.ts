/**
 * Reads files that a repository may have put there. A link in a repository may lead to a device or a pipe that never
 * ends, so nothing is opened that is not known to be a regular file within its limit.
 */
import * as vscode from 'vscode';

export type FileProblem =
	/** A folder, a device, a pipe or a socket. */
	{ readonly code: 'notRegular' } | { readonly code: 'tooLarge'; readonly maxBytes: number };

/** A file that is there and is not read. */
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
 * The bytes of a file, or of the file that a link leads to.
 * @throws RefusedFileError
 * @throws vscode.FileSystemError if there is none, or it cannot be read
 */
export async function readBoundedFile(uri: vscode.Uri, maxBytes: number): Promise<Uint8Array> {
	const { size } = await assertBoundedFile(uri, maxBytes);
	// Files of /proc have no size, and some of them no end.
	const bytes = size === 0 && uri.scheme === 'file' ? new Uint8Array() : await vscode.workspace.fs.readFile(uri);
	if (bytes.length > maxBytes) {
		throw new RefusedFileError(uri, { code: 'tooLarge', maxBytes });
	}
	return bytes;
}

/** As `readBoundedFile`, for what is read by the editor. */
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

/** As `readBoundedFile`, as text in UTF-8 without a byte order mark. */
export async function readBoundedText(uri: vscode.Uri, maxBytes: number): Promise<string> {
	return new TextDecoder().decode(await readBoundedFile(uri, maxBytes));
}
