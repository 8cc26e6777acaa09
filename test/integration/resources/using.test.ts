// What can be done with resources: going to them, copying, inserting, saving, and templates.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuickInputs } from '../quickInputs.js';
import { eventually, forgetRecords, records } from '../support.js';
import { activeEditor, activeTab, open, startServers, useResource } from './support.js';

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

	it('attaches to the chat what the editor takes there: files of a disk', async () => {
		const commands = vscode.commands as { executeCommand: unknown };
		const original = vscode.commands.executeCommand;
		const attached: vscode.Uri[] = [];
		const chat = vscode.workspace.getConfiguration('chat');
		await chat.update('disableAIFeatures', undefined, vscode.ConfigurationTarget.Global);
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
			await chat.update('disableAIFeatures', true, vscode.ConfigurationTarget.Global);
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
		it('one is filled with what the server proposes, looked at, and opened', async () => {
			const opening = run('resource.goTo');
			await inputs.pick(it => it.label === 'A note');
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
	});
});
