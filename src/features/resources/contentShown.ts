/** Decides which of the editor's views shows a content, and which extension its name needs for that view. */
import type { ReadContent } from '../../core/resources/resourceContents.js';
import { extensionOf, hasViewer, isReadable, plainMimeType } from '../../core/resources/contentView.js';
import { checkMedia } from '../../editor/documents/media.js';

export type Shown =
	/** `extension` is added to the name, because the editor chooses its viewer by the name. */
	| { readonly kind: 'editor'; readonly extension: string | undefined }
	/** The editor can't show it. */
	| { readonly kind: 'none'; readonly what: 'pdf' | 'media' | 'binary'; readonly extension: string | undefined }
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
		return { kind: 'none', what: 'pdf', extension: 'pdf' };
	}
	if (isReadable({ ...content, mimeType: check.kind === 'mismatch' ? undefined : mimeType })) {
		return { kind: 'editor', extension: hasViewer(name) ? 'txt' : undefined };
	}
	if (check.kind === 'mismatch') {
		return { kind: 'mislabelled', mimeType };
	}
	const extension = extensionOf(mimeType);
	return extension === undefined || extension === 'pdf'
		? { kind: 'none', what: 'binary', extension: undefined }
		: forViewer(name, extension);
}

function forViewer(name: string, extension: string): Shown {
	if (!hasViewer(`x.${extension}`)) {
		return { kind: 'none', what: 'media', extension };
	}
	return { kind: 'editor', extension: hasViewer(name) ? undefined : extension };
}

function isPdf(bytes: Uint8Array): boolean {
	return String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-';
}
