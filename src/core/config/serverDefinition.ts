/** The types of a server's definition: where it is configured, and how it is started or reached. All parsers return them. */

/** The place that a definition is from. */
export type ConfigSource = FolderSource | SharedSource;

/** `.vscode/mcp.json` or `.mcp.json` of a workspace folder. URIs as strings. */
export interface FolderSource {
	readonly kind: 'vscodeFolder' | 'projectRoot';
	readonly uri: string;
	readonly folderUri: string;
	readonly folderName: string;
}

/** A place for all folders: the `.code-workspace` file, or the person's settings. The demo server counts as one of the settings. */
export interface SharedSource {
	readonly kind: 'workspaceFile' | 'userSettings';
	/** The URI of the file; for settings, whose file only the editor knows, a constant. */
	readonly uri: string;
	readonly folderUri: undefined;
	readonly folderName: undefined;
	readonly isDemo?: true;
}

/** The debugger of a server. It is part of the launch definition, because it changes the command. */
export interface DebugDefinition {
	readonly type: 'node' | 'debugpy';
}

/** A server as a child process. Values may hold `${…}` variables. */
export interface StdioDefinition {
	readonly kind: 'stdio';
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string | undefined;
	/** `null` removes a variable that would be inherited. */
	readonly env: Readonly<Record<string, string | null>>;
	readonly envFile: string | undefined;
	readonly debug?: DebugDefinition;
}

/** A server at a URL. */
export interface HttpDefinition {
	readonly kind: 'http' | 'sse';
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	/** The client for signing in. The file must not have the client's secret. */
	readonly oauth?: { readonly clientId?: string; readonly scopes?: readonly string[] };
}

export type LaunchDefinition = StdioDefinition | HttpDefinition;

export interface InputOption {
	readonly label: string;
	readonly value: string;
}

/** One input that servers of the same file may use. */
export type InputDefinition = {
	/** Unique in its file. */
	readonly id: string;
	readonly description: string | undefined;
} & (
	| { readonly kind: 'promptString'; readonly default: string | undefined; readonly password: boolean }
	| { readonly kind: 'pickString'; readonly default: string | undefined; readonly options: readonly InputOption[] }
	/** The result of a command of the editor. */
	| { readonly kind: 'command'; readonly command: string; readonly args: unknown }
);

export interface ServerDefinition {
	/** A unique id that depends on the file and the name only. */
	readonly id: string;
	/** The key in the file. */
	readonly name: string;
	readonly source: ConfigSource;
	/** Position of the name in the file, in UTF-16 units. */
	readonly offset: number;
	readonly launch: LaunchDefinition;
	/** Globs of the files whose change restarts the server; see `devMode.ts`. */
	readonly watch?: readonly string[];
	/** Whether the file disables the server. */
	readonly isDisabled?: boolean;
	/** Places whose definitions of the same server aren't used; see `precedence.ts`. */
	readonly shadows?: readonly ConfigSource[];
	/** The inputs of the file. */
	readonly inputs: readonly InputDefinition[];
}

/** Whether a path leads to another computer. Reading it on Windows would send the person's identity to that computer. */
export function isNetworkPath(path: string): boolean {
	return /^[\\/]{2}/.test(path);
}

/** Whether two definitions start the same process or connect to the same URL. */
export function isSameLaunch(a: LaunchDefinition, b: LaunchDefinition): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
