/** Chooses the editor's view, the language and the file extension for contents of resources and results. */
import { tryDecodeBase64 } from '../../base/base64.js';
import type { ResourceContents } from '../../mcp/index.js';

export interface ViewedContent {
	readonly mimeType: string | undefined;
	readonly bytes: Uint8Array;
	readonly isText: boolean;
}

/** Bytes that are checked to recognize text. */
const sampleSize = 8192;

/** Removes parameters: `text/html` for `text/html; charset=utf-8`. */
export function plainMimeType(mimeType: string | undefined): string {
	return (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether the editor can show the content as text: it was sent as text, or its bytes are UTF-8 and its type isn't media. */
export function isReadable({ mimeType, bytes, isText }: ViewedContent): boolean {
	if (isText) {
		return true;
	}
	const type = plainMimeType(mimeType);
	return !/^(image|audio|video|font)\/(?!svg)/.test(type) && type !== 'application/pdf' && isUtf8(bytes);
}

/** The text of a resource, which may have been sent as base64; `undefined` if the editor can't show it as text. */
export function textOfResource({ mimeType, text, blob }: ResourceContents): string | undefined {
	if (text !== undefined || blob === undefined) {
		return text;
	}
	const bytes = tryDecodeBase64(blob);
	return bytes && isReadable({ mimeType, bytes, isText: false }) ? new TextDecoder().decode(bytes) : undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
	const sample = bytes.subarray(0, sampleSize);
	if (sample.includes(0)) {
		return false;
	}
	try {
		// The sample may end inside a character.
		new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: bytes.length > sampleSize });
		return true;
	} catch {
		return false;
	}
}

/** Ids of languages that differ from the name in the MIME type. */
const languages: Readonly<Record<string, string>> = {
	'application/x-ndjson': 'jsonl',
	'application/x-sh': 'shellscript',
	'image/svg+xml': 'xml',
	'text/x-c++': 'cpp',
	'text/x-java-source': 'java',
	'text/x-sh': 'shellscript',
};

/** Types that don't identify a language; the extension of the file's name is used instead. */
const general = new Set(['', 'text/plain', 'application/octet-stream', 'application/x-empty', 'binary/octet-stream']);

/**
 * The editor's id of the language for a MIME type; `undefined` if the type doesn't identify one.
 * @param isKnown whether the editor has a language with this id
 */
export function mimeLanguage(mimeType: string | undefined, isKnown: (id: string) => boolean): string | undefined {
	const type = plainMimeType(mimeType);
	if (general.has(type)) {
		return undefined;
	}
	const [, kind = '', name = ''] = /^(text|application)\/(?:x-|vnd\.)?(.+)$/.exec(type) ?? [];
	const suffix = /\+(json|xml|yaml)$/.exec(type)?.[1];
	return [languages[type], kind && name, suffix].find(it => it !== undefined && isKnown(it));
}

/** Extensions for types with a viewer that the editor chooses by name. Images and audio: `editor/documents/media.ts`. */
const extensions: Readonly<Record<string, string>> = {
	'application/pdf': 'pdf',
	'image/svg+xml': 'svg',
	'image/x-icon': 'ico',
	'image/vnd.microsoft.icon': 'ico',
	'video/mp4': 'mp4',
	'video/webm': 'webm',
};

/** The extension for a MIME type, without a dot, if the editor chooses a viewer by it. */
export function extensionOf(mimeType: string | undefined): string | undefined {
	return extensions[plainMimeType(mimeType)];
}

/** Extensions that differ from the name in the MIME type. */
const usualExtensions: Readonly<Record<string, string>> = {
	javascript: 'js',
	markdown: 'md',
	mpeg: 'mp3',
	plain: 'txt',
	python: 'py',
	'svg+xml': 'svg',
	typescript: 'ts',
};

/** An extension with which icon themes show an icon for a MIME type; `undefined` if the type suggests none. */
export function iconExtension(mimeType: string | undefined): string | undefined {
	const [, name = ''] = /^[a-z]+\/(?:x-)?(.+)$/.exec(plainMimeType(mimeType)) ?? [];
	const extension = usualExtensions[name] ?? name;
	return /^[a-z]\w{0,4}$/.test(extension) ? extension : undefined;
}

/** Files that the editor's own viewers of images, audio and video open. */
const viewable = /\.(jpe?g|png|bmp|gif|ico|webp|avif|svg|mp3|wav|og[ga]|mp4|webm)$/i;

/** Whether the editor has a viewer for files of this name. */
export function hasViewer(name: string): boolean {
	return viewable.test(name);
}
