// Who reads: other extensions get the resources that a server lists, unless a rule denies the server, and each of their reads
// is in the history. What the person opens counts as read by the person.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { HistoryEntry } from '../../../src/core/history/historyEntry.js';
import { listsAnswered, QuickInputs } from '../../integration/quickInputs.js';
import { act, activeEditor, hasText, open } from '../../integration/resources/support.js';
import { eventually, forgetRecords, records } from '../../integration/support.js';
import { removePolicy, run, snapshotOf, start, writePolicy } from '../support.js';

const listed = 'lib://docs/code.py';
const unlisted = 'lib://note/what-a-model-was-talked-into';
const denied = /A rule denies this server to extensions and keybindings/;
const notListed = /Extensions and keybindings can read only listed resources/;

describe('reads', () => {
	let inputs: QuickInputs;
	let serverId: string;

	before(async () => {
		writePolicy({ decision: 'allow', server: 'library' });
		serverId = snapshotOf(await start('library', 'shed'), 'library')?.id ?? '';
	});
	after(removePolicy);
	beforeEach(() => {
		writePolicy({ decision: 'allow', server: 'library' });
		inputs = new QuickInputs();
		forgetRecords('library');
	});
	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('notifications.clearAll');
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	/** A URI as any extension can make it. */
	function fileOf(uri: string): vscode.Uri {
		const path = `/library/${uri.replace('://', '/')}`;
		return vscode.Uri.from({ scheme: 'mcp-workbench', path, query: JSON.stringify({ serverId, uri }) });
	}

	async function read(uri: string): Promise<string> {
		return new TextDecoder().decode(await vscode.workspace.fs.readFile(fileOf(uri)));
	}

	const isRefused = (message: RegExp) => (error: unknown) =>
		error instanceof vscode.FileSystemError && error.code === 'NoPermissions' && message.test(error.message);

	/** What the server was asked for, in order. */
	function asked(): unknown[] {
		return (records('library') as unknown as { readonly method?: string; readonly uri?: string }[])
			.filter(it => it.method === 'resources/read' || it.method === 'resources/subscribe')
			.map(it => it.uri);
	}

	/** The newest entries of the history, as a person copies them. */
	async function history(count: number): Promise<HistoryEntry[]> {
		const entries: HistoryEntry[] = [];
		const { createQuickPick } = vscode.window;
		for (let index = 0; index < count; index++) {
			Object.assign(vscode.window, {
				createQuickPick: listsAnswered((items: readonly vscode.QuickPickItem[]) => items[index]),
			});
			const using = run('history.use');
			await inputs.pick(it => it.label === 'Copy as JSON');
			await using;
			entries.push(JSON.parse(await vscode.env.clipboard.readText()) as HistoryEntry);
		}
		Object.assign(vscode.window, { createQuickPick });
		return entries;
	}

	async function newest(): Promise<unknown[]> {
		const [entry] = await history(1);
		assert.ok(entry?.kind === 'resource', entry?.kind);
		return [entry.uri, entry.caller, entry.end.kind];
	}

	it('let another extension read listed resources as files, and record it in the history', async () => {
		assert.equal(await read(listed), 'print(1)');
		assert.deepEqual(asked(), [listed]);
		assert.deepEqual(await newest(), [listed, { kind: 'command' }, 'answered']);
	});

	it('refuse another extension files that the server does not list', async () => {
		await assert.rejects(read(unlisted), isRefused(notListed));
		// The editor shows why in a tab, and a tab is followed.
		await vscode.commands.executeCommand('vscode.open', fileOf(unlisted));
		assert.deepEqual(asked(), []);
		assert.deepEqual(await newest(), [unlisted, { kind: 'command' }, 'denied']);
	});

	it('refuse another extension files of a server that a rule denies', async () => {
		writePolicy({ decision: 'deny', server: 'library' });
		await assert.rejects(read('lib://docs/sized'), isRefused(denied));
		await assert.rejects(async () => vscode.workspace.openTextDocument(fileOf('lib://docs/sized')), denied);
		assert.deepEqual(asked(), []);
		assert.deepEqual(await newest(), ['lib://docs/sized', { kind: 'command' }, 'denied']);
	});

	it('by a command with arguments follow the same rules', async () => {
		void run('resource.open', { server: 'library', uri: unlisted });
		assert.match(await inputs.message(), notListed);
		void run('resource.use', { server: 'library', uri: unlisted });
		await inputs.pick(it => it.label === 'Copy Contents');
		assert.match(await inputs.message(), notListed);
		writePolicy({ decision: 'deny', server: 'library' });
		void run('resource.open', { server: 'library', uri: 'lib://docs/sized' });
		assert.match(await inputs.message(), denied);
		assert.deepEqual(asked(), []);
		writePolicy({ decision: 'allow', server: 'library' });
		await run('resource.open', { server: 'library', uri: 'lib://docs/sized' });
		await hasText('sized');
		assert.deepEqual(asked().filter(it => it === 'lib://docs/sized').length > 0, true);
		const entries = await history(4);
		assert.deepEqual(
			entries.map(it => (it.kind === 'resource' ? `${it.end.kind} ${it.uri}` : it.kind)),
			['answered lib://docs/sized', 'denied lib://docs/sized', `denied ${unlisted}`, `denied ${unlisted}`],
			'once for the file that the editor reads then',
		);
	});

	it('of a tab that another extension opens are one entry of the history', async () => {
		await vscode.commands.executeCommand('vscode.open', fileOf('lib://docs/blob.txt'));
		await hasText('bytes that are text');
		await vscode.workspace.fs.stat(activeEditor().document.uri);
		assert.deepEqual(asked().slice(0, 1), ['lib://docs/blob.txt']);
		const entries = await history(2);
		assert.deepEqual(
			entries.map(it => it.kind === 'resource' && it.uri === 'lib://docs/blob.txt'),
			[true, false],
		);
	});

	it('of the person are allowed, also if unlisted or denied by a rule, and are not in the history', async () => {
		writePolicy({ decision: 'deny', server: 'library' });
		const [before] = await history(1);
		await open('lib://note/7');
		await hasText('what is at note/7');
		assert.equal(await read('lib://note/7'), 'what is at note/7', 'the editor does not say who reads');
		await run('resource.refresh', activeEditor().document.uri);
		await run('resource.refresh');
		const [after] = await history(1);
		assert.equal(after?.id, before?.id);
		assert.equal(asked().filter(it => it === 'lib://note/7').length >= 3, true);
	});

	it('of a resource that the person follows count as reads by the person', async () => {
		const uri = 'lib://docs/guide';
		const api = await start('library');
		await open(uri);
		const text = activeEditor().document.getText();
		await eventually(
			'the subscription',
			() => records('library').some(it => it.method === 'resources/subscribe') || undefined,
		);
		await act(api, 'change', { uri, text: 'Changed.' });
		await hasText('Changed.');
		await act(api, 'change', { uri, text });
		await hasText(text);
		const entries = await history(2);
		assert.deepEqual(
			entries.map(it => it.kind),
			['call', 'call'],
		);
	});

	it('of a prompt follow the same rule', async () => {
		writePolicy({ decision: 'deny', server: 'shed' });
		void run('prompt.run', { server: 'shed', name: 'plain' });
		assert.match(await inputs.message(), denied);
	});
});
