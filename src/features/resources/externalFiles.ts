/**
 * Decides which of the editor's views shows a content, and which extension its name needs for that view. Contents that the
 * editor can't show are saved, or opened with another program.
 */
import * as vscode from 'vscode';
import type { ReadContent } from '../../core/resources/resourceContents.js';
import { saveBytes } from '../../editor/documents/export.js';
import type { StoredFile } from '../../editor/storage/editorState.js';
import { describeSize } from '../../editor/l10n/messages.js';
import { notificationText } from '../../editor/ui/plainText.js';
import { readableName } from '../../editor/documents/resourceUri.js';
import { extensionOf, hasViewer, isReadable, plainMimeType } from '../../core/resources/contentView.js';
import { checkMedia } from '../../editor/documents/media.js';

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
	serverLabel: string,
	files: ExternalFiles,
): Promise<void> {
	const save = t('Save As…');
	const external = t('Open Externally');
	// The operating system chooses the program by the extension. Only extensions of documents are used, so nothing is run.
	const extension = shown.kind === 'none' ? shown.extension : undefined;
	const canOpen = extension !== undefined && vscode.env.remoteName === undefined;
	const actions = canOpen ? [save, external] : [save];
	const choice = await vscode.window.showInformationMessage(describeUnshown(content, shown, serverLabel), ...actions);
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

function describeUnshown(content: ReadContent, shown: Exclude<Shown, { kind: 'editor' }>, serverLabel: string): string {
	const name = notificationText(readableName(content.uri));
	const size = describeSize(content.bytes.length);
	if (shown.kind === 'mislabelled') {
		return t(
			'{0}: "{1}" ({2}) doesn\'t have the type that the server states: {3}.',
			serverLabel,
			name,
			size,
			notificationText(shown.mimeType),
		);
	}
	return shown.extension === 'pdf'
		? t('{0}: "{1}" is a PDF document ({2}), which the editor can\'t display.', serverLabel, name, size)
		: t('{0}: "{1}" is a binary file ({2}) that the editor can\'t display.', serverLabel, name, size);
}

type Shown =
	/** `extension` is added to the name, because the editor chooses its viewer by the name. */
	| { readonly kind: 'editor'; readonly extension: string | undefined }
	/** The editor can't show it. */
	| { readonly kind: 'none'; readonly extension: string | undefined }
	/** The bytes aren't of the type that the server declares, and of no other type that the editor shows. */
	| { readonly kind: 'mislabelled'; readonly mimeType: string };

export function chooseView(content: ReadContent, name: string): Shown {
	const mimeType = plainMimeType(content.mimeType);
	const isSvg = mimeType === 'image/svg+xml';
	if (content.isText || isSvg) {
		// A viewer of images can't show text.
		const isMisnamed = hasViewer(name) && !/\.svg$/i.test(name);
		return { kind: 'editor', extension: isMisnamed ? 'txt' : undefined };
	}
	const check = checkMedia(mimeType, content.bytes);
	const type = check.kind === 'shown' ? check.type : check.kind === 'mismatch' ? check.actual : undefined;
	if (type) {
		return forViewer(name, type.extension);
	}
	if (isPdf(content.bytes)) {
		return { kind: 'none', extension: 'pdf' };
	}
	if (isReadable({ ...content, mimeType: check.kind === 'mismatch' ? undefined : mimeType })) {
		return { kind: 'editor', extension: hasViewer(name) ? 'txt' : undefined };
	}
	if (check.kind === 'mismatch') {
		return { kind: 'mislabelled', mimeType };
	}
	const extension = extensionOf(mimeType);
	return extension === undefined || extension === 'pdf'
		? { kind: 'none', extension: undefined }
		: forViewer(name, extension);
}

function forViewer(name: string, extension: string): Shown {
	if (!hasViewer(`x.${extension}`)) {
		return { kind: 'none', extension };
	}
	return { kind: 'editor', extension: hasViewer(name) ? undefined : extension };
}

function isPdf(bytes: Uint8Array): boolean {
	return String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-';
}
