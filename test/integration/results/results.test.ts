/** The tab of results and the documents of arguments; what is in the tab is in the end-to-end tests. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { QuickInputs } from '../quickInputs.js';
import { activate, eventually, inState } from '../support.js';

const nested = vscode.Uri.parse('mcp-workbench-arguments:/results/nested.json');
const runArguments = 'mcpWorkbench.arguments.run';
const $schema = 'mcp-workbench-schema:/results/nested.json';

describe('arguments and results', () => {
	let inputs: QuickInputs;

	before(async () => {
		const api = await activate();
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'results' });
		await inState(api, 'results', 'running');
	});
	beforeEach(() => {
		inputs = new QuickInputs();
	});
	afterEach(async () => {
		inputs.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	});

	function resultTab(label: string): Promise<vscode.Tab> {
		return eventually(label, () =>
			vscode.window.tabGroups.all
				.flatMap(it => it.tabs)
				.find(it => it.label === label && it.input instanceof vscode.TabInputWebview),
		);
	}

	async function write(args: object, uri = nested): Promise<vscode.TextDocument> {
		const document = await vscode.workspace.openTextDocument(uri);
		const edit = new vscode.WorkspaceEdit();
		edit.replace(uri, new vscode.Range(0, 0, document.lineCount, 0), JSON.stringify({ $schema, ...args }));
		await vscode.workspace.applyEdit(edit);
		return document;
	}

	/** Answers the question that running a document leads to; gives its lines. */
	async function run(answer: string): Promise<string[]> {
		const running = vscode.commands.executeCommand(runArguments, nested);
		const { lines } = await inputs.pick(it => it.label === answer);
		await running;
		return lines;
	}

	it('a document runs, and the result has a tab that does not take the focus', async () => {
		const document = await write({ where: { bed: 'south' } });
		await vscode.window.showTextDocument(document);
		const lines = await run('Allow Once');
		assert.ok(lines.includes('"where" | {"bed":"south"}'), lines.join('\n'));
		assert.ok(lines.includes('Caller | Document with tool arguments'), lines.join('\n'));
		const tab = await resultTab('nested · results');
		assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), nested.toString());
		assert.notEqual(tab.group.viewColumn, vscode.window.activeTextEditor?.viewColumn, 'it is beside');
		await document.save();
	});

	it('one tab shows all results, one after the other', async () => {
		const document = await write({ where: { bed: 'south' } });
		await vscode.window.showTextDocument(document);
		for (let time = 0; time < 3; time++) {
			// An answer for the session spares the others.
			await (time === 0 ? run('Allow for This Session') : vscode.commands.executeCommand(runArguments, nested));
		}
		await resultTab('nested · results');
		const tabs = vscode.window.tabGroups.all.flatMap(it => it.tabs);
		assert.equal(tabs.filter(it => it.input instanceof vscode.TabInputWebview).length, 1);
		await document.save();
	});

	it('what is no JSON yet is said, and stays', async () => {
		const document = await vscode.workspace.openTextDocument(nested);
		const edit = new vscode.WorkspaceEdit();
		edit.replace(nested, new vscode.Range(0, 0, document.lineCount, 0), '{ "where": ');
		await vscode.workspace.applyEdit(edit);
		await vscode.commands.executeCommand('mcpWorkbench.arguments.run', nested);
		assert.equal(await inputs.message(), "The arguments aren't a JSON object yet. Fix the underlined errors.");
		assert.equal(document.getText(), '{ "where": ');
		await document.save();
	});
});
