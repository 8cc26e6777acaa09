/** What `${…}` means in a server's configuration, and the process or the URL that comes of it. */
import * as vscode from 'vscode';
import type { DebugDefinition } from '../../core/config/devMode.js';
import type { Environment } from '../../core/launch/environment.js';
import { variablesOf } from '../../core/config/inputs.js';
import { fillIn, type LaunchSnapshot } from '../../core/launch/launchSnapshot.js';
import type { ResolvedEndpoint, ResolvedProcess } from '../../core/launch/resolvedServer.js';
import type {
	ConfigSource,
	HttpDefinition,
	ServerDefinition,
	StdioDefinition,
} from '../../core/config/serverDefinition.js';
import { NotOnDiskError, substitute } from '../../core/config/variables.js';

/** What one start is filled in with. */
export interface LaunchValues {
	readonly environment: Environment;
	/** Node's name for the system. */
	readonly platform: string;
	readonly snapshot: LaunchSnapshot;
	/** The value of `${input:…}`. */
	readonly input: (id: string) => string | undefined;
}

/**
 * Fills in the variables; the process starts in its workspace folder unless it says otherwise. What a workspace file
 * configures starts beside that file, and what the person's settings configure in their home.
 * @param envFile what its `envFile` says: `env` has the last word
 * @throws UnresolvedVariableError if a variable has no value
 * @throws NotOnDiskError if it means a folder that no process can be started in
 */
export function resolveLaunch(
	{ source }: ServerDefinition,
	launch: StdioDefinition,
	{ environment, platform, snapshot, input }: LaunchValues,
	envFile: Readonly<Record<string, string>>,
): ResolvedProcess {
	const fill = (text: string): string => fillIn(text, snapshot, input);
	const { inheritedPath, program, debugProgram } = snapshot;
	const env = new ProcessEnvironment(environment.inherited(), platform);
	if (inheritedPath !== undefined) {
		env.set('PATH', inheritedPath);
	}
	Object.entries(envFile).forEach(([name, value]) => env.set(name, value));
	Object.entries(launch.env).forEach(([name, value]) => env.set(name, value === null ? null : fill(value)));
	return {
		kind: 'stdio',
		command: fill(launch.command),
		args: launch.args.map(fill),
		cwd: pathOnDisk(resolvePath(launch.cwd && fill(launch.cwd), source, environment)),
		env: env.values,
		program,
		...(debugProgram && { debugProgram }),
		...(launch.debug && { debug: fillInDebug(launch.debug, fill) }),
	};
}

/** Variables of a process. On Windows names in any case are one variable, and only one of them may be left. */
class ProcessEnvironment {
	readonly values: Record<string, string>;

	constructor(
		inherited: Readonly<Record<string, string>>,
		private readonly platform: string,
	) {
		this.values = { ...inherited };
	}

	set(name: string, value: string | null): void {
		const before = Object.keys(this.values).find(it => isSameVariable(it, name, this.platform));
		if (before !== undefined) {
			delete this.values[before];
		}
		if (value !== null) {
			Object.defineProperty(this.values, name, { value, enumerable: true, configurable: true, writable: true });
		}
	}
}

function isSameVariable(a: string, b: string, platform: string): boolean {
	return platform === 'win32' ? a.toUpperCase() === b.toUpperCase() : a === b;
}

function fillInDebug(debug: DebugDefinition, fill: (text: string) => string): DebugDefinition {
	return debug.type === 'debugpy' && debug.debugpyPath !== undefined
		? { ...debug, debugpyPath: fill(debug.debugpyPath) }
		: debug;
}

/** The value of a variable among several, as the system takes its names. */
export function variableIn<T>(values: Readonly<Record<string, T>>, name: string, platform: string): T | undefined {
	return Object.entries(values).findLast(([it]) => isSameVariable(it, name, platform))?.[1];
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
	const mean = meaningsOf(source, environment);
	const tryFill = (text: string): string => {
		try {
			return substitute(text, mean);
		} catch {
			return text;
		}
	};
	const own = pathOf(env);
	return {
		folder: describe(resolvePath(cwd && tryFill(cwd), source, environment)),
		path: own === undefined ? (environment.get('PATH') ?? '') : tryFill(own ?? ''),
		setsPath: own !== undefined,
	};
}

/** The PATH that a definition sets; Windows writes its name in any case. */
export function pathOf(env: StdioDefinition['env']): string | null | undefined {
	return Object.entries(env).find(([name]) => name.toUpperCase() === 'PATH')?.[1];
}

/** Fills in the variables. @throws UnresolvedVariableError if one has no value */
export function resolveEndpoint(
	launch: HttpDefinition,
	{ snapshot, input }: Pick<LaunchValues, 'snapshot' | 'input'>,
): ResolvedEndpoint {
	const fill = (text: string): string => fillIn(text, snapshot, input);
	const headers = Object.entries(launch.headers).map(([name, value]) => [name, fill(value)] as const);
	return { kind: launch.kind, url: fill(launch.url), headers: Object.fromEntries(headers) };
}

/** What each variable of a definition stands for now, but inputs. What has no value is missing, an error says why. */
export function lookUpVariables(
	{ source, launch }: ServerDefinition,
	environment: Environment,
): ReadonlyMap<string, string | Error> {
	const mean = meaningsOf(source, environment);
	const values = new Map<string, string | Error>();
	for (const variable of variablesOf(launch).keys()) {
		try {
			const value = variable.startsWith('input:') ? undefined : mean(variable);
			if (value !== undefined) {
				values.set(variable, value);
			}
		} catch (error) {
			values.set(variable, error instanceof Error ? error : new Error(String(error)));
		}
	}
	return values;
}

/** A path on the disk, as it was written; or of a workspace folder, which need not be on one. */
export type Place = string | vscode.Uri;

/** Relative to where the process would start otherwise, which is what no path means; `~` is the person's own. */
export function resolvePath(path: string | undefined, source: ConfigSource, environment: Environment): Place {
	const base = baseOf(source, environment);
	if (path === undefined) {
		return base;
	}
	if (/^~(?=$|[\\/])/.test(path)) {
		return environment.home + path.slice(1);
	}
	const isAbsolute = /^([\\/]|[a-z]:[\\/])/i.test(path);
	return isAbsolute ? path : vscode.Uri.joinPath(uriOf(base), path);
}

/** Where a process starts that does not say it. */
function baseOf(source: ConfigSource, { home }: Environment): Place {
	if (source.folderUri !== undefined) {
		return vscode.Uri.parse(source.folderUri);
	}
	const file = vscode.Uri.parse(source.uri);
	// A workspace that was never saved has a file, but no place that means anything to the person.
	return source.kind === 'workspaceFile' && file.scheme === 'file' ? vscode.Uri.joinPath(file, '..') : home;
}

export function uriOf(place: Place): vscode.Uri {
	return typeof place === 'string' ? vscode.Uri.file(place) : place;
}

/** Of a folder that only the editor can read there is a path, too: here it is something else's, or nothing's. */
function pathOnDisk(place: Place): string {
	if (uriOf(place).scheme !== 'file') {
		throw new NotOnDiskError(describe(place));
	}
	return describe(place);
}

export function describe(place: Place): string {
	return typeof place === 'string' ? place : place.scheme === 'file' ? place.fsPath : place.toString(true);
}

/** What belongs to no folder means the only one there is; of several, none. */
function folderOf({ folderUri }: ConfigSource): vscode.Uri | undefined {
	if (folderUri !== undefined) {
		return vscode.Uri.parse(folderUri);
	}
	const [folder, ...others] = vscode.workspace.workspaceFolders ?? [];
	return others.length === 0 ? folder?.uri : undefined;
}

/** What `${…}` stands for in the values of one file. @throws NotOnDiskError for a folder that has no path */
function meaningsOf(source: ConfigSource, environment: Environment): (variable: string) => string | undefined {
	return variable => {
		const [, kind = variable, name] = /^(\w+):(.*)$/.exec(variable) ?? [];
		switch (kind) {
			case 'workspaceFolder': {
				const folder = name === undefined ? folderOf(source) : folderNamed(name);
				return folder && pathOnDisk(folder);
			}
			case 'workspaceFolderBasename': {
				const folder = name === undefined ? folderOf(source) : folderNamed(name);
				return folder?.path.split('/').findLast(it => it !== '');
			}
			case 'userHome':
				return environment.home;
			case 'pathSeparator':
			case '/':
				return environment.home.includes('\\') ? '\\' : '/';
			case 'env':
				return name === undefined ? undefined : environmentValue(name, environment);
			case 'config':
				return name === undefined ? undefined : settingText(name, source);
			default:
				return undefined;
		}
	};
}

/** VS Code's rule: a variable that is not set is empty. As in a shell, `NAME:-text` says what it is then. */
function environmentValue(text: string, environment: Environment): string {
	const [, name = text, otherwise = ''] = /^(.*?):-(.*)$/s.exec(text) ?? [];
	return environment.get(name) || otherwise;
}

function folderNamed(name: string): vscode.Uri | undefined {
	return vscode.workspace.workspaceFolders?.find(it => it.name === name)?.uri;
}

/** A setting as its folder has it; a list or an object is no text. */
export function settingText(name: string, { folderUri }: ConfigSource): string | undefined {
	const scope = folderUri === undefined ? undefined : vscode.Uri.parse(folderUri);
	const value = vscode.workspace.getConfiguration(undefined, scope).get<unknown>(name);
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
		? String(value)
		: undefined;
}
