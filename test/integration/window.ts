/**
 * A window that several suites share, one after the other. It is opened with nothing configured; each suite finds its own
 * fixture in the same folder, and the window is then made as it was opened, whatever the tests have done with it. What
 * the extension keeps is removed by its own command.
 */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'jsonc-parser';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { userDataVariable } from '../support/suiteInWindow.js';
import type { ExtensionApi } from '../../src/api.js';
import { activate, changesAreSeen, eventually, writeWhole } from './support.js';

type Target = 'globalValue' | 'workspaceValue' | 'workspaceFolderValue';

const { executeCommand } = vscode.commands;

export class SharedWindow {
	/** What was opened: the one folder, or the folder of the workspace file. */
	private readonly folder: string;
	private readonly settings = readUserSettings();
	/** The texts of all files, by their paths in the folder. */
	private readonly files: ReadonlyMap<string, string>;

	constructor() {
		const { workspaceFile, workspaceFolders } = vscode.workspace;
		const [first] = workspaceFolders ?? [];
		assert.ok(first, 'a window without a folder cannot be shared');
		this.folder = workspaceFile ? path.dirname(workspaceFile.fsPath) : first.uri.fsPath;
		this.files = new Map(filesIn(this.folder).map(it => [it, fs.readFileSync(path.join(this.folder, it), 'utf8')]));
	}

	/** Puts a fixture into the folder; resolves when the extension has read it. */
	async fill(fixture: string): Promise<void> {
		const api = await activate();
		assert.deepEqual(api.servers(), []);
		for (const file of filesIn(fixture)) {
			await this.write(file, fs.readFileSync(path.join(fixture, file), 'utf8'));
		}
		await changesAreSeen();
		for (const { key, value, target, scope } of settingsInFiles()) {
			await untilSetting(key, value, target, scope);
		}
		await configurationIsRead(
			api,
			filesIn(fixture).some(it => it.endsWith('mcp.json')),
		);
	}

	/** Ends whatever goes on, and removes whatever is kept. */
	async empty(): Promise<void> {
		await closeEverything();
		await stopServers();
		await clearData();
		await this.resetSettings();
		await this.removeFiles();
		await executeCommand('mcpWorkbench.servers.filter', { text: '' });
	}

	private async resetSettings(): Promise<void> {
		const now = readUserSettings();
		for (const key of Object.keys({ ...now, ...this.settings })) {
			// What is not ours, and not there any more, the editor has renamed.
			if (key in now || key.startsWith('mcpWorkbench.')) {
				await this.resetSetting(key, now[key]);
			}
		}
	}

	private async resetSetting(key: string, now: unknown): Promise<void> {
		const before = this.settings[key];
		if (!isDeepStrictEqual(now, before)) {
			await vscode.workspace.getConfiguration().update(key, before, vscode.ConfigurationTarget.Global);
			await untilSetting(key, before, 'globalValue');
		}
	}

	private async removeFiles(): Promise<void> {
		const settings = settingsInFiles();
		const files = filesIn(this.folder);
		for (const file of files) {
			// A file that is gone may be about to be written again: what is in it counts at once.
			const text = this.files.get(file) ?? (file.endsWith('mcp.json') ? '{}' : undefined);
			if (text !== undefined) {
				await this.write(file, text);
			}
		}
		const api = await activate();
		await eventually('that no server is configured', () => api.servers().length === 0 || undefined);
		for (const file of files.filter(it => !this.files.has(it))) {
			fs.rmSync(path.join(this.folder, file));
		}
		removeEmptyFolders(this.folder);
		for (const { key, target, scope } of settings) {
			await untilSetting(key, undefined, target, scope);
		}
	}

	private async write(file: string, text: string): Promise<void> {
		const target = path.join(this.folder, file);
		fs.mkdirSync(path.dirname(target), { recursive: true });
		if (target === vscode.workspace.workspaceFile?.fsPath) {
			// Of folders and settings that change at once, the editor tells extensions only the folders.
			const { folders } = parse(text) as { readonly folders: unknown };
			writeWhole(target, JSON.stringify({ ...readJson(target), folders }));
			await this.untilFoldersOpen();
		}
		writeWhole(target, text);
	}

	/** Those that the workspace file lists. */
	private async untilFoldersOpen(): Promise<void> {
		const { workspaceFile } = vscode.workspace;
		if (workspaceFile) {
			const { folders } = readJson(workspaceFile.fsPath) as { folders: readonly { path: string }[] };
			const listed = folders.map(it => path.join(this.folder, it.path));
			await eventually('the folders of the workspace', () => {
				const open = vscode.workspace.workspaceFolders?.map(it => it.uri.fsPath);
				return isDeepStrictEqual(open, listed) || undefined;
			});
		}
	}
}

/** Those of a remote machine, where the extension runs on one, are in a file of their own. */
function readUserSettings(): Record<string, unknown> {
	const folder = process.env[userDataVariable] ?? '';
	return Object.assign({}, ...['User', 'Machine'].map(it => readJson(path.join(folder, it, 'settings.json'))));
}

interface SettingInFile {
	readonly key: string;
	readonly value: unknown;
	readonly target: Target;
	readonly scope?: vscode.Uri;
}

/** What the workspace file and the folders set. */
function settingsInFiles(): SettingInFile[] {
	const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
	const ofFile = workspaceFile ? (readJson(workspaceFile.fsPath)['settings'] as object | undefined) : {};
	const target = workspaceFile ? 'workspaceFolderValue' : 'workspaceValue';
	return [
		...Object.entries(ofFile ?? {}).map(([key, value]) => ({ key, value, target: 'workspaceValue' as const })),
		...workspaceFolders.flatMap(({ uri: scope }) => {
			const settings = readJson(path.join(scope.fsPath, '.vscode', 'settings.json'));
			return Object.entries(settings).map(([key, value]) => ({ key, value, target, scope }) as const);
		}),
	];
}

function readJson(file: string): Record<string, unknown> {
	return fs.existsSync(file) ? (parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
}

/** Paths in the folder; a link is a file, wherever it leads. */
function filesIn(folder: string): string[] {
	return fs.readdirSync(folder, { withFileTypes: true }).flatMap(it => {
		const inner = it.isDirectory() ? filesIn(path.join(folder, it.name)) : undefined;
		return inner?.map(file => path.join(it.name, file)) ?? it.name;
	});
}

/** Leaves `.vscode`: of a new one, the editor does not hear at once what is written in it. */
function removeEmptyFolders(folder: string): void {
	for (const entry of fs.readdirSync(folder, { withFileTypes: true }).filter(it => it.isDirectory())) {
		const inner = path.join(folder, entry.name);
		removeEmptyFolders(inner);
		if (entry.name !== '.vscode' && fs.readdirSync(inner).length === 0) {
			fs.rmdirSync(inner);
		}
	}
}

/** Waits until the editor has read a setting that was changed. */
async function untilSetting(key: string, value: unknown, target: Target, scope?: vscode.Uri): Promise<void> {
	const wanted = JSON.stringify(value);
	await eventually(`the setting ${key}`, () => {
		const read = vscode.workspace.getConfiguration(undefined, scope).inspect(key)?.[target];
		return JSON.stringify(read) === wanted || undefined;
	});
}

/** Waits until servers are listed, if there are any, and the list stays the same while file watchers report. */
async function configurationIsRead(api: ExtensionApi, hasServers: boolean): Promise<void> {
	const listed = (): string =>
		api
			.servers()
			.map(it => it.id)
			.join('\n');
	let before: string | undefined;
	while (listed() !== before || api.servers().length < (hasServers ? 1 : 0)) {
		before = listed();
		await delay(500);
	}
}

async function closeEverything(): Promise<void> {
	await executeCommand('workbench.action.closeQuickOpen');
	await vscode.debug.stopDebugging();
	for (const terminal of vscode.window.terminals) {
		terminal.dispose();
	}
	// The editor keeps for minutes what was opened and never shown.
	const untitled = (): vscode.TextDocument[] => vscode.workspace.textDocuments.filter(it => it.isUntitled);
	for (const document of untitled()) {
		await vscode.window.showTextDocument(document, { preview: false });
	}
	await eventually('that no editor is open', () => {
		const isOpen = vscode.window.tabGroups.all.some(it => it.tabs.length > 0) || untitled().length > 0;
		if (isOpen) {
			// Asks nothing about what is not saved.
			void executeCommand('workbench.action.revertAndCloseActiveEditor');
		}
		return !isOpen || undefined;
	});
	await executeCommand('notifications.clearAll');
}

async function stopServers(): Promise<void> {
	const api = await activate();
	const ended = ['stopped', 'failed'];
	for (const { id } of api.servers().filter(it => !ended.includes(it.state))) {
		await executeCommand('mcpWorkbench.server.stop', { server: id });
	}
	await eventually(
		'that all servers have ended',
		() => api.servers().every(it => ended.includes(it.state)) || undefined,
	);
}

async function clearData(): Promise<void> {
	await silently(() => executeCommand('mcpWorkbench.data.clear'), 'Clear Data');
}

/** No message is shown meanwhile; a button that one has may be pressed. */
async function silently(work: () => PromiseLike<unknown>, button?: string): Promise<void> {
	const { showInformationMessage, showWarningMessage } = vscode.window;
	const press = (_: string, ...rest: unknown[]): Promise<unknown> => Promise.resolve(rest.find(it => it === button));
	Object.assign(vscode.window, { showInformationMessage: press, showWarningMessage: press });
	try {
		await work();
	} finally {
		Object.assign(vscode.window, { showInformationMessage, showWarningMessage });
	}
}
