/** Takes the snapshot of a definition that the person is asked about, and makes the process or URL from that snapshot. */
import { AbortError } from '../../base/errors.js';
import { type ServerMachine, shellPathFirst } from '../../core/diagnosis/diagnosis.js';
import { textLimits } from '../../mcp/index.js';
import { EnvFileError, parseEnvFile } from '../../core/config/envFile.js';
import type { Environment } from '../../core/launch/environment.js';
import {
	emptySnapshot,
	type EnvFileSnapshot,
	fillIn,
	type LaunchSnapshot,
	type Program,
	type ProgramFinder,
} from '../../core/launch/launchSnapshot.js';
import type { ResolvedProcess, ResolvedServer, ResolveRequest } from '../../core/launch/resolvedServer.js';
import type { Trust } from '../../core/servers/serverPorts.js';
import { isNetworkPath, type ServerDefinition, type StdioDefinition } from '../../core/config/serverDefinition.js';
import { readBoundedText, RefusedFileError } from '../documents/repositoryFiles.js';
import type { Inputs } from './inputs.js';
import { serverOptions } from './serverOptions.js';
import {
	pathText,
	lookUpSettings,
	lookUpVariables,
	type PathOrUri,
	resolveEndpoint,
	resolveLaunch,
	resolvePath,
	toUri,
	variableIn,
} from './variables.js';

export interface SnapshotDeps {
	readonly environment: Environment;
	readonly machine: ServerMachine & ProgramFinder;
	readonly trust: Pick<Trust, 'isTrusted'>;
	readonly inputs: Pick<Inputs, 'answered'>;
}

/** Takes a snapshot without asking the person, and without access to other computers. Never rejects. */
export async function takeSnapshot(definition: ServerDefinition, deps: SnapshotDeps): Promise<LaunchSnapshot> {
	const variables = lookUpVariables(definition, deps.environment);
	const answered = await deps.inputs.answered(definition).catch(() => emptySnapshot.answered);
	const snapshot = { ...emptySnapshot, answered, variables, settings: lookUpSettings(definition) };
	const { launch } = definition;
	return launch.kind === 'stdio' ? takeProcessSnapshot(definition, launch, snapshot, deps) : snapshot;
}

async function takeProcessSnapshot(
	definition: ServerDefinition,
	launch: StdioDefinition,
	known: LaunchSnapshot,
	{ environment, machine, trust }: SnapshotDeps,
): Promise<LaunchSnapshot> {
	const { source } = definition;
	const fill = (text: string): string | undefined => tryFill(text, known);
	const folder = pathText(resolvePath(launch.cwd && (fill(launch.cwd) ?? launch.cwd), source, environment));
	const inheritedPath = serverOptions(definition).usePathOfShell
		? await shellPathFirst(machine, environment)
		: undefined;
	const snapshot = { ...known, folder, inheritedPath };
	const path = launch.envFile === undefined ? undefined : fill(launch.envFile);
	const isLater = path === undefined || !trust.isTrusted();
	const envFile: EnvFileSnapshot =
		launch.envFile === undefined
			? { kind: 'none' }
			: isLater
				? { kind: 'later' }
				: await snapshotEnvFile(resolvePath(path, source, environment), machine);
	const searchPath = pathBefore(launch, envFile, { environment, machine, snapshot });
	const command = fill(launch.command);
	const isKnown = searchPath.isKnown && fill(launch.cwd ?? '') !== undefined && trust.isTrusted();
	const program: Program =
		command === undefined || !isKnown
			? { kind: 'unresolved' }
			: await machine.resolveProgram(command, searchPath.path, folder);
	return { ...snapshot, envFile, program };
}

/** The PATH of the process, if it is known without inputs. */
function pathBefore(
	{ env }: StdioDefinition,
	envFile: EnvFileSnapshot,
	{ environment, machine, snapshot }: Pick<SnapshotDeps, 'environment' | 'machine'> & { snapshot: LaunchSnapshot },
): { readonly isKnown: boolean; readonly path: string | undefined } {
	const { platform } = machine;
	const own = variableIn(env, 'PATH', platform);
	if (typeof own === 'string') {
		const path = tryFill(own, snapshot);
		return { isKnown: path !== undefined, path };
	}
	if (own === null) {
		return { isKnown: true, path: undefined };
	}
	const ofFile = envFile.kind === 'read' ? variableIn(envFile.values, 'PATH', platform) : undefined;
	const inherited = snapshot.inheritedPath ?? variableIn(environment.inherited(), 'PATH', platform);
	return { isKnown: envFile.kind !== 'later', path: ofFile ?? inherited };
}

/** `undefined` if a variable has no value, or is an input. */
function tryFill(text: string, snapshot: LaunchSnapshot): string | undefined {
	try {
		return fillIn(text, snapshot, () => undefined);
	} catch {
		return undefined;
	}
}

async function snapshotEnvFile(place: PathOrUri, { platform }: ProgramFinder): Promise<EnvFileSnapshot> {
	// Relative paths stay on the computer of the workspace folder.
	if (platform === 'win32' && typeof place === 'string' && isNetworkPath(place)) {
		return { kind: 'later' };
	}
	try {
		return { kind: 'read', values: await readEnvFile(place) };
	} catch (error) {
		return { kind: 'failed', error: error instanceof EnvFileError ? error : unreadable(place) };
	}
}

/** @throws EnvFileError if the file can't be read, is too large, or has an invalid line */
async function readEnvFile(place: PathOrUri): Promise<Record<string, string>> {
	let content: string;
	try {
		content = await readBoundedText(toUri(place), textLimits.envFile);
	} catch (error) {
		const isTooLarge = error instanceof RefusedFileError && error.problem.code === 'tooLarge';
		throw isTooLarge
			? new EnvFileError(pathText(place), { code: 'tooLarge', maxBytes: textLimits.envFile })
			: unreadable(place);
	}
	return parseEnvFile(content, pathText(place));
}

function unreadable(place: PathOrUri): EnvFileError {
	return new EnvFileError(pathText(place), { code: 'unreadable' });
}

export interface ResolveDeps extends SnapshotDeps {
	readonly inputs: Inputs;
}

/**
 * Asks for inputs and fills in the snapshot.
 * @param consent asks about a snapshot whose environment file could be read only after the inputs were known
 * @throws as `ServerDeps.resolve`
 */
export async function resolveServer(
	definition: ServerDefinition,
	request: ResolveRequest,
	snapshot: LaunchSnapshot,
	{ environment, machine, inputs }: ResolveDeps,
	consent: (snapshot: LaunchSnapshot) => Promise<unknown>,
): Promise<ResolvedServer> {
	const { launch } = definition;
	const { platform } = machine;
	const values = { environment, platform, snapshot };
	const make = (input: (id: string) => string | undefined, envFile = {}): ResolvedServer['launch'] =>
		launch.kind === 'stdio'
			? resolveLaunch(definition, launch, { ...values, input }, envFile)
			: resolveEndpoint(launch, { ...values, input });
	// Throws for a server that can't start, before the person is asked for its inputs.
	make(() => '');
	const known = await inputs.resolve(definition, request);
	const input = (id: string): string | undefined => known.values.get(id);
	const envFile = await readEnvFileOf(definition, snapshot, input, environment);
	if (snapshot.envFile.kind === 'later') {
		await consent({ ...snapshot, envFile: { kind: 'read', values: envFile } });
	}
	const made = make(input, envFile);
	const isFound = made.kind !== 'stdio' || made.program.kind !== 'unresolved';
	const resolved = isFound ? made : { ...made, program: await findProgram(made, machine) };
	if (request.signal.aborted) {
		throw new AbortError();
	}
	return { launch: resolved, secrets: known.secrets };
}

/** Finds the program of a command whose path depends on inputs. */
function findProgram({ command, cwd, env }: ResolvedProcess, machine: ProgramFinder): Promise<Program> {
	return machine.resolveProgram(command, variableIn(env, 'PATH', machine.platform), cwd);
}

/** @throws EnvFileError, UnresolvedVariableError */
async function readEnvFileOf(
	{ source, launch }: ServerDefinition,
	snapshot: LaunchSnapshot,
	input: (id: string) => string | undefined,
	environment: Environment,
): Promise<Readonly<Record<string, string>>> {
	const { envFile } = snapshot;
	if (launch.kind !== 'stdio' || launch.envFile === undefined || envFile.kind === 'none') {
		return {};
	}
	switch (envFile.kind) {
		case 'read':
			return envFile.values;
		case 'failed':
			throw envFile.error;
		case 'later':
			return readEnvFile(resolvePath(fillIn(launch.envFile, snapshot, input), source, environment));
	}
}
