import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { openDefinition } from '../../../src/features/servers/openConfiguration.js';
import type { ServerDefinition } from '../../../src/core/config/serverDefinition.js';
import { activate, eventually, inState, workspaceFolder, writeFollowed } from '../support.js';

describe('editing what configures servers', function () {
	let api: ExtensionApi;
	let uri: vscode.Uri;
	let original: string;

	before(async () => {
		api = await activate();
		uri = vscode.Uri.file(path.join(workspaceFolder(), '.mcp.json'));
		original = fs.readFileSync(uri.fsPath, 'utf8');
	});

	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await writeFollowed(uri, original);
		await eventually('the servers as they were', () => api.servers().find(it => it.name === 'root'));
	});

	const fixes: readonly (readonly [title: string, code: string, servers: string, mended: string])[] = [
		[
			'Replace with ${env:KEY}',
			'unknownVariable',
			'{ "x": { "url": "${Env:KEY}" } }',
			'{ "x": { "url": "${env:KEY}" } }',
		],
		['Rename to "near-2"', 'shadowed', '{ "near": { "command": "a" } }', '{ "near-2": { "command": "a" } }'],
	];
	it('marks and fixes an input that is not defined', async () => {
		const text = '{\n\t"mcpServers": {\n\t\t"x": { "url": "u/${input:api-key}/${input:place}" } // mine\n\t}\n}\n';
		await writeFollowed(uri, text);
		const ours = (): vscode.Diagnostic[] =>
			vscode.languages.getDiagnostics(uri).filter(it => it.source === 'MCP Workbench');
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document);
		const [key, place, ...more] = await eventually('both marks', () => (ours().length === 2 ? ours() : undefined));
		assert.deepEqual(
			[key, place].map(it => it && [document.getText(it.range), it.code]),
			[
				['${input:api-key}', 'undefinedInput'],
				['${input:place}', 'undefinedInput'],
			],
		);
		assert.deepEqual(more, []);
		for (const id of ['api-key', 'place']) {
			const mark = (): vscode.Diagnostic | undefined =>
				ours().find(it => document.getText(it.range) === `\${input:${id}}`);
			const action = await eventuallyAction(uri, mark, `Define input "${id}"`);
			assert.ok(await vscode.workspace.applyEdit(action.edit ?? assert.fail('no edit')));
			assert.ok(await document.save(), 'not saved');
			await eventually('that it is known', () => (ours().some(it => it.message.includes(id)) ? undefined : true));
		}
		const defined = [
			{ id: 'api-key', type: 'promptString', description: 'api-key', password: true },
			{ id: 'place', type: 'promptString', description: 'place' },
		];
		assert.ok(document.getText().includes('// mine\n'));
		assert.deepEqual(JSON.parse(document.getText().replace('// mine', '')).inputs, defined);
	});

	for (const [title, code, servers, mended] of fixes) {
		it(`marks and fixes: ${code}`, async () => {
			await writeFollowed(uri, `{ "mcpServers": ${servers} }`);
			const mark = (): vscode.Diagnostic | undefined => {
				const ours = vscode.languages.getDiagnostics(uri).filter(it => it.source === 'MCP Workbench');
				return ours.length === 1 && ours[0]?.code === code ? ours[0] : undefined;
			};
			await eventually(`a problem ${code}`, mark);
			const document = await vscode.workspace.openTextDocument(uri);
			await vscode.window.showTextDocument(document);
			const action = await eventuallyAction(uri, mark, title);
			assert.ok(action.edit);
			assert.ok(await vscode.workspace.applyEdit(action.edit));
			assert.equal(document.getText(), `{ "mcpServers": ${mended} }`);
			assert.ok(await document.save(), 'not saved');
			await eventually('no problem', () =>
				vscode.languages.getDiagnostics(uri).some(it => it.source === 'MCP Workbench') ? undefined : true,
			);
		});
	}

	it('marks and fixes servers under an unknown key', async () => {
		const text = '{ "mcp": { "x": { "command": "a" } } }';
		await writeFollowed(uri, text);
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document);
		const mark = (): vscode.Diagnostic | undefined =>
			vscode.languages.getDiagnostics(uri).find(it => it.source === 'MCP Workbench' && it.code === 'wrongKey');
		const { edit } = await eventuallyAction(uri, mark, 'Correct the key of the servers');
		assert.ok(await vscode.workspace.applyEdit(edit ?? assert.fail('no edit')));
		assert.equal(document.getText(), text.replace('"mcp"', '"mcpServers"'));
		assert.ok(await document.save(), 'not saved');
		await eventually('the server', () => api.servers().find(it => it.name === 'x'));
	});

	it('each server has one lens, for what comes next', async () => {
		const servers = `{ "fails": { "command": "no-such-command" }, "idle": { "command": "x" },
			"root": { "command": "node", "args": ["\${MCP_WORKBENCH_PROJECT}/test/fixtures/servers/good.mjs"] } }`;
		await writeFollowed(uri, `{ "mcpServers": ${servers} }`);
		await eventually('the servers', () => api.servers().find(it => it.name === 'idle'));
		for (const name of ['fails', 'root']) {
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: name });
		}
		await inState(api, 'fails', 'failed');
		await inState(api, 'root', 'running');
		await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
		const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 10);
		const ours = lenses.filter(it => it.command?.command.startsWith('mcpWorkbench.'));
		assert.deepEqual(
			ours.map(it => [it.range.start.line, it.command?.title]),
			[
				[0, '$(question) Diagnose in Workbench'],
				[0, '$(debug-start) Start in Workbench'],
				[1, '$(play) Run Tool in Workbench…'],
			],
		);
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'root' });
	});

	it('.mcp.json is completed, and what other clients write there is no mistake', async () => {
		const text = '{ "mcpServers": { "x": { "command": "y", "alwaysAllow": ["z"], "timeout": 5,  } } }';
		await writeFollowed(uri, text);
		const document = await vscode.workspace.openTextDocument(uri);
		await vscode.window.showTextDocument(document);
		const position = document.positionAt(text.indexOf(' } }'));
		const list = await vscode.commands.executeCommand<vscode.CompletionList>(
			'vscode.executeCompletionItemProvider',
			uri,
			position,
		);
		const labels = list.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
		for (const property of ['args', 'env', 'url', 'headers', 'disabled']) {
			assert.ok(labels.includes(property), labels.join());
		}
		const complaints = vscode.languages
			.getDiagnostics(uri)
			.filter(it => !/trailing comma|not found, did you mean/i.test(it.message));
		assert.deepEqual(
			complaints.map(it => it.message),
			[],
		);
	});

	const at = (source: ServerDefinition['source'], name: string, offset = 0): ServerDefinition => {
		const launch = { kind: 'http', url: 'u', headers: {} } as const;
		return { id: 'x', name, source, offset, launch, inputs: [] };
	};
	const shared = { folderUri: undefined, folderName: undefined };

	it('a server of the settings is opened there, at its place', async () => {
		const settings = vscode.workspace.getConfiguration('mcpWorkbench');
		const { Global } = vscode.ConfigurationTarget;
		await settings.update('servers', { 'a.b': { url: 'u' }, wanted: { url: 'u' } }, Global);
		try {
			await openDefinition(at({ kind: 'userSettings', uri: 'mcpWorkbench.servers', ...shared }, 'wanted'));
			const { document, selection } = vscode.window.activeTextEditor ?? assert.fail('nothing was opened');
			assert.match(document.uri.path, /\/settings\.json$/);
			assert.match(document.lineAt(selection.active.line).text, /"wanted"/);
		} finally {
			await settings.update('servers', undefined, Global);
		}
	});

	it('a server of a file is opened there, at its place', async () => {
		const file = vscode.workspace.workspaceFile ?? assert.fail('no workspace file');
		const offset = fs.readFileSync(file.fsPath, 'utf8').indexOf('"shared"');
		await openDefinition(at({ kind: 'workspaceFile', uri: file.toString(), ...shared }, 'shared', offset));
		const { document, selection } = vscode.window.activeTextEditor ?? assert.fail('nothing was opened');
		assert.equal(document.uri.toString(), file.toString());
		assert.match(document.lineAt(selection.active.line).text, /"shared"/);
	});
});

/**
 * A quick fix for a mark, wherever the mark is by then: marks are made again when files are read again. The editor takes the
 * question back when it is still busy with a file that was just opened.
 */
async function eventuallyAction(
	uri: vscode.Uri,
	mark: () => vscode.Diagnostic | undefined,
	title: string,
): Promise<vscode.CodeAction> {
	let seen = '';
	for (const deadline = Date.now() + 40_000; Date.now() < deadline; await delay(50)) {
		const range = mark()?.range;
		const actions =
			range &&
			(await vscode.commands
				.executeCommand<vscode.CodeAction[]>(
					'vscode.executeCodeActionProvider',
					uri,
					range,
					vscode.CodeActionKind.QuickFix.value,
				)
				.then(undefined, () => []));
		const action = actions?.find(it => it.title === title);
		if (action) {
			return action;
		}
		seen = JSON.stringify([actions?.map(it => it.title), vscode.languages.getDiagnostics(uri)]);
	}
	return assert.fail(`no "${title}" among ${seen}`);
}
