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
import * as vscode from 'vscode';
import { settingsVariable } from '../support/suiteInWindow.js';
import { QuickInputs } from './quickInputs.js';
import { activate, eventually, writeWhole } from './support.js';

type Target = 'globalValue' | 'workspaceValue' | 'workspaceFolderValue';

const { executeCommand } = vscode.commands;

export class SharedWindow {
	/** What was opened: the one folder, or the folder of the workspace file. */
	private readonly folder: string;
	private readonly settingsFile = process.env[settingsVariable] ?? '';
	private readonly settings: string;
	/** The texts of all files, by their paths in the folder. */
	private readonly files: ReadonlyMap<string, string>;

	constructor() {
		const { workspaceFile, workspaceFolders } = vscode.workspace;
		const [first] = workspaceFolders ?? [];
		assert.ok(first, 'a window without a folder cannot be shared');
		this.folder = workspaceFile ? path.dirname(workspaceFile.fsPath) : first.uri.fsPath;
		this.settings = fs.readFileSync(this.settingsFile, 'utf8');
		this.files = new Map(filesIn(this.folder).map(it => [it, fs.readFileSync(path.join(this.folder, it), 'utf8')]));
	}

	/** Puts a fixture into the folder; resolves when the extension has read it. */
	async fill(fixture: string): Promise<void> {
		const api = await activate();
		assert.deepEqual(api.servers(), []);
		for (const file of filesIn(fixture)) {
			const copy = path.join(this.folder, file);
			fs.mkdirSync(path.dirname(copy), { recursive: true });
			writeWhole(copy, fs.readFileSync(path.join(fixture, file), 'utf8'));
		}
		await this.untilFoldersOpen();
		const { workspaceFile } = vscode.workspace;
		await untilSettings({}, workspaceFile && readJson(workspaceFile.fsPath)['settings'], 'workspaceValue');
		await readConfiguration();
	}

	/** Ends whatever goes on, and removes whatever is kept. */
	async empty(): Promise<void> {
		await closeEverything();
		await stopServers();
		await clearData();
		await this.resetSettings();
		await this.removeFiles();
		await executeCommand('mcpWorkbench.servers.clearFilter');
		await executeCommand('mcpWorkbench.history.clearFilter');
	}

	private async resetSettings(): Promise<void> {
		const text = fs.readFileSync(this.settingsFile, 'utf8');
		if (text !== this.settings) {
			writeWhole(this.settingsFile, this.settings);
			await untilSettings(parse(text), parse(this.settings), 'globalValue');
		}
	}

	private async removeFiles(): Promise<void> {
		const folders = vscode.workspace.workspaceFolders ?? [];
		const ofFolders = folders.map(({ uri }) => ({ uri, settings: readJson(path.join(uri.fsPath, settingsPath)) }));
		const { workspaceFile } = vscode.workspace;
		const ofFile = workspaceFile && readJson(workspaceFile.fsPath)['settings'];
		const files = filesIn(this.folder);
		for (const file of files) {
			// A file that is gone may be about to be written again: what is in it counts at once.
			const text = this.files.get(file) ?? (file.endsWith('mcp.json') ? '{}' : undefined);
			if (text !== undefined) {
				writeWhole(path.join(this.folder, file), text);
			}
		}
		await this.untilFoldersOpen();
		await readConfiguration();
		const api = await activate();
		await eventually('that no server is configured', () => (api.servers().length === 0 ? true : undefined));
		for (const file of files.filter(it => !this.files.has(it))) {
			fs.rmSync(path.join(this.folder, file), { force: true });
		}
		removeEmptyFolders(this.folder);
		for (const { uri, settings } of ofFolders) {
			await untilSettings(settings, {}, workspaceFile ? 'workspaceFolderValue' : 'workspaceValue', uri);
		}
		await untilSettings(ofFile, {}, 'workspaceValue');
		await readConfiguration();
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

const settingsPath = path.join('.vscode', 'settings.json');

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

/** Waits until the editor has read settings that were changed on the disk. */
async function untilSettings(before: unknown, after: unknown, target: Target, scope?: vscode.Uri): Promise<void> {
	const [old, now] = [before ?? {}, after ?? {}] as Record<string, unknown>[];
	const isRead = (key: string): boolean => {
		const value = vscode.workspace.getConfiguration(undefined, scope).inspect(key)?.[target];
		return JSON.stringify(value) === JSON.stringify(now?.[key]);
	};
	for (const key of Object.keys({ ...old, ...now })) {
		await eventually(`the setting ${key}`, () => isRead(key) || undefined);
	}
}

async function readConfiguration(): Promise<void> {
	await silently(() => executeCommand('mcpWorkbench.servers.refresh'));
}

async function closeEverything(): Promise<void> {
	await executeCommand('workbench.action.closeQuickOpen');
	await vscode.debug.stopDebugging();
	for (const terminal of vscode.window.terminals) {
		terminal.dispose();
	}
	await eventually('that no editor is open', () => {
		const isOpen = vscode.window.tabGroups.all.some(it => it.tabs.length > 0);
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

/** Clear All Data…, and all of it. */
async function clearData(): Promise<void> {
	const inputs = new QuickInputs();
	try {
		await silently(async () => {
			const cleared = executeCommand('mcpWorkbench.data.clear');
			await inputs.pick(() => true);
			await cleared;
		}, 'Clear Data');
	} finally {
		inputs.dispose();
	}
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
