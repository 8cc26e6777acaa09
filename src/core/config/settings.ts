/**
 * How the values that the person, a workspace and one of its folders give a setting become one value. A workspace can
 * make the person's choice stricter, never looser; a setting without `stricter` is read from the person's settings only.
 * The keys are those of `Settings` in `editor/contributions.ts`; a test compares the rules with the manifest.
 */
import { defaultLimits } from '../../mcp/index.js';

/** The value of one setting in each place; `undefined` where the place doesn't set it. */
export interface PlacedValues {
	readonly user: unknown;
	readonly workspace?: unknown;
	readonly folder?: unknown;
}

export type SettingPlace = keyof PlacedValues;

export interface SettingRule<T> {
	/** Used where the person sets nothing, or something that isn't understood. */
	readonly preset: T;
	/** `undefined` for a value that isn't understood. */
	readonly read: (value: unknown) => T | undefined;
	/** The stricter of two values; left out where a workspace has no say. */
	stricter?(this: void, own: T, other: T): T;
	/** The smallest and the largest number that `read` returns. */
	readonly bounds?: readonly [least: number, most: number];
	/** Combined server by server, in `core/config/serverOptions.ts`. */
	readonly isPerServer?: boolean;
}

const megabyte = 1024 * 1024;

/** The longest delay that a timer can count, in seconds. */
export const longestTimeout = 2_000_000;

export const settingRules = {
	servers: unread(),
	inputs: unread(),
	demoServer: flag(false),
	serverOptions: { ...unread(), isPerServer: true },
	confirmServers: choice(['newOrChanged', 'never']),
	policy: unread(),
	registerWithEditor: flag(false),
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

/** The value that counts. */
export function readSetting<K extends SettingKey>(key: K, placed: PlacedValues): SettingValue<K> {
	return effective(settingRules[key] as unknown as SettingRule<SettingValue<K>>, placed);
}

function effective<T>({ preset, read, stricter }: SettingRule<T>, { user, workspace, folder }: PlacedValues): T {
	const own = read(user) ?? preset;
	if (!stricter) {
		return own;
	}
	const others = [workspace, folder].map(it => read(it));
	return others.reduce<T>((value, it) => (it === undefined ? value : stricter(value, it)), own);
}

export interface SettingProblem {
	readonly key: SettingKey;
	readonly place: SettingPlace;
	/**
	 * `ignored`: a workspace can't set it. `invalid`: it isn't understood, and counts as not set. `outOfBounds`: the
	 * nearest value within the bounds is used.
	 */
	readonly kind: 'ignored' | 'invalid' | 'outOfBounds';
}

/** What isn't used as it was written. */
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

/** A value whose own reader judges it: it may be anything. */
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

/** 0 stands for no limit; what is nearly 0 doesn't become it. */
function seconds(preset: number): SettingRule<number> {
	return { preset, bounds: [0, longestTimeout], read: readSeconds };
}

/** `undefined` for what is no number of seconds; 0 stands for no limit. */
export function readSeconds(value: unknown): number | undefined {
	return bounded(value, 0, longestTimeout, it => (it === 0 ? 0 : Math.max(it, 0.001)));
}

/** `undefined` for what is no number, or less than 0: that it stands for the least would loosen where 0 is no limit. */
function bounded(value: unknown, least: number, most: number, round: (value: number) => number): number | undefined {
	return typeof value === 'number' && Number.isFinite(value) && value >= 0
		? Math.min(most, Math.max(least, round(value)))
		: undefined;
}
