/** What the editor does not show, for other programs: as a file, or opened by what the machine has for it. */
import * as vscode from 'vscode';
import type { ReadContent } from '../../core/resources/resourceContents.js';
import { saveBytes } from '../../editor/documents/export.js';
import type { StoredFile } from '../../editor/storage/keptKeys.js';
import { describeSize } from '../../editor/l10n/messages.js';
import { notificationText } from '../../editor/ui/plainText.js';
import type { Shown } from './contentShown.js';
import { readableName } from '../../editor/documents/resourceUri.js';

const { t } = vscode.l10n;

/** Files for other programs. Those of earlier windows are removed when the first is made. */
export class ExternalFiles {
	private cleaned: Promise<unknown> | undefined;
	private count = 0;

	/** @param storage the folder that holds `opened` */
	constructor(private readonly storage: vscode.Uri) {}

	/** Each has a folder of its own: many resources have the same name. */
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

/** Says why it is not shown, and offers what can be done instead. Resolves when the person has chosen, or not. */
export async function offerOthers(
	content: ReadContent,
	shown: Exclude<Shown, { kind: 'editor' }>,
	serverName: string,
	files: ExternalFiles,
): Promise<void> {
	const save = t('Save As…');
	const external = t('Open Externally');
	// A program that the machine starts for a file is chosen by its extension: only those of documents, never one that
	// runs something.
	const extension = shown.kind === 'none' ? shown.extension : undefined;
	const canOpen = extension !== undefined && vscode.env.remoteName === undefined;
	const actions = canOpen ? [save, external] : [save];
	const choice = await vscode.window.showInformationMessage(describe(content, shown, serverName), ...actions);
	const name = nameWith(content, extension);
	if (choice === save) {
		await saveBytes(name, () => content.bytes);
	} else if (choice === external) {
		await vscode.env.openExternal(await files.write(name, content.bytes));
	}
}

/** Its own name, with the extension of its type. */
export function nameWith({ uri }: ReadContent, extension: string | undefined): string {
	const name = readableName(uri).replaceAll(/[/\\:]/g, '_');
	return extension === undefined || name.toLowerCase().endsWith(`.${extension}`) ? name : `${name}.${extension}`;
}

function describe(content: ReadContent, shown: Exclude<Shown, { kind: 'editor' }>, serverName: string): string {
	const server = notificationText(serverName);
	const name = notificationText(readableName(content.uri));
	const size = describeSize(content.bytes.length);
	if (shown.kind === 'mislabelled') {
		return t(
			'{0}: "{1}" ({2}) is not the {3} that the server calls it.',
			server,
			name,
			size,
			notificationText(shown.mimeType),
		);
	}
	switch (shown.what) {
		case 'pdf':
			return t('{0}: "{1}" is a PDF document ({2}), which the editor does not show.', server, name, size);
		case 'media':
			return t(
				'{0}: "{1}" is a recording or picture ({2}) of a kind that the editor does not show.',
				server,
				name,
				size,
			);
		case 'binary':
			return t('{0}: "{1}" is not text ({2}), and nothing that the editor shows.', server, name, size);
	}
}
