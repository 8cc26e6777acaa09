/**
 * Options of single servers, from two settings. `serverOptions` is a setting of the person only. `tools` can also be set by a
 * workspace and its folders, and each of these places can only disable, hide, or limit more. An invalid value counts as not set, except for
 * `roots`: then no folder is exposed.
 */
import { defaultLimits, type EraMode, isObject } from '../../mcp/index.js';

export interface ServerOptions extends OwnOptions, ToolOptions {}

/** The options in `serverOptions`. */
export interface OwnOptions {
	/** Milliseconds without answer or progress after which a request fails; 0 is no limit. */
	readonly requestTimeoutMs: number;
	/** Time-outs in milliseconds for calls of single tools, by name. */
	readonly toolTimeoutsMs: Readonly<Record<string, number>>;
	/** Milliseconds between two pings in the legacy era; 0 for none. */
	readonly pingMs: number;
	/** The largest message that the server may send. */
	readonly messageBytes: number;
	readonly era: EraMode;
	/** When the server starts: at its first use, or when the extension is activated. */
	readonly start: 'onUse' | 'atActivation';
	/** Whether the server gets the login shell's PATH. */
	readonly usePathOfShell: boolean;
}

/** The options in `tools`. */
export interface ToolOptions {
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

const eraModes: readonly EraMode[] = ['auto', 'legacy', 'modern'];

/** The key in `serverOptions` whose options are for all servers without their own. */
export const allServers = '*';

/** The value of the setting `tools` in each place. */
export interface ToolPlaces {
	readonly user: unknown;
	readonly workspace: unknown;
	readonly folder: unknown;
}
export type SettingPlace = keyof ToolPlaces;
export const settingPlaces = ['user', 'workspace', 'folder'] as const satisfies readonly SettingPlace[];

const megabyte = 1024 * 1024;
/** Seconds; timers can't wait much longer. */
const longestTimeout = 2_000_000;
const defaultPing = 60;

/**
 * The person's options for a server.
 * @param setting the whole setting, which may have any value
 * @param general the time-out of servers without their own, in seconds
 */
export function readServerOptions(setting: unknown, server: string, general: number): OwnOptions {
	const entry = { ...settingEntry(setting, allServers), ...settingEntry(setting, server) };
	const { requestTimeout, toolTimeouts, pingInterval, messageSize, era, start, usePathOfShell } = entry;
	const timeouts = Object.entries(isObject(toolTimeouts) ? toolTimeouts : {});
	return {
		requestTimeoutMs: (readSeconds(requestTimeout) ?? general) * 1000,
		toolTimeoutsMs: Object.fromEntries(
			timeouts.flatMap(([tool, value]) => {
				const seconds = readSeconds(value);
				return seconds === undefined ? [] : [[tool, seconds * 1000] as const];
			}),
		),
		pingMs: (readSeconds(pingInterval) ?? defaultPing) * 1000,
		messageBytes:
			typeof messageSize === 'number' && messageSize >= 1
				? Math.min(512, Math.floor(messageSize)) * megabyte
				: defaultLimits.messageBytes,
		era: eraModes.find(it => it === era) ?? 'auto',
		start: start === 'atActivation' ? start : 'onUse',
		usePathOfShell: usePathOfShell === true,
	};
}

/** The tools and folders that all settings together hide from a server's callers and from the server. */
export function readToolOptions(places: ToolPlaces, server: string): ToolOptions {
	const all = settingPlaces.map(it => toolEntry(places[it], server));
	return {
		folderChoices: all.flatMap(({ roots }) => (roots ? [roots] : [])),
		disabledTools: [...new Set(all.flatMap(it => it.disabled))],
		hiddenFromModels: [...new Set(all.flatMap(it => it.hiddenFromModels))],
	};
}

interface ToolEntry {
	readonly disabled: readonly string[];
	readonly hiddenFromModels: readonly string[];
	/** `undefined` for all folders. */
	readonly roots: readonly string[] | undefined;
}
export type ToolKey = keyof ToolEntry;

/** The entry of a server in the setting `tools` of one place. */
export function toolEntry(setting: unknown, server: string): ToolEntry {
	const { disabled, hiddenFromModels, roots } = settingEntry(setting, server);
	return {
		disabled: textsOf(disabled),
		hiddenFromModels: textsOf(hiddenFromModels),
		roots: roots === undefined ? undefined : textsOf(roots),
	};
}

/** The value of one key of a setting that is an object; an empty object if the value is none. */
export function settingEntry(setting: unknown, key: string): Readonly<Record<string, unknown>> {
	const entry = isObject(setting) && Object.hasOwn(setting, key) ? setting[key] : undefined;
	return isObject(entry) ? entry : {};
}

/**
 * The setting with a new value in the entry of a server, or without it if the value is `undefined`. Keeps all other values,
 * invalid ones too. `undefined` if the setting is then empty.
 */
export function withOption(setting: unknown, server: string, key: string, value: unknown): unknown {
	return withMember(setting, server, withMember(settingEntry(setting, server), key, value));
}

/** A copy with a new value of a member, or without the member if the value is `undefined`; `undefined` if it is then empty. */
export function withMember(value: unknown, key: string, next: unknown): Record<string, unknown> | undefined {
	const others = Object.entries(isObject(value) ? value : {}).filter(([name]) => name !== key);
	const entries = next === undefined ? others : [...others, [key, next] as const];
	return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** A number of seconds, at least 0.001; 0 is no limit. `undefined` for an invalid value, such as a negative number. */
export function readSeconds(value: unknown): number | undefined {
	if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) {
		return undefined;
	}
	return value === 0 ? 0 : Math.min(longestTimeout, Math.max(value, 0.001));
}

/** The texts of a list. A text counts as a list of one; other values are left out. */
function textsOf(value: unknown): readonly string[] {
	const list: readonly unknown[] = Array.isArray(value) ? value : [value];
	return list.filter(it => typeof it === 'string');
}
