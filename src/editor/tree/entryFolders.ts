/** Groups a list of URIs into folders, level by level: opening a folder takes one pass over its entries. */
import { tryDecodeUri } from '../../base/percentText.js';

/** A folder of the list; the list itself is the folder with an empty prefix. */
export interface EntryFolder<T> {
	/** The common beginning of the URIs of all entries; unique in the list. */
	readonly prefix: string;
	/** The prefix without that of the parent folder. It has several levels if each contains only the next. */
	readonly label: string;
	/** All entries at any depth, in the order of the list. */
	readonly all: readonly T[];
}

/** The direct contents of a folder, in the order of the list. */
export interface FolderContent<T> {
	readonly folders: readonly EntryFolder<T>[];
	readonly entries: readonly T[];
}

/** `scheme:`, `scheme://` or `scheme:///`. */
const schemePattern = /^[a-z][\w+.-]*:(?:\/\/\/?)?/i;

/** The whole list as one folder. */
export function rootFolder<T>(entries: readonly T[]): EntryFolder<T> {
	return { prefix: '', label: '', all: entries };
}

/** The direct contents of `folder`. On the first level, an entry that would be alone in a folder gets none. */
export function contentOf<T>(folder: EntryFolder<T>, uriOf: (entry: T) => string): FolderContent<T> {
	const below = new Map<string, T[]>();
	const entries: T[] = [];
	for (const entry of folder.all) {
		const prefix = nextPrefix(uriOf(entry), folder.prefix);
		const known = prefix === undefined ? entries : below.get(prefix);
		if (known) {
			known.push(entry);
		} else if (prefix !== undefined) {
			below.set(prefix, [entry]);
		}
	}
	const folders: EntryFolder<T>[] = [];
	for (const all of below.values()) {
		const [only] = all;
		if (all.length === 1 && only !== undefined && folder.prefix === '') {
			entries.push(only);
		} else {
			const prefix = commonDirectory(all.map(uriOf));
			folders.push({ prefix, label: labelOf(prefix.slice(folder.prefix.length)), all });
		}
	}
	return { folders, entries };
}

/** The prefix of the folder one level below `prefix` that contains the URI; `undefined` if `prefix` contains it directly. */
function nextPrefix(uri: string, prefix: string): string | undefined {
	const directory = directoryOf(uri);
	if (directory.length <= prefix.length) {
		return undefined;
	}
	const scheme = prefix === '' ? schemeLength(uri) : 0;
	return uri.slice(0, scheme > 0 ? scheme : directory.indexOf('/', prefix.length) + 1);
}

/** A URI up to its last segment, or that of a directory up to its name. Ignores slashes in a query or fragment. */
function directoryOf(uri: string): string {
	const query = uri.search(/[?#]/);
	const path = query < 0 ? uri : uri.slice(0, query);
	const scheme = schemeLength(uri);
	// `lastIndexOf` treats a negative index as 0.
	const slash = path.length < 2 ? -1 : path.lastIndexOf('/', path.length - 2);
	return path.slice(0, Math.max(scheme, slash + 1));
}

function schemeLength(uri: string): number {
	return schemePattern.exec(uri)?.[0].length ?? 0;
}

/** The longest directory that contains all of the URIs, of which there is at least one. */
function commonDirectory(uris: readonly string[]): string {
	let common = directoryOf(uris[0] ?? '');
	for (const uri of uris) {
		const directory = directoryOf(uri);
		if (!directory.startsWith(common)) {
			common = common.slice(0, commonLength(common, directory));
			common = common.slice(0, Math.max(schemeLength(common), common.lastIndexOf('/') + 1));
		}
	}
	return common;
}

function commonLength(a: string, b: string): number {
	let length = 0;
	while (length < a.length && a[length] === b[length]) {
		length++;
	}
	return length;
}

/** Decoded and without the slash at the end, unless the slash belongs to a scheme. */
function labelOf(part: string): string {
	const text = /^[^/]+\/$|[^/:]\/$/.test(part) ? part.slice(0, -1) : part;
	return tryDecodeUri(text) ?? text;
}
