/** Reads and writes the options of single servers, which are in our setting `serverOptions`. */
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

/** The options of a server, from all places that set them. */
export function serverOptions(definition: Named): ServerOptions {
	return readServerOptions(placesOf(definition), definition.name);
}

/** The places that can set options of a server, including the folder that defines it. */
export function placesOf({ source }: Pick<ServerDefinition, 'source'>): OptionPlaces {
	return {
		...placedValues('serverOptions', source.folderUri),
		generalTimeout: requestTimeout(),
		isTrusted: vscode.workspace.isTrusted,
	};
}

/** The value of one option in each place, unchecked. */
export function inspectOption(definition: Named, key: OptionKey): Readonly<Record<SettingPlace, unknown>> {
	const { user, workspace, folder } = placesOf(definition);
	const read = (setting: unknown): unknown => valueOfOption(setting, definition.name, key);
	return { user: read(user), workspace: read(workspace), folder: read(folder) };
}

/** The place for options of a server that no place sets yet: User Settings, or the workspace that defines the server. */
export function defaultPlace({ kind }: ServerDefinition['source']): 'user' | 'workspace' {
	return kind === 'userSettings' || vscode.workspace.workspaceFolders === undefined ? 'user' : 'workspace';
}

/** The place to write an option to: the folder or workspace that sets it, or else `defaultPlace`. */
export function placeFor(definition: Named, key: OptionKey): SettingPlace {
	const { folder, workspace } = inspectOption(definition, key);
	// Folders belong to the workspace.
	const isOfWorkspace = workspace !== undefined || key === 'roots';
	return folder !== undefined ? 'folder' : isOfWorkspace ? 'workspace' : defaultPlace(definition.source);
}

/** Writes the person's choice so that it takes effect. @throws as `writeSetting` */
export async function chooseOption({ definition }: Pick<Server, 'definition'>, choice: OptionChoice): Promise<void> {
	const target = placeFor(definition, choice.key);
	for (const { place, setting } of writesFor(placesOf(definition), definition.name, target, choice)) {
		await writeSetting('serverOptions', setting, place, definition.source.folderUri);
	}
}

/** Calls the listener when options of any server have changed. */
export function onDidChangeServerOptions(listener: () => void): vscode.Disposable {
	return onDidChangeSetting('serverOptions', listener);
}
