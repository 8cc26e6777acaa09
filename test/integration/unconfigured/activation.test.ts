import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from '../support.js';

describe('a workspace without servers', () => {
	it('does not wake the extension until its command is used', async () => {
		const extension = vscode.extensions.getExtension(extensionId);
		assert.ok(extension);
		assert.equal(extension.isActive, false);

		// Servers of the person's own are no reason to start in every window.
		const settings = vscode.workspace.getConfiguration('mcpWorkbench');
		const { Global } = vscode.ConfigurationTarget;
		await settings.update('servers', { mine: { url: 'http://127.0.0.1:9' } }, Global);
		assert.equal(extension.isActive, false);
		await settings.update('servers', undefined, Global);

		await vscode.commands.executeCommand('mcpWorkbench.configuration.open');
		assert.equal(extension.isActive, true);
		const { document } = vscode.window.activeTextEditor ?? assert.fail('nothing was opened');
		assert.match(document.uri.path, /\/\.vscode\/mcp\.json$/);
		assert.equal(document.isUntitled, true, 'nothing is written before the person saves');
		const text = document.getText();
		assert.match(text, /"servers"/);

		await vscode.commands.executeCommand('mcpWorkbench.configuration.open');
		assert.equal(vscode.window.activeTextEditor?.document.getText(), text, 'asking again adds nothing');
	});
});
