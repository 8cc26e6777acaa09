/** What the integration tests share: the extension's API, waiting, and what the recorder heard. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { CallOptions, ExtensionApi, ProtocolObject, ServerSnapshot } from '../../src/api.js';
import { pageText } from '../../src/features/pages/pageView.js';
import type { PageContent } from '../../src/webviews/page/reading/protocol.js';
import { recordedLines } from '../support/recordedLines.js';

export const extensionId = 'mcp-workbench.mcp-workbench';

/** The extension under test, activated. */
export async function activate(): Promise<ExtensionApi> {
	const extension = vscode.extensions.getExtension<ExtensionApi>(extensionId);
	assert.ok(extension, `${extensionId} is not installed`);
	return extension.activate();
}

/** Calls a tool as another extension does. */
export function callTool(
	api: ExtensionApi,
	server: string,
	tool: string,
	args: ProtocolObject = {},
	options?: CallOptions,
): Promise<ProtocolObject> {
	return api.callTool({ server, tool, arguments: args, caller: 'somebody.else' }, options);
}

/** Resolves with what `probe` gives once it is not `undefined`; fails after 40 seconds, unless told. */
export async function eventually<T>(what: string, probe: () => T | undefined, maxWaitMs = 40_000): Promise<T> {
	for (const deadline = Date.now() + maxWaitMs; Date.now() < deadline; await delay(10)) {
		const value = probe();
		if (value !== undefined) {
			return value;
		}
	}
	throw new Error(`${what} did not happen`);
}

/** Waits until a server is in a state (and its lists, if it runs, are there). */
export function inState(api: ExtensionApi, name: string, state: ServerSnapshot['state']): Promise<ServerSnapshot> {
	return eventually(`${name}: ${state}`, () =>
		api.servers().find(it => it.name === name && it.state === state && (state !== 'running' || isListed(it))),
	);
}

function isListed({ counts }: ServerSnapshot): boolean {
	return Object.values(counts).some(it => it !== undefined);
}

/**
 * Writes a file so that nobody ever reads it empty: the editor takes that for a workspace without folders, or takes down the
 * time of the empty file and then saves nothing.
 */
export function writeWhole(file: string, text: string): void {
	fs.writeFileSync(`${file}.new`, text);
	fs.renameSync(`${file}.new`, file);
}

/**
 * Writes a file, and waits until a document of it has the new text. Two writes at once: the editor can take down the time of
 * the first with the text of the second, and then saves nothing.
 */
export async function writeFollowed(uri: vscode.Uri, text: string): Promise<void> {
	writeWhole(uri.fsPath, text);
	await eventually('the document follows its file', () => {
		const open = vscode.workspace.textDocuments.find(it => it.uri.toString() === uri.toString());
		return open === undefined || open.getText() === text ? true : undefined;
	});
}

/**
 * Until the editor has told of a change of a file in the first workspace folder, which is gone again then: so it has of
 * whatever was changed before.
 */
export async function changesAreSeen(): Promise<void> {
	const file = path.join(workspaceFolder(), 'seen.txt');
	const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(workspaceFolder(), 'seen.txt'));
	let seen: true | undefined;
	const listeners = [watcher.onDidChange, watcher.onDidCreate].map(event => event(() => (seen = true)));
	let wroteAt = 0;
	try {
		await eventually('a change', () => {
			// Now and then only: an editor waits until a file that is written again and again has come to rest.
			if (Date.now() - wroteAt > 1000) {
				wroteAt = Date.now();
				fs.writeFileSync(file, String(wroteAt));
			}
			return seen;
		});
	} finally {
		vscode.Disposable.from(watcher, ...listeners).dispose();
		fs.rmSync(file, { force: true });
	}
}

/** The first workspace folder, on disk. */
export function workspaceFolder(): string {
	const [folder] = vscode.workspace.workspaceFolders ?? [];
	assert.ok(folder);
	return folder.uri.fsPath;
}

/** The text of the log that is shown, once that is in it: the one before it is there for a moment more. */
export function shownLog(part: string): Promise<string> {
	return eventually('the log', () =>
		vscode.window.visibleTextEditors
			.filter(it => it.document.uri.scheme === 'output')
			.map(it => it.document.getText())
			.find(it => it.includes(part)),
	);
}

export interface Recorded {
	readonly started?: number;
	readonly ended?: string;
	/** Written by `environment.mjs`. */
	readonly args?: readonly string[];
	readonly env?: Readonly<Record<string, string>>;
	readonly id?: unknown;
	readonly method?: string;
	readonly params?: Record<string, unknown>;
	readonly result?: { readonly roots?: readonly { readonly uri: string; readonly name: string }[] };
}

/** Everything the recorder wrote down since `forgetRecords`. */
export function records(server = 'recorder'): Recorded[] {
	return recordedLines(recordFile(server)).map(line => JSON.parse(line) as Recorded);
}

export function forgetRecords(server = 'recorder'): void {
	fs.rmSync(recordFile(server), { force: true });
}

/** The names of the roots in each answer to `roots/list`, in order. */
export function recordedRoots(server = 'recorder'): string[][] {
	return records(server).flatMap(it => (it.result?.roots ? [it.result.roots.map(root => root.name)] : []));
}

function recordFile(server: string): string {
	return path.join(workspaceFolder(), `${server}.jsonl`);
}

/** Whether a process with that id is alive. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}

/** What is done is confirmed by that button, if a modal message asks; gives the questions. */
export async function confirming(button: string | undefined, work: () => PromiseLike<unknown>): Promise<string[]> {
	const { showWarningMessage } = vscode.window;
	const asked: string[] = [];
	const confirm = (message: string, options: unknown, ...buttons: string[]): Promise<string | undefined> => {
		asked.push(message);
		assert.equal((options as vscode.MessageOptions).modal, true);
		return Promise.resolve(buttons.find(it => it === button));
	};
	Object.assign(vscode.window, { showWarningMessage: confirm });
	try {
		await work();
	} finally {
		Object.assign(vscode.window, { showWarningMessage });
	}
	return asked;
}

/** The text of the page that was sent to a view last. */
let lastPage = '';
const { createWebviewPanel } = vscode.window;
Object.assign(vscode.window, {
	createWebviewPanel: (...args: Parameters<typeof createWebviewPanel>) => {
		const panel = createWebviewPanel(...args);
		const { webview } = panel;
		const post = webview.postMessage.bind(webview);
		Object.assign(webview, {
			postMessage: (message: { readonly type: string; readonly page?: PageContent }) => {
				lastPage = message.page?.sections ? pageText(message.page) : lastPage;
				return post(message);
			},
		});
		return panel;
	},
});

/** The text of the page that was shown last, once it has what a test looks for. */
export async function pageWith(text: string, maxWaitMs = 40_000): Promise<string> {
	return eventually(`a page with: ${text}`, () => (lastPage.includes(text) ? lastPage : undefined), maxWaitMs);
}
