/** Fills in the variables (`${…}`) of a server's configuration, and makes its process or URL. */
import * as vscode from 'vscode';
import type {
	ConfigSource,
	HttpDefinition,
	ServerDefinition,
	StdioDefinition,
} from '../../core/config/serverDefinition.js';
import { assertNever } from '../../base/errors.js';
import type { Environment } from '../../core/launch/environment.js';
import { variablesOf } from '../../core/config/inputs.js';
import { fillIn, type LaunchSnapshot } from '../../core/launch/launchSnapshot.js';
import { type ResolvedEndpoint, type ResolvedProcess, UnsetVariableError } from '../../core/launch/resolvedServer.js';
import { NotOnDiskError, parseVariable, substitute } from '../../core/config/variables.js';

export interface LaunchValues {
	readonly environment: Environment;
	/** Node's name for the system. */
	readonly platform: string;
	readonly snapshot: LaunchSnapshot;
	/** The value of `${input:…}`. */
	readonly input: (id: string) => string | undefined;
}

/**
 * Fills in the variables of a process. Without `cwd` it starts in the workspace folder, in the folder of the workspace file,
 * or (for User Settings) in the person's home folder.
 * @param envFile variables of its `envFile`, which `env` overrides
 * @throws UnresolvedVariableError if a variable has no value
 * @throws NotOnDiskError if `cwd` is not on the local file system
 */
export function resolveLaunch(
	{ source }: ServerDefinition,
	launch: StdioDefinition,
	{ environment, platform, snapshot, input }: LaunchValues,
	envFile: Readonly<Record<string, string>>,
): ResolvedProcess {
	const fill = (text: string): string => fillIn(text, snapshot, input);
	const { inheritedPath, program } = snapshot;
	const env = { ...environment.inherited() };
	const set = (name: string, value: string | null): void => setVariable(env, name, value, platform);
	if (inheritedPath !== undefined) {
		set('PATH', inheritedPath);
	}
	Object.entries(envFile).forEach(([name, value]) => set(name, value));
	Object.entries(launch.env).forEach(([name, value]) => set(name, value === null ? null : fill(value)));
	return {
		kind: 'stdio',
		command: fill(launch.command),
		args: launch.args.map(fill),
		cwd: pathOnDisk(resolvePath(launch.cwd && fill(launch.cwd), source, environment)),
		env,
		program,
		...(launch.debug && { debug: launch.debug }),
	};
}

/** Sets an environment variable; `null` removes it. On Windows, names that differ only in case are the same variable. */
function setVariable(env: Record<string, string>, name: string, value: string | null, platform: string): void {
	const before = Object.keys(env).find(it => isSameVariable(it, name, platform));
	if (before !== undefined) {
		delete env[before];
	}
	if (value !== null) {
		// Not by assignment, because a name can be `__proto__`.
		Object.defineProperty(env, name, { value, enumerable: true, configurable: true, writable: true });
	}
}

function isSameVariable(a: string, b: string, platform: string): boolean {
	return platform === 'win32' ? a.toUpperCase() === b.toUpperCase() : a === b;
}

/** The value of a variable by its name, whose case doesn't matter on Windows. */
export function variableIn<T>(values: Readonly<Record<string, T>>, name: string, platform: string): T | undefined {
	return Object.entries(values).findLast(([it]) => isSameVariable(it, name, platform))?.[1];
}

/** The folder and the PATH of a server, without asking for inputs: unknown variables stay in the text. */
export function describePlace(
	{ source }: ServerDefinition,
	{ cwd, env }: StdioDefinition,
	environment: Environment,
): { readonly folder: string; readonly path: string; readonly setsPath: boolean } {
	const mean = meaningsOf(source, environment);
	const tryFill = (text: string): string => {
		try {
			return substitute(text, mean);
		} catch {
			return text;
		}
	};
	const own = Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1];
	return {
		folder: pathText(resolvePath(cwd && tryFill(cwd), source, environment)),
		path: own === undefined ? (environment.get('PATH') ?? '') : tryFill(own ?? ''),
		setsPath: own !== undefined,
	};
}

/**
 * Fills in the variables.
 * @throws UnresolvedVariableError if one has no value
 * @throws UnsetVariableError for an environment variable that isn't set
 */
export function resolveEndpoint(
	launch: HttpDefinition,
	{ snapshot, input }: Pick<LaunchValues, 'snapshot' | 'input'>,
): ResolvedEndpoint {
	for (const [variable, places] of variablesOf(launch)) {
		if (/^env:(?!.*:-)/s.test(variable) && snapshot.variables.get(variable) === '') {
			throw new UnsetVariableError(variable.slice('env:'.length), places);
		}
	}
	const fill = (text: string): string => fillIn(text, snapshot, input);
	const headers = Object.entries(launch.headers).map(([name, value]) => [name, fill(value)] as const);
	return { kind: launch.kind, url: fill(launch.url), headers: Object.fromEntries(headers) };
}

/** The current values of a definition's variables except inputs, or the errors. Variables without a value are left out. */
export function lookUpVariables(
	{ source, launch }: ServerDefinition,
	environment: Environment,
): ReadonlyMap<string, string | Error> {
	const mean = meaningsOf(source, environment);
	const values = new Map<string, string | Error>();
	for (const variable of variablesOf(launch).keys()) {
		try {
			const value = mean(variable);
			if (value !== undefined) {
				values.set(variable, value);
			}
		} catch (error) {
			values.set(variable, error instanceof Error ? error : new Error(String(error)));
		}
	}
	return values;
}

/** Where the settings that a definition uses are set, by variable. Settings with their default values are left out. */
export function lookUpSettings({ source, launch }: ServerDefinition): LaunchSnapshot['settings'] {
	return new Map(
		Array.from(variablesOf(launch).keys()).flatMap((variable): [string, 'user' | 'workspace'][] => {
			const values = variable.startsWith('config:') && settingsFor(source).inspect(variable.slice('config:'.length));
			const { globalValue, workspaceValue, workspaceFolderValue } = values || {};
			const isOfWorkspace = workspaceValue !== undefined || workspaceFolderValue !== undefined;
			return isOfWorkspace || globalValue !== undefined ? [[variable, isOfWorkspace ? 'workspace' : 'user']] : [];
		}),
	);
}

/** A path on the disk, or a URI in a workspace folder, which may be on another file system. */
export type PathOrUri = string | vscode.Uri;

/** Resolves a path. A relative path starts at the folder in which processes start by default. */
export function resolvePath(
	path: string | undefined,
	source: ConfigSource,
	environment: Environment,
	base = baseOf(source, environment),
): PathOrUri {
	if (path === undefined) {
		return base;
	}
	const isAbsolute = /^([\\/]|[a-z]:[\\/])/i.test(path);
	return isAbsolute ? path : vscode.Uri.joinPath(toUri(base), path);
}

/** The folder in which a process without `cwd` starts. */
function baseOf(source: ConfigSource, { home }: Environment): PathOrUri {
	if (source.folderUri !== undefined) {
		return vscode.Uri.parse(source.folderUri);
	}
	const file = vscode.Uri.parse(source.uri);
	// The file of an untitled workspace is in a folder that the person doesn't know.
	return source.kind === 'workspaceFile' && file.scheme === 'file' ? vscode.Uri.joinPath(file, '..') : home;
}

export function toUri(place: PathOrUri): vscode.Uri {
	return typeof place === 'string' ? vscode.Uri.file(place) : place;
}

/** @throws NotOnDiskError for a URI of another file system, whose path would mean another file on the disk */
function pathOnDisk(place: PathOrUri): string {
	if (toUri(place).scheme !== 'file') {
		throw new NotOnDiskError(pathText(place));
	}
	return pathText(place);
}

export function pathText(place: PathOrUri): string {
	return typeof place === 'string' ? place : place.scheme === 'file' ? place.fsPath : place.toString(true);
}

/** The folder of a source; for sources without one, the only workspace folder, if there is exactly one. */
function folderOf({ folderUri }: ConfigSource): vscode.Uri | undefined {
	if (folderUri !== undefined) {
		return vscode.Uri.parse(folderUri);
	}
	const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
	return others.length === 0 ? folder?.uri : undefined;
}

/** Returns values of `${…}` for the definitions of one source. @throws NotOnDiskError for a folder without a path */
function meaningsOf(source: ConfigSource, environment: Environment): (variable: string) => string | undefined {
	return variable => {
		const { kind, name = '' } = parseVariable(variable) ?? {};
		switch (kind) {
			case 'workspaceFolder':
			case 'workspaceFolderBasename': {
				const folder = name === '' ? folderOf(source) : folderNamed(name);
				return kind === 'workspaceFolder'
					? folder && pathOnDisk(folder)
					: folder?.path.split('/').findLast(it => it !== '');
			}
			case 'userHome':
				return environment.home;
			case 'pathSeparator':
			case '/':
				return environment.home.includes('\\') ? '\\' : '/';
			case 'env':
				return environmentValue(name, environment);
			case 'config':
				return settingText(name, source);
			case 'input':
			case undefined:
				return undefined;
			default:
				return assertNever(kind);
		}
	};
}

/** As in VS Code, a variable that isn't set is empty. As in a shell, `NAME:-text` gives it a default. */
function environmentValue(text: string, environment: Environment): string {
	const [, name = text, otherwise = ''] = /^(.*?):-(.*)$/s.exec(text) ?? [];
	return environment.get(name) || otherwise;
}

function folderNamed(name: string): vscode.Uri | undefined {
	return vscode.workspace.workspaceFolders?.find(it => it.name === name)?.uri;
}

/** The value of a setting for the source's folder; `undefined` for lists and objects. */
export function settingText(name: string, source: ConfigSource): string | undefined {
	const value = settingsFor(source).get<unknown>(name);
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value)
		: undefined;
}

function settingsFor({ folderUri }: ConfigSource): vscode.WorkspaceConfiguration {
	return vscode.workspace.getConfiguration(
		undefined,
		folderUri === undefined ? undefined : vscode.Uri.parse(folderUri),
	);
}
