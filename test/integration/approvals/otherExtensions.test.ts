/** What another extension can do by our commands and documents without the person: nothing that is not asked about. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import type { CallEntry } from '../../../src/core/history/historyEntry.js';
import { listsAnswered, QuickInputs } from '../quickInputs.js';
import { activate, callTool, inState, workspaceFolder } from '../support.js';

const token = 'sesame-open-4711';
const address = vscode.Uri.parse('mcp-workbench-arguments:/garden/weed.json');

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

	/** Answers the sheet that the command leads to; gives its lines. */
	async function asked(work: () => Thenable<unknown>, answer: string): Promise<string[]> {
		const done = Promise.resolve(work()).catch(() => undefined);
		const { lines } = await inputs.pick(labelled(answer));
		await done;
		return lines;
	}

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

	async function write(bed: string): Promise<void> {
		const document = await vscode.workspace.openTextDocument(address);
		const edit = new vscode.WorkspaceEdit();
		edit.replace(address, new vscode.Range(0, 0, document.lineCount, 0), JSON.stringify({ bed }));
		await vscode.workspace.applyEdit(edit);
		await document.save();
	}

	it('is no person because it has written a document of arguments', async () => {
		await write('roses');
		const lines = await asked(() => run('arguments.run', address), 'Deny');
		assert.ok(lines.includes('"bed" | "roses"'), lines.join('\n'));
		assert.ok(lines.includes('Caller | Document with tool arguments'), lines.join('\n'));
		const entry = await newest();
		assert.deepEqual([entry.caller, entry.end.kind], [{ kind: 'document' }, 'denied']);
	});

	it('sends what was shown, whatever it writes while the sheet is open', async () => {
		await write('roses');
		const running = run('arguments.run', address);
		await inputs.look();
		await write('everything');
		await inputs.pick(labelled('Allow Once'));
		await running;
		const entry = await newest();
		assert.deepEqual([entry.arguments, entry.end.kind], [{ bed: 'roses' }, 'answered']);
	});

	it('changes no protection with something that looks like a line of the tree', async () => {
		const settings = (): string =>
			JSON.stringify(vscode.workspace.getConfiguration('mcpWorkbench').get('serverOptions') ?? {});
		const before = settings();
		const fakes = [
			{ server: 'garden', tool: 'water' },
			{ kind: 'leaf', server: { name: 'garden', options: {} }, entry: { name: 'water' } },
			{ $treeViewId: 'mcpWorkbench.servers', $treeItemHandle: '0/0:garden' },
			address,
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
