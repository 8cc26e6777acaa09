/** Symbolic links to documents that the editor has open, and to the workspace folder. The other links are in `test/unit`. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { createFile, openCurrent, saveAs } from '../../src/editor/documents/fileEdit.js';
import { Policies } from '../../src/features/approvals/policies.js';
import { LinkedFileError } from '../../src/editor/documents/repositoryFiles.js';
import type { ServerDefinition } from '../../src/core/config/serverDefinition.js';
import { skip } from '../support/skip.js';

describe('stores of approvals through a symbolic link', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mcp-workbench-approval-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	function definition(): ServerDefinition {
		const folderUri = vscode.Uri.file(path.join(folder, 'w')).toString();
		return { name: 'garden', source: { kind: 'vscodeFolder', folderUri } } as unknown as ServerDefinition;
	}

	const inFolder = (...parts: string[]): string => path.join(folder, ...parts);
	const storage = (): { globalStorageUri: vscode.Uri; storageUri: undefined } => {
		return { globalStorageUri: vscode.Uri.file(inFolder('storage')), storageUri: undefined };
	};

	it('are not saved, where the file became one while it was open', async function () {
		if (process.platform === 'win32') {
			skip(this, 'links need a right on Windows that few have');
		}
		fs.mkdirSync(inFolder('w', '.vscode'), { recursive: true });
		const file = inFolder('w', '.vscode', 'mcp-policy.json');
		fs.writeFileSync(file, '{}');
		fs.writeFileSync(inFolder('elsewhere'), '{}');
		const document = await openCurrent(vscode.Uri.file(file));
		fs.rmSync(file);
		fs.symlinkSync(inFolder('elsewhere'), file);
		await assert.rejects(saveAs(document, '{ "rules": [] }'), LinkedFileError);
		assert.equal(fs.readFileSync(inFolder('elsewhere'), 'utf8'), '{}');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	it('to the folder that is open make no difference: the person has opened it there', async function () {
		if (process.platform === 'win32') {
			skip(this, 'links need a right on Windows that few have');
		}
		fs.mkdirSync(inFolder('real'));
		fs.symlinkSync(inFolder('real'), inFolder('w'));
		const uri = vscode.Uri.file(inFolder('w', '.vscode', 'mcp-policy.json'));
		await createFile(uri, '{ "default": "deny" }');
		assert.deepEqual(await new Policies(storage()).ofDefinition(definition()), {
			kind: 'read',
			policy: { rules: [], otherwise: 'deny' },
		});
	});
});
