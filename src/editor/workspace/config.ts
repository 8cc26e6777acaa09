/**
 * The only file that reads and writes settings, ours and others'. Our settings are never read as the editor merges them:
 * `core/config/settings.ts` decides which of the values in User Settings, workspace and folder are used.
 */
import * as vscode from 'vscode';
import { defaultLimits, type Limits } from '../../mcp/index.js';
import {
	type PlacedValues,
	readSetting,
	type SettingKey,
	type SettingPlace,
	type SettingValue,
} from '../../core/config/settings.js';
import { Settings } from '../contributions.js';

const megabyte = 1024 * 1024;

/**
 * The value of a setting in each place.
 * @param folderUri a folder whose settings are included; only workspaces with several folders have folder settings
 */
export function placedValues(key: SettingKey, folderUri?: string): PlacedValues {
	const { globalValue, workspaceValue, workspaceFolderValue } = scoped(folderUri).inspect<unknown>(Settings[key]) ?? {};
	// Without a workspace file, the settings of the folder are those of the workspace.
	const folder = vscode.workspace.workspaceFile ? workspaceFolderValue : undefined;
	return { user: globalValue, workspace: workspaceValue, folder };
}

/** @throws if the editor can't write its settings, because they have errors or are not saved */
export async function writeSetting(
	key: SettingKey,
	value: unknown,
	place: SettingPlace = 'user',
	folderUri?: string,
): Promise<void> {
	const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
	const target = { user: Global, workspace: Workspace, folder: WorkspaceFolder }[place];
	await scoped(folderUri).update(Settings[key], value, target);
}

/** Calls the listener when one of our settings has changed in any place. */
export function onDidChangeSetting(key: SettingKey, listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration(change => {
		if (change.affectsConfiguration(Settings[key])) {
			listener();
		}
	});
}

/** Whether User Settings have a setting that no longer exists. */
export function isStillSet(id: string): boolean {
	return scoped(undefined).inspect<unknown>(id)?.globalValue !== undefined;
}

function valueOf<K extends SettingKey>(key: K): SettingValue<K> {
	return readSetting(key, placedValues(key));
}

function scoped(folderUri: string | undefined): vscode.WorkspaceConfiguration {
	// `null`, because the editor logs a warning if a folder setting is read without a folder.
	return vscode.workspace.getConfiguration(undefined, folderUri === undefined ? null : vscode.Uri.parse(folderUri));
}

export function keepsHistory(): boolean {
	return valueOf('keepHistory');
}

/** Ids of languages in which a slash at the start of a line completes prompts. */
export function completedLanguages(): readonly string[] {
	return valueOf('completeInEditors');
}

/** Seconds without an answer or progress after which a request fails; 0 for never. */
export function requestTimeout(): number {
	return valueOf('requestTimeout');
}

/** `requestTimeout` in milliseconds. */
export function requestTimeoutMs(): number {
	return requestTimeout() * 1000;
}

/** Milliseconds between two pings of a server of the legacy era; 0 for none. */
export function pingIntervalMs(): number {
	return valueOf('pingInterval') * 1000;
}

/** Whether servers get the login shell's PATH. */
export function usePathOfShell(): boolean {
	return valueOf('usePathOfShell');
}

/** Whether new or changed servers of a workspace need consent. */
export function confirmsServers(): boolean {
	return valueOf('confirmServers') !== 'never';
}

/** Whether chat is turned off in User Settings or the workspace. Its commands exist nevertheless, and do nothing. */
export function isChatOff(): boolean {
	const { globalValue, workspaceValue } = scoped(undefined).inspect<unknown>('chat.disableAIFeatures') ?? {};
	return globalValue === true || workspaceValue === true;
}

/** Limits for each server. */
export function limits(): Limits {
	return { ...defaultLimits, messageBytes: valueOf('messageSize') * megabyte };
}

/** The person's rules for tool calls, unchecked. */
export function userPolicy(): unknown {
	return valueOf('policy');
}

/** The person's settings for signing in at single servers, unchecked. */
export function authSettings(): { readonly servers: unknown; readonly clientMetadataUrl: string } {
	return { servers: valueOf('authServers'), clientMetadataUrl: valueOf('clientMetadataUrl') };
}

/** The servers and inputs of User Settings, unchecked. */
export interface UserConfig {
	readonly servers: unknown;
	readonly inputs: unknown;
}

export function userConfig(): UserConfig {
	return { servers: valueOf('servers'), inputs: valueOf('inputs') };
}

/** @throws if the editor can't write its settings, because they have errors or are not saved */
export async function writeUserConfig({ inputs, servers }: UserConfig): Promise<void> {
	// Inputs first, because servers refer to them.
	if (JSON.stringify(inputs) !== JSON.stringify(userConfig().inputs)) {
		await writeSetting('inputs', inputs);
	}
	await writeSetting('servers', servers);
}

/** Whether the person has added the demo server; only User Settings count. */
export function hasDemo(): boolean {
	return valueOf('demoServer');
}

/** @throws if the editor can't write its settings */
export async function setDemo(wanted: boolean): Promise<void> {
	await writeSetting('demoServer', wanted ? true : undefined);
}

/** The value of `mcp`, a setting of VS Code, in the workspace file. */
export function workspaceFileServers(): unknown {
	return scoped(undefined).inspect(workspaceFileKey)?.workspaceValue;
}

export const workspaceFileKey = 'mcp';
