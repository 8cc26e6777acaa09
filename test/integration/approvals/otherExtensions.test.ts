/** What another extension can do by our commands without the person: nothing that is not asked about. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import type { CallEntry } from '../../../src/core/history/historyEntry.js';
import { listsAnswered, QuickInputs } from '../quickInputs.js';
import { activate, callTool, eventually, inState, workspaceFolder } from '../support.js';

const token = 'sesame-open-4711';

describe('another extension', () => {
	let api: ExtensionApi;
	let inputs: QuickInputs;
	const original = { ...vscode.window };

	before(async () => {
		api = await activate();
		const starting = new QuickInputs();
		const isRunning = api.servers().find(it => it.name === 'garden')?.state === 'running';
		const started = run('server.start', { server: 'garden' });
		await (isRunning ? undefined : starting.type(token));
		await started;
		await inState(api, 'garden', 'running');
		starting.dispose();
	});
	beforeEach(() => {
		inputs = new QuickInputs();
		Object.assign(vscode.window, {
			showInformationMessage: (message: string, button: string) =>
				Promise.resolve(/ wants to run | is waiting for your /.test(message) ? button : undefined),
		});
	});
	afterEach(async () => {
		inputs.dispose();
		const { showInformationMessage, createQuickPick } = original;
		Object.assign(vscode.window, { showInformationMessage, createQuickPick });
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
		vscode.commands.executeCommand(`mcpWorkbench.${command}`, ...args);
	const labelled =
		(label: string) =>
		(item: vscode.QuickPickItem): boolean =>
			item.label === label;

	/** The newest call that is kept, as anybody can get it. */
	async function newest(): Promise<CallEntry> {
		Object.assign(vscode.window, {
			createQuickPick: listsAnswered((items: readonly vscode.QuickPickItem[]) => Promise.resolve(items[0])),
		});
		const using = run('history.use');
		await inputs.pick(labelled('Copy as JSON'));
		await using;
		return JSON.parse(await vscode.env.clipboard.readText()) as CallEntry;
	}

	it('runs nothing by editing an earlier call, which only opens the page of the tool', async () => {
		const call = Promise.resolve(run('tool.run', { server: 'garden', tool: 'weed', arguments: { bed: 'roses' } }));
		await inputs.pick(labelled('Allow Once'));
		await call;
		const before = await newest();
		const editing = run('history.use');
		await inputs.pick(labelled('Edit and Run…'));
		await editing;
		await eventually('the page', () =>
			vscode.window.tabGroups.activeTabGroup.activeTab?.label === 'weed · garden' ? true : undefined,
		);
		// The page takes the focus when it has loaded, which would close the list of calls.
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		assert.equal((await newest()).id, before.id);
	});

	it('changes no protection with something that looks like a line of the tree', async () => {
		const settings = (): string => JSON.stringify(vscode.workspace.getConfiguration('mcpWorkbench').get('tools') ?? {});
		const before = settings();
		const fakes = [
			{ server: 'garden', tool: 'water' },
			{ kind: 'leaf', server: { name: 'garden', options: {} }, entry: { name: 'water' } },
			{ $treeViewId: 'mcpWorkbench.servers', $treeItemHandle: '0/0:garden' },
			vscode.Uri.parse('mcp-workbench://garden/water'),
		];
		// Where it is no line, a list of tools asks the person, who leaves it.
		Object.assign(vscode.window, { createQuickPick: listsAnswered(() => undefined) });
		for (const command of ['tool.toggle', 'tool.review']) {
			for (const it of fakes) {
				await run(command, it);
			}
		}
		assert.equal(settings(), before);
	});

	it('starts no server that a rule denies', async () => {
		const policy = vscode.Uri.joinPath(vscode.Uri.file(workspaceFolder()), '.vscode', 'mcp-policy.json');
		const text = JSON.stringify({ rules: [{ decision: 'deny', server: 'garden' }] });
		await vscode.workspace.fs.writeFile(policy, new TextEncoder().encode(text));
		try {
			await run('server.stop', { server: 'garden' });
			await inState(api, 'garden', 'stopped');
			await assert.rejects(callTool(api, 'garden', 'nothing'), { code: 'denied' });
			await inState(api, 'garden', 'stopped');
		} finally {
			await vscode.workspace.fs.delete(policy);
		}
	});
});
