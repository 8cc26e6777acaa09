/** Contents that the editor can't show: saving them, or opening them with another program. */
import * as vscode from 'vscode';
import type { ReadContent } from '../../core/resources/resourceContents.js';
import { saveBytes } from '../../editor/documents/export.js';
import type { StoredFile } from '../../editor/storage/stateKeys.js';
import { describeSize } from '../../editor/l10n/messages.js';
import { notificationText } from '../../editor/ui/plainText.js';
import type { Shown } from './contentShown.js';
import { readableName } from '../../editor/documents/resourceUri.js';

const { t } = vscode.l10n;

/** Temporary files for other programs. The first one of a window removes those of earlier windows. */
export class ExternalFiles {
	private cleaned: Promise<unknown> | undefined;
	private count = 0;

	/** @param storage the folder that holds `opened` */
	constructor(private readonly storage: vscode.Uri) {}

	/** Writes a file into a folder of its own, because many resources have the same name. */
	async write(name: string, bytes: Uint8Array): Promise<vscode.Uri> {
		const { fs } = vscode.workspace;
		const folder = vscode.Uri.joinPath(this.storage, 'opened' satisfies StoredFile);
		this.cleaned ??= Promise.resolve(fs.delete(folder, { recursive: true })).catch(() => undefined);
		await this.cleaned;
		const file = vscode.Uri.joinPath(folder, String(++this.count), name);
		await fs.writeFile(file, bytes);
		return file;
	}
}

/** Tells why a content isn't shown, and offers to save it or open it elsewhere. Resolves when that is done or declined. */
export async function offerAlternatives(
	content: ReadContent,
	shown: Exclude<Shown, { kind: 'editor' }>,
	serverName: string,
	files: ExternalFiles,
): Promise<void> {
	const save = t('Save As…');
	const external = t('Open Externally');
	// The operating system chooses the program by the extension. Only extensions of documents are used, so nothing is run.
	const extension = shown.kind === 'none' ? shown.extension : undefined;
	const canOpen = extension !== undefined && vscode.env.remoteName === undefined;
	const actions = canOpen ? [save, external] : [save];
	const choice = await vscode.window.showInformationMessage(describeUnshown(content, shown, serverName), ...actions);
	const name = fileNameFor(content, extension);
	if (choice === save) {
		await saveBytes(name, () => content.bytes);
	} else if (choice === external) {
		await vscode.env.openExternal(await files.write(name, content.bytes));
	}
}

/** The file name of a content, with the extension of its type. */
export function fileNameFor({ uri }: ReadContent, extension: string | undefined): string {
	const name = readableName(uri).replaceAll(/[/\\:]/g, '_');
	return extension === undefined || name.toLowerCase().endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}

function describeUnshown(content: ReadContent, shown: Exclude<Shown, { kind: 'editor' }>, serverName: string): string {
	const server = notificationText(serverName);
	const name = notificationText(readableName(content.uri));
	const size = describeSize(content.bytes.length);
	if (shown.kind === 'mislabelled') {
		return t(
			'{0}: "{1}" ({2}) doesn\'t have the type that the server states: {3}.',
			server,
			name,
			size,
			notificationText(shown.mimeType),
		);
	}
	switch (shown.what) {
		case 'pdf':
			return t('{0}: "{1}" is a PDF document ({2}), which the editor can\'t display.', server, name, size);
		case 'media':
			return t('{0}: "{1}" is a media file ({2}) that the editor can\'t display.', server, name, size);
		case 'binary':
			return t('{0}: "{1}" is a binary file ({2}) that the editor can\'t display.', server, name, size);
	}
}
