// Covers M4: what the tree view does through its commands.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { listsAnswered } from '../../integration/quickInputs.js';
import { activate, forgetRecords, inState } from '../../integration/support.js';
import { run } from '../support.js';

describe('the tree view', () => {
	afterEach(async () => {
		await run('server.stop', { server: 'recorder' });
		forgetRecords();
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
