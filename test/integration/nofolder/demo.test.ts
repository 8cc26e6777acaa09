// In a window without a folder and without servers, one command adds the demo server, and another removes it.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, eventually, inState } from '../support.js';

describe('the demo server, without a folder', () => {
	const remove = (): Thenable<unknown> =>
		vscode.commands.executeCommand('mcpWorkbench.server.remove', { server: 'demo' });

	it('is started by one command, gives what it has, and is removed like any other', async () => {
		assert.equal(vscode.workspace.workspaceFolders, undefined);
		const api = await activate();
		assert.deepEqual(api.servers(), []);

		await vscode.commands.executeCommand('mcpWorkbench.demo.try');
		await inState(api, 'demo', 'running');
		await eventually('all lists', () => {
			const { tools, resources, prompts } = api.servers()[0]?.counts ?? {};
			return (tools === 3 && resources === 1 && prompts === 1) || undefined;
		});
		await vscode.commands.executeCommand('mcpWorkbench.resource.open', {
			server: 'demo',
			uri: 'demo://guide/first-steps.md',
		});
		assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /^# First steps/);
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');

		// Once more starts nothing new, and hurts nothing.
		await vscode.commands.executeCommand('mcpWorkbench.demo.try');
		assert.equal(api.servers().length, 1);

		await remove();
		await eventually('that it is gone', () => (api.servers().length === 0 ? true : undefined));
	});
});
