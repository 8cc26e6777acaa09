import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the editor', () => {
	it('runs the extension under test in the workspace', async () => {
		const extension = vscode.extensions.getExtension('mcp-workbench.mcp-workbench');
		assert.ok(extension !== undefined);
		await extension.activate();
		assert.equal(vscode.workspace.workspaceFolders?.length, 1);
	});
});
