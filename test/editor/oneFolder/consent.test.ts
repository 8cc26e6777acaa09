// Covers M3: a server of the workspace is shown before it first starts.
import * as assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { labelled } from '../../integration/askingServers.js';
import { QuickInputs, revokeAll } from '../../integration/quickInputs.js';
import { activate, forgetRecords, inState, records, workspaceFolder } from '../../integration/support.js';
import { run, set, snapshotOf } from '../support.js';

describe('consent to a server of the workspace', () => {
	let api: ExtensionApi;
	let inputs: QuickInputs;

	before(async () => {
		api = await activate();
		await set('confirmServers', 'newOrChanged');
		await revokeAll();
	});
	beforeEach(() => {
		inputs = new QuickInputs();
	});
	afterEach(async () => {
		inputs.dispose();
		await run('server.stop', { server: 'recorder' });
		forgetRecords();
	});
	after(async () => {
		await revokeAll();
		await set('confirmServers', 'never');
	});

	it('is asked for before anything runs, and can be denied', async () => {
		const starting = run('server.start', { server: 'recorder' });
		await inState(api, 'recorder', 'waiting');
		const { title } = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
		assert.equal(title, 'Allow "recorder" to start?');
		const { lines } = await inputs.pick(labelled('Deny'));
		await starting;
		for (const part of ['Program | node', 'recorder.mjs', `Working directory | ${workspaceFolder()}`]) {
			assert.ok(lines.join('\n').includes(part), `${part} in:\n${lines.join('\n')}`);
		}
		assert.equal(snapshotOf(api, 'recorder')?.state, 'waiting');
		assert.deepEqual(records(), []);
	});

	it('is kept for the next start', async () => {
		const starting = run('server.start', { server: 'recorder' });
		await inputs.pick(labelled('Start'));
		await starting;
		await inState(api, 'recorder', 'running');
		await run('server.stop', { server: 'recorder' });
		await run('server.start', { server: 'recorder' });
		await inState(api, 'recorder', 'running');
		assert.equal(records().filter(it => it.started !== undefined).length, 2);
	});
});
