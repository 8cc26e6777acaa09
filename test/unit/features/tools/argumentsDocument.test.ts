// Documents of arguments: their first text, where typing begins, their schema, and what is read from them.
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { JsonObject, Tool } from '../../../../src/mcp/index.js';
import type { Server } from '../../../../src/core/servers/server.js';
import { ArgumentsDocuments } from '../../../../src/features/tools/argumentsDocument.js';
import { leakCheck } from '../../../support/leakCheck.js';

describe('documents of arguments', () => {
	const cleanup = leakCheck();
	const { workspace, window } = vscode;
	const [oldWorkspace, oldWindow] = [{ ...workspace }, { ...window }];
	const inputSchema: JsonObject = {
		properties: { where: { type: 'object', properties: { bed: { type: 'string' } }, required: ['bed'] } },
		required: ['where'],
	};
	const tool: Tool = { name: 'weed', inputSchema };
	let documents: ArgumentsDocuments;
	let server: Server;
	let uri: vscode.Uri;
	let selected: (readonly [number, number])[];

	beforeEach(() => {
		selected = [];
		server = {
			use: async () => undefined,
			catalog: { whenLoaded: async () => undefined, tools: { kind: 'loaded', items: [tool] } },
		} as unknown as Server;
		const registry = {
			onDidChange: () => ({ dispose: () => undefined }),
			label: () => 'garden',
			labelled: (label: string) => (label === 'garden' ? server : undefined),
		};
		documents = cleanup.own(new ArgumentsDocuments(registry as never));
		Object.assign(workspace, {
			openTextDocument: async (it: vscode.Uri) => {
				uri = it;
				return { getText: textOf, positionAt: (at: number) => at };
			},
		});
		Object.assign(window, {
			showTextDocument: async () => ({
				set selection({ anchor, active }: { anchor: number; active: number }) {
					selected.push([anchor, active]);
				},
			}),
		});
	});
	afterEach(() => {
		Object.assign(workspace, oldWorkspace);
		Object.assign(window, oldWindow);
	});

	const textOf = (): string => new TextDecoder().decode(documents.readFile(uri));
	const first = '{\n  "$schema": "mcp-workbench-schema:/garden/weed.json"';

	for (const [what, args, text] of [
		['what is required', {}, `${first},\n  "where": {\n    "bed": "|"\n  }\n}\n`],
		['values, and the cursor at the first empty one', { a: 1, b: [] }, `${first},\n  "a": 1,\n  "b": [|]\n}\n`],
		['a missing value, selected', { a: null }, `${first},\n  "a": |null|\n}\n`],
		['values without a gap', { a: ': null' }, `${first},\n  "a": ": null"|\n}\n`],
		['unfinished text', '{ "a": ', '{ "a":| \n'],
		['a schema of its own, after ours', { $schema: 'x' }, `${first},\n  "$schema": "x"|\n}\n`],
	] as const) {
		it(`begin with ${what}`, async () => {
			await documents.open(server, tool, args);
			const [[start, end] = [0, 0]] = selected;
			const shown = textOf();
			const middle = start === end ? '|' : `|${shown.slice(start, end)}|`;
			assert.equal(`${shown.slice(0, start)}${middle}${shown.slice(end)}`, text);
		});
	}

	it('are read without the line that names the schema, but with a schema of their own', async () => {
		for (const args of [{ a: 1 }, { $schema: 'x', a: 1 }]) {
			await documents.open(server, tool, args);
			assert.deepEqual((await documents.read(uri)).args, args);
		}
		await documents.open(server, tool, '{ "a": ');
		await assert.rejects(documents.read(uri), /aren't a JSON object yet/);
		await assert.rejects(documents.read(uri.with({ path: '/garden/other.json' })), /no longer exists/);
		await assert.rejects(documents.read(uri.with({ scheme: 'file' })), /doesn't contain tool arguments/);
	});

	it('have a schema, which also allows the line that names it', async () => {
		await documents.open(server, tool, {});
		const schema = JSON.parse(documents.provideTextDocumentContent(uri)) as { readonly properties: JsonObject };
		assert.deepEqual(Object.keys(schema.properties), ['where', '$schema']);
		assert.deepEqual(JSON.parse(documents.provideTextDocumentContent(uri.with({ path: '/garden/other.json' }))), {
			properties: { $schema: { type: 'string' } },
		});
	});

	it('are empty when the editor restores one that was not saved, and are never others', async () => {
		await documents.open(server, tool, {});
		uri = uri.with({ path: '/garden/other.json' });
		assert.equal(textOf(), '{\n  "$schema": "mcp-workbench-schema:/garden/other.json"\n}\n');
		assert.throws(() => documents.stat(uri.with({ path: '/other' })));
	});
});
