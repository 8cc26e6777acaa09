import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activate, eventually, forgetRecords, inState, records } from './support.js';

describe('resources as files', () => {
	before(async () => {
		const api = await activate();
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		await inState(api, 'recorder', 'running');
	});

	afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

	after(async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
		forgetRecords();
	});

	it('opens a text resource in the language its MIME type says', async () => {
		await open('test://things/hello');
		const { document } = activeEditor();
		assert.equal(document.getText(), '{"hello":"world"}');
		await inLanguage('jsonl');
		assert.equal(document.uri.scheme, 'mcp-workbench');
		assert.equal(document.uri.path, '/recorder/test/things/hello');
	});

	it('goes by its MIME type before the extension of its name', async () => {
		await open('test://things/notes.md?version=2');
		await inLanguage('jsonl');
		assert.equal(activeEditor().document.uri.path, '/recorder/test/things/notes.md');
	});

	it('is read-only', async () => {
		await open('test://things/hello');
		assert.equal(vscode.workspace.fs.isWritableFileSystem('mcp-workbench'), false);
		await assert.rejects(async () => vscode.workspace.fs.writeFile(activeEditor().document.uri, new Uint8Array()));
	});

	it('reads once to open, and gives bytes as they are', async () => {
		forgetRecords();
		await open('test://things/picture.png');
		assert.equal(records().filter(it => it.method === 'resources/read').length, 1);
		const [tab] = vscode.window.tabGroups.activeTabGroup.tabs;
		assert.equal(tab?.label, 'picture.png');
		assert.ok(tab.input instanceof vscode.TabInputCustom, 'an image opens in the image viewer');
		const bytes = await vscode.workspace.fs.readFile(tab.input.uri);
		assert.deepEqual([...bytes], [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
	});

	it('one of a server that is stopped starts it', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
		await open('test://things/hello');
		assert.equal(activeEditor().document.getText(), '{"hello":"world"}');
	});

	it('says so when the server is not running', async () => {
		const forged = vscode.Uri.from({
			scheme: 'mcp-workbench',
			path: '/gone/test/things/hello',
			query: JSON.stringify({ serverId: 'gone', uri: 'test://things/hello' }),
		});
		await assert.rejects(async () => vscode.workspace.fs.readFile(forged), /"gone" isn't running/);
	});
});

async function open(uri: string): Promise<void> {
	await vscode.commands.executeCommand('mcpWorkbench.resource.open', { server: 'recorder', uri });
}

async function inLanguage(id: string): Promise<void> {
	await eventually(id, () => (activeEditor().document.languageId === id ? true : undefined));
}

function activeEditor(): vscode.TextEditor {
	const editor = vscode.window.activeTextEditor;
	assert.ok(editor);
	return editor;
}
