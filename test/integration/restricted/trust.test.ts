import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, records } from '../support.js';

describe('a workspace that is not trusted', () => {
	it('lists its servers and starts none, however one asks', async () => {
		assert.equal(vscode.workspace.isTrusted, false);
		const api = await activate();
		const states = (): string[] => api.servers().map(({ name, state }) => `${name}: ${state}`);
		assert.deepEqual(states(), ['recorder: untrusted']);
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		assert.deepEqual(states(), ['recorder: untrusted']);
		assert.deepEqual(records(), []);
	});
});
