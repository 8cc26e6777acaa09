/**
 * Lists everything that decides what a server runs or where its values are sent. Consent compares this list, the sheet
 * shows it, and Show in Full prints it, so that all have the same parts. Texts are compared as they are written and shown
 * with their variables filled in, except the values of inputs, of `${env:…}`, and of the person's own settings that
 * `${config:…}` names.
 */
import { inputsOf, type ValuePlace, variablesOf } from '../config/inputs.js';
import type { HttpDefinition, InputDefinition, ServerDefinition, StdioDefinition } from '../config/serverDefinition.js';
import type { LaunchSnapshot, Program } from './launchSnapshot.js';
import { substitute } from '../config/variables.js';

/** The kind of a part. Kinds for keys of the configuration have the name of the key. */
export type PartKind =
	| 'kind'
	| 'command'
	| 'args'
	| 'cwd'
	| 'env'
	| 'envFile'
	| 'debug'
	| 'watch'
	| 'url'
	| 'headers'
	| 'oauth'
	/** The executable file of the command. */
	| 'program'
	/** A variable of the environment file. */
	| 'envFileValue'
	/** An input that is used. */
	| 'input'
	/** A setting that is used. */
	| 'config'
	/** A folder that is used, by its variable. */
	| 'folder';

export interface LaunchPart {
	readonly part: PartKind;
	/** The variable, header, input, or setting; undefined for parts without a name. */
	readonly name: string | undefined;
	/** The data that is compared; `undefined` if the part is only shown. */
	readonly compared: unknown;
	/** The data that is shown; `undefined` if only the name is. */
	readonly shown: unknown;
	/** Whether the person must open the full view before they can start the server. */
	readonly mustBeSeen: boolean;
}

interface Context {
	readonly definition: ServerDefinition;
	readonly snapshot: LaunchSnapshot;
}

/** For each key, a function that returns its parts. A new key of the type doesn't compile until it is added here. */
type PartsOf<T> = { readonly [K in keyof Required<T>]: (value: Required<T>[K], context: Context) => LaunchPart[] };

const stdioParts: PartsOf<StdioDefinition> = {
	kind: kind => [part('kind', kind)],
	command: (command, context) => [
		part('command', command, { shown: fillIn(command, context) }),
		programPart(context.snapshot.program),
	],
	args: (args, context) => [part('args', args, { shown: args.map(it => fillIn(it, context)) })],
	cwd: (cwd, { snapshot }) => [part('cwd', cwd, { shown: snapshot.folder ?? cwd })],
	env: (env, context) =>
		Object.entries(env).map(([name, value]) =>
			part('env', value, { name, shown: value === null ? null : fillIn(value, context) }),
		),
	envFile: (envFile, context) =>
		envFile === undefined
			? []
			: [part('envFile', envFile, { shown: fillIn(envFile, context) }), ...valuesIn(context.snapshot)],
	debug: debug => [part('debug', debug)],
};

const httpParts: PartsOf<HttpDefinition> = {
	kind: kind => [part('kind', kind)],
	url: (url, context) => [part('url', url, { shown: fillIn(url, context) })],
	headers: (headers, context) =>
		Object.entries(headers).map(([name, value]) => part('headers', value, { name, shown: fillIn(value, context) })),
	oauth: oauth => [part('oauth', oauth)],
};

const serverParts: PartsOf<ServerDefinition> = {
	id: () => [],
	name: () => [],
	source: () => [],
	offset: () => [],
	isDisabled: () => [],
	shadows: () => [],
	launch: (launch, context) =>
		launch.kind === 'stdio' ? partsOf(stdioParts, launch, context) : partsOf(httpParts, launch, context),
	watch: watch => [part('watch', watch)],
	inputs: (inputs, { definition: { launch }, snapshot: { answered } }) =>
		Array.from(inputsOf(launch), ([id, places]) => inputPart(id, inputs, { places, isAnswered: answered.has(id) })),
};

/** All parts of a definition, with the values of the snapshot. */
export function launchParts(definition: ServerDefinition, snapshot: LaunchSnapshot): LaunchPart[] {
	const context = { definition, snapshot };
	return [...partsOf(serverParts, definition, context), ...variableParts(context)];
}

function partsOf<T extends object>(table: PartsOf<T>, value: T, context: Context): LaunchPart[] {
	const keys = Object.keys(table) as (keyof T)[];
	return keys.flatMap(key => (key in value ? table[key](value[key], context) : []));
}

/** Whether the workspace decides a part: by its file, a setting, or a program or environment file in its folder. */
export function isOfWorkspace({ source, launch }: ServerDefinition, snapshot: LaunchSnapshot): boolean {
	const { settings, variables, program } = snapshot;
	// Only folders that the definition names count: a server without `cwd` starts in the home folder, which has most programs.
	const folders = [...variables].flatMap(([name, value]) => (/^workspaceFolder(:|$)/.test(name) ? String(value) : []));
	const isInFolder = program.kind === 'found' && folders.some(it => program.path.startsWith(it));
	const files = launch.kind === 'stdio' ? [launch.command, launch.envFile] : [];
	return (
		source.kind !== 'userSettings' ||
		[...settings.values()].includes('workspace') ||
		isInFolder ||
		files.some(it => it?.includes('${workspaceFolder'))
	);
}

/** Fills in the variables of a text whose values may be shown. */
function fillIn(text: string, { snapshot: { variables, settings } }: Context): string {
	return substitute(text, variable => {
		const value = /^(?:env|input):/.test(variable) ? undefined : variables.get(variable);
		return typeof value === 'string' && settings.get(variable) !== 'user' ? value : `\${${variable}}`;
	});
}

/** The values of the variables that a workspace can change: settings and folders. */
function variableParts({ definition, snapshot }: Context): LaunchPart[] {
	const { launch, source } = definition;
	return Array.from(variablesOf(launch).keys()).flatMap(variable => {
		const [, kind, name] = /^(config|workspaceFolder|workspaceFolderBasename)(?::(.*))?$/s.exec(variable) ?? [];
		const value = snapshot.variables.get(variable);
		const text = value instanceof Error ? value.message : (value ?? null);
		if (kind === 'config' && name !== undefined) {
			return [part('config', text, { name, shown: snapshot.settings.get(variable) === 'user' ? undefined : text })];
		}
		// The folder of the configuration file is part of the definition's id, so it isn't listed again.
		const isKnown = name === undefined && source.folderUri !== undefined;
		// For a server of the person, the variable stands for another folder in each workspace.
		const compared = source.kind === 'userSettings' ? undefined : text;
		return kind !== undefined && kind !== 'config' && !isKnown
			? [part('folder', compared, { name: variable, shown: text })]
			: [];
	});
}

/** An input as the sheet shows it. */
export interface ShownInput {
	/** `undefined` if the file doesn't define it. */
	readonly input: InputDefinition | undefined;
	readonly places: readonly ValuePlace[];
	/** Whether a stored value is used without a question. */
	readonly isAnswered: boolean;
}

function inputPart(id: string, inputs: readonly InputDefinition[], use: Omit<ShownInput, 'input'>): LaunchPart {
	const input = inputs.find(it => it.id === id);
	const shown: ShownInput = { input, ...use };
	// The editor command of an input runs when the server starts.
	return part('input', input, { name: id, shown, mustBeSeen: input?.kind === 'command' });
}

function valuesIn({ envFile }: LaunchSnapshot): LaunchPart[] {
	return envFile.kind === 'read'
		? Object.entries(envFile.values).map(([name, value]) => part('envFileValue', value, { name }))
		: [];
}

/** Programs are compared by their paths, not by their contents. */
function programPart(program: Program): LaunchPart {
	const compared = program.kind === 'found' ? program.lastingPath : program.kind;
	return part('program', compared, { shown: program });
}

function part(
	kind: PartKind,
	compared: unknown,
	{ name, mustBeSeen = false, ...rest }: { name?: string; shown?: unknown; mustBeSeen?: boolean } = {},
): LaunchPart {
	return { part: kind, name, compared, shown: 'shown' in rest ? rest.shown : compared, mustBeSeen };
}
