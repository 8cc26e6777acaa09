/** Options of single servers: read from our setting, and written to it where they belong. */
import * as vscode from 'vscode';
import { type OptionChoice, writesFor } from '../../core/config/optionChoice.js';
import type { Server } from '../../core/servers/server.js';
import type { ServerDefinition } from '../../core/config/serverDefinition.js';
import {
	type OptionKey,
	type OptionPlaces,
	readServerOptions,
	type ServerOptions,
	valueOfOption,
} from '../../core/config/serverOptions.js';
import type { SettingPlace } from '../../core/config/settings.js';
import { onDidChangeSetting, placedValues, requestTimeout, writeSetting } from './config.js';

type Named = Pick<ServerDefinition, 'name' | 'source'>;

/** What counts for a server, of all the places that set something. */
export function serverOptions(definition: Named): ServerOptions {
	return readServerOptions(placesOf(definition), definition.name);
}

/** The places that can set options of a server: of several folders, the one that defines it. */
export function placesOf({ source }: Pick<ServerDefinition, 'source'>): OptionPlaces {
	return {
		...placedValues('serverOptions', source.folderUri),
		generalTimeout: requestTimeout(),
		isTrusted: vscode.workspace.isTrusted,
	};
}

/** The value of one option in each place, understood or not. */
export function inspectOption(definition: Named, key: OptionKey): Readonly<Record<SettingPlace, unknown>> {
	const { user, workspace, folder } = placesOf(definition);
	const read = (setting: unknown): unknown => valueOfOption(setting, definition.name, key);
	return { user: read(user), workspace: read(workspace), folder: read(folder) };
}

/** Where the options of a server are written: beside its definition, as far as settings go. */
export function targetOf({ kind }: ServerDefinition['source']): 'user' | 'workspace' {
	return kind === 'userSettings' || vscode.workspace.workspaceFolders === undefined ? 'user' : 'workspace';
}

/** The place to write an option to: where the workspace or the folder sets it, or beside the definition. */
export function placeFor(definition: Named, key: OptionKey): SettingPlace {
	const { folder, workspace } = inspectOption(definition, key);
	// Which folders there are is up to the workspace.
	const isOfWorkspace = workspace !== undefined || key === 'roots';
	return folder !== undefined ? 'folder' : isOfWorkspace ? 'workspace' : targetOf(definition.source);
}

/** Writes what a person chose, so that it counts. */
export async function chooseOption({ definition }: Pick<Server, 'definition'>, choice: OptionChoice): Promise<void> {
	const target = placeFor(definition, choice.key);
	for (const { place, setting } of writesFor(placesOf(definition), definition.name, target, choice)) {
		await writeSetting('serverOptions', setting, place, definition.source.folderUri);
	}
}

/** Tells of every change of any server's options. */
export function onDidChangeServerOptions(listener: () => void): vscode.Disposable {
	return onDidChangeSetting('serverOptions', listener);
}
