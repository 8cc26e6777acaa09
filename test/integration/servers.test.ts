import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../src/api.js';
import {
	activate,
	eventually,
	forgetRecords,
	inState,
	isAlive,
	recordedRoots,
	records,
	workspaceFolder,
} from './support.js';

describe('servers of one folder', () => {
	let api: ExtensionApi;

	before(async () => {
		api = await activate();
	});

	afterEach(async () => {
		for (const { name, state } of api.servers()) {
			if (state === 'running') {
				await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
			}
		}
		forgetRecords();
	});

	it('lists every server that can be read and starts none', () => {
		assert.deepEqual(
			api.servers().map(({ name, state }) => `${name}: ${state}`),
			[
				'recorder: stopped',
				'missing: stopped',
				'dies: stopped',
				'lost: stopped',
				'unknown: stopped',
				'silent: stopped',
				'remote: stopped',
			],
		);
		assert.deepEqual(records(), []);
	});

	it('says what is wrong with the others, at its place', () => {
		const uri = vscode.Uri.file(configFile());
		const text = fs.readFileSync(configFile(), 'utf8').split('\n');
		const found = vscode.languages
			.getDiagnostics(uri)
			.filter(it => it.source === 'MCP Workbench')
			.map(({ message, range }) => [
				text[range.start.line]?.slice(range.start.character, range.end.character),
				message,
			]);
		assert.deepEqual(found, [
			[
				'${nothing:here}',
				"The variable ${nothing:here} is unknown, so the server can't start. Known variables: workspaceFolder, workspaceFolder:name, workspaceFolderBasename, workspaceFolderBasename:name, userHome, env:NAME, config:setting, input:id, pathSeparator, /.",
			],
			['"not a list"', '"args" must be an array of strings.'],
			['"empty"', 'Server "empty" has neither a "command" nor a "url". Add one of them.'],
		]);
	});

	it('starts a server, tells it the folder as a root, and lists what it offers', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		const snapshot = await inState(api, 'recorder', 'running');
		await eventually('lists', () => (snapshotOf(api, 'recorder')?.counts.resourceTemplates === 0 ? true : undefined));
		assert.deepEqual(snapshotOf(api, 'recorder')?.counts, {
			tools: 1,
			resources: 1,
			resourceTemplates: 0,
			prompts: undefined,
		});
		assert.equal(snapshot.protocolVersion, '2025-11-25');
		const roots = await eventually('an answer to roots/list', () => recordedRoots()[0]);
		assert.deepEqual(roots, [path.basename(workspaceFolder())]);
	});

	it('stops it as the spec says: stdin is closed, and the process is gone', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		const pid = await eventually('start', () => records()[0]?.started);
		assert.ok(isAlive(pid));
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
		assert.equal(snapshotOf(api, 'recorder')?.state, 'stopped');
		assert.deepEqual(records().at(-1), { ended: 'stdin' });
		assert.ok(!isAlive(pid));
	});

	for (const name of ['missing', 'dies', 'lost', 'unknown', 'remote']) {
		it(`says that "${name}" failed, and leaves the others alone`, async () => {
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: name });
			await inState(api, name, 'failed');
			assert.equal(snapshotOf(api, 'recorder')?.state, 'running');
		});
	}

	it('gives up on a server that says nothing, after the time that is set', async () => {
		const settings = vscode.workspace.getConfiguration('mcpWorkbench');
		await settings.update('requestTimeout', 0.5, vscode.ConfigurationTarget.Global);
		try {
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'silent' });
			assert.equal(snapshotOf(api, 'silent')?.state, 'failed');
		} finally {
			await settings.update('requestTimeout', undefined, vscode.ConfigurationTarget.Global);
		}
	});

	it('notices a crash, and starts the server again', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		const pid = await eventually('start', () => records()[0]?.started);
		await inState(api, 'recorder', 'running');
		process.kill(pid, 'SIGKILL');
		await inState(api, 'recorder', 'reconnecting');
		await inState(api, 'recorder', 'running');
		const pids = records().flatMap(it => it.started ?? []);
		assert.ok(pids.length > 1 && pids[0] === pid && pids.at(-1) !== pid, String(pids));
	});

	it('follows the file, keeps what it knew while it is half-typed, and touches only what changed', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		const pid = await eventually('start', () => records()[0]?.started);
		const before = fs.readFileSync(configFile(), 'utf8');
		const names = (): string =>
			api
				.servers()
				.map(it => it.name)
				.join(' ');
		const known = names();
		try {
			fs.writeFileSync(configFile(), before.replace('"servers": {', '"servers": { "added": { "command": "node" },'));
			await eventually('the new server', () => (names() === `added ${known}` ? true : undefined));
			fs.writeFileSync(configFile(), '{ "servers": { "added": { "comm');
			const uri = vscode.Uri.file(configFile());
			const syntaxError = await eventually('a diagnostic', () =>
				vscode.languages.getDiagnostics(uri).find(it => it.code === 'syntax'),
			);
			assert.match(
				syntaxError.message,
				/^Not valid JSON \(\w+\)\. Servers may be missing or outdated until you fix the file\.$/,
			);
			assert.equal(names(), `added ${known}`);
			assert.ok(isAlive(pid));
		} finally {
			fs.writeFileSync(configFile(), before);
		}
		await eventually('the old servers', () => (names() === known ? true : undefined));
		assert.ok(isAlive(pid), 'a server whose definition stayed the same goes on');
	});

	it('takes a file that is empty for a moment for one that is being written, and for what it is after a while', async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });
		const pid = await eventually('start', () => records()[0]?.started);
		const before = fs.readFileSync(configFile(), 'utf8');
		const uri = vscode.Uri.file(configFile());
		const known = api.servers().length;
		const isMarked = (): boolean => vscode.languages.getDiagnostics(uri).some(it => it.source === 'MCP Workbench');
		assert.ok(isMarked());
		try {
			fs.writeFileSync(configFile(), '');
			await eventually('that it was read', () => (isMarked() ? undefined : true));
			assert.equal(api.servers().length, known);
			fs.writeFileSync(configFile(), before);
			await eventually('that it was read again', () => (isMarked() ? true : undefined));
			assert.equal(api.servers().length, known);
			assert.equal(snapshotOf(api, 'recorder')?.state, 'running');
			assert.ok(isAlive(pid));
			fs.writeFileSync(configFile(), '\n');
			await eventually('that there are no servers', () => (api.servers().length === 0 ? true : undefined));
			await eventually('the end of the process', () => (isAlive(pid) ? undefined : true));
		} finally {
			fs.writeFileSync(configFile(), before);
		}
		await eventually('the old servers', () => (api.servers().length === known ? true : undefined));
	});

	it('notices that the folder of the configuration was moved away', async () => {
		const folder = path.dirname(configFile());
		const known = api.servers().length;
		fs.renameSync(folder, `${folder}-away`);
		try {
			await eventually('that there are no servers', () => (api.servers().length === 0 ? true : undefined));
		} finally {
			fs.renameSync(`${folder}-away`, folder);
		}
		await eventually('the old servers', () => (api.servers().length === known ? true : undefined));
	});
});

function snapshotOf(api: ExtensionApi, name: string): ReturnType<ExtensionApi['servers']>[number] | undefined {
	return api.servers().find(it => it.name === name);
}

function configFile(): string {
	return path.join(workspaceFolder(), '.vscode', 'mcp.json');
}
