/** Looks up what a definition stands for, before a person is asked, and makes the process or the URL of that look. */
import { isNetworkPath } from '../../core/config/networkPath.js';
import { AbortError } from '../../base/errors.js';
import { needsConsent } from '../../core/launch/consent.js';
import { type Machine, shellPathFirst } from '../../core/diagnosis/doctor.js';
import { textLimits } from '../../mcp/index.js';
import { EnvFileError, parseEnvFile } from '../../core/config/envFile.js';
import type { Environment } from '../../core/launch/environment.js';
import { changesExecution, shownValue } from '../../core/launch/executionVariables.js';
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
import type { ServerDefinition, StdioDefinition } from '../../core/config/serverDefinition.js';
import { confirmsServers, usePathOfShell } from './config.js';
import { readBoundedText, RefusedFileError } from '../documents/boundedFile.js';
import type { Inputs } from './inputs.js';
import {
	describe,
	lookUpVariables,
	type Place,
	resolveEndpoint,
	resolveLaunch,
	resolvePath,
	uriOf,
	variableIn,
} from './variables.js';

export interface SnapshotDeps {
	readonly environment: Environment;
	readonly machine: Machine & ProgramFinder;
	readonly trust: Pick<Trust, 'isTrusted'>;
}

/** Asks nobody, and looks at no other computer. Never rejects. */
export async function takeSnapshot(definition: ServerDefinition, deps: SnapshotDeps): Promise<LaunchSnapshot> {
	const variables = lookUpVariables(definition, deps.environment);
	const { launch } = definition;
	return launch.kind === 'stdio'
		? lookAtProcess(definition, launch, { ...emptySnapshot, variables }, deps)
		: { ...emptySnapshot, variables };
}

async function lookAtProcess(
	{ source }: ServerDefinition,
	launch: StdioDefinition,
	known: LaunchSnapshot,
	{ environment, machine, trust }: SnapshotDeps,
): Promise<LaunchSnapshot> {
	const fill = (text: string): string | undefined => tryFill(text, known);
	const folder = describe(resolvePath(launch.cwd && (fill(launch.cwd) ?? launch.cwd), source, environment));
	const inheritedPath = usePathOfShell() ? await shellPathFirst(machine, environment) : undefined;
	const snapshot = { ...known, folder, inheritedPath };
	const path = launch.envFile === undefined ? undefined : fill(launch.envFile);
	const isLater = path === undefined || !trust.isTrusted();
	const envFile: EnvFileSnapshot =
		launch.envFile === undefined
			? { kind: 'none' }
			: isLater
				? { kind: 'later' }
				: await look(resolvePath(path, source, environment), machine);
	const find = async (command: string | undefined): Promise<Program> => {
		const searchPath = pathBefore(launch, envFile, { environment, machine, snapshot });
		const isKnown = searchPath.isKnown && fill(launch.cwd ?? '') !== undefined && trust.isTrusted();
		return command === undefined || !isKnown
			? { kind: 'unresolved' }
			: machine.resolveProgram(command, searchPath.path, folder);
	};
	const { debug } = launch;
	const debugpy = debug?.type === 'debugpy' ? debug.debugpyPath : undefined;
	return {
		...snapshot,
		envFile,
		program: await find(fill(launch.command)),
		debugProgram: debugpy === undefined ? undefined : await find(fill(debugpy)),
	};
}

/** The PATH of the process, as far as it is known without inputs. */
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

async function look(place: Place, { platform }: ProgramFinder): Promise<EnvFileSnapshot> {
	// What is relative stays on the computer whose folder the person has opened.
	if (platform === 'win32' && typeof place === 'string' && isNetworkPath(place)) {
		return { kind: 'later' };
	}
	try {
		return { kind: 'read', values: await readEnvFile(place) };
	} catch (error) {
		return { kind: 'failed', error: error instanceof EnvFileError ? error : unreadable(place) };
	}
}

/** @throws EnvFileError if it is no file of common size, or has a line that is no variable */
async function readEnvFile(place: Place): Promise<Record<string, string>> {
	let content: string;
	try {
		content = await readBoundedText(uriOf(place), textLimits.envFile);
	} catch (error) {
		const isTooLarge = error instanceof RefusedFileError && error.problem.code === 'tooLarge';
		throw isTooLarge
			? new EnvFileError(describe(place), { code: 'tooLarge', maxBytes: textLimits.envFile })
			: unreadable(place);
	}
	return parseEnvFile(content, describe(place));
}

function unreadable(place: Place): EnvFileError {
	return new EnvFileError(describe(place), { code: 'unreadable' });
}

export interface ResolveDeps extends SnapshotDeps {
	readonly inputs: Inputs;
}

/**
 * Implements the model's port: asks for inputs, and fills in what the snapshot has.
 * @throws as `ServerDeps.resolve`
 */
export async function resolveServer(
	definition: ServerDefinition,
	request: ResolveRequest,
	snapshot: LaunchSnapshot,
	{ environment, machine, inputs }: ResolveDeps,
): Promise<ResolvedServer> {
	const { launch } = definition;
	const { platform } = machine;
	const values = { environment, platform, snapshot };
	const make = (input: (id: string) => string | undefined, envFile = {}): ResolvedServer['launch'] =>
		launch.kind === 'stdio'
			? resolveLaunch(definition, launch, { ...values, input }, envFile)
			: resolveEndpoint(launch, { ...values, input });
	// Nobody is asked for a server that cannot start anyway.
	make(() => '');
	const known = await inputs.resolve(definition, request);
	const input = (id: string): string | undefined => known.values.get(id);
	const envFile = await valuesOfEnvFile(definition, snapshot, input, environment);
	const made = make(input, envFile);
	const resolved = made.kind === 'stdio' ? await withProgram(made, machine) : made;
	if (request.signal.aborted) {
		throw new AbortError();
	}
	return { launch: resolved, secrets: known.secrets };
}

/** What depended on inputs is found now. */
async function withProgram(launch: ResolvedProcess, machine: ProgramFinder): Promise<ResolvedProcess> {
	const path = variableIn(launch.env, 'PATH', machine.platform);
	const find = (program: Program, command: string): Program | Promise<Program> =>
		program.kind === 'unresolved' ? machine.resolveProgram(command, path, launch.cwd) : program;
	const { program, debugProgram, debug, command } = launch;
	const debugpy = debug?.type === 'debugpy' ? debug.debugpyPath : undefined;
	return {
		...launch,
		program: await find(program, command),
		...(debugProgram && debugpy !== undefined && { debugProgram: await find(debugProgram, debugpy) }),
	};
}

/** @throws EnvFileError, UnresolvedVariableError */
async function valuesOfEnvFile(
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
		case 'later': {
			const place = resolvePath(fillIn(launch.envFile, snapshot, input), source, environment);
			const values = await readEnvFile(place);
			const [unseen] =
				Object.entries(values).find(([name, it]) => changesExecution(name) || shownValue(name, it) !== undefined) ?? [];
			if (unseen !== undefined && needsConsent(source) && confirmsServers()) {
				throw new EnvFileError(describe(place), { code: 'unseen', variable: unseen });
			}
			return values;
		}
	}
}
