// Where the value of an argument can come from besides the keyboard.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuickInputs } from '../quickInputs.js';
import { activate, eventually, inState } from '../support.js';

type Pick = vscode.QuickPick<vscode.QuickPickItem>;

describe('an argument comes', () => {
	let inputs: QuickInputs;

	before(async () => {
		const api = await activate();
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'garden' });
		await inState(api, 'garden', 'running');
	});
	beforeEach(() => {
		inputs = new QuickInputs();
	});
	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		await vscode.commands.executeCommand('notifications.clearAll');
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	/** An editor with that text, of which these are selected. */
	async function edit(content: string, ...selections: readonly vscode.Selection[]): Promise<void> {
		let document = await vscode.workspace.openTextDocument({ content });
		while (document.getText() !== content) {
			// One that was closed unsaved a moment ago can come back under its name.
			document = await vscode.workspace.openTextDocument({ content });
		}
		const editor = await vscode.window.showTextDocument(document);
		if (selections.length > 0) {
			editor.selections = selections;
		}
	}

	/** Is asked for the city, types, and wants it from there; the same question as it is asked again. */
	async function take(source: string, typed = ''): Promise<Pick> {
		void vscode.commands.executeCommand('mcpWorkbench.prompt.run', { server: 'garden', name: 'weather' });
		const pick = (await inputs.look()) as Pick;
		await eventually('the proposals', () => pick.items.find(it => it.label === 'Paris'));
		pick.value = typed;
		await inputs.press(source);
		return (await inputs.look()) as Pick;
	}

	/** Uses what stands there; the prompt that comes of it. */
	async function prompt(): Promise<string> {
		await inputs.pick();
		await inputs.pick(it => it.label === 'Leave Out');
		await inputs.pick(it => it.label === 'Open as Document');
		const prefix = 'What is the weather in ';
		const document = await eventually('the document', () =>
			vscode.workspace.textDocuments.find(it => !it.isClosed && it.getText().startsWith(prefix)),
		);
		return document.getText().slice(prefix.length, -1);
	}

	it("from the selection, with the server's description", async () => {
		await edit('In Rome, or Lyon', new vscode.Selection(0, 3, 0, 7));
		assert.equal((await take('Use Selection')).value, 'Rome');
		await inputs.pick();
		await inputs.pick(it => it.label === 'Italy');
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
	});

	it('from several selections, a line each', async () => {
		await edit('In Rome, or Lyon', new vscode.Selection(0, 3, 0, 7), new vscode.Selection(0, 12, 0, 16));
		const { value, items } = await take('Use Selection');
		assert.deepEqual([value, items[0]?.description], ['', '2 lines, 9 characters']);
		assert.equal(await prompt(), 'Rome\nLyon');
	});

	it('from the active file, as it is in the editor', async () => {
		await edit('Rome\nat night');
		await take('Use Active File');
		assert.equal(await prompt(), 'Rome\nat night');
	});

	it('only from an open editor, and from a selection only if it is not empty', async () => {
		const offered = async (): Promise<(string | undefined)[]> => {
			void vscode.commands.executeCommand('mcpWorkbench.prompt.run', { server: 'garden', name: 'weather' });
			const { buttons } = (await inputs.look()) as Pick;
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			inputs.forget();
			return buttons.map(it => it.tooltip);
		};
		assert.deepEqual(await offered(), ['Write in Editor']);
		await edit('Rome');
		assert.deepEqual(await offered(), ['Use Active File', 'Write in Editor']);
	});
});
