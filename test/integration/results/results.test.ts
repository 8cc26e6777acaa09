/** The tab of results and the documents of arguments; what is in the tab is in the end-to-end tests. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { listsAnswered, QuickInputs } from '../quickInputs.js';
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

	/** Opens the document of a tool as a person does. */
	async function openDocument(tool: string): Promise<vscode.TextEditor> {
		const { createQuickPick } = vscode.window;
		Object.assign(vscode.window, {
			createQuickPick: listsAnswered((items: readonly { tool?: { name: string } }[]) =>
				items.find(it => it.tool?.name === tool),
			),
		});
		try {
			await vscode.commands.executeCommand('mcpWorkbench.tool.run', { server: 'results' });
		} finally {
			Object.assign(vscode.window, { createQuickPick });
		}
		const editor = vscode.window.activeTextEditor;
		assert.ok(editor);
		assert.ok(editor.document.uri.path.endsWith(`/${tool}.json`), editor.document.uri.path);
		return editor;
	}

	it('documents begin with what is required, and have their schemas', async () => {
		const paste = async ({ document }: vscode.TextEditor, value: object): Promise<void> => {
			const $schema = document.uri.with({ scheme: 'mcp-workbench-schema' }).toString();
			const edit = new vscode.WorkspaceEdit();
			edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), JSON.stringify({ $schema, ...value }));
			await vscode.workspace.applyEdit(edit);
		};
		const problem = ({ document }: vscode.TextEditor, part: string): Promise<boolean> =>
			eventually(part, () =>
				vscode.languages.getDiagnostics(document.uri).some(it => it.message.includes(part)) ? true : undefined,
			);
		const first = await openDocument('nested');
		const text = first.document.getText();
		assert.deepEqual(JSON.parse(text), { $schema, where: { bed: '' } });
		assert.equal(first.document.offsetAt(first.selection.active), text.indexOf('""') + 1);
		const second = await openDocument('either');
		await paste(first, { where: { bed: 'south' }, plants: [{ kind: 'oak' }] });
		await paste(second, { bed: 5 });
		await problem(first, '"kale"');
		await problem(second, '"string"');
		// Closed and opened again, it says what was written, and has its schema.
		await first.document.save();
		await second.document.save();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		const again = await openDocument('nested');
		assert.match(again.document.getText(), /oak/);
		await problem(again, '"kale"');
	});

	it('a document knows the schema of its tool', async () => {
		const document = await write({ where: {} });
		await vscode.window.showTextDocument(document);
		await eventually('what is wrong', () =>
			vscode.languages.getDiagnostics(nested).some(it => it.message.includes('"bed"')) ? true : undefined,
		);
		const inside = document.positionAt(document.getText().lastIndexOf('{') + 1);
		const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
			'vscode.executeCompletionItemProvider',
			nested,
			inside,
		);
		assert.ok(
			items.some(it => it.label === 'bed' || (typeof it.label === 'object' && it.label.label === 'bed')),
			JSON.stringify(items.map(it => it.label)),
		);
		await document.save();
	});

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

	it('what is typed into the one field of a form is in the document too, finished or not', async () => {
		const { document } = await openDocument('either');
		const either = document.uri;
		const whole = { $schema: either.with({ scheme: 'mcp-workbench-schema' }).toString(), bed: 'west' };
		for (const [typed, expected] of [
			['{ "bed": ', '{ "bed": \n'],
			['{ "bed": "west" }', `${JSON.stringify(whole, undefined, 2)}\n`],
		] as const) {
			await write({ bed: 'south' }, either);
			const leading = vscode.commands.executeCommand('mcpWorkbench.arguments.toForm', either);
			await inputs.pick(it => it.label.startsWith('arguments'));
			((await inputs.look()) as vscode.InputBox).value = typed;
			await inputs.back();
			await inputs.pick(it => it.label === 'Edit as JSON…');
			await leading;
			assert.equal(document.getText(), expected);
		}
		await document.save();
	});

	it('what belongs to no tool is said', async () => {
		const gone = vscode.Uri.parse('mcp-workbench-arguments:/results/never-there.json');
		await vscode.workspace.openTextDocument(gone);
		await vscode.commands.executeCommand('mcpWorkbench.arguments.run', gone);
		assert.equal(await inputs.message(), 'The tool for these arguments no longer exists.');
	});
});
