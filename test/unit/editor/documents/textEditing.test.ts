/** A text in a tab: how its editing ends, and what the editor can still do with its file then. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { TextEditing } from '../../../../src/editor/documents/textEditing.js';
import { leakCheck } from '../../../support/leakCheck.js';
import { settled } from '../../../support/waiting.js';

describe('a text in a tab', () => {
	const cleanup = leakCheck();
	const { workspace, window, commands } = vscode;
	const [oldWorkspace, oldTabs, oldCommands] = [{ ...workspace }, window.tabGroups, { ...commands }];
	let editing: TextEditing;
	let use: (argument?: unknown) => Promise<unknown>;
	let closeTabs: (change: object) => void;
	let closeDocument: (document: object) => void;
	let tabs: { input: unknown }[];
	let isClosable: boolean;
	let isReadable: boolean;
	let uri: vscode.Uri;

	beforeEach(() => {
		[tabs, isClosable, isReadable] = [[], true, true];
		const nothing = { dispose: () => undefined };
		Object.assign(commands, { registerCommand: (_id: string, run: typeof use) => ((use = run), nothing) });
		Object.assign(workspace, {
			textDocuments: [],
			openTextDocument: async () => {
				if (!isReadable) {
					throw new Error('gone');
				}
				return { getText: () => 'written', save: async () => true };
			},
			onDidCloseTextDocument: (listener: typeof closeDocument) => ((closeDocument = listener), nothing),
		});
		Object.assign(window, {
			showTextDocument: async (it: vscode.Uri) => {
				uri = it;
				tabs = [{ input: new vscode.TabInputText(it) }];
				Object.assign(workspace, { textDocuments: [{ uri: it }] });
			},
			tabGroups: {
				get all() {
					return [{ tabs }];
				},
				onDidChangeTabs: (listener: typeof closeTabs) => ((closeTabs = listener), nothing),
				close: async () => {
					if (!isClosable) {
						throw new Error('Invalid tab not found');
					}
					tabs = [];
				},
			},
		});
		editing = cleanup.own(new TextEditing());
	});
	afterEach(() => {
		Object.assign(workspace, oldWorkspace);
		Object.assign(window, { tabGroups: oldTabs });
		Object.assign(commands, oldCommands);
	});

	const start = async (): Promise<unknown[]> => {
		const ends: unknown[] = [];
		void editing.edit('answer', 'first').then(it => ends.push(it));
		await settled();
		return ends;
	};

	it('can be saved by the editor after it was used, until its document is closed', async () => {
		const ends = await start();
		await use(uri);
		await settled();
		assert.deepEqual(ends, ['written']);
		editing.writeFile(uri, new TextEncoder().encode('late'));
		assert.equal(new TextDecoder().decode(editing.readFile(uri)), 'late');
		assert.deepEqual(editing.provideCodeLenses({ uri } as vscode.TextDocument), []);
		Object.assign(workspace, { textDocuments: [] });
		closeDocument({ uri });
		assert.throws(() => editing.stat(uri));
	});

	it('is used also if its tab cannot be closed', async () => {
		const ends = await start();
		isClosable = false;
		await use(uri);
		await settled();
		assert.deepEqual(ends, ['written']);
	});

	it('can be used again, or closed, after it could not be read', async () => {
		const ends = await start();
		isReadable = false;
		await use(uri);
		assert.deepEqual(ends, []);
		const closed = tabs;
		tabs = [];
		closeTabs({ closed });
		await settled();
		assert.deepEqual(ends, [undefined]);
	});
});
