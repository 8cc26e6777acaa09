// Covers M1: without servers in the workspace, the extension activates only when it is used.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { eventually, extensionId, workspaceFolder, writeWhole } from '../../integration/support.js';
import { run, set, snapshotOf } from '../support.js';

describe('a workspace without servers', function () {
	// Each step needs the one before.
	this.bail(true);
	const extension = (): vscode.Extension<ExtensionApi> =>
		vscode.extensions.getExtension<ExtensionApi>(extensionId) ?? assert.fail('not installed');

	after(() => set('servers', undefined));

	it("does not activate the extension, even if the person's settings have servers", async () => {
		await set('servers', { mine: { url: 'http://127.0.0.1:9' } });
		assert.equal(extension().isActive, false);
	});

	it('activates it when a command is used', async () => {
		const done = run('configuration.open');
		await eventually('the extension', () => extension().isActive || undefined);
		const document = await eventually('the first file', () => {
			void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
			return vscode.window.activeTextEditor?.document;
		});
		await done;
		assert.match(document.uri.path, /\/\.mcp\.json$/);
		assert.deepEqual(Object.keys(JSON.parse(document.getText())), ['mcpServers']);
		assert.ok(document.isUntitled, 'nothing is written before the person saves');
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
	});

	it("lists the servers of the person's settings then", async () => {
		const { exports: api } = extension();
		await eventually('the server', () => snapshotOf(api, 'mine')?.state === 'stopped' || undefined);
	});

	it('lists a server once a file configures one', async () => {
		const { exports: api } = extension();
		const file = path.join(workspaceFolder(), '.mcp.json');
		writeWhole(file, JSON.stringify({ mcpServers: { added: { command: 'node' } } }));
		try {
			await eventually('the server', () => snapshotOf(api, 'added')?.state === 'stopped' || undefined);
		} finally {
			fs.rmSync(file);
		}
	});
});
