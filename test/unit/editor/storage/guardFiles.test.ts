import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { lockFileOf, policyFileOf, readGuardFile } from '../../../../src/editor/storage/guardFiles.js';
import { exists, LinkedFileError } from '../../../../src/editor/documents/repositoryFiles.js';
import { WindowClosingError } from '../../../../src/core/servers/closing.js';
import type { ConfigSource } from '../../../../src/core/config/serverDefinition.js';
import { FileSystemError, makeFolder, workspace } from '../../../support/vscodeDouble.js';
import { skip } from '../../../support/skip.js';

const storage = { globalStorageUri: vscode.Uri.file('/global'), storageUri: vscode.Uri.file('/storage') };
const folderUri = 'file:///w/my%20project';
const inFolder = { uri: `${folderUri}/.vscode/mcp.json`, folderUri, folderName: 'x' };
const shared = { folderUri: undefined, folderName: undefined };
const ofSettings = { kind: 'userSettings', uri: 'mcpWorkbench.servers', ...shared } as const;
const untitled = { kind: 'workspaceFile', uri: 'untitled:/tmp/1/workspace.json', ...shared } as const;

describe('the files of policies and locks', () => {
	const cases: readonly (readonly [ConfigSource, policy: string, lock?: string])[] = [
		[
			{ kind: 'vscodeFolder', ...inFolder },
			'/w/my project/.vscode/mcp-policy.json',
			'/w/my project/.vscode/mcp-lock.json',
		],
		[
			{ kind: 'projectRoot', ...inFolder, uri: `${folderUri}/.mcp.json` },
			'/w/my project/.vscode/mcp-policy.json',
			'/w/my project/.vscode/mcp-lock.json',
		],
		[{ kind: 'workspaceFile', uri: 'file:///w/a.code-workspace', ...shared }, '/w/mcp-policy.json', '/w/mcp-lock.json'],
		[untitled, '/storage/mcp-policy.json'],
		[ofSettings, '/global/mcp-policy.json'],
	];
	for (const [source, policy, lock] of cases) {
		it(`are beside the ${source.kind} that defines the server, or the policy is in storage`, () => {
			assert.deepEqual([policyFileOf(source, storage).path, lockFileOf({ source })?.path], [policy, lock]);
		});
	}

	it('are in the storage for all workspaces where that of the workspace is not there', () => {
		const none = { ...storage, storageUri: undefined };
		assert.equal(policyFileOf(untitled, none).path, '/global/mcp-policy.json');
	});
});

describe('readGuardFile', () => {
	let folder: string;
	beforeEach(() => {
		folder = makeFolder();
		fs.mkdirSync(path.join(folder, '.vscode'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	const pathOf = (name = 'mcp-lock.json'): string => path.join(folder, '.vscode', name);
	const read = (name?: string): Promise<string> => readGuardFile(vscode.Uri.file(pathOf(name)));

	it('gives the text, and nothing where there is no file or no folder', async () => {
		fs.writeFileSync(pathOf(), '\ufeff{}');
		assert.equal(await read(), '{}');
		assert.equal(await read('mcp-policy.json'), '');
		assert.equal(await readGuardFile(vscode.Uri.file('/nowhere/.vscode/mcp-lock.json')), '');
	});

	it('gives nothing of a folder, a file that is too large, or what cannot be told', async () => {
		fs.mkdirSync(pathOf());
		await assert.rejects(read(), { name: 'RefusedFileError' });
		fs.writeFileSync(pathOf('mcp-policy.json'), 'x'.repeat(1024 * 1024 + 1));
		await assert.rejects(read('mcp-policy.json'), { name: 'RefusedFileError' });
		fs.rmdirSync(pathOf());
		fs.writeFileSync(pathOf(), 'x'.repeat(1024 * 1024 + 1));
		assert.equal((await read()).length, 1024 * 1024 + 1, 'locks grow larger than policies');
		fs.rmSync(path.join(folder, '.vscode'), { recursive: true });
		fs.writeFileSync(path.join(folder, '.vscode'), 'a file where a folder belongs');
		await assert.rejects(read(), FileSystemError);
	});

	it('follows no link, of the file or of its folder', async function () {
		if (process.platform === 'win32') {
			skip(this, 'links need a right on Windows that few have');
		}
		fs.writeFileSync(pathOf('other.json'), '{}');
		for (const target of ['other.json', 'nothing', '/dev/zero']) {
			fs.symlinkSync(target, pathOf());
			await assert.rejects(read(), (error: LinkedFileError) => {
				assert.match(error.message, /^mcp-lock\.json is a symbolic link/);
				return error instanceof LinkedFileError;
			});
			fs.rmSync(pathOf());
		}
		fs.symlinkSync('nothing', path.join(folder, 'mcp-lock.json'));
		await assert.rejects(readGuardFile(vscode.Uri.file(path.join(folder, 'mcp-lock.json'))), LinkedFileError);
		fs.renameSync(path.join(folder, '.vscode'), path.join(folder, 'real'));
		fs.symlinkSync('real', path.join(folder, '.vscode'));
		await assert.rejects(read(), /^LinkedFileError: \.vscode is a symbolic link/);
	});

	it('reads a file in a folder that the person has opened through a link', async function () {
		if (process.platform === 'win32') {
			skip(this, 'links need a right on Windows that few have');
		}
		fs.writeFileSync(path.join(folder, 'mcp-lock.json'), '{}');
		fs.symlinkSync('.', path.join(folder, 'opened'));
		assert.equal(await readGuardFile(vscode.Uri.file(path.join(folder, 'opened', 'mcp-lock.json'))), '{}');
	});

	it('gives nothing where it cannot be told whether it is a link', async () => {
		const { fs: real } = workspace;
		fs.writeFileSync(pathOf(), '{}');
		try {
			let looks = 0;
			// Of the folder, which comes first; the file could be read.
			const stat: typeof real.stat = uri =>
				++looks === 1 ? Promise.reject(vscode.FileSystemError.NoPermissions('no')) : real.stat(uri);
			workspace.fs = { ...real, stat };
			await assert.rejects(read(), FileSystemError);
			workspace.fs = { ...real, stat: () => Promise.reject(vscode.FileSystemError.NoPermissions('no')) };
			await assert.rejects(read(), FileSystemError);
		} finally {
			workspace.fs = real;
		}
		assert.deepEqual(
			[await exists(vscode.Uri.file(pathOf())), await exists(vscode.Uri.file(pathOf('none')))],
			[true, false],
		);
	});

	it('says that the window closes where the editor answers no more', async () => {
		const { fs: real } = workspace;
		const hungUp = (): Promise<never> => Promise.reject(new vscode.CancellationError());
		try {
			workspace.fs = { ...real, stat: hungUp };
			await assert.rejects(read(), WindowClosingError);
			workspace.fs = { ...real, readFile: hungUp };
			fs.writeFileSync(pathOf(), '{}');
			await assert.rejects(read(), WindowClosingError);
		} finally {
			workspace.fs = real;
		}
	});
});
