/**
 * Stands in for the editor's API in unit tests: the build resolves `vscode` to this file for everything below
 * `test/unit`. It has only what host files under unit tests use. Files are those of the disk, links included, as in the
 * editor; settings are in `settings`.
 */
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { QuickPickDouble } from './quickPickDouble.js';

export { QuickPickItemKind } from './quickPickDouble.js';
export * from './treeDouble.js';
export * from './viewColumnDouble.js';

interface UriParts {
	readonly scheme: string;
	readonly authority: string;
	readonly path: string;
	readonly query: string;
	readonly fragment: string;
}

export class Uri implements UriParts {
	private constructor(
		readonly scheme: string,
		readonly authority: string,
		readonly path: string,
		readonly query: string,
		readonly fragment: string,
	) {}

	static parse(text: string): Uri {
		const match = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text);
		const [scheme = 'file', authority, uriPath, query, fragment] = (match ?? []).slice(1).map(decoded);
		return Uri.from({ scheme, authority, path: uriPath, query, fragment });
	}

	static file(file: string): Uri {
		const slashes = path.sep === '\\' ? file.replaceAll('\\', '/') : file;
		return Uri.from({ scheme: 'file', path: slashes.startsWith('/') ? slashes : `/${slashes}` });
	}

	static from(parts: { scheme: string } & { [K in keyof UriParts]?: string | undefined }): Uri {
		const { scheme, authority = '', path: uriPath = '', query = '', fragment = '' } = parts;
		return new Uri(scheme, authority, uriPath, query, fragment);
	}

	static joinPath(uri: Uri, ...segments: readonly string[]): Uri {
		return uri.with({ path: path.posix.join(uri.path, ...segments) });
	}

	get fsPath(): string {
		const withoutSlash = /^\/[a-z]:/i.test(this.path) ? this.path.slice(1) : this.path;
		return path.sep === '\\' ? withoutSlash.replaceAll('/', '\\') : withoutSlash;
	}

	with(changes: { [K in keyof UriParts]?: string }): Uri {
		return Uri.from({ ...this.toJSON(), ...changes });
	}

	/** As the editor does: everything but letters, digits, `-._~` and slashes is encoded. */
	toString(): string {
		const encode = (text: string): string => encodeURIComponent(text).replaceAll(/[!'()*]/g, encodeCharacter);
		const encodedPath = this.path.split('/').map(encode).join('/');
		const authority = this.authority !== '' || this.scheme === 'file' ? `//${this.authority}` : '';
		const query = this.query === '' ? '' : `?${encode(this.query)}`;
		const fragment = this.fragment === '' ? '' : `#${encode(this.fragment)}`;
		return `${this.scheme}:${authority}${encodedPath}${query}${fragment}`;
	}

	toJSON(): UriParts {
		const { scheme, authority, path: uriPath, query, fragment } = this;
		return { scheme, authority, path: uriPath, query, fragment };
	}
}

function decoded(text: string | undefined): string | undefined {
	try {
		return text === undefined ? undefined : decodeURIComponent(text);
	} catch {
		return text;
	}
}

function encodeCharacter(character: string): string {
	return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

export enum FileType {
	Unknown = 0,
	File = 1,
	Directory = 2,
	SymbolicLink = 64,
}

export const FilePermission = { Readonly: 1 };

export class FileSystemError extends Error {
	constructor(
		message: string | Uri = '',
		readonly code = 'Unknown',
	) {
		super(String(message));
		this.name = `${code} (FileSystemError)`;
	}

	static FileNotFound(message?: string | Uri): FileSystemError {
		return new FileSystemError(message, 'FileNotFound');
	}

	static FileIsADirectory(message?: string | Uri): FileSystemError {
		return new FileSystemError(message, 'FileIsADirectory');
	}

	static FileNotADirectory(message?: string | Uri): FileSystemError {
		return new FileSystemError(message, 'FileNotADirectory');
	}

	static NoPermissions(message?: string | Uri): FileSystemError {
		return new FileSystemError(message, 'NoPermissions');
	}

	static FileExists(message?: string | Uri): FileSystemError {
		return new FileSystemError(message, 'FileExists');
	}

	static Unavailable(message?: string | Uri): FileSystemError {
		return new FileSystemError(message, 'Unavailable');
	}
}

const codes: Readonly<Record<string, string>> = {
	ENOENT: 'FileNotFound',
	EISDIR: 'FileIsADirectory',
	ENOTDIR: 'FileNotADirectory',
	EEXIST: 'FileExists',
	EPERM: 'NoPermissions',
	EACCES: 'NoPermissions',
};

/** Runs a file operation; its errors become the editor's. */
async function translated<T>(run: () => Promise<T>): Promise<T> {
	try {
		return await run();
	} catch (error) {
		const { code = '', message } = error as NodeJS.ErrnoException;
		throw error instanceof FileSystemError ? error : new FileSystemError(message, codes[code]);
	}
}

/** For a link, the type of its target, marked as a link; for a broken link, the link. */
async function statOf(file: string): Promise<{ type: number; size: number; ctime: number; mtime: number }> {
	const own = await fs.promises.lstat(file);
	const target = own.isSymbolicLink()
		? await fs.promises.stat(file).catch((error: NodeJS.ErrnoException) => {
				if (error.code !== 'ENOENT') {
					throw error;
				}
				return undefined;
			})
		: own;
	const kind = target?.isFile() ? FileType.File : target?.isDirectory() ? FileType.Directory : FileType.Unknown;
	const { size, ctimeMs: ctime, mtimeMs: mtime } = target ?? own;
	return { type: own.isSymbolicLink() ? kind | FileType.SymbolicLink : kind, size, ctime, mtime };
}

const diskFiles = {
	stat: (uri: Uri) => translated(() => statOf(uri.fsPath)),
	readFile: (uri: Uri) => translated(async () => new Uint8Array(await fs.promises.readFile(uri.fsPath))),
	readDirectory: (uri: Uri) =>
		translated(async () => {
			const names = await fs.promises.readdir(uri.fsPath);
			return Promise.all(
				names.map(async (name): Promise<[string, FileType]> => [
					name,
					(await statOf(path.join(uri.fsPath, name))).type,
				]),
			);
		}),
	/** Makes the folders above it, and follows links. */
	writeFile: (uri: Uri, bytes: Uint8Array) =>
		translated(async () => {
			await fs.promises.mkdir(path.dirname(uri.fsPath), { recursive: true });
			await fs.promises.writeFile(uri.fsPath, bytes);
		}),
	createDirectory: (uri: Uri) =>
		translated(async () => void (await fs.promises.mkdir(uri.fsPath, { recursive: true }))),
	delete: (uri: Uri, { recursive = false } = {}) => translated(() => fs.promises.rm(uri.fsPath, { recursive })),
	rename: (from: Uri, to: Uri, { overwrite = false } = {}) =>
		translated(async () => {
			if (!overwrite && fs.existsSync(to.fsPath)) {
				throw FileSystemError.FileExists(to);
			}
			await fs.promises.rename(from.fsPath, to.fsPath);
		}),
};

/** The values of one setting, by where they are set. */
export interface SettingValues {
	defaultValue?: unknown;
	globalValue?: unknown;
	workspaceValue?: unknown;
	workspaceFolderValue?: unknown;
}

/** By full name: what `getConfiguration().inspect()` gives. A test fills and clears it. */
export const settings = new Map<string, SettingValues>();

interface Configuration {
	get(key: string, fallback?: unknown): unknown;
	inspect(key: string): ({ key: string } & SettingValues) | undefined;
	update(key: string, value: unknown, target?: ConfigurationTarget | boolean): Promise<void>;
}

function configurationOf(section?: string): Configuration {
	const nameOf = (key: string): string => (section === undefined ? key : `${section}.${key}`);
	return {
		get: (key, fallback) => {
			const {
				defaultValue = fallback,
				globalValue = defaultValue,
				workspaceValue = globalValue,
				workspaceFolderValue = workspaceValue,
			} = settings.get(nameOf(key)) ?? {};
			return workspaceFolderValue;
		},
		inspect: key => ({ key: nameOf(key), ...settings.get(nameOf(key)) }),
		update: (key, value, target) => {
			const isGlobal = target === true || target === ConfigurationTarget.Global;
			const place = isGlobal ? 'globalValue' : 'workspaceValue';
			settings.set(nameOf(key), { ...settings.get(nameOf(key)), [place]: value });
			return Promise.resolve();
		},
	};
}

export * from './languageModelDouble.js';

export enum FileChangeType {
	Changed = 1,
}

export enum ConfigurationTarget {
	Global = 1,
	Workspace = 2,
	WorkspaceFolder = 3,
}

export class Disposable {
	constructor(private readonly onDispose: () => void) {}

	dispose(): void {
		this.onDispose();
	}
}

export class RelativePattern {
	constructor(
		readonly base: unknown,
		readonly pattern: string,
	) {}
}

/** These events never fire in unit tests. */
const noEvent = (): Disposable => new Disposable(() => undefined);

export const workspace = {
	/** Replaced by tests whose files are on no disk. */
	fs: diskFiles,
	isTrusted: true,
	workspaceFolders: undefined as readonly { uri: Uri; name: string; index: number }[] | undefined,
	workspaceFile: undefined as Uri | undefined,
	getWorkspaceFolder: ({ path: file }: Uri): { uri: Uri } | undefined =>
		workspace.workspaceFolders?.find(it => file.startsWith(`${it.uri.path}/`)),
	getConfiguration: configurationOf,
	onDidChangeConfiguration: noEvent,
	onDidChangeWorkspaceFolders: noEvent,
	onDidGrantWorkspaceTrust: noEvent,
	textDocuments: [] as readonly { uri: Uri }[],
	registerFileSystemProvider: noEvent,
	registerTextDocumentContentProvider: noEvent,
	onDidOpenTextDocument: noEvent,
	onDidCloseTextDocument: noEvent,
};

/** The oldest editor that the extension supports. */
export const version = '1.99.0';

export const languages = { registerCodeLensProvider: noEvent };

export const QuickInputButtons = { Back: {} };

export class Range {
	constructor(
		readonly start: unknown,
		readonly end: unknown,
	) {}
}

export class Position {
	constructor(
		readonly line: number,
		readonly character: number,
	) {}

	translate(lines: number, characters: number): Position {
		return new Position(this.line + lines, this.character + characters);
	}
}

export enum TextEditorRevealType {
	InCenter = 1,
}

export class Selection {
	constructor(
		readonly anchor: unknown,
		readonly active: unknown,
	) {}
}

export class CodeLens {
	constructor(
		readonly range: Range,
		readonly command?: unknown,
	) {}
}

export enum ProgressLocation {
	SourceControl = 1,
	Window = 10,
	Notification = 15,
}

/** The part of the editor's `WebviewPanelSerializer` that the classes under test have. */
export interface PanelSerializer {
	deserializeWebviewPanel(panel: unknown, state: unknown): Promise<void>;
}

export const commands = {
	/** Tests replace it to see which commands are run. */
	executeCommand: (_command: string, ..._args: readonly unknown[]): Promise<unknown> => Promise.resolve(undefined),
	registerCommand: (): object => ({ dispose: () => undefined }),
};

export const window = {
	/** Of errors. */
	messages: [] as string[],
	onDidChangeWindowState: noEvent,
	createQuickPick: (): QuickPickDouble => new QuickPickDouble(),
	/** Replaced by tests that read what is logged. */
	createOutputChannel: (_name: string): object => ({ dispose: () => undefined }),
	/** Tests replace it to show the HTML of the panel. */
	createWebviewPanel: (..._options: readonly unknown[]): unknown => undefined,
	/** Tests of pages replace it to restore panels. */
	registerWebviewPanelSerializer: (_viewType: string, _serializer: PanelSerializer): object => ({
		dispose: () => undefined,
	}),
	createTreeView: (): object => ({ visible: true, selection: [], dispose: () => undefined }),
	setStatusBarMessage: noEvent,
	/** Tests set it to show documents. */
	visibleTextEditors: [] as readonly unknown[],
	onDidChangeActiveTextEditor: noEvent,
	onDidChangeVisibleTextEditors: noEvent,
	/** Tests replace it to choose a file. */
	showSaveDialog: (): Promise<Uri | undefined> => Promise.resolve(undefined),
	showInformationMessage: (_message: string): Promise<undefined> => Promise.resolve(undefined),
	/** Replaced by tests that answer it. */
	showWarningMessage: (_message: string, ..._buttons: string[]): Promise<string | undefined> =>
		Promise.resolve(undefined),
	showErrorMessage: (message: string): Promise<undefined> => {
		window.messages.push(message);
		return Promise.resolve(undefined);
	},
	/** Replaced by tests that look at it. */
	withProgress: (_options: unknown, task: (...given: unknown[]) => Promise<unknown>): Promise<unknown> =>
		task({ report: () => undefined }, { isCancellationRequested: false, onCancellationRequested: noEvent }),
	onDidChangeTextEditorSelection: noEvent as (listener: (event: { kind: number | undefined }) => void) => {
		dispose(): void;
	},
	tabGroups: {
		all: [] as readonly { readonly tabs: readonly { readonly input: unknown }[] }[],
		activeTabGroup: { activeTab: undefined, tabs: [] as readonly unknown[] },
		onDidChangeTabs: noEvent,
	},
};

export class TabInputText {
	constructor(readonly uri: Uri) {}
}

let copied = '';

export const env = {
	language: 'en',
	appName: 'Visual Studio Code',
	remoteName: undefined as string | undefined,
	clipboard: {
		readText: (): Promise<string> => Promise.resolve(copied),
		writeText: (text: string): Promise<void> => {
			copied = text;
			return Promise.resolve();
		},
	},
};

export const l10n = {
	t: (message: string, ...values: readonly (string | number | boolean)[]): string =>
		message.replaceAll(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place)),
};

/** An empty folder of the disk, for the files of a test; the caller removes it. */
export function makeFolder(): string {
	return fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-'));
}

/** The editor's state of a workspace, in memory. */
export function makeMemento(values: Readonly<Record<string, unknown>> = {}): {
	readonly held: Map<string, unknown>;
	keys(): readonly string[];
	get<T>(key: string, fallback?: T): T | undefined;
	update(key: string, value: unknown): Promise<void>;
} {
	const held = new Map(Object.entries(values));
	return {
		held,
		keys: () => [...held.keys()],
		get: <T>(key: string, fallback?: T) => (held.has(key) ? (held.get(key) as T) : fallback),
		update: (key, value) => {
			if (value === undefined) {
				held.delete(key);
			} else {
				held.set(key, value);
			}
			return Promise.resolve();
		},
	};
}
