/** What `${…}` means in a server's configuration, and the process or the URL that comes of it. */
import * as vscode from 'vscode';
import { AbortError } from '../base/errors.js';
import { textLimits } from '../mcp/index.js';
import type { DebugDefinition } from '../model/devMode.js';
import { EnvFileError, parseEnvFile } from '../model/envFile.js';
import type { Environment } from '../model/environment.js';
import type { ResolvedEndpoint, ResolvedProcess, ResolvedServer, ResolveRequest } from '../model/resolvedServer.js';
import type { ConfigSource, HttpDefinition, ServerDefinition, StdioDefinition } from '../model/serverDefinition.js';
import { NotOnDiskError, substitute } from '../model/variables.js';
import { readBoundedText, RefusedFileError } from './boundedFile.js';
import type { Inputs } from './inputs.js';

/** What the variables of one start stand for. */
export interface VariableValues {
	readonly environment: Environment;
	/** The value of `${input:…}`. */
	readonly input: (id: string) => string | undefined;
}

/**
 * Implements the model's port: asks for inputs, reads the `envFile`, fills in the variables.
 * @throws as `ServerDeps.resolve`
 */
export async function resolveServer(
	definition: ServerDefinition,
	request: ResolveRequest,
	{ environment, inputs }: { readonly environment: Environment; readonly inputs: Inputs },
): Promise<ResolvedServer> {
	// Nobody is asked for a server that cannot start anyway.
	fillIn(definition, { environment, input: () => '' }, {});
	const { values, secrets } = await inputs.resolve(definition, request);
	const known = { environment, input: (id: string) => values.get(id) };
	const envFile = await readEnvFile(definition, known);
	if (request.signal.aborted) {
		throw new AbortError();
	}
	return { launch: fillIn(definition, known, envFile), secrets };
}

function fillIn(
	definition: ServerDefinition,
	values: VariableValues,
	envFile: Readonly<Record<string, string>>,
): ResolvedServer['launch'] {
	const { launch } = definition;
	return launch.kind === 'stdio'
		? resolveLaunch(definition, launch, values, envFile)
		: resolveEndpoint(definition, launch, values);
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
	values: VariableValues,
	envFile: Readonly<Record<string, string>>,
): ResolvedProcess {
	const fill = filler(source, values);
	const env = { ...values.environment.inherited(), ...envFile };
	for (const [name, value] of Object.entries(launch.env)) {
		if (value === null) {
			delete env[name];
		} else {
			env[name] = fill(value);
		}
	}
	return {
		kind: 'stdio',
		command: fill(launch.command),
		args: launch.args.map(fill),
		cwd: pathOnDisk(resolvePath(launch.cwd && fill(launch.cwd), source, values.environment)),
		env,
		setsPath: pathOf(launch.env) !== undefined,
		...(launch.debug && { debug: fillInDebug(launch.debug, fill) }),
	};
}

function fillInDebug(debug: DebugDefinition, fill: (text: string) => string): DebugDefinition {
	return debug.type === 'debugpy' && debug.debugpyPath !== undefined
		? { ...debug, debugpyPath: fill(debug.debugpyPath) }
		: debug;
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
	const fill = filler(source, { environment, input: () => undefined });
	const tryFill = (text: string): string => {
		try {
			return fill(text);
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
	{ source }: ServerDefinition,
	launch: HttpDefinition,
	values: VariableValues,
): ResolvedEndpoint {
	const fill = filler(source, values);
	const headers = Object.entries(launch.headers).map(([name, value]) => [name, fill(value)] as const);
	return { kind: launch.kind, url: fill(launch.url), headers: Object.fromEntries(headers) };
}

/** Read at each start: what changed in it holds from the next one on. */
async function readEnvFile(
	{ source, launch }: ServerDefinition,
	values: VariableValues,
): Promise<Record<string, string>> {
	if (launch.kind !== 'stdio' || launch.envFile === undefined) {
		return {};
	}
	const place = resolvePath(filler(source, values)(launch.envFile), source, values.environment);
	const path = describe(place);
	let content: string;
	try {
		content = await readBoundedText(uriOf(place), textLimits.envFile);
	} catch (error) {
		const isTooLarge = error instanceof RefusedFileError && error.problem.code === 'tooLarge';
		throw new EnvFileError(
			path,
			isTooLarge ? { code: 'tooLarge', maxBytes: textLimits.envFile } : { code: 'unreadable' },
		);
	}
	return parseEnvFile(content, path);
}

/** A path on the disk, as it was written; or of a workspace folder, which need not be on one. */
type Place = string | vscode.Uri;

/** Relative to where the process would start otherwise, which is what no path means; `~` is the person's own. */
function resolvePath(path: string | undefined, source: ConfigSource, environment: Environment): Place {
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

function uriOf(place: Place): vscode.Uri {
	return typeof place === 'string' ? vscode.Uri.file(place) : place;
}

/** Of a folder that only the editor can read there is a path, too: here it is something else's, or nothing's. */
function pathOnDisk(place: Place): string {
	if (uriOf(place).scheme !== 'file') {
		throw new NotOnDiskError(describe(place));
	}
	return describe(place);
}

function describe(place: Place): string {
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

/** What replaces `${…}` in the values of one file. */
function filler(source: ConfigSource, { environment, input }: VariableValues): (text: string) => string {
	return text =>
		substitute(text, variable => {
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
				case 'input':
					return name === undefined ? undefined : input(name);
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
