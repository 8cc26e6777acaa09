import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { activate, eventually, inState, recordedRoots, records, workspaceFolder } from '../support.js';

describe('folders as roots', () => {
	it('tells a running server of folders that come and go', async () => {
		const api = await activate();
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		await inState(api, 'recorder', 'running');
		assert.deepEqual(await eventually('the first answer', () => recordedRoots()[0]), ['first']);

		const second = vscode.Uri.file(path.join(workspaceFolder(), '..', 'second'));
		vscode.workspace.updateWorkspaceFolders(1, 0, { uri: second });
		assert.deepEqual(await eventually('the second answer', () => recordedRoots()[1]), ['first', 'second']);

		vscode.workspace.updateWorkspaceFolders(1, 1);
		assert.deepEqual(await eventually('the third answer', () => recordedRoots()[2]), ['first']);
		assert.equal(records().filter(it => it.method === 'notifications/roots/list_changed').length, 2);
		assert.equal(records().filter(it => it.started !== undefined).length, 1, 'the server went on all the time');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
	});
});
