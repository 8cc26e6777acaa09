/** What suites that share a window build on: it is empty after each, whatever its tests have left. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { callAsOther, labelled } from '../askingServers.js';
import { listsAnswered, QuickInputs } from '../quickInputs.js';
import { activate, eventually, inState, isAlive, records, workspaceFolder } from '../support.js';
import { SharedWindow } from '../window.js';

const fixture = path.join(process.env['MCP_WORKBENCH_PROJECT'] ?? '', 'test', 'fixtures', 'workspaces', 'models');
const { Global, Workspace } = vscode.ConfigurationTarget;

describe('a window that is shared', () => {
	let api: ExtensionApi;
	let window: SharedWindow;
	let inputs: QuickInputs;
	const { showInformationMessage } = vscode.window;

	before(async () => {
		api = await activate();
		window = new SharedWindow();
	});
	beforeEach(() => {
		inputs = new QuickInputs();
		const review = (message: string): Promise<string | undefined> =>
			Promise.resolve(/ wants to run /.test(message) ? 'Review' : undefined);
		Object.assign(vscode.window, { showInformationMessage: review });
	});
	afterEach(() => {
		inputs.dispose();
		Object.assign(vscode.window, { showInformationMessage });
	});

	const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('mcpWorkbench');
	const files = (): string[] =>
		fs
			.readdirSync(workspaceFolder(), { recursive: true, encoding: 'utf8' })
			.filter(it => it !== '.vscode')
			.toSorted();
	const names = (): string[] => api.servers().map(it => it.name);

	/** What a command that acts on entries of the history finds. */
	async function countHistory(): Promise<number> {
		const { createQuickPick } = vscode.window;
		let count = 0;
		const choose = (items: readonly unknown[]): undefined => void (count = items.length);
		Object.assign(vscode.window, { createQuickPick: listsAnswered(choose) });
		try {
			await vscode.commands.executeCommand('mcpWorkbench.history.copy');
		} finally {
			Object.assign(vscode.window, { createQuickPick });
		}
		return count;
	}

	/** Leaves something of everything. */
	async function use(): Promise<void> {
		await settings().update('servers', { mine: { command: 'no-such-command' } }, Global);
		await settings().update('tools', { recorder: { disabled: ['none'] } }, Workspace);
		await vscode.workspace.getConfiguration('editor').update('tabSize', 3, Global);
		await eventually('Server "of the settings"', () => (names().includes('mine') ? true : undefined));
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		await inState(api, 'recorder', 'running');
		const allowed = callAsOther(api, 'recorder', 'say', {});
		await inputs.pick(labelled('Always Allow…'));
		await inputs.pick(labelled('These arguments'));
		await allowed;
		assert.equal(await callAsOther(api, 'recorder', 'say', {}), '{}');
		const denied = callAsOther(api, 'garden', 'weed', {});
		await inputs.pick(labelled('Always Deny'));
		await denied;
		await vscode.commands.executeCommand('mcpWorkbench.servers.filter', { text: 'no such tool' });
		const { uri } = await vscode.workspace.openTextDocument({ content: 'not saved' });
		await vscode.window.showTextDocument(uri, { preview: false });
		await vscode.workspace.openTextDocument({ content: 'not shown' });
		await vscode.window.showTextDocument(vscode.Uri.file(path.join(workspaceFolder(), 'README.md')), {
			preview: false,
		});
		assert.ok(await vscode.window.activeTextEditor?.edit(it => it.insert(new vscode.Position(0, 0), 'changed')));
		fs.mkdirSync(path.join(workspaceFolder(), 'made', 'here'), { recursive: true });
		fs.writeFileSync(path.join(workspaceFolder(), 'made', 'here', 'file.txt'), '');
		fs.writeFileSync(
			path.join(workspaceFolder(), '.vscode', 'mcp-policy.json'),
			'{ "rules": [{ "decision": "allow" }] }',
		);
	}

	it('is empty again, and has what the next fixture has', async () => {
		const atFirst = files();
		await window.fill(fixture);
		const ofFixture = names();
		assert.deepEqual(ofFixture, ['garden', 'answers', 'recorder']);
		await use();
		assert.ok((await countHistory()) > 0);
		const [{ started = 0 } = {}] = records();
		assert.ok(isAlive(started));

		await window.empty();
		assert.deepEqual(names(), []);
		assert.ok(!isAlive(started));
		assert.deepEqual(files(), atFirst);
		assert.deepEqual(
			vscode.window.tabGroups.all.flatMap(it => it.tabs),
			[],
		);
		assert.deepEqual(
			vscode.workspace.textDocuments.filter(it => it.isUntitled),
			[],
		);
		assert.equal(settings().inspect('servers')?.globalValue, undefined);
		assert.equal(settings().inspect('tools')?.workspaceValue, undefined);
		assert.equal(settings().get('confirmServers'), 'never', 'what the window was opened with');
		assert.equal(vscode.workspace.getConfiguration('editor').inspect('tabSize')?.globalValue, undefined);
		assert.equal(await countHistory(), 0);

		await window.fill(fixture);
		assert.deepEqual(names(), ofFixture);
		// The window has asked, and answered, questions of its own.
		inputs.forget();
		const called = callAsOther(api, 'recorder', 'say', {});
		await inputs.pick(labelled('Deny'));
		assert.match(await called, /^denied: /, 'the person is asked again');
		await window.empty();
	});
});
