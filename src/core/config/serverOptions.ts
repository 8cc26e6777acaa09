/**
 * Options of single servers, from our own setting and never from `mcp.json`, whose format is the editor's. A workspace
 * and its folders make the person's options stricter, never looser. A value that isn't understood counts as not set,
 * except for a choice of folders: then no folder is exposed.
 */
import { type EraMode, isObject } from '../../mcp/index.js';
import { type PlacedValues, readSeconds } from './settings.js';

export interface ServerOptions {
	/** Milliseconds without answer or progress; 0 waits for ever; `undefined` for the general setting. */
	readonly requestTimeoutMs: number | undefined;
	/** The same for calls of single tools, by name. */
	readonly toolTimeoutsMs: Readonly<Record<string, number>>;
	readonly era: EraMode;
	readonly start: StartMode;
	/** Names or URIs of workspace folders. The server is told of the folders that are in all of the lists; none is all. */
	readonly folderChoices: readonly (readonly string[])[];
	/** Tools that no one runs before they are enabled again. */
	readonly disabledTools: readonly string[];
	/** Tools that no model finds or calls; people and other extensions run them as before. */
	readonly hiddenFromModels: readonly string[];
}

export const eraModes = ['auto', 'legacy', 'modern'] as const satisfies readonly EraMode[];
/** When it starts: when something of it is first wanted, or with the extension. */
export const startModes = ['onUse', 'atActivation'] as const;
export type StartMode = (typeof startModes)[number];

/** The names of the options, as they stand in the setting. */
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

/** The whole setting in each place, whatever it holds. */
export interface OptionPlaces extends PlacedValues {
	/** The person's general time-out in seconds: the most that a workspace can set where the person sets no other. */
	readonly generalTimeout: number;
	readonly isTrusted: boolean;
}

/** What counts for a server. */
export function readServerOptions(places: OptionPlaces, server: string): ServerOptions {
	const own = readEntry(places.user, server);
	const others = [places.workspace, places.folder].map(it => readEntry(it, server));
	const all = [own, ...others];
	return {
		...readTimeouts(own, others, places.generalTimeout),
		era: readEra(all, places.isTrusted),
		// A workspace that says nothing leaves it to the person.
		start: own.start === 'atActivation' && others.every(it => it.start !== 'onUse') ? 'atActivation' : 'onUse',
		folderChoices: all.flatMap(({ roots }) => (roots ? [roots] : [])),
		disabledTools: union(all.map(it => it.disabledTools)),
		hiddenFromModels: union(all.map(it => it.hiddenFromModels)),
	};
}

/** The options of one server in one place, as far as they are understood; time-outs in seconds. */
export interface ReadEntry {
	readonly requestTimeout: number | undefined;
	readonly toolTimeouts: ReadonlyMap<string, number>;
	readonly era: EraMode | undefined;
	readonly start: StartMode | undefined;
	readonly roots: readonly string[] | undefined;
	readonly disabledTools: readonly string[];
	readonly hiddenFromModels: readonly string[];
}

/** @param setting the whole setting of one place */
export function readEntry(setting: unknown, server: string): ReadEntry {
	const { requestTimeout, toolTimeouts, era, start, roots, disabledTools, hiddenFromModels } = entryOf(setting, server);
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

/** Seconds that a place allows a tool; without a tool, a request. `undefined` where it doesn't say. */
export function timeoutIn(entry: ReadEntry, tool: string | undefined): number | undefined {
	return (tool === undefined ? undefined : entry.toolTimeouts.get(tool)) ?? entry.requestTimeout;
}

/** Whether a time-out is longer than another; 0 waits for ever. */
export function isLonger(a: number, b: number): boolean {
	return b !== 0 && (a === 0 || a > b);
}

function readTimeouts(
	own: ReadEntry,
	others: readonly ReadEntry[],
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

/** Neither stricter nor looser than another, so the nearest place counts, as elsewhere in the editor. */
function readEra([own, ...others]: readonly ReadEntry[], isTrusted: boolean): EraMode {
	return (isTrusted ? others.findLast(it => it.era)?.era : undefined) ?? own?.era ?? 'auto';
}

function union(lists: readonly (readonly string[])[]): readonly string[] {
	return [...new Set(lists.flat())];
}

/**
 * The setting with another value of one option, or (`undefined`) without it; `undefined` if nothing is left of it.
 * Options of other servers, and those that aren't understood, stay.
 */
export function withOption(setting: unknown, server: string, key: OptionKey, value: unknown): unknown {
	return withMember(setting, server, withMember(entryOf(setting, server), key, value));
}

/** The value of an option in one place, understood or not. */
export function valueOfOption(setting: unknown, server: string, key: OptionKey): unknown {
	return entryOf(setting, server)[key];
}

function entryOf(setting: unknown, server: string): Readonly<Record<string, unknown>> {
	const entry = isObject(setting) && Object.hasOwn(setting, server) ? setting[server] : undefined;
	return isObject(entry) ? entry : {};
}

/** A copy with another member, or (`undefined`) without it; `undefined` if nothing is left of it. */
export function withMember(value: unknown, key: string, next: unknown): Record<string, unknown> | undefined {
	const others = Object.entries(isObject(value) ? value : {}).filter(([name]) => name !== key);
	const entries = next === undefined ? others : [...others, [key, next] as const];
	return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** One text is a list of one; what is no text is left out. */
function textsOf(value: unknown): readonly string[] {
	const list: readonly unknown[] = Array.isArray(value) ? value : [value];
	return list.filter(it => typeof it === 'string');
}
