/**
 * Finds the values to write in each place so that the option that a person selects for a server takes effect. A workspace
 * can't make options looser, so a looser value is written to the person's settings.
 */
import type { EraMode } from '../../mcp/index.js';
import {
	isLonger,
	type OptionPlaces,
	type ParsedOptions,
	parseOptions,
	readServerOptions,
	type StartMode,
	timeoutIn,
	valueOfOption,
	withMember,
	withOption,
} from './serverOptions.js';
import type { SettingPlace } from './settings.js';

export type OptionChoice =
	/** If `seconds` is undefined, the option is removed from the target place. */
	| { readonly key: 'requestTimeout'; readonly seconds: number | undefined }
	| { readonly key: 'toolTimeouts'; readonly tool: string; readonly seconds: number | undefined }
	| { readonly key: 'era'; readonly mode: EraMode }
	| { readonly key: 'start'; readonly mode: StartMode }
	| { readonly key: 'disabledTools' | 'hiddenFromModels'; readonly tools: readonly string[] }
	/** `list` is for the target place, `undefined` for all folders. `added` is added to the lists of the other places. */
	| { readonly key: 'roots'; readonly list: readonly string[] | undefined; readonly added: Additions };

/** URIs of folders to add, by place. */
type Additions = Readonly<Partial<Record<SettingPlace, readonly string[]>>>;

interface OptionWrite {
	readonly place: SettingPlace;
	/** The whole setting; `undefined` removes it. */
	readonly setting: unknown;
}

const allPlaces: readonly SettingPlace[] = ['user', 'workspace', 'folder'];

/**
 * The values to write. Only places whose value changes are returned.
 * @param target the place to write to, unless the option has to be written to another place to take effect
 */
export function writesFor(
	places: OptionPlaces,
	server: string,
	target: SettingPlace,
	choice: OptionChoice,
): readonly OptionWrite[] {
	const parsed = (place: SettingPlace): ParsedOptions => parseOptions(places[place], server);
	const values = valuesFor({ places, server, target, parsed }, choice);
	return allPlaces.flatMap(place => {
		if (!values.has(place)) {
			return [];
		}
		const setting = withOption(places[place], server, choice.key, values.get(place));
		return JSON.stringify(setting) === JSON.stringify(places[place]) ? [] : [{ place, setting }];
	});
}

/** The values of the option in the places where it may change; `undefined` removes it. */
type Values = ReadonlyMap<SettingPlace, unknown>;

interface Context {
	readonly places: OptionPlaces;
	readonly server: string;
	readonly target: SettingPlace;
	/** The options of the server in one place. */
	readonly parsed: (place: SettingPlace) => ParsedOptions;
}

function valuesFor(context: Context, choice: OptionChoice): Values {
	switch (choice.key) {
		case 'requestTimeout':
		case 'toolTimeouts':
			return timeouts(context, choice);
		case 'era':
			return era(context, choice.mode);
		case 'start':
			return start(context, choice.mode);
		case 'disabledTools':
		case 'hiddenFromModels':
			return tools(context, choice);
		case 'roots':
			return roots(context, choice);
	}
}

type ChoiceWith<K extends string> = Extract<OptionChoice, Readonly<Record<K, unknown>>>;

function timeouts({ places, server, target, parsed }: Context, choice: ChoiceWith<'seconds'>): Values {
	const { key, seconds } = choice;
	const tool = key === 'toolTimeouts' ? choice.tool : undefined;
	const valueIn = (place: SettingPlace, value: number | undefined): unknown =>
		tool === undefined ? value : withMember(valueOfOption(places[place], server, key), tool, value);
	if (seconds === undefined) {
		return new Map([[target, valueIn(target, undefined)]]);
	}
	const own = timeoutIn(parsed('user'), tool) ?? places.generalTimeout;
	const first = isLonger(seconds, own) ? 'user' : target;
	const values = new Map<SettingPlace, unknown>([[first, valueIn(first, seconds)]]);
	for (const place of ['workspace', 'folder'] as const) {
		const said = timeoutIn(parsed(place), tool);
		if (!values.has(place) && said !== undefined && isLonger(seconds, said)) {
			values.set(place, valueIn(place, seconds));
		}
	}
	return values;
}

function era({ places, server, target }: Context, mode: EraMode): Values {
	// A value that is in effect without the target place isn't written.
	const without = withOption(places[target], server, 'era', undefined);
	const isNeeded = readServerOptions({ ...places, [target]: without }, server).era !== mode;
	return new Map([[target, isNeeded ? mode : undefined]]);
}

function start({ target, parsed }: Context, mode: StartMode): Values {
	const others = (['workspace', 'folder'] as const).filter(it => parsed(it).start === 'onUse');
	if (mode === 'atActivation') {
		return new Map<SettingPlace, unknown>([['user', mode], ...others.map(it => [it, undefined] as const)]);
	}
	const isOwn = parsed('user').start === 'atActivation';
	return new Map([[target, isOwn && target !== 'user' ? mode : undefined]]);
}

function tools({ target, parsed }: Context, { key, tools: wanted }: ChoiceWith<'tools'>): Values {
	const kept = allPlaces
		.filter(it => it !== target)
		.map(place => [place, parsed(place)[key].filter(it => wanted.includes(it))] as const);
	const rest = wanted.filter(it => !kept.some(([, names]) => names.includes(it)));
	return new Map<SettingPlace, unknown>(
		[...kept, [target, rest] as const].map(([place, names]) => [place, names.length > 0 ? names : undefined]),
	);
}

function roots({ target, parsed }: Context, { list, added }: ChoiceWith<'list'>): Values {
	const values = new Map<SettingPlace, unknown>([[target, list]]);
	for (const place of allPlaces) {
		const before = parsed(place).roots;
		if (place !== target && before) {
			values.set(place, [...before, ...(added[place] ?? [])]);
		}
	}
	return values;
}
