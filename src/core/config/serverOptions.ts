/**
 * Options of single servers. They are in our own setting, because the format of `mcp.json` is the editor's. A workspace
 * and its folders can make the person's options stricter, never looser. An invalid value counts as not set, except for
 * `roots`: then no folder is exposed.
 */
import { type EraMode, isObject } from '../../mcp/index.js';
import { type PlacedValues, readSeconds, settingEntry } from './settings.js';

export interface ServerOptions {
	/** Milliseconds without answer or progress; 0 is no limit; `undefined` for the general setting. */
	readonly requestTimeoutMs: number | undefined;
	/** Time-outs in milliseconds for calls of single tools, by name. */
	readonly toolTimeoutsMs: Readonly<Record<string, number>>;
	readonly era: EraMode;
	readonly start: StartMode;
	/**
	 * Lists of names or URIs of workspace folders. The folders that are in all lists are exposed to the server; without any
	 * list, all folders are.
	 */
	readonly folderChoices: readonly (readonly string[])[];
	/** Tools that no caller can run. */
	readonly disabledTools: readonly string[];
	/** Tools that models can't find or call. Other callers can run them. */
	readonly hiddenFromModels: readonly string[];
}

export const eraModes = ['auto', 'legacy', 'modern'] as const satisfies readonly EraMode[];
/** When a server starts: at its first use, or when the extension is activated. */
export const startModes = ['onUse', 'atActivation'] as const;
export type StartMode = (typeof startModes)[number];

/** The keys of the options in the setting. */
export const optionKeys = [
	'requestTimeout',
	'toolTimeouts',
	'era',
	'start',
	'roots',
	'disabledTools',
	'hiddenFromModels',
] as const;
export type OptionKey = (typeof optionKeys)[number];

/** The whole setting in each place, which may have any value. */
export interface OptionPlaces extends PlacedValues {
	/** The person's general time-out in seconds. A workspace can't set a longer one. */
	readonly generalTimeout: number;
	readonly isTrusted: boolean;
}

/** The effective options of a server. */
export function readServerOptions(places: OptionPlaces, server: string): ServerOptions {
	const own = parseOptions(places.user, server);
	const others = [places.workspace, places.folder].map(it => parseOptions(it, server));
	const all = [own, ...others];
	return {
		...readTimeouts(own, others, places.generalTimeout),
		era: readEra(all, places.isTrusted),
		// A workspace without the option doesn't change the person's choice.
		start: own.start === 'atActivation' && others.every(it => it.start !== 'onUse') ? 'atActivation' : 'onUse',
		folderChoices: all.flatMap(({ roots }) => (roots ? [roots] : [])),
		disabledTools: union(all.map(it => it.disabledTools)),
		hiddenFromModels: union(all.map(it => it.hiddenFromModels)),
	};
}

/** The valid options of one server in one place; time-outs in seconds. */
export interface ParsedOptions {
	readonly requestTimeout: number | undefined;
	readonly toolTimeouts: ReadonlyMap<string, number>;
	readonly era: EraMode | undefined;
	readonly start: StartMode | undefined;
	readonly roots: readonly string[] | undefined;
	readonly disabledTools: readonly string[];
	readonly hiddenFromModels: readonly string[];
}

/**
 * The options of one server in one place.
 * @param setting the whole setting of the place
 */
export function parseOptions(setting: unknown, server: string): ParsedOptions {
	const { requestTimeout, toolTimeouts, era, start, roots, disabledTools, hiddenFromModels } = settingEntry(
		setting,
		server,
	);
	const timeouts = Object.entries(isObject(toolTimeouts) ? toolTimeouts : {});
	return {
		requestTimeout: readSeconds(requestTimeout),
		toolTimeouts: new Map(
			timeouts.flatMap(([tool, value]) => {
				const read = readSeconds(value);
				return read === undefined ? [] : [[tool, read] as const];
			}),
		),
		era: eraModes.find(it => it === era),
		start: startModes.find(it => it === start),
		roots: roots === undefined ? undefined : textsOf(roots),
		disabledTools: textsOf(disabledTools),
		hiddenFromModels: textsOf(hiddenFromModels),
	};
}

/** The time-out of a place in seconds, for a tool or else for any request; `undefined` if the place sets none. */
export function timeoutIn(entry: ParsedOptions, tool: string | undefined): number | undefined {
	return (tool === undefined ? undefined : entry.toolTimeouts.get(tool)) ?? entry.requestTimeout;
}

/** Whether a time-out is longer than another; 0 is no limit. */
export function isLonger(a: number, b: number): boolean {
	return b !== 0 && (a === 0 || a > b);
}

function readTimeouts(
	own: ParsedOptions,
	others: readonly ParsedOptions[],
	general: number,
): Pick<ServerOptions, 'requestTimeoutMs' | 'toolTimeoutsMs'> {
	const shortest = (tool: string | undefined): number =>
		others.reduce(
			(least, it) => {
				const said = timeoutIn(it, tool);
				return said !== undefined && isLonger(least, said) ? said : least;
			},
			timeoutIn(own, tool) ?? general,
		);
	const request = shortest(undefined);
	const tools = new Set([own, ...others].flatMap(it => [...it.toolTimeouts.keys()]));
	const timeouts = Array.from(tools, tool => [tool, shortest(tool)] as const);
	return {
		requestTimeoutMs: own.requestTimeout === undefined && request === general ? undefined : request * 1000,
		toolTimeoutsMs: Object.fromEntries(
			timeouts
				.filter(([tool, value]) => own.toolTimeouts.has(tool) || value !== request)
				.map(([tool, value]) => [tool, value * 1000]),
		),
	};
}

/** The era. No era is stricter than another, so the value of the nearest place is used, as for settings of the editor. */
function readEra([own, ...others]: readonly ParsedOptions[], isTrusted: boolean): EraMode {
	return (isTrusted ? others.findLast(it => it.era)?.era : undefined) ?? own?.era ?? 'auto';
}

function union(lists: readonly (readonly string[])[]): readonly string[] {
	return [...new Set(lists.flat())];
}

/**
 * The setting with a new value of one option, or without the option if the value is `undefined`. Keeps options of other
 * servers and invalid ones. `undefined` if the setting is then empty.
 */
export function withOption(setting: unknown, server: string, key: OptionKey, value: unknown): unknown {
	return withMember(setting, server, withMember(settingEntry(setting, server), key, value));
}

/** The value of an option in one place, valid or not. */
export function valueOfOption(setting: unknown, server: string, key: OptionKey): unknown {
	return settingEntry(setting, server)[key];
}

/** A copy with a new value of a member, or without the member if the value is `undefined`; `undefined` if it is then empty. */
export function withMember(value: unknown, key: string, next: unknown): Record<string, unknown> | undefined {
	const others = Object.entries(isObject(value) ? value : {}).filter(([name]) => name !== key);
	const entries = next === undefined ? others : [...others, [key, next] as const];
	return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** The texts of a list. A text counts as a list of one; other values are left out. */
function textsOf(value: unknown): readonly string[] {
	const list: readonly unknown[] = Array.isArray(value) ? value : [value];
	return list.filter(it => typeof it === 'string');
}
