/**
 * Lists everything that decides what a server runs or where its values are sent. Consent compares this list, the sheet
 * shows it, and Show in Full prints it, so that all have the same parts.
 */
import { changesExecution, shownValue } from './executionVariables.js';
import { inputsOf, type ValuePlace, variablesOf } from '../config/inputs.js';
import type { HttpDefinition, InputDefinition, ServerDefinition, StdioDefinition } from '../config/serverDefinition.js';
import type { LaunchSnapshot, Program } from './launchSnapshot.js';

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
	/** The file that runs for the command, or for the debugger. */
	| 'program'
	| 'debugProgram'
	/** A variable of the environment file. */
	| 'envFileValue'
	/** An input that is used. */
	| 'input'
	/** A setting that is used. */
	| 'config'
	/** A folder that is used, by its variable. */
	| 'folder'
	/** An environment variable, input or setting that is sent to the server's URL. */
	| 'sent'
	/** A key of the definition that this version doesn't know. */
	| 'other';

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
	command: (command, { snapshot: { program } }) => [part('command', command), programPart('program', program)],
	args: args => [part('args', args)],
	cwd: (cwd, { snapshot }) => [part('cwd', cwd, { shown: snapshot.folder ?? cwd })],
	env: env =>
		Object.entries(env).map(([name, value]) =>
			part('env', value, { name, shown: value === null ? null : shownValue(name, value) }),
		),
	envFile: (envFile, { snapshot }) => (envFile === undefined ? [] : [part('envFile', envFile), ...valuesIn(snapshot)]),
	debug: (debug, { snapshot: { debugProgram } }) => [
		part('debug', debug),
		...(debugProgram ? [programPart('debugProgram', debugProgram)] : []),
	],
};

const httpParts: PartsOf<HttpDefinition> = {
	kind: kind => [part('kind', kind)],
	url: url => [part('url', url)],
	headers: headers =>
		Object.entries(headers).map(([name, value]) => part('headers', value, { name, shown: undefined })),
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
	inputs: (inputs, { definition: { launch } }) => Array.from(inputsOf(launch).keys(), id => inputPart(id, inputs)),
};

/** All parts of a definition, with the values of the snapshot. */
export function launchParts(definition: ServerDefinition, snapshot: LaunchSnapshot): LaunchPart[] {
	const context = { definition, snapshot };
	return [...partsOf(serverParts, definition, context), ...variableParts(context), ...sentParts(definition)];
}

function partsOf<T extends object>(table: PartsOf<T>, value: T, context: Context): LaunchPart[] {
	const known = Object.keys(table) as (keyof T)[];
	// Unknown keys, such as those of a newer version, are compared too: asking too often is safer.
	const others = Object.entries(value).filter(([key, it]) => !Object.hasOwn(table, key) && it !== undefined);
	return [
		...known.flatMap(key => (key in value ? table[key](value[key], context) : [])),
		...others.map(([key, it]) => part('other', it, { name: key })),
	];
}

/** The values of the variables that a workspace can change: settings and folders. */
function variableParts({ definition, snapshot }: Context): LaunchPart[] {
	const { launch, source } = definition;
	return Array.from(variablesOf(launch)).flatMap(([variable, places]) => {
		const [, kind, name] = /^(config|workspaceFolder|workspaceFolderBasename)(?::(.*))?$/s.exec(variable) ?? [];
		const value = snapshot.variables.get(variable);
		const text = value instanceof Error ? value.message : (value ?? null);
		if (kind === 'config' && name !== undefined) {
			// The value of a setting is shown only if it is used in a value that is shown.
			const shown = places.some(it => isShown(it, text)) ? text : undefined;
			return [part('config', text, { name, shown })];
		}
		// The folder of the configuration file is part of the definition's id, so it isn't listed again.
		const isKnown = name === undefined && source.folderUri !== undefined;
		return kind !== undefined && kind !== 'config' && !isKnown ? [part('folder', text, { name: variable })] : [];
	});
}

/** Whether a variable's value is visible in a value of the definition. */
function isShown(place: ValuePlace, text: string | null): boolean {
	return place.kind === 'environment'
		? changesExecution(place.name) || (text !== null && shownValue(place.name, text) === text)
		: place.kind !== 'header';
}

/** For servers at URLs: the environment variables, inputs, and settings that are sent, with their places. */
function sentParts({ launch }: ServerDefinition): LaunchPart[] {
	return launch.kind === 'stdio'
		? []
		: Array.from(variablesOf(launch)).flatMap(([variable, places]) =>
				/^(?:env|input|config):/.test(variable)
					? // An `env:` variable may have a default value: `env:NAME:-text`.
						[part('sent', places, { name: variable.startsWith('env:') ? variable.replace(/:-.*/s, '') : variable })]
					: [],
			);
}

function inputPart(id: string, inputs: readonly InputDefinition[]): LaunchPart {
	const input = inputs.find(it => it.id === id);
	// The editor command of an input runs when the server starts.
	const isCommand = input?.kind === 'command';
	return part('input', input, { name: id, shown: input ?? null, mustBeSeen: isCommand });
}

function valuesIn({ envFile }: LaunchSnapshot): LaunchPart[] {
	return envFile.kind === 'read'
		? Object.entries(envFile.values).map(([name, value]) =>
				part('envFileValue', value, { name, shown: shownValue(name, value) }),
			)
		: [];
}

/** Programs are compared by their paths, not by their contents. */
function programPart(kind: 'program' | 'debugProgram', program: Program): LaunchPart {
	const compared = program.kind === 'found' ? program.lastingPath : program.kind;
	return part(kind, compared, { shown: program });
}

function part(
	kind: PartKind,
	compared: unknown,
	{ name, mustBeSeen = false, ...rest }: { name?: string; shown?: unknown; mustBeSeen?: boolean } = {},
): LaunchPart {
	return { part: kind, name, compared, shown: 'shown' in rest ? rest.shown : compared, mustBeSeen };
}
