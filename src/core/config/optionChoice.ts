/**
 * What to write in each place so that an option that a person chooses for a server counts. A workspace can't loosen, so
 * what is looser than the person's settings is written there.
 */
import type { EraMode } from '../../mcp/index.js';
import {
	isLonger,
	type OptionPlaces,
	readEntry,
	readServerOptions,
	type StartMode,
	timeoutIn,
	valueOfOption,
	withMember,
	withOption,
} from './serverOptions.js';
import type { SettingPlace } from './settings.js';

export type OptionChoice =
	/** Without `seconds`, the place no longer sets it. */
	| { readonly key: 'requestTimeout'; readonly seconds: number | undefined }
	| { readonly key: 'toolTimeouts'; readonly tool: string; readonly seconds: number | undefined }
	| { readonly key: 'era'; readonly mode: EraMode }
	| { readonly key: 'start'; readonly mode: StartMode }
	| { readonly key: 'disabledTools' | 'hiddenFromModels'; readonly tools: readonly string[] }
	/** @param list for the target place; `undefined` for all. @param added to the lists of the other places */
	| { readonly key: 'roots'; readonly list: readonly string[] | undefined; readonly added: Additions };

/** By place, URIs of folders to be added to its list. */
export type Additions = Readonly<Partial<Record<SettingPlace, readonly string[]>>>;

export interface OptionWrite {
	readonly place: SettingPlace;
	/** The whole setting; `undefined` removes it. */
	readonly setting: unknown;
}

const allPlaces: readonly SettingPlace[] = ['user', 'workspace', 'folder'];

/** @param target the place to write to if nothing else says otherwise */
export function writesFor(
	places: OptionPlaces,
	server: string,
	target: SettingPlace,
	choice: OptionChoice,
): readonly OptionWrite[] {
	const values = valuesFor(places, server, target, choice);
	return allPlaces.flatMap(place => {
		if (!values.has(place)) {
			return [];
		}
		const setting = withOption(places[place], server, choice.key, values.get(place));
		return JSON.stringify(setting) === JSON.stringify(places[place]) ? [] : [{ place, setting }];
	});
}

type Values = ReadonlyMap<SettingPlace, unknown>;

function valuesFor(places: OptionPlaces, server: string, target: SettingPlace, choice: OptionChoice): Values {
	switch (choice.key) {
		case 'requestTimeout':
		case 'toolTimeouts':
			return timeouts(places, server, target, choice);
		case 'era':
			return era(places, server, target, choice.mode);
		case 'start':
			return start(places, server, target, choice.mode);
		case 'disabledTools':
		case 'hiddenFromModels':
			return tools(places, server, target, choice);
		case 'roots':
			return roots(places, server, target, choice);
	}
}

function timeouts(
	places: OptionPlaces,
	server: string,
	target: SettingPlace,
	choice: Extract<OptionChoice, { readonly seconds: number | undefined }>,
): Values {
	const { key, seconds } = choice;
	const tool = key === 'toolTimeouts' ? choice.tool : undefined;
	const valueIn = (place: SettingPlace, value: number | undefined): unknown =>
		tool === undefined ? value : withMember(valueOfOption(places[place], server, key), tool, value);
	if (seconds === undefined) {
		return new Map([[target, valueIn(target, undefined)]]);
	}
	const own = timeoutIn(readEntry(places.user, server), tool) ?? places.generalTimeout;
	const first = isLonger(seconds, own) ? 'user' : target;
	const values = new Map<SettingPlace, unknown>([[first, valueIn(first, seconds)]]);
	for (const place of ['workspace', 'folder'] as const) {
		const said = timeoutIn(readEntry(places[place], server), tool);
		if (!values.has(place) && said !== undefined && isLonger(seconds, said)) {
			values.set(place, valueIn(place, seconds));
		}
	}
	return values;
}

function era(places: OptionPlaces, server: string, target: SettingPlace, mode: EraMode): Values {
	const written = new Map([[target, mode as unknown]]);
	// What counts anyway isn't written.
	const without = withOption(places[target], server, 'era', undefined);
	const isNeeded = readServerOptions({ ...places, [target]: without }, server).era !== mode;
	return isNeeded ? written : new Map([[target, undefined]]);
}

function start(places: OptionPlaces, server: string, target: SettingPlace, mode: StartMode): Values {
	const others = (['workspace', 'folder'] as const).filter(it => readEntry(places[it], server).start === 'onUse');
	if (mode === 'atActivation') {
		return new Map<SettingPlace, unknown>([['user', mode], ...others.map(it => [it, undefined] as const)]);
	}
	const isOwn = readEntry(places.user, server).start === 'atActivation';
	return new Map([[target, isOwn && target !== 'user' ? mode : undefined]]);
}

function tools(
	places: OptionPlaces,
	server: string,
	target: SettingPlace,
	{ key, tools: wanted }: Extract<OptionChoice, { readonly tools: readonly string[] }>,
): Values {
	const kept = allPlaces
		.filter(it => it !== target)
		.map(place => [place, readEntry(places[place], server)[key].filter(it => wanted.includes(it))] as const);
	const rest = wanted.filter(it => !kept.some(([, names]) => names.includes(it)));
	return new Map<SettingPlace, unknown>(
		[...kept, [target, rest] as const].map(([place, names]) => [place, names.length > 0 ? names : undefined]),
	);
}

function roots(
	places: OptionPlaces,
	server: string,
	target: SettingPlace,
	{ list, added }: Extract<OptionChoice, { readonly key: 'roots' }>,
): Values {
	const values = new Map<SettingPlace, unknown>([[target, list]]);
	for (const place of allPlaces) {
		const before = readEntry(places[place], server).roots;
		if (place !== target && before) {
			values.set(place, [...before, ...(added[place] ?? [])]);
		}
	}
	return values;
}
