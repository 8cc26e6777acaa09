/** What is done with the tree by its commands: filtered, and all of it in one list. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/api.js';
import { listsAnswered, QuickInputs } from './quickInputs.js';
import { activate, forgetRecords, inState } from './support.js';

describe('the commands of the tree', () => {
	let api: ExtensionApi;
	let inputs: QuickInputs;
	const run = vscode.commands.executeCommand;

	before(async () => {
		api = await activate();
	});
	beforeEach(() => {
		inputs = new QuickInputs();
	});
	afterEach(async () => {
		inputs.dispose();
		await run('mcpWorkbench.servers.filter', { text: '' });
		await run('mcpWorkbench.server.stop', { server: 'recorder' });
		forgetRecords();
	});

	it('asks for a filter, proposes the one there is, and clears it', async () => {
		const first = run('mcpWorkbench.servers.filter');
		assert.equal((await inputs.type('say')).value, '');
		await first;
		const second = run('mcpWorkbench.servers.filter');
		assert.equal((await inputs.type(undefined)).value, 'say');
		await second;
		const left = run('mcpWorkbench.servers.filter');
		const input = (await inputs.look()) as vscode.InputBox;
		input.value = 'something else';
		await run('workbench.action.closeQuickOpen');
		await left;
		inputs.forget();
		const kept = run('mcpWorkbench.servers.filter');
		assert.equal((await inputs.type(undefined)).value, 'say', 'Escape changes nothing');
		await kept;
		await run('mcpWorkbench.servers.filter', { text: '' });
		const third = run('mcpWorkbench.servers.filter');
		assert.equal((await inputs.type(undefined)).value, '');
		await third;
	});

	it('shows in one list what waits first, and what can be done with every server', async () => {
		await run('mcpWorkbench.server.start', { server: 'dies' });
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
			await run('mcpWorkbench.servers.show');
		} finally {
			Object.assign(vscode.window, { createQuickPick });
		}
		assert.deepEqual(
			lines.slice(0, 9).map(({ label, description }) => [label, description].filter(Boolean).join(' | ')),
			[
				'dies · Failed: Exited with code 3',
				'$(question) Diagnose Server | dies',
				'$(debug-start) Start | dies',
				'$(output) Show Log | dies',
				'$(gear) Edit Configuration | dies',
				'recorder · Stopped',
				'$(debug-start) Start | recorder',
				'$(output) Show Log | recorder',
				'$(gear) Edit Configuration | recorder',
			],
		);
		await inState(api, 'recorder', 'running');
	});
});
