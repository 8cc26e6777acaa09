import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { activate, eventually, forgetRecords, inState, recordedRoots, records, workspaceFolder } from '../support.js';

const servers = ['recorder', 'bystander'];

describe('folders as roots', () => {
	let api: ExtensionApi;
	let second: string;

	before(async () => {
		api = await activate();
		second = path.join(workspaceFolder(), '..', 'second');
		// A folder that another test has moved is looked for again when a server asks.
		await start('recorder');
		await stop('recorder');
	});
	beforeEach(async () => {
		await start('recorder');
		await start('bystander');
	});
	afterEach(async () => {
		await choose(undefined);
		fs.mkdirSync(second, { recursive: true });
		if ((vscode.workspace.workspaceFolders?.length ?? 0) > 1) {
			await changeFolders(() => vscode.workspace.updateWorkspaceFolders(1, 1));
		}
		for (const server of servers) {
			await stop(server);
		}
	});

	async function stop(server: string): Promise<void> {
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server });
		forgetRecords(server);
	}

	async function start(server: string): Promise<void> {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server });
		await inState(api, server, 'running');
		await eventually('the first answer', () => recordedRoots(server)[0]);
	}

	/** Waits for the editor's word: a change before it would be lost. */
	async function changeFolders(change: () => void): Promise<void> {
		const changed = new Promise<void>(resolve => {
			const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => {
				listener.dispose();
				resolve();
			});
		});
		change();
		await changed;
	}

	async function addSecond(name?: string): Promise<void> {
		const uri = vscode.Uri.file(second);
		await changeFolders(() =>
			vscode.workspace.updateWorkspaceFolders(1, 0, name === undefined ? { uri } : { uri, name }),
		);
	}

	/** @param roots for the recorder only */
	async function choose(
		roots: readonly string[] | undefined,
		target = vscode.ConfigurationTarget.Workspace,
	): Promise<void> {
		const value = roots && { recorder: { roots } };
		await vscode.workspace.getConfiguration().update('mcpWorkbench.tools', value, target);
	}

	/** Waits for the nth answer, and makes sure that the server was told as often. */
	async function nthAnswer(n: number, server = 'recorder'): Promise<readonly string[] | undefined> {
		const names = await eventually(`answer ${n} to ${server}`, () => recordedRoots(server)[n - 1]);
		assert.equal(notices(server), n - 1);
		return names;
	}

	function notices(server: string): number {
		return records(server).filter(it => it.method === 'notifications/roots/list_changed').length;
	}

	it('takes back a folder that somebody deletes, and tells of it again when it is back', async () => {
		await addSecond();
		await nthAnswer(2);
		fs.rmSync(second, { recursive: true });
		assert.deepEqual(await nthAnswer(3), ['first']);
		assert.equal(vscode.workspace.workspaceFolders?.length, 2, 'the editor keeps it');
		fs.mkdirSync(second);
		assert.deepEqual(await nthAnswer(4), ['first', 'second']);
		fs.rmSync(second, { recursive: true });
		assert.deepEqual(await nthAnswer(5), ['first'], 'again');
	});

	it('takes back one that went with the folder around it', async () => {
		const around = path.join(workspaceFolder(), '..', 'around');
		fs.mkdirSync(path.join(around, 'deep'), { recursive: true });
		await changeFolders(() =>
			vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(path.join(around, 'deep')) }),
		);
		assert.deepEqual(await nthAnswer(2), ['first', 'deep']);
		fs.rmSync(around, { recursive: true });
		for (const server of servers) {
			assert.deepEqual(await nthAnswer(3, server), ['first']);
		}
	});
});
