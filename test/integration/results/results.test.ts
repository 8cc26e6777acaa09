/** Where the page of a tool opens with the outcome of a repeated call. What is in the page is in other tests. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { listsAnswered, QuickInputs } from '../quickInputs.js';
import { activate, callTool, eventually, inState, workspaceFolder } from '../support.js';

describe('the outcome of a repeated call', () => {
	let inputs: QuickInputs;
	const file = vscode.Uri.file(path.join(workspaceFolder(), 'edited.txt'));
	const { createQuickPick } = vscode.window;

	before(async () => {
		const api = await activate();
		fs.writeFileSync(file.fsPath, 'text');
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'results' });
		await inState(api, 'results', 'running');
		inputs = new QuickInputs();
		const { showInformationMessage } = vscode.window;
		Object.assign(vscode.window, { showInformationMessage: async (_: string, button: string) => button });
		const called = callTool(api, 'results', 'text');
		await inputs.pick(it => it.label === 'Allow for This Session');
		await called;
		Object.assign(vscode.window, { showInformationMessage });
	});
	afterEach(async () => {
		Object.assign(vscode.window, { createQuickPick });
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});
	after(() => {
		inputs.dispose();
		fs.rmSync(file.fsPath);
	});

	async function runAgain(): Promise<vscode.Tab> {
		Object.assign(vscode.window, { createQuickPick: listsAnswered(items => items[0]) });
		await vscode.commands.executeCommand('mcpWorkbench.history.runAgain');
		return eventually('the page', () =>
			vscode.window.tabGroups.all
				.flatMap(it => it.tabs)
				.find(it => it.label === 'text · results' && it.input instanceof vscode.TabInputWebview),
		);
	}

	it('is beside a text that the person edits, which keeps the focus', async () => {
		await vscode.window.showTextDocument(file);
		for (let time = 0; time < 2; time++) {
			const { group } = await runAgain();
			assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), file.toString());
			assert.notEqual(group.viewColumn, vscode.window.activeTextEditor?.viewColumn);
			assert.equal(vscode.window.tabGroups.all.length, 2);
		}
	});

	it('opens no third group', async () => {
		await vscode.window.showTextDocument(file);
		await vscode.window.showTextDocument(file, { viewColumn: vscode.ViewColumn.Two });
		const { group } = await runAgain();
		assert.equal(group.viewColumn, vscode.ViewColumn.One);
		assert.equal(vscode.window.tabGroups.all.length, 2);
		assert.equal(vscode.window.activeTextEditor?.viewColumn, vscode.ViewColumn.Two);
	});
});
