// Where the value of an argument can come from besides the keyboard.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { QuickInputs } from '../quickInputs.js';
import { activate, eventually, inState, workspaceFolder } from '../support.js';

type Pick = vscode.QuickPick<vscode.QuickPickItem>;
type Dialogs = { showOpenDialog: unknown };

describe('an argument comes', () => {
	const { showOpenDialog } = vscode.window;
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
		(vscode.window as Dialogs).showOpenDialog = showOpenDialog;
		await vscode.env.clipboard.writeText('');
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

	/** The dialog answers with a file of these bytes. */
	function chooseFile(bytes: string | Uint8Array | undefined): void {
		const file = path.join(workspaceFolder(), 'chosen.txt');
		if (bytes !== undefined) {
			fs.writeFileSync(file, bytes);
		}
		(vscode.window as Dialogs).showOpenDialog = async () => (bytes === undefined ? [] : [vscode.Uri.file(file)]);
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
		await inputs.pick(it => it.label === 'New Document');
		const prefix = 'What is the weather in ';
		const document = await eventually('the document', () =>
			vscode.workspace.textDocuments.find(it => !it.isClosed && it.getText().startsWith(prefix)),
		);
		return document.getText().slice(prefix.length, -1);
	}

	it('from what is selected, with what the server says of it', async () => {
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

	it('from a file', async () => {
		chooseFile('\uFEFFLyon, où');
		await take('Use a File…', 'Par');
		assert.equal(await prompt(), 'Lyon, où');
	});

	it('from the clipboard', async () => {
		await vscode.env.clipboard.writeText('Lyon');
		await take('Paste from Clipboard', 'Par');
		assert.equal(await prompt(), 'Lyon');
	});

	it('from no editor where there is none, and from no selection where nothing is selected', async () => {
		const offered = async (): Promise<(string | undefined)[]> => {
			void vscode.commands.executeCommand('mcpWorkbench.prompt.run', { server: 'garden', name: 'weather' });
			const { buttons } = (await inputs.look()) as Pick;
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			inputs.forget();
			return buttons.map(it => it.tooltip);
		};
		const always = ['Use a File…', 'Paste from Clipboard', 'Write in an Editor'];
		assert.deepEqual(await offered(), always);
		await edit('Rome');
		assert.deepEqual(await offered(), ['Use Active File', ...always]);
	});

	describe('from nowhere, and what was typed stays', () => {
		it('when no file is chosen', async () => {
			chooseFile(undefined);
			assert.equal((await take('Use a File…', 'Par')).value, 'Par');
		});

		it('when the file is no text', async () => {
			chooseFile(Uint8Array.of(0xff, 0xfe, 0x00));
			const pick = await take('Use a File…', 'Par');
			assert.match(await inputs.message(), /^chosen\.txt is not a text in UTF-8\.$/);
			assert.equal(pick.value, 'Par');
		});

		it('when there is too much of it', async () => {
			chooseFile('x'.repeat(1_000_001));
			const pick = await take('Use a File…', 'Par');
			assert.match(await inputs.message(), /^It is too large for an argument: 1 MB; the limit is 1 MB\.$/);
			assert.equal(pick.value, 'Par');
		});
	});
});
