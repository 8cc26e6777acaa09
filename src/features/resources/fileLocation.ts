/**
 * The one spelling of a `file:` URI of a server: what is compared with folders is what is opened. A URI that could mean
 * one file to us and another to the editor or the system is none.
 */

import { tryDecodeUri } from '../../base/percentText.js';
import { tryParseUrl } from '../../mcp/index.js';

/** Longer ones name no file of any system. */
const maxUri = 32_768;

export interface FileLocation {
	/** Of a UNC path; otherwise empty. */
	readonly host: string;
	/** Decoded: `/c:/work/a b.txt`, `/work/a b.txt`. */
	readonly path: string;
}

export function readFileUri(uri: string): FileLocation | undefined {
	// The parser drops control characters, and takes a backslash for a slash.
	// oxlint-disable-next-line no-control-regex -- these are what is looked for
	const isFile = uri.length <= maxUri && /^file:\/\//i.test(uri) && !/[\0-\x1f\x7f\\]/.test(uri);
	const url = isFile ? tryParseUrl(uri) : undefined;
	if (!url) {
		return undefined;
	}
	const { host, pathname } = url;
	const segments: string[] = [];
	// The parser has resolved `.` and `..`, also where they are written `%2e`.
	for (const encoded of pathname.split('/').filter(Boolean)) {
		const segment = decode(encoded);
		if (segment === undefined) {
			return undefined;
		}
		segments.push(segment);
	}
	const [first = ''] = segments;
	const hasDrive = /^[a-z]:$/i.test(first);
	if ((hasDrive || host !== '') && segments.slice(hasDrive ? 1 : 0).some(isAmbiguousOnWindows)) {
		return undefined;
	}
	const rest = hasDrive ? [first.toLowerCase(), ...segments.slice(1)] : segments;
	return { host, path: `/${rest.join('/')}` };
}

/** Whether a file lies in a folder, by its name alone: links may lead elsewhere. */
export function isInFolder(file: FileLocation, folder: FileLocation): boolean {
	const inside = folder.path.endsWith('/') ? folder.path : `${folder.path}/`;
	return file.host === folder.host && file.path.startsWith(inside);
}

/** The folders between a folder and a file in it, and the file: each may be a link. */
export function pathsBelow(folder: FileLocation, file: FileLocation): FileLocation[] {
	const base = folder.path === '/' ? '' : folder.path;
	const steps = file.path.slice(base.length + 1).split('/');
	return steps.map((_, index) => ({ host: file.host, path: [base, ...steps.slice(0, index + 1)].join('/') }));
}

/** What one segment of a path is called; `undefined` if it would be more than one, or none. */
function decode(encoded: string): string | undefined {
	const segment = tryDecodeUri(encoded);
	// oxlint-disable-next-line no-control-regex -- these are what is looked for
	const isOne = segment !== undefined && segment !== '.' && segment !== '..' && !/[/\\\0-\x1f\x7f]/.test(segment);
	return isOne ? segment : undefined;
}

/** Windows ignores blanks and dots at the end, and a colon begins the name of another stream. */
function isAmbiguousOnWindows(segment: string): boolean {
	return /[. ]$/.test(segment) || segment.includes(':');
}
