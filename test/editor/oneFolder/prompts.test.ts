// Covers M5: prompts run as slash commands, and their result is shown, opened or inserted.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuickInputs } from '../../integration/quickInputs.js';
import { eventually } from '../../integration/support.js';
import { PromptList } from '../promptList.js';
import { run, start } from '../support.js';

describe('prompts', () => {
	let inputs: QuickInputs;
	let list: PromptList;

	before(() => start('shed', 'everything'));
	beforeEach(() => {
		inputs = new QuickInputs();
		list = new PromptList(inputs);
	});
	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		await list.closeEditors();
	});

	it('are listed as slash commands with what they do and take', async () => {
		void run('prompt.run');
		await list.type('/ev co', '/everything.completable-prompt | department name | Team Management — ');
		await list.type('/ev ar city="New York"', '/everything.args-prompt | city="New York" state?');
	});

	it('run with the arguments typed in the list and ask for the others', async () => {
		void run('prompt.run');
		const pick = await list.type('/shed.weather Lyon', '/shed.weather | city="Lyon" country?');
		const [line] = pick.items;
		await inputs.pick(it => it === line);
		await list.choose('France');
		assert.equal(await list.openedDocument(), 'What is the weather in Lyon, France?');
	});

	it('show their result in a tab', async () => {
		void run('prompt.run', { server: 'shed', name: 'talk' });
		await eventually('the tab', () =>
			vscode.window.tabGroups.all
				.flatMap(it => it.tabs)
				.find(it => it.label === '/talk · shed' && it.input instanceof vscode.TabInputWebview),
		);
		assert.equal(await list.openedDocument(), 'User:\nWho are you?\n\nAssistant:\nA gardener.\n\nUser:\nProve it.');
	});

	it('insert their result at the cursor', async () => {
		const editor = await list.untitled('Before: ');
		void run('prompt.run', { server: 'shed', name: 'plain' });
		await list.choose('Insert at Cursor');
		await eventually('the text', () => editor.document.getText() === 'Before: Say hello.' || undefined);
	});
});
