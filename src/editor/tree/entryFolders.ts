/**
 * PURE: a list of URIs as folders, as a file explorer would show them. Made level by level, only as far as somebody
 * looks; what costs is one walk over the entries of the folder that is opened.
 */
import { tryDecodeUri } from '../../base/percentText.js';

/** A folder of the list; the list itself is the folder without a name. */
export interface EntryFolder<T> {
	/** What the URIs of all its entries begin with; tells folders of one list apart. */
	readonly prefix: string;
	/** The part of the prefix that its parent's does not have: several levels, where each held only the next. */
	readonly label: string;
	/** All it holds, at any depth, in the order of the list. */
	readonly all: readonly T[];
}

/** What stands directly in a folder: folders first, both in the order of the list. */
export interface FolderContent<T> {
	readonly folders: readonly EntryFolder<T>[];
	readonly entries: readonly T[];
}

/** `scheme:`, `scheme://` or, where no authority follows, `scheme:///`. */
const schemePattern = /^[a-z][\w+.-]*:(?:\/\/\/?)?/i;

/** The whole list as one folder. */
export function rootFolder<T>(entries: readonly T[]): EntryFolder<T> {
	return { prefix: '', label: '', all: entries };
}

/** What stands directly in `folder`. An entry that would be alone in a folder of the first level needs no folder. */
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

/** The folder one level below `prefix` that a URI stands in; `undefined` if it stands in `prefix` itself. */
function nextPrefix(uri: string, prefix: string): string | undefined {
	const directory = directoryOf(uri);
	if (directory.length <= prefix.length) {
		return undefined;
	}
	const scheme = prefix === '' ? schemeLength(uri) : 0;
	return uri.slice(0, scheme > 0 ? scheme : directory.indexOf('/', prefix.length) + 1);
}

/** A URI up to its last part; of a directory, up to its name. Slashes of a query or fragment part nothing. */
function directoryOf(uri: string): string {
	const query = uri.search(/[?#]/);
	const path = query < 0 ? uri : uri.slice(0, query);
	const scheme = schemeLength(uri);
	// Of an index below 0 `lastIndexOf` would make 0.
	const slash = path.length < 2 ? -1 : path.lastIndexOf('/', path.length - 2);
	return path.slice(0, Math.max(scheme, slash + 1));
}

function schemeLength(uri: string): number {
	return schemePattern.exec(uri)?.[0].length ?? 0;
}

/** The longest directory that all of these stand in; there is at least one. */
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

/** Without the slash at its end, unless the slash says something; readable where it is encoded. */
function labelOf(part: string): string {
	const text = /^[^/]+\/$|[^/:]\/$/.test(part) ? part.slice(0, -1) : part;
	return tryDecodeUri(text) ?? text;
}
