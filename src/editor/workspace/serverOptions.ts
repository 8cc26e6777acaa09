/** Reads and writes the options of single servers, which are in our settings `serverOptions` and `tools`. */
import * as vscode from 'vscode';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import {
	readServerOptions,
	readToolOptions,
	type ServerOptions,
	settingEntry,
	type SettingPlace,
	toolEntry,
	type ToolKey,
	type ToolPlaces,
	withOption,
} from '../../core/config/serverOptions.js';
import { describeSettingPlace } from '../l10n/configWords.js';
import { placedValues, requestTimeout, userValue, writeSetting } from './config.js';

type Named = Pick<ServerDefinition, 'name' | 'source'>;

export function serverOptions(definition: Named): ServerOptions {
	const { name } = definition;
	return {
		...readServerOptions(userValue('serverOptions'), name, requestTimeout()),
		...readToolOptions(toolPlaces(definition), name),
	};
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

/** Where a choice of tools applies: in this workspace, or in all workspaces. */
export type Scope = 'workspace' | 'user';

/** The places of settings for each scope. A tool is added to the list of the first, and removed from the lists of all. */
export const choicePlaces = { workspace: ['workspace', 'folder'], user: ['user'] } as const satisfies Readonly<
	Record<Scope, readonly SettingPlace[]>
>;

/** The workspace if a folder is open, otherwise all workspaces. */
export function usualScope(): Scope {
	return vscode.workspace.workspaceFolders ? 'workspace' : 'user';
}

type ToolListKey = 'disabled' | 'hiddenFromModels';

/** The names of the tools that the setting lists in one place. */
export function listIn(definition: Named, place: SettingPlace, key: ToolListKey): readonly string[] {
	return toolEntry(toolPlaces(definition)[place], definition.name)[key];
}

/** A list of `tools` that was written. */
export interface WrittenList {
	/** The name of the file. */
	readonly file: string;
	/** Restores the list. */
	readonly undo: () => Promise<void>;
}

/**
 * Removes tools from the lists of all given places, and adds others to the list of the first place.
 * @returns the lists that have changed
 * @throws as `writeSetting`
 */
export async function editToolLists(
	definition: Named,
	key: ToolListKey,
	places: readonly SettingPlace[],
	{ add = [], remove = [] }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): Promise<readonly WrittenList[]> {
	const write = (place: SettingPlace, list: readonly string[]): Promise<void> =>
		writeToolList(definition, place, key, list.length > 0 ? list : undefined);
	const written: WrittenList[] = [];
	for (const place of places) {
		const before = listIn(definition, place, key);
		const after = [...new Set([...before, ...(place === places[0] ? add : [])])].filter(it => !remove.includes(it));
		if (JSON.stringify(after) !== JSON.stringify(before)) {
			await write(place, after);
			const file = describeSettingPlace(place, definition.source.folderName);
			written.push({ file, undo: () => write(place, before) });
		}
	}
	return written;
}
