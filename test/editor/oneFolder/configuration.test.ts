// Covers M3: changes of the configuration are followed, and its problems are marked at their place.
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import {
	activate,
	changesAreSeen,
	eventually,
	forgetRecords,
	inState,
	isAlive,
	records,
	workspaceFolder,
	writeWhole,
} from '../../integration/support.js';
import { run, snapshotOf, start } from '../support.js';

describe('the configuration', () => {
	let api: ExtensionApi;
	let file: string;
	let original: string;

	before(async () => {
		api = await activate();
		file = path.join(workspaceFolder(), '.vscode', 'mcp.json');
		original = fs.readFileSync(file, 'utf8');
	});
	afterEach(async () => {
		writeWhole(file, original);
		// A change that is read later would stop a server of the next test.
		await changesAreSeen();
		await eventually('the original servers', () => names() === known || undefined);
		await run('server.stop', { server: 'recorder' });
		forgetRecords();
	});

	const known = 'recorder keyed asking rounds garden shed busy library everything missing dies silent unknown';
	const names = (): string =>
		api
			.servers()
			.map(it => it.name)
			.join(' ');
	const problems = (): vscode.Diagnostic[] =>
		vscode.languages.getDiagnostics(vscode.Uri.file(file)).filter(it => it.source === 'MCP Workbench');
	const startedProcess = (): number => records()[0]?.started ?? assert.fail('the server has no process');

	it('has its problems marked at their place', () => {
		const lines = original.split('\n');
		assert.deepEqual(
			problems().map(({ message, range: { start: from, end } }) => [
				lines[from.line]?.slice(from.character, end.character),
				message,
			]),
			[
				[
					'${nothing:here}',
					"The variable ${nothing:here} is unknown, so the server can't start. Known variables: workspaceFolder, workspaceFolder:name, workspaceFolderBasename, workspaceFolderBasename:name, userHome, env:NAME, config:setting, input:id, pathSeparator, /.",
				],
				['"not a list"', '"args" must be an array of strings.'],
				['"empty"', 'Server "empty" has neither a "command" nor a "url". Add one of them.'],
			],
		);
	});

	it('is read again when it changes, and a server that stays the same keeps running', async () => {
		await start('recorder');
		const pid = startedProcess();
		writeWhole(file, original.replace('"servers": {', '"servers": { "added": { "command": "node" },'));
		await eventually('the new server', () => names() === `added ${known}` || undefined);
		assert.equal(snapshotOf(api, 'recorder')?.state, 'running');
		assert.ok(isAlive(pid));
	});

	it('keeps its servers while it is not valid JSON', async () => {
		writeWhole(file, '{ "servers": { "added": { "comm');
		const problem = await eventually('the problem', () => problems().find(it => it.code === 'syntax'));
		assert.match(problem.message, /^Not valid JSON \(\w+\)\. Servers may be missing or outdated/);
		assert.equal(names(), known);
	});

	it('stops a running server whose definition changes', async () => {
		await start('recorder');
		const pid = startedProcess();
		writeWhole(file, original.replace('recorder.jsonl" }', 'recorder.jsonl", "CHANGED": "yes" }'));
		await inState(api, 'recorder', 'stopped');
		await eventually('the end of the process', () => !isAlive(pid) || undefined);
	});
});
