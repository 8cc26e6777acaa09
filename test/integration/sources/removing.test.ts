import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { activate, eventually, inState, workspaceFolder, writeWhole } from '../support.js';

describe('removing servers', () => {
	let api: ExtensionApi;
	/** What was asked and told; the first of these buttons that is offered is pressed. */
	let told: string[];
	let press: string[];
	const { showWarningMessage, showInformationMessage, showErrorMessage } = vscode.window;

	before(async () => {
		api = await activate();
	});
	beforeEach(() => {
		told = [];
		press = [];
		const answer = (message: string, ...rest: readonly unknown[]): Promise<unknown> => {
			told.push(message);
			return Promise.resolve(rest.find(it => typeof it === 'string' && press.includes(it)));
		};
		Object.assign(vscode.window, {
			showWarningMessage: answer,
			showInformationMessage: answer,
			showErrorMessage: answer,
		});
	});
	afterEach(async () => {
		Object.assign(vscode.window, { showWarningMessage, showInformationMessage, showErrorMessage });
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	const find = (name: string): unknown => api.servers().find(it => it.name === name);
	const remove = (server: string): Thenable<unknown> =>
		vscode.commands.executeCommand('mcpWorkbench.server.remove', { server });

	it('takes it out of its file, with its comments kept, once it is stopped; and Undo puts it back', async () => {
		const file = path.join(workspaceFolder(), '..', 'test.code-workspace');
		const before = fs.readFileSync(file, 'utf8');
		try {
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'shared' });
			await inState(api, 'shared', 'running');
			await remove('shared');
			assert.deepEqual(told, ['Remove "shared" from test.code-workspace?']);
			assert.equal(fs.readFileSync(file, 'utf8'), before, 'nothing is removed without a yes');
			press = ['Remove'];
			await remove('shared');
			await eventually('that it is gone', () => (find('shared') === undefined ? true : undefined));
			const after = fs.readFileSync(file, 'utf8');
			assert.match(after, /\/\/ Started in the folder of this file/);
			assert.match(after, /"root": \{ "command": "no-such-command"/);
			assert.doesNotMatch(after, /"shared"/);
			assert.equal(told.at(-1), 'Removed "shared" from test.code-workspace.');
			// An ordinary edit of the file.
			await vscode.window.showTextDocument(vscode.Uri.file(file));
			await vscode.commands.executeCommand('undo');
			const document = vscode.window.activeTextEditor?.document;
			assert.equal(document?.getText(), before);
			await document?.save();
			await eventually('that it is back', () => find('shared'));
			press = ['Remove', 'Undo'];
			await remove('shared');
			await eventually('that it is back', () => (fs.readFileSync(file, 'utf8') === before ? true : undefined));
		} finally {
			writeWhole(file, before);
		}
		await eventually('the server', () => find('shared'));
	});

	it('takes it out of the settings', async () => {
		const settings = vscode.workspace.getConfiguration('mcpWorkbench');
		const servers = { own: { command: 'node' }, other: { command: 'node' } };
		await settings.update('servers', { ...servers, kept: { command: 'node' } }, vscode.ConfigurationTarget.Global);
		try {
			await eventually('the servers', () => find('own'));
			press = ['Remove'];
			await remove('own');
			await eventually('that it is gone', () => (find('own') === undefined ? true : undefined));
			assert.deepEqual(told, ['Remove "own" from User Settings?', 'Removed "own" from User Settings.']);
			const left = vscode.workspace.getConfiguration('mcpWorkbench').inspect<object>('servers')?.globalValue;
			assert.deepEqual(Object.keys(left ?? {}), ['other', 'kept']);
		} finally {
			await settings.update('servers', undefined, vscode.ConfigurationTarget.Global);
		}
		await eventually('that they are gone', () => (find('kept') === undefined ? true : undefined));
	});

	it('removes the demo server without a question; and Undo puts it back', async () => {
		const run = (command: string): Thenable<unknown> => vscode.commands.executeCommand(`mcpWorkbench.${command}`);
		await run('demo.try');
		await eventually('the demo server', () => find('demo'));
		press = ['Undo'];
		await remove('demo');
		assert.deepEqual(
			told.filter(it => it.startsWith('Remove')),
			['Removed the demo server.'],
		);
		await eventually('the demo server again', () => find('demo'));
		press = [];
		await remove('demo');
		await eventually('that it is gone', () => (find('demo') === undefined ? true : undefined));
	});

	it('leaves a file with mistakes alone, and says so', async () => {
		const file = path.join(workspaceFolder(), '.vscode', 'mcp.json');
		const before = fs.readFileSync(file, 'utf8');
		const uri = vscode.Uri.file(file);
		const document = await vscode.workspace.openTextDocument(uri);
		const edit = new vscode.WorkspaceEdit();
		edit.insert(uri, new vscode.Position(0, 0), '{');
		await vscode.workspace.applyEdit(edit);
		press = ['Remove'];
		await remove('near');
		assert.equal(
			told.at(-1),
			"The configuration wasn't changed because it has errors or no longer contains the server.",
		);
		assert.equal(document.getText(), `{${before}`);
		assert.equal(fs.readFileSync(file, 'utf8'), before);
		await vscode.window.showTextDocument(document);
		await vscode.commands.executeCommand('workbench.action.files.revert');
	});
});
