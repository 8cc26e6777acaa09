import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { workspaceFileServers } from '../../../src/editor/workspace/config.js';
import { activate, eventually, inState, workspaceFolder, writeWhole } from '../support.js';

const root = (): string => path.join(workspaceFolder(), '..');
const files = {
	near: () => path.join(root(), 'first', '.vscode', 'mcp.json'),
	root: () => path.join(root(), 'first', '.mcp.json'),
	other: () => path.join(root(), 'second', '.mcp.json'),
	shared: () => path.join(root(), 'test.code-workspace'),
};
const good = '${env:MCP_WORKBENCH_PROJECT}/test/fixtures/servers/good.mjs';
const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('mcpWorkbench');

describe('servers of every source', function () {
	let api: ExtensionApi;
	const originals = new Map<string, string>();

	const names = (): string =>
		api
			.servers()
			.map(it => it.name)
			.join(' ');
	const states = (): string =>
		api
			.servers()
			.map(it => `${it.name}: ${it.state}`)
			.join(', ');
	const hasNames = (expected: string): Promise<true> =>
		eventually(`${expected} instead of ${names()}`, () => (names() === expected ? true : undefined));
	const hasStates = (expected: string): Promise<true> =>
		eventually(expected, () => (states() === expected ? true : undefined)).catch(() => {
			assert.equal(states(), expected);
			return true;
		});
	const setUser = async (servers: object | undefined): Promise<void> => {
		await settings().update('servers', servers, vscode.ConfigurationTarget.Global);
	};

	before(async () => {
		for (const file of Object.values(files)) {
			originals.set(file(), fs.readFileSync(file(), 'utf8'));
		}
		api = await activate();
		await setUser({ mine: { command: 'node', args: [good] }, shared: { command: 'no-such-command' } });
		await hasNames('near root other shared mine');
	});

	beforeEach(async () => {
		for (const name of names().split(' ')) {
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: name });
		}
		await hasStates('near: running, root: running, other: running, shared: running, mine: running');
	});

	after(async () => {
		await setUser(undefined);
		for (const [file, text] of originals) {
			writeWhole(file, text);
		}
		for (const { name } of api.servers()) {
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
		}
	});

	it('each really yields a server that runs, and of one name the nearest', async () => {
		for (const name of names().split(' ')) {
			const { counts } = await inState(api, name, 'running');
			assert.equal(counts.tools, 1, name);
		}
	});

	it('the editor says as well what the workspace file configures, for one that is no file yet', () => {
		assert.deepEqual(Object.keys((workspaceFileServers() as { servers: object }).servers), ['shared', 'root']);
	});

	it('says at the place of the one that loses which one counts', () => {
		const losers = [
			[files.root(), '"near"', '.vscode/mcp.json in folder "first"'],
			[files.shared(), '"root"', '.mcp.json in folder "first"'],
		] as const;
		for (const [file, name, winner] of losers) {
			const [found, ...others] = ourDiagnostics(file);
			assert.ok(found);
			assert.deepEqual(others, []);
			assert.equal(textAt(file, found.range), name);
			assert.equal(found.severity, vscode.DiagnosticSeverity.Information);
			assert.ok(found.message.includes(winner), found.message);
		}
	});

	/** Runs it once more with its definition as it was: it is stopped as soon as the edit has arrived. */
	const restored = async (name: string, restore: () => Promise<void> | void): Promise<void> => {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: name });
		await inState(api, name, 'running');
		await restore();
		await inState(api, name, 'stopped');
	};

	const edits: readonly (readonly [name: keyof typeof files, states: string])[] = [
		['near', 'near: stopped, root: running, other: running, shared: running, mine: running'],
		['root', 'near: running, root: stopped, other: running, shared: running, mine: running'],
		['other', 'near: running, root: running, other: stopped, shared: running, mine: running'],
		['shared', 'near: running, root: running, other: running, shared: stopped, mine: running'],
	];
	for (const [name, expected] of edits) {
		it(`an edit of "${name}" touches it alone, and what is half-typed touches nothing`, async () => {
			const file = files[name]();
			const before = originals.get(file) ?? '';
			const problems = (): number => ourDiagnostics(file).filter(it => it.code === 'syntax').length;
			writeWhole(file, before.slice(0, before.indexOf('good') + 2));
			await eventually('the mistake', () => (problems() === 1 ? true : undefined));
			assert.equal(states(), 'near: running, root: running, other: running, shared: running, mine: running');
			writeWhole(file, before);
			await eventually('no mistake', () => (problems() === 0 ? true : undefined));
			assert.equal(states(), 'near: running, root: running, other: running, shared: running, mine: running');

			// Only the definition of that name: the file may hold one that loses as well.
			const edited = before
				.replace('good.mjs"', 'good.mjs", "--edited"')
				.replace('good}.mjs"', 'good}.mjs", "--edited"');
			assert.notEqual(edited, before);
			writeWhole(file, edited);
			await hasStates(expected);
			await restored(name, () => writeWhole(file, before));
		});
	}

	it('an edit of the settings touches only the server that it changes', async () => {
		const mine = { command: 'node', args: [good] };
		await setUser({ mine, second: { command: 'node', args: [good] } });
		await hasStates('near: running, root: running, other: running, shared: running, mine: running, second: stopped');
		await setUser({ mine: { ...mine, env: { A: '1' } } });
		await hasStates('near: running, root: running, other: running, shared: running, mine: stopped');
		await restored('mine', () => setUser({ mine, shared: { command: 'no-such-command' } }));
	});

	it('settings that are half-typed touch nothing', async () => {
		await vscode.commands.executeCommand(
			vscode.env.remoteName === undefined
				? 'workbench.action.openSettingsJson'
				: 'workbench.action.openRemoteSettingsFile',
		);
		const editor = await eventually('the settings', () => vscode.window.activeTextEditor);
		// Read anew: the editor saves nothing if the file was written after it was read, as by the test before.
		await vscode.commands.executeCommand('workbench.action.files.revert');
		const { document } = editor;
		const before = document.getText();
		const place = before.indexOf('"mine"');
		assert.ok(place >= 0, before);
		const running = 'near: running, root: running, other: running, shared: running, mine: running';
		try {
			await replaceAll(editor, before.slice(0, place));
			assert.ok(await document.save());
			// The editor has taken it for a setting without servers: there is nothing else to wait for.
			await eventually('the setting', () => (JSON.stringify(settings().get('servers')) === '{}' ? true : undefined));
			assert.equal(states(), running);
		} finally {
			await replaceAll(editor, before);
			assert.ok(await document.save());
			await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		}
		await eventually('the setting', () => (JSON.stringify(settings().get('servers')) === '{}' ? undefined : true));
		assert.equal(states(), running);
	});

	it('where the nearest goes away, the next one counts', async () => {
		const before = originals.get(files.near()) ?? '';
		writeWhole(files.near(), '{ "servers": {} }');
		await hasStates('root: running, near: stopped, other: running, shared: running, mine: running');
		assert.deepEqual(ourDiagnostics(files.root()), []);
		writeWhole(files.near(), before);
		await hasStates('near: stopped, root: running, other: running, shared: running, mine: running');
	});

	it('a folder that goes takes its servers along, and no others', async () => {
		const second = vscode.workspace.workspaceFolders?.[1]?.uri;
		assert.ok(second);
		// The list of folders changes at once; another change before the editor has agreed would be lost.
		const removed = foldersChanged();
		vscode.workspace.updateWorkspaceFolders(1, 1);
		await removed;
		await hasStates('near: running, root: running, shared: running, mine: running');
		vscode.workspace.updateWorkspaceFolders(1, 0, { uri: second });
		await hasStates('near: running, root: running, other: stopped, shared: running, mine: running');
	});
});

function foldersChanged(): Promise<void> {
	return new Promise(resolve => {
		const subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
			subscription.dispose();
			resolve();
		});
	});
}

function ourDiagnostics(file: string): vscode.Diagnostic[] {
	return vscode.languages.getDiagnostics(vscode.Uri.file(file)).filter(it => it.source === 'MCP Workbench');
}

function textAt(file: string, { start, end }: vscode.Range): string | undefined {
	return fs.readFileSync(file, 'utf8').split('\n')[start.line]?.slice(start.character, end.character);
}

async function replaceAll(editor: vscode.TextEditor, text: string): Promise<void> {
	const whole = new vscode.Range(0, 0, editor.document.lineCount, 0);
	assert.ok(await editor.edit(it => it.replace(whole, text)));
}
