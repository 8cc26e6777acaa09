// What can be done with resources: going to them, copying, inserting, saving, and templates.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuickInputs, typeInto } from '../quickInputs.js';
import { eventually, forgetRecords, records, workspaceFolder } from '../support.js';
import { activeEditor, activeTab, hasText, open, startServers, useResource } from './support.js';

const run = (command: string, argument?: unknown): Thenable<unknown> =>
	vscode.commands.executeCommand(`mcpWorkbench.${command}`, argument);
const library = (uri: string): object => ({ server: 'library', uri });

describe('using resources', () => {
	let inputs: QuickInputs;

	before(() => startServers('library', 'everything'));
	beforeEach(() => {
		inputs = new QuickInputs();
		forgetRecords('library');
	});
	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('notifications.clearAll');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});
	after(async () => {
		for (const server of ['library', 'everything']) {
			await run('server.stop', { server });
		}
	});

	it('goes to a resource of any server by some letters of its name', async () => {
		const going = run('resource.goTo');
		const pick = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
		assert.match(pick.title ?? '', /^Resources: \d+ of \d+$/);
		pick.value = 'feat';
		await eventually('the hit', () => (pick.items[0]?.label === 'features.md' ? true : undefined));
		assert.equal(pick.items[0]?.description, 'everything');
		await inputs.pick(it => it.label === 'features.md');
		await going;
		assert.equal(activeTab().label, 'features.md');
	});

	it('asks a server for a whole URI that it does not list', async () => {
		const going = run('resource.goTo');
		const pick = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
		pick.value = 'lib://note/77';
		await eventually('the offers', () => (pick.items.length === 2 ? true : undefined));
		await inputs.pick(it => it.label.includes('library'));
		await going;
		assert.equal(activeEditor().document.getText(), 'what is at note/77');
	});

	it('copies contents and URIs', async () => {
		await useResource(inputs, 'Copy Contents', library('lib://docs/code.py'));
		assert.equal(await vscode.env.clipboard.readText(), 'print(1)');
		await useResource(inputs, 'Copy URI', library('lib://docs/code.py'));
		assert.equal(await vscode.env.clipboard.readText(), 'lib://docs/code.py');
		void useResource(inputs, 'Copy Contents', library('lib://media/bytes'));
		assert.match(await inputs.message(), /"bytes" has no text/);
	});

	it('inserts contents at every cursor of the active editor', async () => {
		const document = await vscode.workspace.openTextDocument({ content: 'a\nb\n' });
		const editor = await vscode.window.showTextDocument(document);
		editor.selections = [new vscode.Selection(0, 0, 0, 1), new vscode.Selection(1, 1, 1, 1)];
		await useResource(inputs, 'Insert into Editor', library('lib://docs/code.py'));
		assert.equal(document.getText(), 'print(1)\nbprint(1)\n');
		await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
	});

	it('saves bytes, under a name that says what they are', async () => {
		const original = vscode.window.showSaveDialog;
		const target = vscode.Uri.joinPath(vscode.Uri.file(workspaceFolder()), 'saved.png');
		const proposed: string[] = [];
		(vscode.window as { showSaveDialog: unknown }).showSaveDialog = async (options: vscode.SaveDialogOptions) => {
			proposed.push(options.defaultUri?.path.split('/').at(-1) ?? '');
			return target;
		};
		try {
			await useResource(inputs, 'Save As…', library('lib://media/manual'));
			await useResource(inputs, 'Save As…', library('lib://media/pixel'));
		} finally {
			(vscode.window as { showSaveDialog: unknown }).showSaveDialog = original;
		}
		assert.deepEqual(proposed, ['manual.pdf', 'pixel.png']);
		const bytes = await vscode.workspace.fs.readFile(target);
		assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
		await vscode.workspace.fs.delete(target);
	});

	it('attaches to the chat what the editor takes there: files of a disk', async () => {
		const commands = vscode.commands as { executeCommand: unknown };
		const original = vscode.commands.executeCommand;
		const attached: vscode.Uri[] = [];
		commands.executeCommand = (command: string, ...rest: unknown[]): Thenable<unknown> => {
			if (command === 'workbench.action.chat.attachFile') {
				attached.push(rest[0] as vscode.Uri);
				return Promise.resolve();
			}
			return original(command, ...rest);
		};
		try {
			await useResource(inputs, 'Attach to Chat', library('lib://docs/code.py'));
			await open('lib://media/pixel');
			await useResource(inputs, 'Attach to Chat');
			await useResource(inputs, 'Attach to Chat', library('lib://many/parts'));
		} finally {
			commands.executeCommand = original;
		}
		// Those of other schemes are passed over without a word.
		assert.deepEqual(
			attached.map(it => [it.scheme, it.path.split('/').at(-1)]),
			['code.py', 'pixel.png', 'first.md', 'second.json.txt', 'second.json.txt'].map(name => ['file', name]),
		);
		const [code, picture, , second, other] = await Promise.all(attached.map(it => vscode.workspace.fs.readFile(it)));
		const texts = [code, second, other].map(it => new TextDecoder().decode(it));
		assert.deepEqual(texts, ['print(1)', '"second"', '"another second"']);
		assert.equal(picture?.[0], 0x89);
	});

	describe('templates', () => {
		const template = (uriTemplate: string): object => ({ server: 'library', uriTemplate });

		it('one is filled with what the server proposes, looked at, and opened', async () => {
			const opening = run('resourceTemplate.open', template('lib://note/{id}'));
			const pick = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
			await eventually('proposals', () => (pick.items.some(it => it.label === '300') ? true : undefined));
			pick.value = '2';
			// The lines that still fit are there at once, and are replaced when the server has answered.
			const isOld = (): boolean => pick.busy || pick.items.some(it => it.label === '300');
			await eventually('fewer', () => (isOld() ? undefined : true));
			await inputs.pick(it => it.label === '22');
			const { lines, placeholder } = await inputs.pick(it => it.label === 'Open');
			assert.equal(placeholder, 'Review the resource URI');
			assert.ok(lines.includes('lib://note/22'), lines.join('\n'));
			assert.ok(!records('library').some(it => it.method === 'resources/read'), 'nothing is read before');
			await opening;
			assert.equal(activeEditor().document.getText(), 'what is at note/22');
		});

		it('bad values are refused at the box', async () => {
			const opening = run('resourceTemplate.open', template('lib://note/{id}'));
			const pick = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
			pick.value = 'a\u0007b';
			await eventually('why', () =>
				pick.items.some(it => /invisible characters/.test(`${it.label} ${it.description ?? ''}`)) ? true : undefined,
			);
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			await opening;
			assert.ok(!records('library').some(it => it.method === 'resources/read'));
		});

		it('one that cannot be read says so', async () => {
			void run('resourceTemplate.open', template('lib://broken/{unclosed'));
			assert.match(await inputs.message(), /^library: The template "lib:\/\/broken\/\{unclosed" is invalid/);
		});

		it('all variables can be left out that are optional', async () => {
			const opening = run('resourceTemplate.open', template('lib://search{?q,lang}'));
			await typeInto(inputs, 'böse & gut');
			await typeInto(inputs, '');
			const { lines } = await inputs.pick(it => it.label === 'Open');
			assert.ok(lines.includes('lib://search?q=b%C3%B6se%20%26%20gut'), lines.join('\n'));
			await opening;
			await hasText('what is at search?q=b%C3%B6se%20%26%20gut');
		});

		it('variables are changed from what they were', async () => {
			const opening = run('resourceTemplate.open', template('lib://search{?q,lang}'));
			await typeInto(inputs, 'roses');
			await typeInto(inputs, 'en');
			await inputs.pick(it => it.label === 'Change Variables');
			for (const [value, next] of [
				['roses', 'tulips'],
				['en', 'en'],
			] as const) {
				assert.equal((await inputs.look()).value, value);
				await typeInto(inputs, next);
			}
			await inputs.pick(it => it.label === 'Open');
			await opening;
			await hasText('what is at search?q=tulips&lang=en');
		});
	});
});
