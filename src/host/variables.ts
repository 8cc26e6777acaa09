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
 * Fills in the variables; the process starts in its workspace folder unless it says otherwise.
 * @throws UnresolvedVariableError if a variable has no value
 */
export function resolveLaunch(
	{ source }: ServerDefinition,
	launch: StdioDefinition,
	environment: Environment,
): ResolvedLaunch {
	const folder = folderOf(source);
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
		cwd: launch.cwd === undefined ? folder : resolveFolder(fill(launch.cwd), source, environment),
		env,
	};
}

/**
 * Where a server is started and which PATH it gets, as far as the variables are known: those that are not stay as
 * they are. Nothing secret is asked for.
 */
export function describePlace(
	{ source }: ServerDefinition,
	{ cwd, env }: StdioDefinition,
	environment: Environment,
): { readonly folder: string; readonly path: string; readonly setsPath: boolean } {
	const fill = filler(source, environment);
	const tryFill = (text: string): string => {
		try {
			return fill(text);
		} catch {
			return text;
		}
	};
	const own = pathOf(env);
	return {
		folder: cwd === undefined ? folderOf(source) : resolveFolder(tryFill(cwd), source, environment),
		path: own === undefined ? (environment.get('PATH') ?? '') : tryFill(own ?? ''),
		setsPath: own !== undefined,
	};
}

/** The PATH that a definition sets; Windows writes its name in any case. */
export function pathOf(env: StdioDefinition['env']): string | null | undefined {
	return Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1];
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

/** Relative to the workspace folder; `~` is the person's own. */
function resolveFolder(path: string, { folderUri }: ConfigSource, { home }: Environment): string {
	if (/^~(?=$|[\\/])/.test(path)) {
		return home + path.slice(1);
	}
	const isAbsolute = /^([\\/]|[a-z]:[\\/])/i.test(path);
	return isAbsolute ? path : vscode.Uri.joinPath(vscode.Uri.parse(folderUri), path).fsPath;
}

function folderOf(source: ConfigSource): string {
	return vscode.Uri.parse(source.folderUri).fsPath;
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
					// VS Code's rule: a variable that is not set is empty.
					return name === undefined ? undefined : (environment.get(name) ?? '');
				default:
					return undefined;
			}
		});
}

function folderNamed(name: string): string | undefined {
	return vscode.workspace.workspaceFolders?.find(it => it.name === name)?.uri.fsPath;
}
