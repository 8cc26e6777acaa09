import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuickInputs } from '../quickInputs.js';
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

		const inputs = new QuickInputs();
		const openFile = async (label: string): Promise<string> => {
			const done = vscode.commands.executeCommand('mcpWorkbench.configuration.open');
			assert.deepEqual(
				(await inputs.pick(it => it.label === label)).lines.map(it => it.split(' | ')[0]),
				['.mcp.json', '.vscode/mcp.json'],
			);
			await done;
			const { document } = vscode.window.activeTextEditor ?? assert.fail('nothing was opened');
			assert.ok(document.uri.path.endsWith(`/${label}`));
			assert.equal(document.isUntitled, true, 'nothing is written before the person saves');
			return document.getText();
		};
		assert.deepEqual(Object.keys(JSON.parse(await openFile('.mcp.json'))), ['mcpServers']);
		assert.equal(extension.isActive, true);
		const text = await openFile('.vscode/mcp.json');
		assert.match(text, /"servers"/);

		await openFile('.vscode/mcp.json');
		inputs.dispose();
		assert.equal(vscode.window.activeTextEditor?.document.getText(), text, 'asking again adds nothing');
	});
});
