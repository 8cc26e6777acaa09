// Contents of resources reach no more than a text editor: no notebook, no custom editor, no address that they name.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { eventually, workspaceFolder } from '../support.js';
import { QuickInputs } from '../quickInputs.js';
import { SchemaBeacon } from '../schemaBeacon.js';
import { act, activeEditor, activeTab, open, startServers, useResource } from './support.js';

/** A resource that has these contents. */
function given(name: string, text: string, mimeType?: string): string {
	return `lib://given/${name}?${encodeURIComponent(JSON.stringify({ text, mimeType }))}`;
}

/** Opens it as a click on something that the extension has handed out would: the editor chooses the view. */
async function openAsLink(uri: vscode.Uri): Promise<vscode.Tab> {
	await vscode.commands.executeCommand('workbench.action.closeAllEditors');
	await vscode.commands.executeCommand('vscode.open', uri);
	return activeTab();
}

const notebook = JSON.stringify({
	cells: [
		{
			cell_type: 'code',
			source: [],
			metadata: {},
			execution_count: null,
			outputs: [
				{ output_type: 'display_data', metadata: {}, data: { 'text/html': ['<img src="https://example.invalid/">'] } },
			],
		},
	],
	metadata: {},
	nbformat: 4,
	nbformat_minor: 5,
});

describe('untrusted contents of resources', () => {
	let api: ExtensionApi;
	before(async () => {
		api = await startServers('library');
	});
	afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
	after(() => vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'library' }));

	it('a notebook of the workspace opens as one, and another extension has an editor for .claimed and .rs', async () => {
		const file = (name: string, text: string): vscode.Uri => {
			fs.writeFileSync(path.join(workspaceFolder(), name), text);
			return vscode.Uri.file(path.join(workspaceFolder(), name));
		};
		const { input } = await openAsLink(file('own.ipynb', notebook));
		assert.ok(input instanceof vscode.TabInputNotebook);
		assert.ok((await openAsLink(file('own.claimed', ''))).input instanceof vscode.TabInputCustom);
		assert.ok((await openAsLink(file('own.rs', ''))).input instanceof vscode.TabInputCustom);
	});

	for (const [name, text, mimeType] of [
		['x.ipynb', notebook, 'application/x-ipynb+json'],
		['X.IPYNB', notebook, undefined],
		['x.claimed', '<script>1</script>', 'text/html'],
		['claimed', '<script>1</script>', 'text/claimed'],
		['x.rs', 'fn main() {}', undefined],
	] as const) {
		it(`${name} (${mimeType ?? 'no type'}) opens as text`, async () => {
			await open(given(name, text, mimeType));
			assert.ok(activeTab().input instanceof vscode.TabInputText, JSON.stringify(activeTab().input));
			assert.equal(activeEditor().document.getText(), text);
		});
	}

	for (const name of ['x.ipynb', 'x.claimed', 'x.rs', 'x.json']) {
		it(`${name} is compared with what it was as text`, async () => {
			const uri = `lib://changing/${name}`;
			await act(api, 'change', { uri, text: '{"a":1}' });
			await open(uri);
			await act(api, 'change', { uri, text: '{"a":2}' });
			await vscode.commands.executeCommand('mcpWorkbench.resource.refresh', { server: 'library', uri });
			const inputs = new QuickInputs();
			await useResource(inputs, 'Compare with Previous Version', { server: 'library', uri }).finally(() =>
				inputs.dispose(),
			);
			await eventually('two texts', () => (activeTab().input instanceof vscode.TabInputTextDiff ? true : undefined));
		});
	}

	it('no other name of a resource leads to its contents', async () => {
		await open(given('x.ipynb', notebook));
		const { uri } = activeEditor().document;
		const as = (name: string): vscode.Uri => uri.with({ path: uri.path.replace(/[^/]*$/, name) });
		assert.equal(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString(), notebook);
		for (const name of ['x.ipynb', 'x.ipynb.ipynb', 'x.claimed', 'x.json']) {
			await assert.rejects(async () => vscode.workspace.fs.readFile(as(name)), name);
			await assert.rejects(async () => vscode.workspace.fs.stat(as(name)), name);
		}
	});

	describe('that name a schema at an address', () => {
		let beacon: SchemaBeacon;
		before(async () => {
			beacon = await SchemaBeacon.open();
		});
		after(() => beacon.close());

		for (const [name, mimeType] of [
			['x.json', undefined],
			['x', 'application/json'],
			['x', 'application/schema+json'],
			['x', 'application/jsonc'],
			['x', 'application/snippets'],
			['tasks.json', 'text/plain'],
			['tsconfig.json', 'application/json'],
			['x.code-workspace', 'text/plain'],
			['.babelrc', 'text/plain'],
			['composer.lock', undefined],
			['deep/.vscode/settings.json', undefined],
			['x.code-snippets', undefined],
		] as const) {
			it(`${name} (${mimeType ?? 'no type'}) asks nobody for it`, async () => {
				const text = JSON.stringify({ $schema: beacon.url(name), tasks: [] });
				await open(given(name, text, mimeType));
				await beacon.expectNone(name);
				assert.doesNotMatch(activeEditor().document.languageId, /^(jsonc?|snippets)$/);
			});
		}

		it('JSON and XML are colored all the same', async () => {
			for (const [name, mimeType, language] of [
				['x.json', undefined, 'jsonl'],
				['x', 'application/vnd.x+json; charset=utf-8', 'jsonl'],
				['x.xml', undefined, 'html'],
				['x', 'text/xml', 'html'],
			] as const) {
				await open(given(name, '1', mimeType));
				await eventually(language, () => (activeEditor().document.languageId === language ? true : undefined));
			}
		});
	});
});
