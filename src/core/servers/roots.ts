/**
 * Chooses the workspace folders that a server gets as roots, and normalizes their URIs. Left out are folders that aren't
 * files or no longer exist, and those that the person keeps from the server.
 */
import { trimEnd } from '../../base/trim.js';
import { type Root, tryParseUrl } from '../../mcp/index.js';

/** A workspace folder as the editor has it. */
export interface WorkspaceFolder {
	readonly uri: string;
	readonly name: string;
}

export interface JudgedFolder {
	readonly name: string;
	/** The normalized URI; for a folder on another file system, the editor's URI. */
	readonly uri: string;
	/** How choices name the folder: by its name, or only by its URI if several folders have the name. */
	readonly key: string;
	/** Whether the person exposes it to the server. */
	readonly isChosen: boolean;
	/** Why the folder can't be exposed to any server. */
	readonly obstacle: 'notFile' | 'vanished' | undefined;
}

/**
 * Says for each folder whether the server gets it.
 * @param vanished normalized URIs of folders that are not on the disk
 * @param choices lists of names or URIs; a folder must be in each list. No lists: all folders
 */
export function judgeFolders(
	folders: readonly WorkspaceFolder[],
	vanished: ReadonlySet<string>,
	choices: readonly (readonly string[])[],
): readonly JudgedFolder[] {
	return folders.map(({ uri: written, name }) => {
		const normal = normalFileUri(written);
		const uri = normal ?? written;
		const key = folders.filter(it => it.name === name).length === 1 ? name : uri;
		return {
			name,
			uri,
			key,
			isChosen: choices.every(chosen => listsFolder({ key, uri }, chosen)),
			obstacle: normal === undefined ? 'notFile' : vanished.has(uri) ? 'vanished' : undefined,
		};
	});
}

export function isExposed({ isChosen, obstacle }: JudgedFolder): boolean {
	return isChosen && obstacle === undefined;
}

/** The roots that the server gets. */
export function rootsOf(folders: readonly JudgedFolder[]): readonly Root[] {
	return folders.filter(isExposed).map(({ uri, name }) => ({ uri, name }));
}

/**
 * The choice to store; `undefined` for all folders, including later ones.
 * @param wanted URIs of the folders to expose, including vanished ones, which may come back
 * @param before the stored choice: its entries for folders outside the workspace are kept
 */
export function folderChoice(
	folders: readonly JudgedFolder[],
	wanted: ReadonlySet<string>,
	before: readonly string[] | undefined,
): readonly string[] | undefined {
	const files = folders.filter(it => it.obstacle !== 'notFile');
	const chosen = files.filter(it => wanted.has(it.uri));
	if (chosen.length === files.length) {
		return undefined;
	}
	const elsewhere = (before ?? []).filter(entry => !files.some(it => it.name === entry || listsFolder(it, [entry])));
	return [...chosen.map(it => it.key), ...elsewhere];
}

/** Whether a list of names and URIs contains the folder. */
export function listsFolder({ key, uri }: Pick<JudgedFolder, 'key' | 'uri'>, list: readonly string[]): boolean {
	return list.some(it => it === key || (normalFileUri(it) ?? it) === uri);
}

/**
 * Normalizes a file URI: `file:///C%3A/x/../work/` becomes `file:///c:/work`. `undefined` for other URIs, and for those that
 * are too long. Spec 2025-11-25, roots: `uri` "MUST be a `file://` URI in the current specification".
 */
export function normalFileUri(uri: string): string | undefined {
	const url = /^file:/i.test(uri) ? tryParseUrl(uri) : undefined;
	if (!url) {
		return undefined;
	}
	const { host, pathname } = url;
	// Editors encode the colon of a drive as %3A, and some servers don't decode it.
	const [, drive, rest = ''] = /^\/([a-z])(?::|%3a)(\/.*)?$/i.exec(pathname) ?? [undefined, undefined, pathname];
	const path = trimEnd(rest, '/');
	return `file://${host}${drive === undefined ? '' : `/${drive.toLowerCase()}:`}${path === '' ? '/' : path}`;
}
