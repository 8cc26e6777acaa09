/**
 * PURE: which folders a server is told of. A workspace may hold folders that are no files, or that somebody has deleted
 * since, and a person may keep some from a server. What is left is written in one way, whatever the editor wrote.
 *
 * Folders inside others, and the same name twice, stay: they are what the person put into the workspace.
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
	/** As a server is told of it; of what is no file, as the editor has it. */
	readonly uri: string;
	/** What names it in a choice: its name, or its URI where another folder has the name too. */
	readonly key: string;
	/** The person's choice. */
	readonly isChosen: boolean;
	/** Why no server can be told of it, whatever the choice. */
	readonly obstacle: 'notFile' | 'vanished' | undefined;
}

/**
 * What becomes of each folder.
 * @param vanished normalised URIs of folders that are not on the disk
 * @param choices lists of names or URIs of folders: a folder must be in each; none for all there are and will be
 */
export function judgeFolders(
	folders: readonly WorkspaceFolder[],
	vanished: ReadonlySet<string>,
	choices: readonly (readonly string[])[],
): readonly JudgedFolder[] {
	return folders.map(({ uri: written, name }) => {
		const normal = normalFileUri(written);
		const uri = normal ?? written;
		const isOnlyOne = folders.filter(it => it.name === name).length === 1;
		return {
			name,
			uri,
			key: isOnlyOne ? name : uri,
			isChosen: choices.every(chosen => isIn({ name, uri }, chosen)),
			obstacle: normal === undefined ? 'notFile' : vanished.has(uri) ? 'vanished' : undefined,
		};
	});
}

export function isExposed({ isChosen, obstacle }: JudgedFolder): boolean {
	return isChosen && obstacle === undefined;
}

/** What a server is told. */
export function rootsOf(folders: readonly JudgedFolder[]): readonly Root[] {
	return folders.filter(isExposed).map(({ uri, name }) => ({ uri, name }));
}

/** Whether a server would read the same. */
export function sameRoots(a: readonly Root[], b: readonly Root[]): boolean {
	return a.length === b.length && a.every((it, index) => it.uri === b[index]?.uri && it.name === b[index].name);
}

/**
 * The choice to write down; `undefined` for all folders there are and will be.
 * @param wanted URIs of the folders to expose; those that have vanished may come back
 * @param before the choice so far: what it says of folders that are not in the workspace now is kept
 */
export function choiceOf(
	folders: readonly JudgedFolder[],
	wanted: ReadonlySet<string>,
	before: readonly string[] | undefined,
): readonly string[] | undefined {
	const files = folders.filter(it => it.obstacle !== 'notFile');
	const chosen = files.filter(it => wanted.has(it.uri));
	if (chosen.length === files.length) {
		return undefined;
	}
	const elsewhere = (before ?? []).filter(entry => !files.some(it => isMeant(it, entry)));
	return [...chosen.map(it => it.key), ...elsewhere];
}

/** Whether a list of names and URIs has the folder. */
export function isIn(folder: WorkspaceFolder, list: readonly string[]): boolean {
	return list.some(it => isMeant(folder, it));
}

function isMeant({ name, uri }: WorkspaceFolder, entry: string): boolean {
	return entry === name || (normalFileUri(entry) ?? entry) === uri;
}

/**
 * One spelling for one folder: `file:///c:/work` also where it was `file:///C%3A/x/../work/`. `undefined` for what is no
 * file, or longer than any. Spec 2025-11-25, roots: `uri` "MUST be a `file://` URI in the current specification".
 */
export function normalFileUri(uri: string): string | undefined {
	const url = /^file:/i.test(uri) ? tryParseUrl(uri) : undefined;
	if (!url) {
		return undefined;
	}
	const { host, pathname } = url;
	// Editors write the colon of a drive as %3A, and not every server decodes before it looks for it.
	const [, drive, rest = ''] = /^\/([a-z])(?::|%3a)(\/.*)?$/i.exec(pathname) ?? [undefined, undefined, pathname];
	const path = trimEnd(rest, '/');
	return `file://${host}${drive === undefined ? '' : `/${drive.toLowerCase()}:`}${path === '' ? '/' : path}`;
}
