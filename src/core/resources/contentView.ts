/** PURE: in which of the editor's views contents are shown, and in which language. */

/** What only needs to be known of contents. */
export interface ViewedContent {
	readonly mimeType: string | undefined;
	readonly bytes: Uint8Array;
	readonly isText: boolean;
}

/** How many bytes are looked at to tell text from others. */
const sampleSize = 8192;

/** `text/html; charset=utf-8` is `text/html`. */
export function plainMimeType(mimeType: string | undefined): string {
	return (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether the editor can show it as text: it came as such, or its bytes are UTF-8 that nobody calls a picture or so. */
export function isReadable({ mimeType, bytes, isText }: ViewedContent): boolean {
	if (isText) {
		return true;
	}
	const type = plainMimeType(mimeType);
	return !/^(image|audio|video|font)\/(?!svg)/.test(type) && type !== 'application/pdf' && isUtf8(bytes);
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

/** Languages that a MIME type names by another name than its own. */
const languages: Readonly<Record<string, string>> = {
	'application/ecmascript': 'javascript',
	'application/x-httpd-php': 'php',
	'application/x-ndjson': 'jsonl',
	'application/x-sh': 'shellscript',
	'application/x-shellscript': 'shellscript',
	'image/svg+xml': 'xml',
	'text/ecmascript': 'javascript',
	'text/jsx': 'javascriptreact',
	'text/tsx': 'typescriptreact',
	'text/x-c': 'c',
	'text/x-c++': 'cpp',
	'text/x-c++src': 'cpp',
	'text/x-csharp': 'csharp',
	'text/x-java-source': 'java',
	'text/x-script.python': 'python',
	'text/x-sh': 'shellscript',
	'text/x-shellscript': 'shellscript',
};

/** Types that say nothing of the language: there the name's extension does. */
const general = new Set(['', 'text/plain', 'application/octet-stream', 'application/x-empty', 'binary/octet-stream']);

/**
 * The language that a MIME type names, by the editor's id; `undefined` where the name of the file says more.
 * @param isKnown whether there is such a language
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

/** Extensions for what the editor shows in viewers that it chooses by name. Those of images and sound: `editor/documents/media.ts`. */
const extensions: Readonly<Record<string, string>> = {
	'application/pdf': 'pdf',
	'image/svg+xml': 'svg',
	'image/x-icon': 'ico',
	'image/vnd.microsoft.icon': 'ico',
	'video/mp4': 'mp4',
	'video/webm': 'webm',
};

/** The extension of a MIME type without a dot, where the editor goes by it. */
export function extensionOf(mimeType: string | undefined): string | undefined {
	return extensions[plainMimeType(mimeType)];
}

/** Extensions that are not what their MIME types call them. */
const usualExtensions: Readonly<Record<string, string>> = {
	javascript: 'js',
	markdown: 'md',
	mpeg: 'mp3',
	plain: 'txt',
	python: 'py',
	'svg+xml': 'svg',
	typescript: 'ts',
};

/** An extension for which icon themes have the icon of a MIME type; `undefined` where the type says little. */
export function iconExtension(mimeType: string | undefined): string | undefined {
	const [, name = ''] = /^[a-z]+\/(?:x-)?(.+)$/.exec(plainMimeType(mimeType)) ?? [];
	const extension = usualExtensions[name] ?? name;
	return /^[a-z]\w{0,4}$/.test(extension) ? extension : undefined;
}

/** What the editor's own viewers of images, sound and video open. */
const viewable = /\.(jpe?g|png|bmp|gif|ico|webp|avif|svg|mp3|wav|og[ga]|mp4|webm)$/i;

/** Whether the editor has a viewer for files of this name. */
export function hasViewer(name: string): boolean {
	return viewable.test(name);
}
