// Covers M4: what the tree view does through its commands.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { listsAnswered } from '../../integration/quickInputs.js';
import { activate, eventually, forgetRecords, inState, records } from '../../integration/support.js';
import { run, start } from '../support.js';

describe('the tree view', () => {
	afterEach(async () => {
		await run('servers.clearFilter');
		await run('server.stop', { server: 'recorder' });
		forgetRecords();
	});

	it('refreshes the lists of a server', async () => {
		await start('recorder');
		const asked = (): number => records().filter(it => it.method === 'tools/list').length;
		await eventually('the first list', () => asked() === 1 || undefined);
		await run('servers.refresh', { server: 'recorder' });
		assert.equal(asked(), 2);
	});

	it('has a list of all servers with their actions, failed servers first', async () => {
		const api = await activate();
		await run('server.start', { server: 'dies' });
		await inState(api, 'dies', 'failed');
		const { createQuickPick } = vscode.window;
		let lines: readonly vscode.QuickPickItem[] = [];
		try {
			Object.assign(vscode.window, {
				createQuickPick: listsAnswered((items: readonly vscode.QuickPickItem[]) => {
					lines = items;
					return items.find(it => it.label.includes('Start') && it.description === 'recorder');
				}),
			});
			await run('servers.show');
		} finally {
			Object.assign(vscode.window, { createQuickPick });
		}
		const labels = lines.map(({ label, description }) => [label, description].filter(Boolean).join(' | '));
		const failed = labels.indexOf('dies · Failed: Exited with code 3');
		const stopped = labels.indexOf('recorder · Stopped');
		assert.ok(failed >= 0 && stopped > failed, labels.join('\n'));
		assert.ok(labels.slice(failed, stopped).includes('$(debug-start) Start | dies'), labels.join('\n'));
		await inState(api, 'recorder', 'running');
	});
});
