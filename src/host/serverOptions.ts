/** Options of single servers: read from our setting, and written to it where they belong. */
import * as vscode from 'vscode';
import type { ConfigSource } from '../model/serverDefinition.js';
import type { Server } from '../model/server.js';
import {
	isDefault,
	type OptionKey,
	readServerOptions,
	type ServerOptions,
	valueOfOption,
	withOption,
} from '../model/serverOptions.js';
import { Settings } from './contributions.js';

/** What holds for a server, of all the places that say something. */
export function serverOptions(name: string): ServerOptions {
	return readServerOptions(vscode.workspace.getConfiguration().get<unknown>(Settings.serverOptions), name);
}

/** What each place says of one option, understood or not. */
export interface PlacedOption {
	readonly ofWorkspace: unknown;
	readonly ofUser: unknown;
}

export function inspectOption(name: string, key: OptionKey): PlacedOption {
	const { workspaceValue, globalValue } = vscode.workspace.getConfiguration().inspect(Settings.serverOptions) ?? {};
	return { ofWorkspace: valueOfOption(workspaceValue, name, key), ofUser: valueOfOption(globalValue, name, key) };
}

/** Where the options of a server are written: beside its definition, as far as settings go. */
export function targetOf({ kind }: ConfigSource): vscode.ConfigurationTarget {
	const { Global, Workspace } = vscode.ConfigurationTarget;
	return kind === 'userSettings' || vscode.workspace.workspaceFolders === undefined ? Global : Workspace;
}

/** Of the places that could say it, the one whose word counts, or where it is said first. */
function placeOfOption({ name, definition }: Server, key: OptionKey): vscode.ConfigurationTarget {
	const isOverridden = inspectOption(name, key).ofWorkspace !== undefined;
	return isOverridden ? vscode.ConfigurationTarget.Workspace : targetOf(definition.source);
}

/** What a choice would replace: what is said of the option in the place that `chooseOption` writes to. */
export function ownOption(server: Server, key: OptionKey): unknown {
	const { ofWorkspace, ofUser } = inspectOption(server.name, key);
	return placeOfOption(server, key) === vscode.ConfigurationTarget.Workspace ? ofWorkspace : ofUser;
}

/**
 * Writes what a person chose, so that it holds: what is the default anyway is written only where their own settings
 * would come through otherwise. `undefined` takes back what that place says.
 */
export async function chooseOption(server: Server, key: OptionKey, value: unknown): Promise<void> {
	const { name } = server;
	const target = placeOfOption(server, key);
	const { ofUser } = inspectOption(name, key);
	const isNeeded = !isDefault(key, value) || (target === vscode.ConfigurationTarget.Workspace && ofUser !== undefined);
	await setServerOption(name, key, isNeeded ? value : undefined, target);
}

/** Writes one option, or (`undefined`) takes it back; what else the setting says stays. */
export async function setServerOption(
	name: string,
	key: OptionKey,
	value: unknown,
	target: vscode.ConfigurationTarget,
): Promise<void> {
	const configuration = vscode.workspace.getConfiguration();
	const { workspaceValue, globalValue } = configuration.inspect(Settings.serverOptions) ?? {};
	const before = target === vscode.ConfigurationTarget.Global ? globalValue : workspaceValue;
	await configuration.update(Settings.serverOptions, withOption(before, name, key, value), target);
}

/** Tells of every change of any server's options. */
export function onDidChangeServerOptions(listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration(change => {
		if (change.affectsConfiguration(Settings.serverOptions)) {
			listener();
		}
	});
}
