// Covers M4 and M6: resources open in the editor, follow their server, and templates are completed.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { QuickInputs } from '../../integration/quickInputs.js';
import { act, activeEditor, activeTab, hasText, open } from '../../integration/resources/support.js';
import { eventually, forgetRecords, records } from '../../integration/support.js';
import { removePolicy, run, start, writePolicy } from '../support.js';

const guide = 'lib://docs/guide';
const original = '# Guide\n\nOne.\nTwo.\nThree.\n';

describe('resources', () => {
	let api: ExtensionApi;
	let inputs: QuickInputs;

	before(async () => {
		writePolicy({ decision: 'allow', server: 'library' });
		api = await start('library');
	});
	after(removePolicy);
	beforeEach(() => {
		inputs = new QuickInputs();
		forgetRecords('library');
	});
	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('notifications.clearAll');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	it('a text opens in the language of its MIME type', async () => {
		await open('lib://docs/data.md');
		await eventually('JSON', () => activeEditor().document.languageId === 'jsonl' || undefined);
		assert.equal(activeEditor().document.getText(), '{"a":1}');
	});

	it('an image opens in the viewer for images', async () => {
		await open('lib://media/pixel');
		const { label, input } = activeTab();
		assert.ok(input instanceof vscode.TabInputCustom);
		assert.equal(label, 'pixel.png');
		const bytes = await vscode.workspace.fs.readFile(input.uri);
		assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
	});

	it('an open document changes when the server says so', async () => {
		await open(guide);
		await hasText(original);
		const isSubscribed = (): boolean => records('library').some(it => it.method === 'resources/subscribe');
		await eventually('the subscription', () => isSubscribed() || undefined);
		await act(api, 'change', { uri: guide, text: 'Changed.' });
		await hasText('Changed.');
		await act(api, 'change', { uri: guide, text: original });
		await hasText(original);
	});

	it('a template is filled in with the values that the server suggests', async () => {
		const opening = run('resource.goTo');
		await inputs.pick(it => it.label === 'A note');
		const pick = (await inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
		await eventually('the suggestions', () => pick.items.some(it => it.label === '300') || undefined);
		await inputs.pick(it => it.label === '22');
		const { lines } = await inputs.pick(it => it.label === 'Open');
		assert.ok(lines.includes('lib://note/22'), lines.join('\n'));
		await opening;
		await hasText('what is at note/22');
	});
});
