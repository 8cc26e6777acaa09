// Covers M2 and M3: folders are roots, servers are told of changes, and the servers of a folder come and go with it.
import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { eventually, forgetRecords, recordedRoots, records, workspaceFolder } from '../../integration/support.js';
import { run, set, snapshotOf, start } from '../support.js';

const servers = ['recorder', 'bystander'];

describe('folders as roots', () => {
	let api: ExtensionApi;
	let second: vscode.Uri;

	before(() => {
		second = vscode.Uri.file(path.join(workspaceFolder(), '..', 'second'));
	});
	beforeEach(async () => {
		api = await start(...servers);
		for (const server of servers) {
			await eventually('the first answer', () => recordedRoots(server)[0]);
		}
	});
	afterEach(async () => {
		await set('tools', undefined);
		if ((vscode.workspace.workspaceFolders?.length ?? 0) > 1) {
			await changeFolders(() => vscode.workspace.updateWorkspaceFolders(1, 1));
		}
		for (const server of servers) {
			await run('server.stop', { server });
			forgetRecords(server);
		}
	});

	/** Waits for the editor to confirm a change: another one before that would be lost. */
	async function changeFolders(change: () => boolean): Promise<void> {
		const changed = new Promise<void>(resolve => {
			const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => {
				listener.dispose();
				resolve();
			});
		});
		assert.ok(change());
		await changed;
	}

	const addSecond = (name = 'second'): Promise<void> =>
		changeFolders(() => vscode.workspace.updateWorkspaceFolders(1, 0, { uri: second, name }));
	const answer = (index: number, server = 'recorder'): Promise<readonly string[]> =>
		eventually(`answer ${index} of ${server}`, () => recordedRoots(server)[index]);
	const notices = (server = 'recorder'): number =>
		records(server).filter(it => it.method === 'notifications/roots/list_changed').length;

	it('tells every running server of a folder that is added', async () => {
		assert.deepEqual(await answer(0), ['first']);
		await addSecond();
		for (const server of servers) {
			assert.deepEqual(await answer(1, server), ['first', 'second']);
			assert.equal(notices(server), 1);
		}
		const [, last] = records().flatMap(it => (it.result?.roots ? [it.result.roots] : []));
		assert.deepEqual(
			last?.map(it => it.uri),
			[workspaceFolder(), second.fsPath].map(it => pathToFileURL(it).href),
		);
	});

	it('tells of a folder that is removed', async () => {
		await addSecond();
		assert.deepEqual(await answer(1), ['first', 'second']);
		await changeFolders(() => vscode.workspace.updateWorkspaceFolders(1, 1));
		assert.deepEqual(await answer(2), ['first']);
		assert.equal(notices(), 2);
	});

	it('tells only the server whose exposed folders have changed', async () => {
		await addSecond();
		await answer(1);
		await answer(1, 'bystander');
		await set('tools', { recorder: { roots: ['second'] } });
		assert.deepEqual(await answer(2), ['second']);
		assert.deepEqual([notices('bystander'), recordedRoots('bystander').length], [1, 2]);
	});

	it('lists the servers of a folder while it is in the workspace', async () => {
		await addSecond();
		await eventually('its server', () => snapshotOf(api, 'visitor'));
		await changeFolders(() => vscode.workspace.updateWorkspaceFolders(1, 1));
		await eventually('the end of it', () => (snapshotOf(api, 'visitor') === undefined ? true : undefined));
		assert.equal(snapshotOf(api, 'recorder')?.state, 'running');
	});
});
