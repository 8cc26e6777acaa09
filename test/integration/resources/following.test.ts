// Resources that change while they are open, in both eras.
import * as assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { QuickInputs } from '../quickInputs.js';
import { callTool, eventually, forgetRecords, inState, records } from '../support.js';
import { act, activeEditor, activeTab, hasText, open, startServers, useResource } from './support.js';

const guide = 'lib://docs/guide';
const original = '# Guide\n\nOne.\nTwo.\nThree.\n';

describe('following resources', () => {
	let api: ExtensionApi;
	let inputs: QuickInputs;

	before(async () => {
		api = await startServers('library', 'modern', 'deaf');
	});
	beforeEach(() => {
		inputs = new QuickInputs();
		for (const it of ['library', 'modern', 'deaf']) {
			forgetRecords(it);
		}
	});
	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('notifications.clearAll');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});
	after(async () => {
		for (const server of ['library', 'modern', 'deaf']) {
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server });
		}
	});

	for (const server of ['library', 'modern'] as const) {
		it(`${server}: an open document changes in place, and the cursor stays`, async () => {
			await open(guide, server);
			await hasText(original);
			await eventually('the subscription', () => (isSubscribed(server, guide) ? true : undefined));
			const editor = activeEditor();
			const end = new vscode.Position(4, 3);
			editor.selection = new vscode.Selection(end, end);
			await act(api, 'change', { uri: guide, text: original.replace('One.', 'One and a half.') }, server);
			await hasText(original.replace('One.', 'One and a half.'));
			assert.equal(activeEditor(), editor, 'the same editor');
			assert.deepEqual([editor.selection.active.line, editor.selection.active.character], [4, 3]);
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
			await eventually('the end of it', () => (isSubscribed(server, guide) ? undefined : true));
			await act(api, 'change', { uri: guide, text: original }, server);
		});
	}

	it('the graph of server-memory is looked at while it grows', async () => {
		await startServers('memory');
		await open('memory://knowledge-graph', 'memory');
		const { document } = activeEditor();
		assert.deepEqual(JSON.parse(document.getText()), { entities: [], relations: [] });
		await eventually('JSON', () => (document.languageId === 'jsonl' ? true : undefined));
		const rose = { name: 'rose', entityType: 'plant', observations: ['red'] };
		const original = vscode.window.showInformationMessage;
		// The person is asked by a message first.
		(vscode.window as { showInformationMessage: unknown }).showInformationMessage = async () => 'Review';
		try {
			const call = callTool(api, 'memory', 'create_entities', { entities: [rose] });
			await inputs.pick(it => it.label === 'Allow Once');
			await call;
		} finally {
			(vscode.window as { showInformationMessage: unknown }).showInformationMessage = original;
		}
		await eventually('the rose', () => (document.getText().includes('"rose"') ? true : undefined));
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'memory' });
	});

	it('an update is in the document after it was read', async () => {
		await open(guide);
		await hasText(original);
		await eventually('the subscription', () => (isSubscribed('library', guide) ? true : undefined));
		await act(api, 'change', { uri: guide, text: 'changed' });
		await hasText('changed');
		await act(api, 'change', { uri: guide, text: original });
		await hasText(original);
	});

	it('is compared with what it was before', async () => {
		await open(guide);
		await hasText(original);
		await eventually('the subscription', () => (isSubscribed('library', guide) ? true : undefined));
		for (const text of ['first', 'second']) {
			await act(api, 'change', { uri: guide, text });
			await hasText(text);
		}
		await useResource(inputs, 'Compare with Previous Version');
		const sides = await eventually('the diff', () => {
			const { input } = activeTab();
			return input instanceof vscode.TabInputTextDiff ? input : undefined;
		});
		const text = async (uri: vscode.Uri): Promise<string> => (await vscode.workspace.openTextDocument(uri)).getText();
		assert.deepEqual([await text(sides.original), await text(sides.modified)], ['first', 'second']);
		assert.match(activeTab().label, /^The Guide \(.* ↔ now\)$/);
		await act(api, 'change', { uri: guide, text: 'third' });
		await eventually('the update', async () => (await text(sides.modified)) === 'third' || undefined);
		assert.equal(await text(sides.original), 'first', 'an open document stays');
		await act(api, 'change', { uri: guide, text: original });
	});

	it('without a change there is nothing to compare with', async () => {
		await open('lib://docs/code.py');
		void vscode.commands.executeCommand('mcpWorkbench.resource.use');
		const { lines } = await inputs.pick(it => it.label === 'Copy URI');
		assert.ok(!lines.includes('Compare with Previous Version'));
	});

	it('where the server tells nothing, it is read again when somebody asks', async () => {
		await open(guide, 'deaf');
		await hasText(original);
		await act(api, 'change', { uri: guide, text: 'other' }, 'deaf');
		assert.equal(activeEditor().document.getText(), original);
		await vscode.commands.executeCommand('mcpWorkbench.resource.refresh', activeEditor().document.uri);
		await hasText('other');
		assert.ok(!records('deaf').some(it => it.method === 'resources/subscribe'));
		// Contents that were read less than 3 s ago are copied as they are.
		await act(api, 'change', { uri: guide, text: 'newest' }, 'deaf');
		for (let copied = ''; copied !== 'newest'; copied = await vscode.env.clipboard.readText()) {
			assert.ok(copied === '' || copied === 'other', copied);
			await delay(50);
			await useResource(inputs, 'Copy Contents');
		}
		await hasText('newest');
	});

	it('a document stays when the server has the resource no more, and says so', async () => {
		await open('lib://docs/notes.md');
		await hasText('# Notes');
		await eventually('the subscription', () => (isSubscribed('library', 'lib://docs/notes.md') ? true : undefined));
		await act(api, 'vanish', { uri: 'lib://docs/notes.md' });
		assert.match(await lens(), /^\$\(warning\)\s*library: "notes.md" doesn't exist on the server/);
		assert.equal(activeEditor().document.getText(), '# Notes');
		await act(api, 'change', { uri: 'lib://docs/notes.md', text: '# Notes' });
		await noLens();
	});

	it('a document stays when its server ends, says so, and comes back', async () => {
		await open(guide);
		await hasText(original);
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'library' });
		assert.match(await lens(), /^\$\(warning\)\s*Server "library" isn't running\. Contents as of /);
		assert.equal(activeEditor().document.getText(), original);
		forgetRecords('library');
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'library' });
		await inState(api, 'library', 'running');
		await noLens();
		assert.ok(isSubscribed('library', guide));
		await act(api, 'change', { uri: guide, text: 'after all' });
		await hasText('after all');
	});
});

/** The line above the text of the active editor. */
async function lens(): Promise<string> {
	for (;;) {
		const [first] = await lenses();
		if (first?.command) {
			return first.command.title;
		}
	}
}

async function noLens(): Promise<void> {
	while ((await lenses()).length > 0) {
		// The editor is asked again, which takes its time.
	}
}

function lenses(): Thenable<vscode.CodeLens[]> {
	return vscode.commands.executeCommand('vscode.executeCodeLensProvider', activeEditor().document.uri, 5);
}

interface Wish {
	readonly id?: unknown;
	/** Of what is cancelled. */
	readonly requestId?: unknown;
	readonly method?: string;
	readonly uri?: string;
	readonly uris?: readonly string[];
	readonly at?: number;
}

/** By what the server was told so far. */
function isSubscribed(server: string, uri: string): boolean {
	const wishes = records(server) as unknown as Wish[];
	const ended = new Set(wishes.map(it => it.requestId));
	const streams = wishes.filter(it => it.method === 'subscriptions/listen' && !ended.has(it.id));
	const last = wishes.findLast(it => it.uri === uri && it.method?.endsWith('subscribe') === true);
	return last?.method === 'resources/subscribe' || streams.some(it => it.uris?.includes(uri));
}
