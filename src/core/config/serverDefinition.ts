/** What a server is: where it is configured, and how it is reached. Every reader of a format ends in these types. */
import type { DebugDefinition } from './devMode.js';
import type { InputDefinition } from './inputs.js';

/** Where definitions came from. */
export type ConfigSource = FolderSource | SharedSource;

/** `.vscode/mcp.json` or `.mcp.json` of a workspace folder. URIs as strings. */
export interface FolderSource {
	readonly kind: 'vscodeFolder' | 'projectRoot';
	readonly uri: string;
	readonly folderUri: string;
	readonly folderName: string;
}

/** What holds for all folders: the `.code-workspace` file, or the person's settings. */
export interface SharedSource {
	readonly kind: 'workspaceFile' | 'userSettings';
	/** Of the file; for settings, whose file is the editor's affair, only a name that does not change. */
	readonly uri: string;
	readonly folderUri: undefined;
	readonly folderName: undefined;
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
	/** What we are known by where it signs in; no secret belongs there. */
	readonly oauth?: { readonly clientId?: string; readonly scopes?: readonly string[] };
}

export type LaunchDefinition = StdioDefinition | HttpDefinition;

export interface ServerDefinition {
	/** Unique among all definitions, the same as long as file and name are the same. */
	readonly id: string;
	/** The key in the file. */
	readonly name: string;
	readonly source: ConfigSource;
	/** Where its name stands in the file: offset in UTF-16 units. */
	readonly offset: number;
	readonly launch: LaunchDefinition;
	/** Files whose change restarts it; see `devMode.ts`. */
	readonly watch?: readonly string[];
	/** Its file says that it is switched off. */
	readonly isDisabled?: boolean;
	/** Places that configure it as well and do not count; see `precedence.ts`. */
	readonly shadows?: readonly ConfigSource[];
	/** What `${input:…}` may name: the inputs of its file. */
	readonly inputs: readonly InputDefinition[];
}

/** True if both describe the same process or URL, wherever they stand in their file. */
export function isSameLaunch(a: LaunchDefinition, b: LaunchDefinition): boolean {
	return JSON.stringify(a) === JSON.stringify(b);
}
