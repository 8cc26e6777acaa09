import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { QuickInputs } from '../quickInputs.js';
import { activate, eventually, workspaceFolder } from '../support.js';

describe('adding a server to one of several folders', () => {
	it('asks which, with a way back to the name', async () => {
		const api = await activate();
		const inputs = new QuickInputs();
		const changes: (number | undefined)[] = [];
		const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => {
			changes.push(vscode.workspace.workspaceFolders?.length);
		});
		const second = path.join(workspaceFolder(), '..', 'second');
		vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(second) });
		await eventually('the folder', () => (vscode.workspace.workspaceFolders?.length === 2 ? true : undefined));
		try {
			const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
			await inputs.type('no-such-command-here');
			await inputs.type('one');
			await inputs.back();
			assert.equal((await inputs.type('two')).value, 'no-such-command-here');
			const { lines } = await inputs.pick(it => it.label === '.vscode/mcp.json' && it.description === 'second');
			assert.deepEqual(
				lines.map(it => it.split(' | ').slice(0, 2).join(' | ')),
				[
					'.mcp.json | first',
					'.mcp.json | second',
					'.vscode/mcp.json | first',
					'.vscode/mcp.json | second',
					`${path.basename(vscode.workspace.workspaceFile?.path ?? '')} | For everyone who opens this workspace`,
					'User Settings | For all workspaces',
				],
			);
			await done;
			const text = fs.readFileSync(path.join(second, '.vscode', 'mcp.json'), 'utf8');
			assert.deepEqual(JSON.parse(text), { servers: { two: { type: 'stdio', command: 'no-such-command-here' } } });
			assert.ok(
				api.servers().some(it => it.name === 'two' && it.state === 'failed'),
				'it was started',
			);
		} finally {
			inputs.dispose();
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			vscode.workspace.updateWorkspaceFolders(1, 1);
			fs.rmSync(path.join(second, '.vscode'), { recursive: true, force: true });
		}
		// The list of folders changes at once, and is told to everyone once the editor has agreed.
		await eventually('that the folder is gone', () => (changes.at(-1) === 1 ? true : undefined));
		listener.dispose();
	});
});
