/**
 * The only file that reads and writes settings, ours and others'. The scopes in package.json say who can set ours: only
 * `tools` can be set by a workspace, and `core/config/serverOptions.ts` combines its places.
 */
import * as vscode from 'vscode';
import { readSeconds, type SettingPlace, type ToolPlaces } from '../../core/config/serverOptions.js';
import { Settings } from '../contributions.js';

type SettingKey = keyof typeof Settings;

/** The value of a setting in User Settings, unchecked; `undefined` if they don't have it. */
export function userValue(key: SettingKey): unknown {
	return scoped(undefined).inspect<unknown>(Settings[key])?.globalValue;
}

/**
 * The value of a setting in each place.
 * @param folderUri a folder whose settings are included; only workspaces with several folders have folder settings
 */
export function placedValues(key: SettingKey, folderUri?: string): ToolPlaces {
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

/**
 * Opens a setting of scope `machine` in the JSON file, which is on the remote machine in a remote window. May resolve before
 * the file is open. Adds `serverOptions` to the file if it is missing.
 */
export async function openMachineSetting(key: 'servers' | 'serverOptions'): Promise<void> {
	const command = vscode.env.remoteName === undefined ? 'openSettingsJson' : 'openRemoteSettingsFile';
	const revealSetting = { key: Settings[key], edit: key === 'serverOptions' };
	await vscode.commands.executeCommand(`workbench.action.${command}`, { revealSetting });
}

/** Calls the listener when one of our settings has changed in any place. */
export function onDidChangeSetting(key: SettingKey, listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration(change => {
		if (change.affectsConfiguration(Settings[key])) {
			listener();
		}
	});
}

function scoped(folderUri: string | undefined): vscode.WorkspaceConfiguration {
	// `null`, because the editor logs a warning if a folder setting is read without a folder.
	return vscode.workspace.getConfiguration(undefined, folderUri === undefined ? null : vscode.Uri.parse(folderUri));
}

/** Whether the history keeps calls from window to window. */
export function keepsHistory(): boolean {
	return userValue('keepHistory') !== false;
}

/** Seconds without an answer or progress after which a request fails; 0 for never. */
export function requestTimeout(): number {
	return readSeconds(userValue('requestTimeout')) ?? 60;
}

/** Whether new or changed servers of a workspace need consent. */
export function confirmsServers(): boolean {
	return userValue('confirmServers') !== 'never';
}

/** Whether chat is turned off in User Settings or the workspace. Its commands exist nevertheless, and do nothing. */
export function isChatOff(): boolean {
	const { globalValue, workspaceValue } = scoped(undefined).inspect<unknown>('chat.disableAIFeatures') ?? {};
	return globalValue === true || workspaceValue === true;
}

/** The editor's setting that decides which servers its own MCP support may run. */
export const editorAccessSetting = 'chat.mcp.access';

/** Keeps the editor's own MCP support from running servers in this workspace. @throws as `writeSetting` */
export async function denyEditorAccess(): Promise<void> {
	await scoped(undefined).update(editorAccessSetting, 'none', vscode.ConfigurationTarget.Workspace);
}

/** The person's rules for tool calls, unchecked. */
export function userPolicy(): unknown {
	return userValue('policy');
}

/** The person's settings for signing in at single servers, unchecked. */
export function authSettings(): unknown {
	return userValue('authServers');
}

/** The servers and inputs of User Settings, unchecked. */
export interface UserConfig {
	readonly servers: unknown;
	readonly inputs: unknown;
}

export function userConfig(): UserConfig {
	return { servers: userValue('servers'), inputs: userValue('inputs') };
}

/** @throws if the editor can't write its settings, because they have errors or are not saved */
export async function writeUserConfig({ inputs, servers }: UserConfig): Promise<void> {
	// Inputs first, because servers refer to them.
	if (JSON.stringify(inputs) !== JSON.stringify(userConfig().inputs)) {
		await writeSetting('inputs', inputs);
	}
	await writeSetting('servers', servers);
}

/** The value of `mcp`, a setting of VS Code, in the workspace file. */
export function workspaceFileServers(): unknown {
	return scoped(undefined).inspect(workspaceFileKey)?.workspaceValue;
}

export const workspaceFileKey = 'mcp';
