/** The places that can configure servers, and how each is read. `core/config/precedence.ts` decides which one counts. */
import * as vscode from 'vscode';
import { firstFound } from '../../base/async.js';
import { userConfig, workspaceFileKey, workspaceFileServers } from '../../editor/workspace/config.js';
import { Settings } from '../../editor/contributions.js';
import { describeSource } from '../../editor/l10n/configWords.js';
import { quickPickText } from '../../editor/ui/plainText.js';
import { readBoundedText, RefusedFileError } from '../../editor/documents/repositoryFiles.js';
import { isObject, textLimits } from '../../mcp/index.js';
import { valueAt } from '../../core/text/jsonNodes.js';
import type { ConfigSource, FolderSource, SharedSource } from '../../core/config/serverDefinition.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerRegistry } from '../../core/servers/serverRegistry.js';
import { demoName, type DemoState } from './demoState.js';

/** Read from a place whose text is half-typed. The servers that it had before still count. */
export const unfinished = Symbol('unfinished');

/** Milliseconds to wait until a place that was written has been read again. */
export const rereadMs = 5000;

export interface ConfigPlace {
	readonly source: ConfigSource;
	/** The file that problems are shown in; `undefined` for settings and unsaved workspaces. */
	readonly file: vscode.Uri | undefined;
	/**
	 * Reads the text; `undefined` if the place doesn't exist.
	 * @throws RefusedFileError or an error of the file system if the place exists and can't be read
	 */
	read(): Promise<string | undefined | typeof unfinished>;
}

/**
 * All places of this window, existing or not, in the order of precedence.
 * @param demo the demo server, which counts as a server of the person's settings once it is added
 */
export function configPlaces(demo?: DemoState): ConfigPlace[] {
	const { workspaceFolders = [], workspaceFile } = vscode.workspace;
	return [
		...workspaceFolders.flatMap(folder => [
			inFolder('vscodeFolder', vscode.Uri.joinPath(folder.uri, '.vscode', 'mcp.json'), folder),
			inFolder('projectRoot', vscode.Uri.joinPath(folder.uri, '.mcp.json'), folder),
		]),
		...(workspaceFile ? [inWorkspaceFile(workspaceFile)] : []),
		inUserSettings(demo),
	];
}

/** A place as a list offers it for servers. */
export interface OfferedPlace {
	readonly source: ConfigSource;
	readonly file: vscode.Uri | undefined;
	/** For example `.mcp.json`. */
	readonly label: string;
	/** The folder's name, or for whom the servers are. */
	readonly description: string;
	readonly detail: string;
}

const offered: readonly ConfigSource['kind'][] = ['projectRoot', 'vscodeFolder', 'workspaceFile', 'userSettings'];

/** The places for new servers, the recommended one first. */
export function offeredPlaces(): OfferedPlace[] {
	const { t } = vscode.l10n;
	const why = t('Other agents read it, too. VS Code writes it, and deprecates .vscode/mcp.json');
	return configPlaces()
		.filter(it => it.file !== undefined || it.source.kind === 'userSettings')
		.toSorted((a, b) => offered.indexOf(a.source.kind) - offered.indexOf(b.source.kind))
		.map(({ source, file }) => {
			const place = (label: string, description: string, detail = ''): OfferedPlace => {
				return { source, file, label, description: quickPickText(description), detail };
			};
			switch (source.kind) {
				case 'projectRoot':
					return place('.mcp.json', source.folderName, why);
				case 'vscodeFolder':
					return place('.vscode/mcp.json', source.folderName);
				case 'workspaceFile':
					return place(quickPickText(describeSource(source)), t('For everyone who opens this workspace'));
				case 'userSettings':
					return place(t('User Settings'), t('For all workspaces'));
			}
		});
}

/** Paths of the settings of a person, of a profile, and of the machine of a remote window. */
const settingsPath = /\/(?:User(?:\/profiles\/[^/]+)?|Machine)\/settings\.json$/;

/** Whether the document has the person's settings. Many programs have a file with that name. */
export function isUserSettings({ uri }: Pick<vscode.TextDocument, 'uri'>): boolean {
	return uri.scheme === 'vscode-userdata'
		? uri.path.endsWith('/settings.json')
		: uri.scheme === 'file' && settingsPath.test(uri.path) && !vscode.workspace.getWorkspaceFolder(uri);
}

/** Whether the editor's settings have the same servers and inputs as this settings document. */
export function isInEffect(document: vscode.TextDocument): boolean {
	const text = document.getText();
	const written = {
		servers: valueAt(text, [Settings.servers]).value,
		inputs: valueAt(text, [Settings.inputs]).value,
	};
	return JSON.stringify(written) === JSON.stringify(userConfig());
}

function inFolder(kind: FolderSource['kind'], file: vscode.Uri, { uri, name }: vscode.WorkspaceFolder): ConfigPlace {
	const source = { kind, uri: file.toString(), folderUri: uri.toString(), folderName: name };
	return { source, file, read: () => readText(file) };
}

/**
 * Reads the workspace file itself, because the editor's settings have neither offsets nor errors. A workspace that was never
 * saved has no file, so its servers come from the editor's settings.
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

/** Its URI, the id of the setting, is also the key under which values of its inputs are stored. */
export const userSource: SharedSource = {
	kind: 'userSettings',
	uri: Settings.servers,
	folderUri: undefined,
	folderName: undefined,
};

/**
 * Reads the person's settings by the editor's API, which tells neither their file nor whether that file has syntax errors.
 * A half-typed file is open in an editor, so open documents are checked.
 */
function inUserSettings(demo: DemoState | undefined): ConfigPlace {
	return {
		source: userSource,
		file: undefined,
		async read() {
			const isHalfTyped = vscode.workspace.textDocuments.some(
				it => isUserSettings(it) && !valueAt(it.getText(), []).isWhole,
			);
			const config = userConfig();
			const { servers = {} } = config;
			const entry = demo?.isAdded ? demo.entry : undefined;
			const all = entry && isObject(servers) ? { [demoName]: entry, ...servers } : config.servers;
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
		// Usually the file doesn't exist. File systems of other extensions have their own errors for that.
		return undefined;
	}
}

/** Waits for a server that was just written to a place. `undefined` if it doesn't appear in time. */
export function waitForServer(
	registry: ServerRegistry,
	isMeant: (server: Server) => boolean,
): Promise<Server | undefined> {
	return firstFound(registry.onDidChange, () => registry.servers.find(isMeant), rereadMs);
}
