/** Reads and writes the options of single servers, which are in our settings `serverOptions` and `tools`. */
import type { Server } from '../../core/servers/server.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import {
	readServerOptions,
	readToolOptions,
	type ServerOptions,
	settingEntry,
	type SettingPlace,
	settingPlaces,
	toolEntry,
	type ToolKey,
	type ToolPlaces,
	withOption,
} from '../../core/config/serverOptions.js';
import { placedValues, requestTimeout, userValue, writeSetting } from './config.js';

type Named = Pick<ServerDefinition, 'name' | 'source'>;

export function serverOptions(definition: Named): ServerOptions {
	const { name } = definition;
	return {
		...readServerOptions(userValue('serverOptions'), name, requestTimeout()),
		...readToolOptions(toolPlaces(definition), name),
	};
}

/** The person's options for a server or for `allServers` as they are written, unchecked. */
export function writtenOptions(server: string): Readonly<Record<string, unknown>> {
	return settingEntry(userValue('serverOptions'), server);
}

/** Writes an option into the person's settings; `undefined` removes it. @throws as `writeSetting` */
export async function writeOption(server: string, key: string, value: unknown): Promise<void> {
	await writeSetting('serverOptions', withOption(userValue('serverOptions'), server, key, value));
}

/** The setting `tools` of all places that count for a server, including the folder that defines it. */
export function toolPlaces({ source }: Named): ToolPlaces {
	return placedValues('tools', source.folderUri);
}

/** The place to write a list of `tools` to: the folder or workspace that has it, or else the place that configures the server. */
export function placeFor(definition: Named, key: ToolKey): SettingPlace {
	const places = toolPlaces(definition);
	const has = (place: SettingPlace): boolean => settingEntry(places[place], definition.name)[key] !== undefined;
	const nearest = (['folder', 'workspace'] as const).find(has);
	// Folders belong to the workspace.
	const isOfPerson = definition.source.kind === 'userSettings' && key !== 'roots';
	return nearest ?? (isOfPerson ? 'user' : 'workspace');
}

/** Writes a list of `tools` in one place; `undefined` removes it. @throws as `writeSetting` */
export async function writeToolList(
	definition: Named,
	place: SettingPlace,
	key: ToolKey,
	list: readonly string[] | undefined,
): Promise<void> {
	const before = toolPlaces(definition)[place];
	const setting = withOption(before, definition.name, key, list);
	if (JSON.stringify(setting) !== JSON.stringify(before)) {
		await writeSetting('tools', setting, place, definition.source.folderUri);
	}
}

/** Disables or hides exactly these tools, whichever places list them now. @throws as `writeSetting` */
export async function chooseTools(
	{ definition }: Pick<Server, 'definition'>,
	key: 'disabled' | 'hiddenFromModels',
	tools: readonly string[],
): Promise<void> {
	const places = toolPlaces(definition);
	const listed = (place: SettingPlace): readonly string[] => toolEntry(places[place], definition.name)[key];
	const target = placeFor(definition, key);
	const added = tools.filter(tool => !settingPlaces.some(it => listed(it).includes(tool)));
	for (const place of settingPlaces) {
		const list = [...listed(place).filter(it => tools.includes(it)), ...(place === target ? added : [])];
		await writeToolList(definition, place, key, list.length > 0 ? list : undefined);
	}
}
