/**
 * Combines the values of a setting in the person's settings, a workspace and one of its folders. A workspace can make the
 * person's choice stricter, never looser; a setting without `stricter` is read from the person's settings only. The keys
 * are those of `Settings` in `editor/contributions.ts`; a test compares the rules with the manifest.
 */
import { defaultLimits, isObject } from '../../mcp/index.js';

/** The value of one setting in each place; `undefined` where the place doesn't set it. */
export interface PlacedValues {
	readonly user: unknown;
	readonly workspace?: unknown;
	readonly folder?: unknown;
}

export type SettingPlace = keyof PlacedValues;

export interface SettingRule<T> {
	/** The value if the person's settings don't have a valid one. */
	readonly preset: T;
	/** The value of the setting; `undefined` if it is invalid. */
	readonly read: (value: unknown) => T | undefined;
	/** The stricter of two values; left out if a workspace can't set the setting. */
	stricter?(this: void, own: T, other: T): T;
	/** The smallest and the largest number that `read` returns. */
	readonly bounds?: readonly [least: number, most: number];
	/** Whether the values are combined for each server by `serverOptions.ts`. */
	readonly isPerServer?: boolean;
}

const megabyte = 1024 * 1024;

/** Seconds; timers can't wait much longer. */
const longestTimeout = 2_000_000;

export const settingRules = {
	servers: unread(),
	inputs: unread(),
	demoServer: flag(false),
	serverOptions: { ...unread(), isPerServer: true },
	confirmServers: choice(['newOrChanged', 'never']),
	policy: unread(),
	clientMetadataUrl: text(''),
	authServers: unread(),
	usePathOfShell: flag(false),
	completeInEditors: {
		preset: ['markdown', 'plaintext'],
		read: value => (Array.isArray(value) ? value.filter(it => typeof it === 'string') : undefined),
		stricter: (own, other) => own.filter(it => other.includes(it)),
	} satisfies SettingRule<readonly string[]> as SettingRule<readonly string[]>,
	keepHistory: flag(true),
	requestTimeout: seconds(60),
	pingInterval: seconds(60),
	messageSize: count(defaultLimits.messageBytes / megabyte, 1, 512),
} as const;

export type SettingKey = keyof typeof settingRules;
export type SettingValue<K extends SettingKey> = (typeof settingRules)[K] extends SettingRule<infer T> ? T : never;

/** The effective value of a setting. */
export function readSetting<K extends SettingKey>(key: K, { user, workspace, folder }: PlacedValues): SettingValue<K> {
	const { preset, read, stricter } = settingRules[key] as unknown as SettingRule<SettingValue<K>>;
	const own = read(user) ?? preset;
	if (!stricter) {
		return own;
	}
	const others = [workspace, folder].map(it => read(it)).filter(it => it !== undefined);
	return others.reduce((value, it) => stricter(value, it), own);
}

/** The value of one key of a setting that is an object; an empty object if the value is none. */
export function settingEntry(setting: unknown, key: string): Readonly<Record<string, unknown>> {
	const entry = isObject(setting) && Object.hasOwn(setting, key) ? setting[key] : undefined;
	return isObject(entry) ? entry : {};
}

export interface SettingProblem {
	readonly key: SettingKey;
	readonly place: SettingPlace;
	/**
	 * `ignored`: a workspace can't set the setting. `invalid`: the value counts as not set. `outOfBounds`: the nearest value
	 * within the bounds is used.
	 */
	readonly kind: 'ignored' | 'invalid' | 'outOfBounds';
}

/** The values of a setting that are ignored or changed. */
export function problemsOf(key: SettingKey, placed: PlacedValues): readonly SettingProblem[] {
	const rule: SettingRule<unknown> = settingRules[key];
	return (['user', 'workspace', 'folder'] as const).flatMap(place => {
		const kind = placed[place] === undefined || rule.isPerServer ? undefined : problemOf(rule, place, placed[place]);
		return kind ? [{ key, place, kind }] : [];
	});
}

function problemOf(
	rule: SettingRule<unknown>,
	place: SettingPlace,
	value: unknown,
): SettingProblem['kind'] | undefined {
	if (place !== 'user' && !rule.stricter) {
		return 'ignored';
	}
	const read = rule.read(value);
	if (read === undefined) {
		return 'invalid';
	}
	return rule.bounds && read !== value ? 'outOfBounds' : undefined;
}

/** A rule that accepts any value, for settings that other code validates. */
function unread(): SettingRule<unknown> {
	return { preset: undefined, read: value => value };
}

function flag(preset: boolean): SettingRule<boolean> {
	return { preset, read: value => (typeof value === 'boolean' ? value : undefined) };
}

function text(preset: string): SettingRule<string> {
	return { preset, read: value => (typeof value === 'string' ? value : undefined) };
}

/** @param choices the default first */
function choice<const T extends string>(choices: readonly [T, ...T[]]): SettingRule<T> {
	return { preset: choices[0], read: value => choices.find(it => it === value) };
}

function count(preset: number, least: number, most: number): SettingRule<number> {
	return { preset, bounds: [least, most], read: value => bounded(value, least, most, Math.floor) };
}

/** A rule for a number of seconds; 0 is no limit. */
function seconds(preset: number): SettingRule<number> {
	return { preset, bounds: [0, longestTimeout], read: readSeconds };
}

/** A number of seconds, at least 0.001; 0 is no limit. `undefined` for an invalid value. */
export function readSeconds(value: unknown): number | undefined {
	return bounded(value, 0, longestTimeout, it => (it === 0 ? 0 : Math.max(it, 0.001)));
}

/** A number within bounds. `undefined` for another type, and for less than 0, which must not become 0: that is no limit. */
function bounded(value: unknown, least: number, most: number, round: (value: number) => number): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0
		? Math.min(most, Math.max(least, round(value)))
		: undefined;
}
