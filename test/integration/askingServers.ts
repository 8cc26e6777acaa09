/** Servers that send requests during a call, and the messages that the person gets: for tests of several features. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApiError, ExtensionApi, ProtocolObject } from '../../src/api.js';
import { QuickInputs } from './quickInputs.js';
import { activate, callTool, eventually, inState } from './support.js';

/** For one `describe`: starts the servers before all tests, and puts away after each what it has left. */
export class AskingServers {
	inputs!: QuickInputs;
	messages: string[] = [];
	/** What could be pressed on each of them. */
	buttons: string[][] = [];
	/** What is pressed on messages, besides what leads back to a sheet; nothing leaves them as if nobody had seen them. */
	press: string | undefined;
	/** What the editor was given to open: text, of which it takes nothing apart. */
	opened: unknown[] = [];
	private api!: ExtensionApi;
	private readonly original = { window: { ...vscode.window }, openExternal: vscode.env.openExternal };
	/** Those of the test, and the server of each that is not over. */
	private readonly calls = new Map<Promise<string>, string | undefined>();

	constructor(...servers: readonly string[]) {
		before(async () => {
			this.api = await activate();
			// What other tests have left open waits no more.
			for (const { name } of this.api.servers().filter(it => it.state === 'running')) {
				await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server: name });
			}
			for (const server of servers) {
				await vscode.commands.executeCommand('mcpWorkbench.server.start', { server });
				await inState(this.api, server, 'running');
			}
		});
		beforeEach(() => this.begin());
		afterEach(() => this.end());
	}

	/** `callAsOther`, which is waited for at the end of the test; a server that still asks then begins anew. */
	call(tool: string, args: ProtocolObject = {}, server = 'asking'): Promise<string> {
		const outcome = callAsOther(this.api, server, tool, args);
		this.calls.set(outcome, server);
		void outcome.finally(() => this.calls.set(outcome, undefined));
		return outcome;
	}

	/** The text editor of ours that is open. */
	async document(name: RegExp): Promise<vscode.TextEditor> {
		return eventually(`the document ${name.source}`, () => {
			const { activeTextEditor: editor } = vscode.window;
			return editor && name.test(editor.document.uri.path) ? editor : undefined;
		});
	}

	async write(editor: vscode.TextEditor, text: string): Promise<void> {
		const all = new vscode.Range(0, 0, editor.document.lineCount, 0);
		assert.ok(await editor.edit(it => it.replace(all, text)));
	}

	private begin(): void {
		this.inputs = new QuickInputs();
		this.messages = [];
		this.buttons = [];
		this.opened = [];
		this.press = undefined;
		const show = (text: string, ...rest: unknown[]): Promise<string | undefined> => {
			const buttons = rest.filter(it => typeof it === 'string');
			this.messages.push(text);
			this.buttons.push(buttons);
			const choice = buttons.find(it => it === this.press || it === 'Return to Request');
			return Promise.resolve(choice);
		};
		Object.assign(vscode.window, {
			showInformationMessage: show,
			showWarningMessage: show,
			showErrorMessage: show,
		});
		Object.assign(vscode.env, {
			openExternal: (address: unknown) => {
				this.opened.push(address);
				return Promise.resolve(true);
			},
		});
	}

	private async end(): Promise<void> {
		this.press = undefined;
		const settled = Promise.allSettled(this.calls.keys());
		const unfinished = new Set([...this.calls.values()].filter(it => it !== undefined));
		for (const server of unfinished) {
			await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server });
		}
		await this.inputs.closeUntil(settled);
		this.calls.clear();
		this.inputs.dispose();
		const { showInformationMessage, showWarningMessage, showErrorMessage } = this.original.window;
		Object.assign(vscode.window, { showInformationMessage, showWarningMessage, showErrorMessage });
		Object.assign(vscode.env, { openExternal: this.original.openExternal });
		await vscode.commands.executeCommand('workbench.action.files.revert');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	}
}

/** Calls a tool as another extension does; gives its text, or what went wrong. */
export function callAsOther(
	api: ExtensionApi,
	server: string,
	tool: string,
	args: ProtocolObject = {},
): Promise<string> {
	return callTool(api, server, tool, args).then(
		({ content }) => (content as { text: string }[]).map(it => it.text).join('\n'),
		(error: unknown) => {
			const { code, message } = error as ApiError;
			return `${code}: ${message}`;
		},
	);
}

export const labelled =
	(label: string) =>
	(item: vscode.QuickPickItem): boolean =>
		item.label === label;
