import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { type Everything, startEverything } from '../everything.js';
import { QuickInputs } from '../quickInputs.js';
import { activate, eventually, forgetRecords, inState, recordedRoots } from '../support.js';
import { MemoryFiles } from './memoryFiles.js';

const folder = vscode.Uri.parse('mem:/far');
const configuration = vscode.Uri.joinPath(folder, '.vscode', 'mcp.json');
const plain = vscode.Uri.joinPath(folder, '.mcp.json');

/** `capabilities.virtualWorkspaces` of the manifest says that this works. */
describe('a folder that is on no disk', () => {
	const files = new MemoryFiles();
	const owned: vscode.Disposable[] = [];
	let api: ExtensionApi;
	let everything: Everything;

	before(async () => {
		api = await activate();
		everything = await startEverything('streamableHttp');
		const url = `http://127.0.0.1:${everything.port}/mcp`;
		const recorder = path.join(
			process.env['MCP_WORKBENCH_PROJECT'] ?? '',
			'test',
			'fixtures',
			'servers',
			'recorder.mjs',
		);
		const servers = {
			'by-url': { type: 'http', url },
			inside: { command: 'node', args: [recorder] },
			beside: { command: 'node', args: [recorder], cwd: 'sub' },
			named: { command: 'node', args: [recorder, '${workspaceFolder}'], cwd: '${userHome}' },
			elsewhere: {
				command: 'node',
				args: ['-e', 'process.exit(process.env.FAR)'],
				cwd: '${userHome}',
				envFile: '.env',
			},
			wrong: {},
		};
		write(configuration, JSON.stringify({ servers }, undefined, '\t'));
		write(plain, JSON.stringify({ mcpServers: { plain: { type: 'http', url }, 'by-url': { type: 'http', url } } }));
		write(vscode.Uri.joinPath(folder, '.env'), 'FAR=7\n');
		owned.push(vscode.workspace.registerFileSystemProvider('mem', files));
		await changeFolders(() => vscode.workspace.updateWorkspaceFolders(1, 0, { uri: folder }));
		await eventually('its servers', () => (names().includes('plain') ? true : undefined));
	});

	after(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await changeFolders(() => vscode.workspace.updateWorkspaceFolders(1, 1));
		await eventually('that its servers are gone', () => (names().includes('plain') ? undefined : true));
		owned.forEach(it => it.dispose());
		everything.child.kill('SIGKILL');
	});

	function write(uri: vscode.Uri, text: string): void {
		files.writeFile(uri, new TextEncoder().encode(text));
	}

	function names(): string[] {
		return api.servers().map(it => it.name);
	}

	async function changeFolders(change: () => boolean): Promise<void> {
		const changed = new Promise<void>(resolve => {
			owned.push(vscode.workspace.onDidChangeWorkspaceFolders(() => resolve()));
		});
		assert.ok(change());
		await changed;
	}

	/** What keeps a server from starting. */
	async function failure(server: string): Promise<string> {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server });
		return (await inState(api, server, 'failed')).description;
	}

	async function lenses(): Promise<(string | undefined)[]> {
		const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
			'vscode.executeCodeLensProvider',
			configuration,
		);
		return found.flatMap(it => (it.command?.command.startsWith('mcpWorkbench.') === true ? [it.command.title] : []));
	}

	it('configures servers in both of its files, with what is wrong in them marked', () => {
		assert.deepEqual(names(), ['recorder', 'bystander', 'by-url', 'inside', 'beside', 'named', 'elsewhere', 'plain']);
		const marks = [configuration, plain].map(it =>
			vscode.languages.getDiagnostics(it).map(({ code, range }) => [code, range.start.line]),
		);
		assert.deepEqual(marks, [[['missing', 36]], [['shadowed', 0]]]);
	});

	it('has its servers at URLs run, tells them of no folder without a file URI, and says so above them', async () => {
		for (const server of ['by-url', 'plain']) {
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server });
			await inState(api, server, 'running');
		}
		await vscode.window.showTextDocument(configuration);
		assert.ok((await lenses()).includes('$(play) Run Tool in Workbench…'));
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		await inState(api, 'recorder', 'running');
		// Spec 2025-11-25, roots: `uri` "MUST be a `file://` URI".
		assert.deepEqual(await eventually('the roots', () => recordedRoots()[0]), ['first']);
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
		forgetRecords();
	});

	it('says of a process that would run in it, or wants its path, that there is none', async () => {
		assert.deepEqual(await Promise.all(['inside', 'beside', 'named'].map(failure)), [
			"Failed: The working directory isn't on the local file system: mem:/far",
			"Failed: The working directory isn't on the local file system: mem:/far/sub",
			"Failed: The working directory isn't on the local file system: mem:/far",
		]);
		assert.ok((await lenses()).includes('$(question) Diagnose in Workbench'));
	});

	it('has a process run elsewhere, with an environment from its files', async () => {
		assert.equal(await failure('elsewhere'), 'Failed: Exit code 7');
	});

	it('is written to, by way of its file system', async () => {
		const inputs = new QuickInputs();
		try {
			const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
			await inputs.type(`http://127.0.0.1:${everything.port}/mcp`);
			await inputs.type('added');
			await inputs.pick(it => it.label === '.vscode/mcp.json' && it.description === 'far');
			await done;
			await inState(api, 'added', 'running');
			assert.match(files.text('/far/.vscode/mcp.json') ?? '', /"added": \{\s+"type": "http"/);
		} finally {
			inputs.dispose();
		}
	});

	it('gets a configuration where it has none', async () => {
		// The editor saves by itself what it shows, and would make the file again.
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		files.delete(configuration);
		await eventually('that the servers are gone', () => (names().includes('inside') ? undefined : true));
		await vscode.commands.executeCommand('mcpWorkbench.configuration.open', { uri: configuration.toString() });
		const { document } = vscode.window.activeTextEditor ?? {};
		assert.ok(document);
		await document.save();
		assert.match(files.text('/far/.vscode/mcp.json') ?? '', /"url"/);
	});
});
