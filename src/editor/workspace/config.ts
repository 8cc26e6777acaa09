/**
 * The only file that reads and writes the editor's settings, ours and others'. `core/config/settings.ts` says what counts of the
 * values in each place; merged values, in which a workspace replaces what the person has set, are never used for ours.
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
 * The value of a setting in each place. The editor is asked about the scope of the setting itself, and is not relied on.
 * @param folderUri of the folder whose own settings count too; only a workspace of several folders has those
 */
export function placedValues(key: SettingKey, folderUri?: string): PlacedValues {
	const { globalValue, workspaceValue, workspaceFolderValue } = scoped(folderUri).inspect<unknown>(Settings[key]) ?? {};
	// Without a workspace file, the settings of the folder are those of the workspace.
	const folder = vscode.workspace.workspaceFile ? workspaceFolderValue : undefined;
	return { user: globalValue, workspace: workspaceValue, folder };
}

/** @throws if the editor cannot write its settings: they have mistakes, or are not saved */
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

/** Tells of every change of one of our settings, in any place. */
export function onDidChangeSetting(key: SettingKey, listener: () => void): vscode.Disposable {
	return vscode.workspace.onDidChangeConfiguration(change => {
		if (change.affectsConfiguration(Settings[key])) {
			listener();
		}
	});
}

/** Whether the person has set a setting that only earlier versions had. */
export function isStillSet(id: string): boolean {
	return scoped(undefined).inspect<unknown>(id)?.globalValue !== undefined;
}

function valueOf<K extends SettingKey>(key: K): SettingValue<K> {
	return readSetting(key, placedValues(key));
}

function scoped(folderUri: string | undefined): vscode.WorkspaceConfiguration {
	// `null`: the editor warns where a setting of a folder is read without one.
	return vscode.workspace.getConfiguration(undefined, folderUri === undefined ? null : vscode.Uri.parse(folderUri));
}

/** Whether calls are kept to be looked at later. */
export function keepsHistory(): boolean {
	return valueOf('keepHistory');
}

/** Language ids of documents in which a slash at the start of a line proposes prompts. */
export function completedLanguages(): readonly string[] {
	return valueOf('completeInEditors');
}

/** Seconds a request may go without an answer or progress; 0 waits for ever. */
export function requestTimeout(): number {
	return valueOf('requestTimeout');
}

/** The same in milliseconds. */
export function requestTimeoutMs(): number {
	return requestTimeout() * 1000;
}

/** Milliseconds between two pings of a server of the older era; 0 for none. */
export function pingIntervalMs(): number {
	return valueOf('pingInterval') * 1000;
}

/** Whether the editor's own host gets our servers. */
export function registersWithEditor(): boolean {
	return valueOf('registerWithEditor');
}

/** Whether servers get the login shell's PATH. */
export function usePathOfShell(): boolean {
	return valueOf('usePathOfShell');
}

/** Whether a person is asked about servers of a workspace that are new or changed. */
export function confirmsServers(): boolean {
	return valueOf('confirmServers') !== 'never';
}

/** Whether chat is turned off, here or everywhere. Its commands are still there, and do nothing. */
export function isChatOff(): boolean {
	const { globalValue, workspaceValue } = scoped(undefined).inspect<unknown>('chat.disableAIFeatures') ?? {};
	return globalValue === true || workspaceValue === true;
}

/** What one server may cost. */
export function limits(): Limits {
	return { ...defaultLimits, messageBytes: valueOf('messageSize') * megabyte };
}

/** The person's rules about calls, whatever the setting holds. */
export function userPolicy(): unknown {
	return valueOf('policy');
}

/** How the person signs in at single servers, whatever the settings hold. */
export function authSettings(): { readonly servers: unknown; readonly clientMetadataUrl: string } {
	return { servers: valueOf('authServers'), clientMetadataUrl: valueOf('clientMetadataUrl') };
}

/** What the person's own settings configure, if it is what it should be: servers by name, and a list of inputs. */
export interface UserConfig {
	readonly servers: unknown;
	readonly inputs: unknown;
}

export function userConfig(): UserConfig {
	return { servers: valueOf('servers'), inputs: valueOf('inputs') };
}

/** Writes what differs. @throws if the editor cannot write its settings: they have mistakes, or are not saved */
export async function writeUserConfig({ inputs, servers }: UserConfig): Promise<void> {
	const before = userConfig();
	// No server is there before what it asks for.
	if (JSON.stringify(inputs) !== JSON.stringify(before.inputs)) {
		await writeSetting('inputs', inputs);
	}
	await writeSetting('servers', servers);
}

/** Whether the person wants the demo server. Like their servers, it is theirs alone to have. */
export function hasDemo(): boolean {
	return valueOf('demoServer');
}

/** @throws if the editor cannot write its settings */
export async function setDemo(wanted: boolean): Promise<void> {
	await writeSetting('demoServer', wanted ? true : undefined);
}

/** `mcp` of the workspace file, as the editor read it. The key is VS Code's own. */
export function workspaceFileServers(): unknown {
	return scoped(undefined).inspect(workspaceFileKey)?.workspaceValue;
}

export const workspaceFileKey = 'mcp';
