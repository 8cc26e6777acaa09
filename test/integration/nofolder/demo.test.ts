// A window without a folder, and a person without a server: the demo server is there at one command, and gone with its setting.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, eventually, inState } from '../support.js';

describe('the demo server, without a folder', () => {
	const settings = (): unknown => vscode.workspace.getConfiguration('mcpWorkbench').inspect('demoServer')?.globalValue;

	const remove = (): Thenable<void> =>
		vscode.workspace
			.getConfiguration('mcpWorkbench')
			.update('demoServer', undefined, vscode.ConfigurationTarget.Global);

	after(() => remove());

	it('is started by one command, gives what it has, and is removed with its setting', async () => {
		assert.equal(vscode.workspace.workspaceFolders, undefined);
		const api = await activate();
		assert.deepEqual(api.servers(), []);

		await vscode.commands.executeCommand('mcpWorkbench.demo.try');
		await inState(api, 'demo', 'running');
		assert.equal(settings(), true);
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
		assert.equal(settings(), undefined);
	});
});
