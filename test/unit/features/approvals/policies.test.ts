import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { Settings } from '../../../../src/editor/contributions.js';
import { Policies } from '../../../../src/features/approvals/policies.js';
import { WindowClosingError } from '../../../../src/core/servers/closing.js';
import type { ServerDefinition } from '../../../../src/core/config/serverDefinition.js';
import { makeFolder, settings, workspace } from '../../../support/vscodeDouble.js';

const empty = { kind: 'read', policy: { rules: [], otherwise: 'ask' } };
const denying = { kind: 'read', policy: { rules: [], otherwise: 'deny' } };

describe('Policies', () => {
	let folder: string;
	let file: string;
	let definition: ServerDefinition;
	let policies: Policies;
	beforeEach(() => {
		folder = makeFolder();
		file = path.join(folder, '.vscode', 'mcp-policy.json');
		fs.mkdirSync(path.dirname(file));
		const folderUri = vscode.Uri.file(folder).toString();
		definition = { name: 'garden', source: { kind: 'vscodeFolder', folderUri } } as unknown as ServerDefinition;
		policies = new Policies({ globalStorageUri: vscode.Uri.file(folder), storageUri: undefined });
	});
	afterEach(() => {
		fs.rmSync(folder, { recursive: true });
		settings.clear();
	});

	it('are read from the disk each time, and the same text is the same policy', async () => {
		assert.deepEqual(await policies.ofDefinition(definition), empty);
		fs.writeFileSync(file, '{ "default": "deny" } // all');
		const first = await policies.ofDefinition(definition);
		assert.deepEqual(first, denying);
		assert.equal(await policies.ofDefinition(definition), first);
		fs.writeFileSync(file, '{ "default": "ask" }');
		assert.deepEqual(await policies.ofDefinition(definition), empty);
	});

	it('are broken where the file has a mistake, is a folder or a link, or is nested too deeply', async () => {
		const { ofDefinition } = { ofDefinition: () => policies.ofDefinition(definition) };
		for (const text of ['{ "default": "allow" }', `{ "rules": ${'['.repeat(100_000)}`, ' '.repeat(2_000_000)]) {
			fs.writeFileSync(file, text);
			assert.deepEqual(await ofDefinition(), { kind: 'broken' });
		}
		fs.rmSync(file);
		fs.mkdirSync(file);
		assert.deepEqual(await ofDefinition(), { kind: 'broken' });
		if (process.platform !== 'win32') {
			fs.rmdirSync(file);
			fs.writeFileSync(path.join(folder, 'policy'), '{}');
			fs.symlinkSync(path.join(folder, 'policy'), file);
			assert.deepEqual(await ofDefinition(), { kind: 'broken' });
		}
	});

	it("of the person are those of the user's settings, never of the workspace's", () => {
		assert.deepEqual(policies.ofUser(), empty);
		settings.set(Settings.policy, { workspaceValue: { default: 'deny' }, workspaceFolderValue: { default: 'deny' } });
		assert.deepEqual(policies.ofUser(), empty);
		settings.set(Settings.policy, { globalValue: { default: 'deny' }, workspaceValue: { default: 'ask' } });
		const first = policies.ofUser();
		assert.deepEqual(first, denying);
		assert.equal(policies.ofUser(), first);
		settings.set(Settings.policy, { globalValue: { default: 'allow' } });
		assert.deepEqual(policies.ofUser(), { kind: 'broken' });
	});

	it('of the own servers are a file in the storage of the extension', () => {
		assert.equal(policies.ownFile().fsPath, path.join(folder, 'mcp-policy.json'));
	});

	it('say nothing once the editor has hung up: what cannot be read then is not broken', async () => {
		const { fs: real } = workspace;
		workspace.fs = { ...real, stat: () => Promise.reject(new vscode.CancellationError()) };
		try {
			await assert.rejects(policies.ofDefinition(definition), WindowClosingError);
		} finally {
			workspace.fs = real;
		}
	});
});
