// The way back from a document to the sheet that has opened it.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openForSheet } from '../../../../src/editor/ui/sheetReturn.js';
import { settled } from '../../../support/waiting.js';

describe('the way back to a sheet', () => {
	const { tabGroups, showInformationMessage } = vscode.window;
	const tab = { label: 'weed · garden' };
	let close: (closed: readonly unknown[]) => void;
	let press: (button: string | undefined) => void;
	let shown: number;
	let isWaiting: boolean;
	let isCovered: boolean;
	let owned: vscode.Disposable[];
	let isFollowed: boolean;
	let tabs: object[];
	let closedTabs: unknown[];

	beforeEach(async () => {
		[shown, isWaiting, isCovered, owned, isFollowed] = [0, true, false, [], true];
		[tabs, closedTabs] = [[], []];
		Object.assign(vscode.window, {
			tabGroups: {
				activeTabGroup: { activeTab: tab },
				all: [{ tabs: [] }, { tabs }],
				close: async (some: readonly object[]) => closedTabs.push(...some),
				onDidChangeTabs: (listener: (change: object) => void) => {
					close = closed => isFollowed && listener({ closed });
					return { dispose: () => (isFollowed = false) };
				},
			},
			showInformationMessage: () => new Promise(resolve => (press = resolve)),
		});
		await open();
	});
	async function open(own?: vscode.Uri): Promise<void> {
		const isOpened = await openForSheet(async () => own, 'waits', {
			isWaiting: () => isWaiting,
			isCovered: () => isCovered,
			review: () => shown++,
			own: it => owned.push(it),
		});
		assert.ok(isOpened);
	}
	afterEach(() => {
		Object.assign(vscode.window, { tabGroups, showInformationMessage });
	});

	it('is to close the tab of the document, and no other', () => {
		close([{ label: 'another' }]);
		assert.equal(shown, 0);
		close([tab]);
		assert.equal(shown, 1);
		assert.ok(!isFollowed);
	});

	it('is found by its text where the editor tells of the tab a moment later', async () => {
		const uri = vscode.Uri.parse('mcp-workbench:/weed.txt');
		Object.assign(vscode.window, {
			activeTextEditor: { document: { uri } },
			tabGroups: { ...vscode.window.tabGroups, activeTabGroup: { activeTab: undefined } },
		});
		try {
			await open();
			close([{ label: 'b', input: { uri: vscode.Uri.parse('mcp-workbench:/other.txt') } }]);
			assert.equal(shown, 0);
			close([{ label: 'a', input: { original: undefined, modified: uri } }]);
			assert.equal(shown, 1);
		} finally {
			Object.assign(vscode.window, { activeTextEditor: undefined });
		}
	});

	it('is the button of the message', async () => {
		press('Return to Request');
		await settled();
		assert.equal(shown, 1);
	});

	it('closes with the request what was opened for it, and nothing else', async () => {
		const [full, change, other] = ['full', 'change', 'other'].map(it => vscode.Uri.parse(`mcp-workbench:/${it}`));
		await open(full);
		await open(change);
		const [text, diff] = [{ input: { uri: full } }, { input: { original: other, modified: change } }];
		const pinned = { input: { uri: full }, isPinned: true };
		tabs.push(tab, text, pinned, { input: { uri: change }, isDirty: true }, { input: { uri: other } }, diff);
		press('Return to Request');
		await settled();
		assert.deepEqual([shown, closedTabs], [1, []]);
		owned.forEach(it => it.dispose());
		assert.deepEqual(closedTabs, [text, diff]);
	});
});
