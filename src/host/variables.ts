/** What `${…}` means in a server's configuration, and the process that comes of it. */
import * as vscode from 'vscode';
import type { Environment } from '../model/environment.js';
import type { ConfigSource, HttpDefinition, ServerDefinition, StdioDefinition } from '../model/serverConfig.js';
import { substitute } from '../model/variables.js';

/** A process ready to be started. */
export interface ResolvedLaunch {
	readonly command: string;
	readonly args: readonly string[];
	readonly cwd: string;
	readonly env: Readonly<Record<string, string>>;
}

/**
 * Fills in the variables; the process starts in its workspace folder unless it says otherwise. What a workspace file
 * configures starts beside that file, and what the person's settings configure in their home.
 * @throws UnresolvedVariableError if a variable has no value
 */
export function resolveLaunch(
	{ source }: ServerDefinition,
	launch: StdioDefinition,
	environment: Environment,
): ResolvedLaunch {
	const fill = filler(source, environment);
	const env = environment.inherited();
	for (const [name, value] of Object.entries(launch.env)) {
		if (value === null) {
			delete env[name];
		} else {
			env[name] = fill(value);
		}
	}
	return {
		command: fill(launch.command),
		args: launch.args.map(fill),
		cwd: launch.cwd === undefined ? baseOf(source, environment) : resolveFolder(fill(launch.cwd), source, environment),
		env,
	};
}

/** A URL ready to be connected to. */
export interface ResolvedEndpoint {
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
}

/** Fills in the variables. @throws UnresolvedVariableError if one has no value */
export function resolveEndpoint(
	{ source }: ServerDefinition,
	launch: HttpDefinition,
	environment: Environment,
): ResolvedEndpoint {
	const fill = filler(source, environment);
	const headers = Object.entries(launch.headers).map(([name, value]) => [name, fill(value)] as const);
	return { url: fill(launch.url), headers: Object.fromEntries(headers) };
}

/** Relative to where the process would start otherwise; `~` is the person's own. */
function resolveFolder(path: string, source: ConfigSource, environment: Environment): string {
	if (/^~(?=$|[\\/])/.test(path)) {
		return environment.home + path.slice(1);
	}
	const isAbsolute = /^([\\/]|[a-z]:[\\/])/i.test(path);
	return isAbsolute ? path : vscode.Uri.joinPath(vscode.Uri.file(baseOf(source, environment)), path).fsPath;
}

/** Where a process starts that does not say it. */
function baseOf(source: ConfigSource, { home }: Environment): string {
	if (source.folderUri !== undefined) {
		return vscode.Uri.parse(source.folderUri).fsPath;
	}
	const file = vscode.Uri.parse(source.uri);
	// A workspace that was never saved has a file, but no place that means anything to the person.
	return source.kind === 'workspaceFile' && file.scheme === 'file' ? vscode.Uri.joinPath(file, '..').fsPath : home;
}

/** What belongs to no folder means the only one there is; of several, none. */
function folderOf({ folderUri }: ConfigSource): string | undefined {
	if (folderUri !== undefined) {
		return vscode.Uri.parse(folderUri).fsPath;
	}
	const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
	return others.length === 0 ? folder?.uri.fsPath : undefined;
}

/** What replaces `${…}` in the values of one file. */
function filler(source: ConfigSource, environment: Environment): (text: string) => string {
	return text =>
		substitute(text, variable => {
			const [, kind = variable, name] = /^(\w+):(.*)$/.exec(variable) ?? [];
			switch (kind) {
				case 'workspaceFolder':
					return name === undefined ? folderOf(source) : folderNamed(name);
				case 'userHome':
					return environment.home;
				case 'env':
					return name === undefined ? undefined : environmentValue(name, environment);
				default:
					return undefined;
			}
		});
}

/** VS Code's rule: a variable that is not set is empty. As in a shell, `NAME:-text` says what it is then. */
function environmentValue(text: string, environment: Environment): string {
	const [, name = text, otherwise = ''] = /^(.*?):-(.*)$/s.exec(text) ?? [];
	return environment.get(name) || otherwise;
}

function folderNamed(name: string): string | undefined {
	return vscode.workspace.workspaceFolders?.find(it => it.name === name)?.uri.fsPath;
}
