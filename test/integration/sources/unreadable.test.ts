// A repository can hold links to anything, and files that no parser survives: they harm no place but their own.
import * as assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { skip } from '../../support/skip.js';
import { activate, eventually, workspaceFolder, writeWhole } from '../support.js';

describe('places that cannot be read', () => {
	let api: ExtensionApi;
	const originals = new Map<string, string>();

	const fileOf = (...names: string[]): string => path.join(workspaceFolder(), '..', ...names);
	const files = (): readonly [pipe: string, device: string, deep: string] => [
		fileOf('first', '.vscode', 'mcp.json'),
		fileOf('second', '.mcp.json'),
		fileOf('first', '.mcp.json'),
	];
	const names = (): string =>
		api
			.servers()
			.map(it => it.name)
			.join(' ');
	const hasNames = (expected: string): Promise<true> =>
		eventually(`${expected} instead of ${names()}`, () => (names() === expected ? true : undefined));
	const setUser = (servers: object | undefined): Thenable<void> =>
		vscode.workspace.getConfiguration('mcpWorkbench').update('servers', servers, vscode.ConfigurationTarget.Global);
	const codesAt = (file: string): unknown[] =>
		vscode.languages
			.getDiagnostics(vscode.Uri.file(file))
			.filter(it => it.source === 'MCP Workbench')
			.map(it => it.code);

	before(async function () {
		if (process.platform === 'win32') {
			skip(this, 'Windows has no pipes and devices in its file system');
		}
		api = await activate();
		await setUser({ mine: { command: 'node' } });
		await hasNames('near root other shared mine');
		for (const file of files()) {
			originals.set(file, fs.readFileSync(file, 'utf8'));
		}
	});

	after(async () => {
		for (const [file, text] of originals) {
			writeWhole(file, text);
		}
		await setUser(undefined);
	});

	it('a pipe, a device and JSON that is nested deeply have a problem each, and all others are read', async () => {
		const [pipe, device, deep] = files();
		execFileSync('mkfifo', [`${pipe}.new`]);
		fs.renameSync(`${pipe}.new`, pipe);
		fs.symlinkSync('/dev/zero', `${device}.new`);
		fs.renameSync(`${device}.new`, device);
		writeWhole(deep, `{"mcpServers": ${'['.repeat(10_000)}${']'.repeat(10_000)}}`);
		// All places are read again.
		await setUser({ mine: { command: 'node' }, more: { command: 'node' } });
		await hasNames('near root other shared mine more');
		await eventually('three problems', () => (files().every(it => codesAt(it).length > 0) ? true : undefined));
		assert.deepEqual(files().map(codesAt), [['notRegular'], ['notRegular'], ['tooDeep']]);
	});

	it('what becomes readable is read', async () => {
		const [pipe, device, deep] = files();
		writeWhole(pipe, '{ "servers": { "fresh": { "command": "node" } } }');
		writeWhole(device, '{ "mcpServers": {} }');
		writeWhole(deep, '{ "mcpServers": {} }');
		await setUser({ mine: { command: 'node' } });
		await hasNames('fresh shared root mine');
		assert.deepEqual(files().map(codesAt), [[], [], []]);
	});
});
