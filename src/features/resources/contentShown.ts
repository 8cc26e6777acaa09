/** How one content is shown: in which of the editor's views, and under which name for that. */
import type { ReadContent } from '../../core/resources/resourceContents.js';
import { extensionOf, hasViewer, isReadable, plainMimeType } from '../../core/resources/contentView.js';
import { checkMedia } from '../../editor/documents/media.js';

export type Shown =
	/** @param extension is added to the name, so that the editor takes its view for it */
	| { readonly kind: 'editor'; readonly extension: string | undefined }
	/** The editor shows none of these. */
	| { readonly kind: 'none'; readonly what: 'pdf' | 'media' | 'binary'; readonly extension: string | undefined }
	/** It is not what the server calls it, and nothing else that could be shown. */
	| { readonly kind: 'mislabelled'; readonly mimeType: string };

export function shownAs(content: ReadContent, name: string): Shown {
	const mimeType = plainMimeType(content.mimeType);
	const isSvg = mimeType === 'image/svg+xml';
	if (content.isText || isSvg) {
		// A viewer of pictures would only say that it is none.
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
