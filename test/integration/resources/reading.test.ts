// Resources of every kind, opened where they can be seen best.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuickInputs } from '../quickInputs.js';
import { eventually, forgetRecords, records, workspaceFolder } from '../support.js';
import { activeEditor, activeTab, open, startServers } from './support.js';

describe('reading resources', () => {
	let inputs: QuickInputs;

	before(() => startServers('library'));
	beforeEach(() => {
		inputs = new QuickInputs();
		forgetRecords('library');
	});
	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('notifications.clearAll');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});
	after(() => vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'library' }));

	const texts: readonly (readonly [uri: string, language: string, text: string])[] = [
		['lib://docs/guide', 'markdown', '# Guide\n\nOne.\nTwo.\nThree.\n'],
		['lib://docs/data.md', 'jsonl', '{"a":1}'],
		['lib://docs/code.py', 'python', 'print(1)'],
		['lib://odd/%F0%9F%8C%B1/gr%C3%BCn%20und%2Fgut.txt?x=%7B1%7D#z', 'plaintext', 'odd names'],
		['lib://media/words.png', 'plaintext', 'only words'],
	];
	for (const [uri, language, text] of texts) {
		it(`${uri} opens as ${language}`, async () => {
			await open(uri);
			await eventually(language, () => (activeEditor().document.languageId === language ? true : undefined));
			assert.equal(activeEditor().document.getText(), text);
		});
	}

	it('names are readable, and links lead from one to another', async () => {
		await open('lib://odd/%F0%9F%8C%B1/gr%C3%BCn%20und%2Fgut.txt?x=%7B1%7D#z');
		const { uri } = activeEditor().document;
		assert.equal(uri.path, '/library/lib/odd/🌱/grün und∕gut.txt');
		// As relative links do: another path, the same query.
		const at = (path: string): vscode.Uri => uri.with({ path });
		const sibling = await vscode.workspace.fs.readFile(at('/library/lib/docs/code.py'));
		assert.equal(Buffer.from(sibling).toString(), 'print(1)');
		await assert.rejects(async () => vscode.workspace.fs.stat(at('/library/lib/nothing')));
	});

	for (const [uri, name] of [
		['lib://media/pixel', 'pixel.png'],
		['lib://media/actually.png', 'actually.png'],
		['lib://media/beep', 'beep.wav'],
	] as const) {
		it(`${uri} opens in the viewer, as ${name}`, async () => {
			await open(uri);
			const { label, input } = activeTab();
			assert.ok(input instanceof vscode.TabInputCustom);
			assert.equal(label, name);
			assert.deepEqual(reads(), [uri], 'one read answers for size and bytes');
		});
	}

	for (const [uri, message] of [
		['lib://media/manual', /^library: "manual" is a PDF document \(11 B\)/],
		['lib://media/bytes', /^library: "bytes" is a binary file \(3 B\)/],
		['lib://media/liar.png', /^library: "liar.png" \(11 B\) doesn't have the type that the server states: image\/png/],
		['lib://odd/gone-since', /^library: ".*" doesn't exist on the server\. .*-32602/],
		['lib://not/listed', /^library: "listed" doesn't exist on the server/],
	] as const) {
		it(`${uri} is not shown, and why is said`, async () => {
			void open(uri);
			assert.match(await inputs.message(), message);
			assert.deepEqual(
				vscode.window.tabGroups.all.flatMap(it => it.tabs.map(tab => tab.label)),
				[],
			);
		});
	}

	describe('what the editor does not show', () => {
		const window = vscode.window as { showInformationMessage: unknown; showSaveDialog: unknown };
		const env = vscode.env as { openExternal: unknown };
		const { showInformationMessage, showSaveDialog } = vscode.window;
		const { openExternal } = vscode.env;
		const remote = Object.getOwnPropertyDescriptor(vscode.env, 'remoteName');
		let offered: unknown[];

		/** A person who takes this button, in a window of this machine or of another. */
		function choose(button: string, remoteName?: string): void {
			offered = [];
			Object.defineProperty(vscode.env, 'remoteName', { value: remoteName, configurable: true });
			window.showInformationMessage = async (_: string, ...actions: unknown[]) => {
				offered.push(...actions);
				return actions.find(it => it === button);
			};
		}
		afterEach(() => {
			Object.assign(window, { showInformationMessage, showSaveDialog });
			env.openExternal = openExternal;
			Object.defineProperty(vscode.env, 'remoteName', remote ?? { value: undefined });
		});

		it('is opened by another program as a file of its type', async () => {
			const opened: vscode.Uri[] = [];
			env.openExternal = async (it: vscode.Uri) => opened.push(it);
			choose('Open Externally');
			await open('lib://media/manual');
			assert.deepEqual(offered, ['Save As…', 'Open Externally']);
			const [file] = opened;
			assert.ok(file && opened.length === 1);
			assert.deepEqual([file.scheme, file.path.split('/').at(-1)], ['file', 'manual.pdf']);
			const bytes = await vscode.workspace.fs.readFile(file);
			assert.equal(Buffer.from(bytes).toString('latin1'), '%PDF-1.4\n\x00\xff');
		});

		it('is saved, under a name that says what it is', async () => {
			const target = vscode.Uri.joinPath(vscode.Uri.file(workspaceFolder()), 'saved');
			const proposed: (string | undefined)[] = [];
			window.showSaveDialog = async ({ defaultUri }: vscode.SaveDialogOptions) => {
				proposed.push(defaultUri?.path.split('/').at(-1));
				return target;
			};
			choose('Save As…');
			await open('lib://media/manual');
			await open('lib://media/bytes');
			assert.deepEqual(proposed, ['manual.pdf', 'bytes']);
			assert.deepEqual([...(await vscode.workspace.fs.readFile(target))], [0, 1, 0xfe]);
			await vscode.workspace.fs.delete(target);
		});
	});

	it('several contents of one read have a URI each', async () => {
		const opening = open('lib://many/parts');
		const { lines } = await inputs.pick(it => it.detail === 'lib://many/second.json');
		assert.equal(lines.length, 3);
		await opening;
		assert.equal(activeEditor().document.getText(), '"second"');
		const { uri } = activeEditor().document;
		assert.equal(uri.path, '/library/lib/many/second.json.txt');
		const other = uri.with({ query: uri.query.replace('"index":0', '"index":1') });
		assert.equal(Buffer.from(await vscode.workspace.fs.readFile(other)).toString(), '"another second"');
		const none = uri.with({ query: uri.query.replace('"index":0', '"index":2') });
		await assert.rejects(async () => vscode.workspace.fs.readFile(none), /no longer returns this part of "parts"/);
	});
});

function reads(): unknown[] {
	return records('library').flatMap(it =>
		it.method === 'resources/read' ? [(it as unknown as { readonly uri: string }).uri] : [],
	);
}
