import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, eventually, records } from '../support.js';

describe('a workspace that is not trusted', () => {
	it('lists its servers and starts none, however one asks', async () => {
		assert.equal(vscode.workspace.isTrusted, false);
		const api = await activate();
		const states = (): string[] => api.servers().map(({ name, state }) => `${name}: ${state}`);
		assert.deepEqual(states(), ['recorder: untrusted', 'eager: untrusted']);
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		assert.deepEqual(states(), ['recorder: untrusted', 'eager: untrusted']);
		assert.deepEqual([...records(), ...records('eager')], []);
	});

	it('looks for no program that its files name, and at no environment file', async () => {
		await activate();
		const [folder] = vscode.workspace.workspaceFolders ?? [];
		assert.ok(folder);
		const file = vscode.Uri.joinPath(folder.uri, '.mcp.json');
		const missing = { command: '/no/such/place/server', envFile: '/no/such/place/.env' };
		const servers = { 'looked-for': missing, 'seen-to-be-read': { command: '${no:such}' } };
		await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify({ mcpServers: servers })));
		try {
			const ours = (): vscode.Diagnostic[] => vscode.languages.getDiagnostics(file);
			const codes = await eventually('that the file is read', () => (ours().length > 0 ? ours() : undefined));
			assert.deepEqual(
				codes.map(it => it.code),
				['unknownVariable'],
			);
		} finally {
			await vscode.workspace.fs.delete(file);
		}
	});

	it('starts none for a model, and tells it why', async () => {
		await activate();
		const invoke = async (name: string, input: object): Promise<unknown> =>
			vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
		const why = /No MCP server starts in this workspace, because the person does not trust it\./;
		await assert.rejects(invoke('mcpWorkbench_find_tools', { server: 'recorder' }), why);
		await assert.rejects(invoke('mcpWorkbench_call_tool', { server: 'recorder', tool: 'say', arguments: {} }), why);
		await assert.rejects(invoke('mcpWorkbench_read_resource', { server: 'recorder', uri: 'test://things/hello' }), why);
		assert.deepEqual(records(), []);
	});

	it("starts none of the person's own servers either: they would be told its folders", async () => {
		const api = await activate();
		const settings = vscode.workspace.getConfiguration('mcpWorkbench');
		const { Global } = vscode.ConfigurationTarget;
		const state = (): string | undefined => api.servers().find(it => it.name === 'mine')?.state;
		await settings.update('servers', { mine: { command: 'no-such-command-anywhere' } }, Global);
		try {
			await eventually('the server', () => state());
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'mine' });
			assert.equal(state(), 'untrusted');
		} finally {
			await settings.update('servers', undefined, Global);
		}
	});
});
