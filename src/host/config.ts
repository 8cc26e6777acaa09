/** Our settings, typed. What no person could mean counts as the default, or as the nearest that makes sense. */
import * as vscode from 'vscode';
import { defaultLimits, type Limits } from '../mcp/index.js';
import { Settings } from './contributions.js';

const megabyte = 1024 * 1024;

/** How often a server may ask models within one operation before the person is asked again, whatever they allowed. */
export function samplingPerOperation(): number {
	return atLeast(1, Settings.samplingPerOperation, 10);
}

/** Whether calls are kept to be looked at later. */
export function keepsHistory(): boolean {
	return vscode.workspace.getConfiguration().get(Settings.keepHistory, true);
}

/** Language ids of documents in which a slash at the start of a line proposes prompts. */
export function completedLanguages(): readonly string[] {
	const languages = vscode.workspace.getConfiguration().get<unknown>(Settings.completeInEditors);
	return Array.isArray(languages) ? languages.filter(it => typeof it === 'string') : [];
}

/** Milliseconds a request may go without an answer or progress; 0 waits for ever. */
export function requestTimeoutMs(): number {
	return seconds(Settings.requestTimeout, 60);
}

/** Milliseconds between two pings of a server of the older era; 0 for none. */
export function pingIntervalMs(): number {
	return seconds(Settings.pingInterval, 60);
}

/** Whether the editor's own host gets our servers. Only the person's own settings say so. */
export function registersWithEditor(): boolean {
	return vscode.workspace.getConfiguration().inspect(Settings.registerWithEditor)?.globalValue === true;
}

/** Whether servers get the login shell's PATH. */
export function usePathOfShell(): boolean {
	return vscode.workspace.getConfiguration().get<unknown>(Settings.usePathOfShell, false) === true;
}

/**
 * Whether a person is asked about servers of a workspace that are new or changed. Only the person's own settings say
 * so: those of a machine may come from the workspace, in a dev container.
 */
export function confirmsServers(): boolean {
	return vscode.workspace.getConfiguration().inspect(Settings.confirmServers)?.globalValue !== 'never';
}

/** What one server may cost. */
export function limits(): Limits {
	return {
		messageBytes: atLeast(1, Settings.messageSize, defaultLimits.messageBytes / megabyte) * megabyte,
		decodedBytes: atLeast(1, Settings.decompressedSize, defaultLimits.decodedBytes / megabyte) * megabyte,
		redirects: atLeast(0, Settings.redirects, defaultLimits.redirects),
		pages: atLeast(1, Settings.pages, defaultLimits.pages),
		items: atLeast(1, Settings.entries, defaultLimits.items),
		requestsInFlight: atLeast(1, Settings.requestsInFlight, defaultLimits.requestsInFlight),
		answersOwed: atLeast(1, Settings.answersOwed, defaultLimits.answersOwed),
		notificationsPerSecond: atLeast(0, Settings.notificationsPerSecond, defaultLimits.notificationsPerSecond),
		stderrLines: atLeast(1, Settings.stderrLines, defaultLimits.stderrLines),
	};
}

/** What the person's own settings configure, if it is what it should be: servers by name, and a list of inputs. */
export interface UserConfig {
	readonly servers: unknown;
	readonly inputs: unknown;
}

/**
 * Of the workspace's settings nothing is taken, even where an editor would let them speak: its servers have files of
 * their own, and so have its inputs, which may run commands.
 */
export function userConfig(): UserConfig {
	const configuration = vscode.workspace.getConfiguration();
	return {
		servers: configuration.inspect(Settings.servers)?.globalValue,
		inputs: configuration.inspect(Settings.inputs)?.globalValue,
	};
}

/** Writes what differs. @throws if the editor cannot write its settings: they have mistakes, or are not saved */
export async function writeUserConfig({ inputs, servers }: UserConfig): Promise<void> {
	const configuration = vscode.workspace.getConfiguration();
	const before = userConfig();
	// No server is there before what it asks for.
	if (JSON.stringify(inputs) !== JSON.stringify(before.inputs)) {
		await configuration.update(Settings.inputs, inputs, vscode.ConfigurationTarget.Global);
	}
	await configuration.update(Settings.servers, servers, vscode.ConfigurationTarget.Global);
}

/** Whether the person wants the demo server. Like their servers, it is theirs alone to have. */
export function hasDemo(): boolean {
	return vscode.workspace.getConfiguration().inspect(Settings.demoServer)?.globalValue === true;
}

/** @throws if the editor cannot write its settings */
export async function setDemo(wanted: boolean): Promise<void> {
	const value = wanted ? true : undefined;
	await vscode.workspace.getConfiguration().update(Settings.demoServer, value, vscode.ConfigurationTarget.Global);
}

/** `mcp` of the workspace file, as the editor read it. The key is VS Code's own. */
export function workspaceFileServers(): unknown {
	return vscode.workspace.getConfiguration().inspect(workspaceFileKey)?.workspaceValue;
}

export const workspaceFileKey = 'mcp';

function seconds(setting: string, defaultSeconds: number): number {
	return number(setting, defaultSeconds, 0) * 1000;
}

function atLeast(least: number, setting: string, otherwise: number): number {
	return Math.max(least, Math.floor(number(setting, otherwise, otherwise)));
}

/** @param otherwise for what is not a number, or less than none */
function number(setting: string, preset: number, otherwise: number): number {
	const value = vscode.workspace.getConfiguration().get<unknown>(setting, preset);
	return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : otherwise;
}
