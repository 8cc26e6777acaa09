// Documents that show what servers said reach no more than a text editor, and fetch nothing that they name.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { openBlock, openStructured } from '../../../src/editor/pages/resultHost.js';
import { Documents } from '../../../src/editor/documents/documents.js';
import type { ContentBlock, ToolResult } from '../../../src/mcp/index.js';
import type { CallOutcome } from '../../../src/core/calls/calls.js';
import { SchemaBeacon } from '../schemaBeacon.js';
import { activate, eventually } from '../support.js';

function activeTab(): vscode.Tab {
	const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
	assert.ok(tab);
	return tab;
}

function outcome(tool: string, result: Partial<ToolResult>): CallOutcome {
	const end = {
		kind: 'answered',
		result: { content: [], isError: false, ...result },
		schemaCheck: undefined,
		warnings: [],
	} as const;
	const server = undefined as never;
	return { id: '1', server, tool: { name: tool, inputSchema: {} }, arguments: {}, durationMs: 5, end };
}

describe('documents with what servers said', () => {
	let beacon: SchemaBeacon;
	let documents: Documents;
	before(async () => {
		await activate();
		beacon = await SchemaBeacon.open();
		documents = new Documents();
	});
	afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));
	after(() => {
		documents.dispose();
		return beacon.close();
	});

	const withAddress = (name: string): string => JSON.stringify({ $schema: beacon.url(name) });
	const openResource = (uri: string, text: string): Promise<void> => {
		const block: ContentBlock = { type: 'resource', resource: { uri, text } };
		return openBlock(outcome('tool', {}), block, documents);
	};
	const openings: readonly (readonly [name: string, open: (name: string) => Promise<unknown>])[] = [
		[
			'structured content',
			name => openStructured(outcome('tool', { structuredContent: { $schema: beacon.url(name) } }), documents),
		],
		[
			'a block of an unknown kind',
			name =>
				openBlock(outcome('tool', {}), { type: 'unknown', raw: { type: 'x', $schema: beacon.url(name) } }, documents),
		],
		['tasks.json', name => openResource(`a://b/${name}`, withAddress(name))],
		['x.json', name => openResource(`a://b/${name}`, withAddress(name))],
		['.babelrc', name => openResource(`a://b/${name}`, withAddress(name))],
		['tsconfig.json', name => documents.show(name, withAddress(name))],
		['bun.lock', name => documents.showDiff(name, withAddress(name), withAddress(name))],
	];
	for (const [name, openDocument] of openings) {
		it(`${name}: no schema is asked for`, async () => {
			await openDocument(name);
			await beacon.expectNone(name);
			const languages = vscode.window.visibleTextEditors.map(it => it.document.languageId);
			assert.ok(languages.length > 0);
			assert.deepEqual(
				languages.filter(it => /^(jsonc?|snippets)$/.test(it)),
				[],
			);
		});
	}

	it('JSON has its colors, and its text stays when its language changes', async () => {
		const block: ContentBlock = { type: 'resource', resource: { uri: 'a://b/x.json', text: '{"a":1}' } };
		await openBlock(outcome('tool', {}), block, documents);
		const document = vscode.window.activeTextEditor?.document;
		assert.ok(document);
		await eventually('the language', () => (document.languageId === 'jsonl' ? true : undefined));
		assert.equal(documents.provideTextDocumentContent(document.uri), '{"a":1}');
	});

	it('notebooks are text, also side by side', async () => {
		await openResource('a://b/x.ipynb', '{}');
		assert.ok(activeTab().input instanceof vscode.TabInputText);
		await documents.show('x.ipynb', '{}');
		assert.ok(activeTab().input instanceof vscode.TabInputText);
		await documents.showDiff('x.ipynb', '{}', '{"a":1}');
		assert.ok(activeTab().input instanceof vscode.TabInputTextDiff);
		// As after a reload, when the editor asks by name alone.
		for (const { uri } of vscode.workspace.textDocuments.filter(it => it.uri.scheme === 'mcp-workbench-document')) {
			await vscode.commands.executeCommand('vscode.open', uri);
			assert.ok(activeTab().input instanceof vscode.TabInputText, uri.path);
		}
	});
});
