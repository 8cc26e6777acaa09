// Covers M1: in Restricted Mode no server starts, whoever asks for it.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, eventually, records } from '../../integration/support.js';
import { run, set, snapshotOf } from '../support.js';

describe('a workspace that is not trusted', () => {
	it('lists its servers and starts none', async () => {
		assert.equal(vscode.workspace.isTrusted, false);
		const api = await activate();
		const states = (): string[] => api.servers().map(({ name, state }) => `${name}: ${state}`);
		await eventually('the servers', () => states()[0]);
		assert.deepEqual(states(), ['recorder: untrusted', 'eager: untrusted']);
		await run('server.start', { server: 'recorder' });
		assert.deepEqual(states(), ['recorder: untrusted', 'eager: untrusted']);
		assert.deepEqual([...records(), ...records('eager')], []);
	});

	it('starts no server for a model', async () => {
		await activate();
		const input = { server: 'recorder', tool: 'say', arguments: {} };
		await assert.rejects(
			async () => vscode.lm.invokeTool('mcpWorkbench_call_tool', { input, toolInvocationToken: undefined }),
			/No MCP server starts in this workspace, because the person does not trust it\./,
		);
		assert.deepEqual(records(), []);
	});

	it("starts none of the person's own servers, which would be told the folder", async () => {
		const api = await activate();
		await set('servers', { mine: { command: 'no-such-command-anywhere' } });
		try {
			await eventually('the server', () => snapshotOf(api, 'mine'));
			await run('server.start', { server: 'mine' });
			assert.equal(snapshotOf(api, 'mine')?.state, 'untrusted');
		} finally {
			await set('servers', undefined);
		}
	});
});
