/**
 * PURE: what a person has set for one server, in our own setting and never in `mcp.json`, whose format is the editor's.
 * The editor says what is wrong with it. What is not as it should be counts as not set; of what keeps something from a
 * server or a model, the safer half counts.
 */
import { type EraMode, isObject } from '../mcp/index.js';

export interface ServerOptions {
	/** Milliseconds without answer or progress; 0 waits for ever; `undefined` for the general setting. */
	readonly requestTimeoutMs: number | undefined;
	/** The same for calls of single tools, by name. */
	readonly toolTimeoutsMs: Readonly<Record<string, number>>;
	readonly era: EraMode;
	readonly start: StartMode;
	/** Names or URIs of workspace folders that it is told of; `undefined` for all. */
	readonly roots: readonly string[] | undefined;
	/** Tools that nobody runs before they are enabled again. */
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

/** Seconds that timers can still count. */
const longestTimeout = 2_000_000;

/** @param setting the whole setting, whatever it holds */
export function readServerOptions(setting: unknown, server: string): ServerOptions {
	const entry = entryOf(setting, server);
	const { requestTimeout, toolTimeouts, era, start, roots, disabledTools, hiddenFromModels } = entry;
	const timeouts = isObject(toolTimeouts) ? Object.entries(toolTimeouts) : [];
	return {
		requestTimeoutMs: isSeconds(requestTimeout) ? requestTimeout * 1000 : undefined,
		toolTimeoutsMs: Object.fromEntries(timeouts.flatMap(([tool, it]) => (isSeconds(it) ? [[tool, it * 1000]] : []))),
		era: eraModes.find(it => it === era) ?? 'auto',
		start: startModes.find(it => it === start) ?? 'onUse',
		// A choice of folders that cannot be read is a choice all the same: rather too few than all of them.
		roots: roots === undefined ? undefined : textsOf(roots),
		disabledTools: disabledTools === undefined ? [] : textsOf(disabledTools),
		hiddenFromModels: hiddenFromModels === undefined ? [] : textsOf(hiddenFromModels),
	};
}

/**
 * The setting with another value of one option, or (`undefined`) without it; `undefined` if nothing is left of it.
 * What it says of other servers, and what nobody understands of this one, stays.
 */
export function withOption(setting: unknown, server: string, key: OptionKey, value: unknown): unknown {
	return withMember(setting, server, withMember(entryOf(setting, server), key, value));
}

/** Whether a value says what holds anyway where nothing is said. */
export function isDefault(key: OptionKey, value: unknown): boolean {
	const said = readServerOptions({ it: { [key]: value } }, 'it');
	return value === undefined || JSON.stringify(said) === JSON.stringify(readServerOptions({}, 'it'));
}

/** What one place says of an option, understood or not. */
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

function isSeconds(value: unknown): value is number {
	return typeof value === 'number' && value >= 0 && value <= longestTimeout;
}

/** One text is a list of one. */
function textsOf(value: unknown): readonly string[] {
	const list: readonly unknown[] = Array.isArray(value) ? value : [value];
	return list.filter(it => typeof it === 'string');
}
