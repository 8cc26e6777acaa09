import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { lineBreakOf, openCurrent, saveAs } from '../../src/editor/documents/fileEdit.js';

describe('changing a file', () => {
	let folder: string;
	let file: string;
	let uri: vscode.Uri;

	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-edit-'));
		file = path.join(folder, 'a.json');
		uri = vscode.Uri.file(file);
		fs.writeFileSync(file, 'one\r\ntwo\r\n');
	});
	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		fs.rmSync(folder, { recursive: true });
	});

	it('begins with what is on the disk, though the editor has not heard of it yet', async () => {
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document);
		fs.writeFileSync(file, 'three\n');
		assert.equal(document.getText(), 'one\r\ntwo\r\n');
		assert.equal(await openCurrent(uri), document);
		assert.equal(document.getText(), 'three\n');
	});

	it('keeps what is unsaved', async () => {
		const document = await vscode.workspace.openTextDocument(uri);
		const editor = await vscode.window.showTextDocument(document);
		await editor.edit(edit => edit.insert(new vscode.Position(0, 0), 'zero '));
		await openCurrent(uri);
		assert.equal(lineBreakOf(document), '\r\n');
		assert.equal(await saveAs(document, 'zero one\r\n2\r\n'), true);
		assert.equal(fs.readFileSync(file, 'utf8'), 'zero one\r\n2\r\n');
		await vscode.commands.executeCommand('undo');
		assert.equal(document.getText(), 'zero one\r\ntwo\r\n');
	});
});
