// Covers M6: arguments of prompts are completed while the person types, with the earlier arguments as context.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuickInputs } from '../../integration/quickInputs.js';
import { PromptList } from '../promptList.js';
import { run, start } from '../support.js';

describe('completion', () => {
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

	it('suggests values that depend on the earlier arguments', async () => {
		void run('prompt.run', { server: 'everything', name: 'completable-prompt' });
		const pick = await list.type('Eng');
		assert.deepEqual([pick.title, pick.step, pick.totalSteps], ['/completable-prompt · everything', 1, 2]);
		await list.choose('Engineering');
		await list.choose('Alice');
		assert.match(await list.openedDocument(), /Alice.*Engineering/s);
	});

	it('accepts a typed value that no suggestion matches', async () => {
		void run('prompt.run', { server: 'shed', name: 'weather', arguments: { country: 'Spain' } });
		await list.type('Madrid');
		await inputs.pick(it => it.label === 'Madrid');
		const country = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
		assert.equal(country.value, 'Spain', 'the person sees what a keybinding, or another extension, has given');
		await inputs.pick();
		assert.equal(await list.openedDocument(), 'What is the weather in Madrid, Spain?');
	});

	it('offers prompts behind a slash in an editor', async () => {
		const { document, selection } = await list.untitled('Text\n/shed.wea');
		const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
			'vscode.executeCompletionItemProvider',
			document.uri,
			selection.active,
		);
		const ours = items.filter(it => it.command?.command === 'mcpWorkbench.prompt.run');
		assert.equal(ours[0]?.insertText, '/shed.weather');
	});

	it('gives other extensions only data with a slash command, and shows its arguments before they are sent', async () => {
		const text = '/shed.weather city="Madrid" country="Spain"';
		const { document, selection } = await list.untitled(text);
		const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
			'vscode.executeCompletionItemProvider',
			document.uri,
			selection.active,
		);
		const accepted: unknown = items.find(it => it.insertText === text)?.command?.arguments?.[0];
		assert.ok(accepted);
		assert.deepEqual(JSON.parse(JSON.stringify(accepted)), accepted);
		const ran = run('prompt.run', accepted);
		for (const value of ['Madrid', 'Spain']) {
			const shown = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
			assert.equal(shown.value, value);
			await inputs.pick();
		}
		await ran;
		assert.equal(document.getText(), 'What is the weather in Madrid, Spain?');
	});
});
