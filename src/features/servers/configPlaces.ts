/** The places that configure servers, and how each is read. Which one counts is decided by `core/config/precedence.ts`. */
import * as vscode from 'vscode';
import { hasDemo, userConfig, workspaceFileKey, workspaceFileServers } from '../../editor/workspace/config.js';
import { Settings } from '../../editor/contributions.js';
import { readBoundedText, RefusedFileError } from '../../editor/documents/boundedFile.js';
import type { DemoEntry } from '../../editor/platform.js';
import { isObject, textLimits } from '../../mcp/index.js';
import { valueAt } from '../../core/text/jsonNodes.js';
import type { ConfigSource, FolderSource, SharedSource } from '../../core/config/serverDefinition.js';

/** What a place says cannot be trusted at the moment: what it said before still holds. */
export const unfinished = Symbol('unfinished');

export interface ConfigPlace {
	readonly source: ConfigSource;
	/** The file that problems are shown in, if it is known. */
	readonly file: vscode.Uri | undefined;
	/**
	 * What it says; nothing if it is not there.
	 * @throws if it is there and cannot be read: a `RefusedFileError`, or an error of the file system
	 */
	read(): Promise<string | undefined | typeof unfinished>;
}

/** The name of the demo server, unless the person's settings have a server of that name. */
export const demoName = 'demo';

/** Where a folder's configuration stands. */
export function configUri(folder: vscode.WorkspaceFolder): vscode.Uri {
	return vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json');
}

/**
 * All of this window, whether there is something in them or not; the nearest to the person first.
 * @param demo one of the person's own servers, if their settings say that they want it
 */
export function configPlaces(demo?: DemoEntry): ConfigPlace[] {
	const { workspaceFolders = [], workspaceFile } = vscode.workspace;
	return [
		...workspaceFolders.flatMap(folder => [
			inFolder('vscodeFolder', configUri(folder), folder),
			inFolder('projectRoot', vscode.Uri.joinPath(folder.uri, '.mcp.json'), folder),
		]),
		...(workspaceFile ? [inWorkspaceFile(workspaceFile)] : []),
		inUserSettings(demo),
	];
}

/** Where editors keep the settings of a person: of a profile, and of the machine that a remote window runs on. */
const settingsPath = /\/(?:User(?:\/profiles\/[^/]+)?|Machine)\/settings\.json$/;

/** True if the document holds settings of the person. Many programs have a file of that name. */
export function isUserSettings({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
	return uri.scheme === 'vscode-userdata'
		? uri.path.endsWith('/settings.json')
		: uri.scheme === 'file' && settingsPath.test(uri.path) && !vscode.workspace.getWorkspaceFolder(uri);
}

/** True if the editor has read what this document of settings says about servers. */
export function isInEffect(document: vscode.TextDocument): boolean {
	const text = document.getText();
	const written = {
		servers: valueAt(text, [Settings.servers]).value,
		inputs: valueAt(text, [Settings.inputs]).value,
	};
	return JSON.stringify(written) === JSON.stringify(userConfig());
}

function inFolder(kind: FolderSource['kind'], file: vscode.Uri, folder: vscode.WorkspaceFolder): ConfigPlace {
	return { source: folderSource(kind, file, folder), file, read: () => readText(file) };
}

export function folderSource(
	kind: FolderSource['kind'],
	file: vscode.Uri,
	{ uri, name }: vscode.WorkspaceFolder,
): FolderSource {
	return { kind, uri: file.toString(), folderUri: uri.toString(), folderName: name };
}

/**
 * The file itself is read, for places and for mistakes, which the editor's settings do not tell. A workspace that was
 * never saved has none that could be read: then what the editor knows is all there is.
 */
function inWorkspaceFile(file: vscode.Uri): ConfigPlace {
	return {
		source: { kind: 'workspaceFile', uri: file.toString(), folderUri: undefined, folderName: undefined },
		file: file.scheme === 'untitled' ? undefined : file,
		async read() {
			const value = workspaceFileServers();
			return (
				(await readText(file)) ??
				(value === undefined ? undefined : JSON.stringify({ settings: { [workspaceFileKey]: value } }))
			);
		},
	};
}

/** Also the name under which values of its inputs are kept. */
export const userSource: SharedSource = {
	kind: 'userSettings',
	uri: Settings.servers,
	folderUri: undefined,
	folderName: undefined,
};

/**
 * The editor does not say which file these came from, nor whether it was whole. Half-typed settings are half-typed by
 * someone, so they are open in an editor.
 */
function inUserSettings(demo: DemoEntry | undefined): ConfigPlace {
	return {
		source: userSource,
		file: undefined,
		async read() {
			const isHalfTyped = vscode.workspace.textDocuments.some(
				it => isUserSettings(it) && !valueAt(it.getText(), []).isWhole,
			);
			const config = userConfig();
			const { servers = {} } = config;
			const all = demo && hasDemo() && isObject(servers) ? { [demoName]: demo, ...servers } : config.servers;
			return isHalfTyped ? unfinished : all === undefined ? undefined : JSON.stringify({ ...config, servers: all });
		},
	};
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
	try {
		return await readBoundedText(uri, textLimits.configFile);
	} catch (error) {
		if (
			error instanceof RefusedFileError ||
			(error instanceof vscode.FileSystemError && error.code === 'NoPermissions')
		) {
			throw error;
		}
		// Most often there is none; file systems of other extensions have errors of their own for that.
		return undefined;
	}
}
