import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { openAction, QuickInputs } from '../quickInputs.js';
import { activate, eventually, forgetRecords, inState, recordedRoots, records, workspaceFolder } from '../support.js';

const servers = ['recorder', 'bystander'];

describe('folders as roots', () => {
	let api: ExtensionApi;
	let second: string;

	before(async () => {
		api = await activate();
		second = path.join(workspaceFolder(), '..', 'second');
		// A folder that another test has moved is looked for again when a server asks.
		await start('recorder');
		await stop('recorder');
	});
	beforeEach(async () => {
		await start('recorder');
		await start('bystander');
	});
	afterEach(async () => {
		await choose(undefined);
		fs.mkdirSync(second, { recursive: true });
		if ((vscode.workspace.workspaceFolders?.length ?? 0) > 1) {
			await changeFolders(() => vscode.workspace.updateWorkspaceFolders(1, 1));
		}
		for (const server of servers) {
			await stop(server);
		}
	});

	async function stop(server: string): Promise<void> {
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server });
		forgetRecords(server);
	}

	async function start(server: string): Promise<void> {
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server });
		await inState(api, server, 'running');
		await eventually('the first answer', () => recordedRoots(server)[0]);
	}

	/** Waits for the editor's word: a change before it would be lost. */
	async function changeFolders(change: () => void): Promise<void> {
		const changed = new Promise<void>(resolve => {
			const listener = vscode.workspace.onDidChangeWorkspaceFolders(() => {
				listener.dispose();
				resolve();
			});
		});
		change();
		await changed;
	}

	async function addSecond(name?: string): Promise<void> {
		const uri = vscode.Uri.file(second);
		await changeFolders(() =>
			vscode.workspace.updateWorkspaceFolders(1, 0, name === undefined ? { uri } : { uri, name }),
		);
	}

	/** @param roots for the recorder only */
	async function choose(
		roots: readonly string[] | undefined,
		target = vscode.ConfigurationTarget.Workspace,
	): Promise<void> {
		const value = roots && { recorder: { roots } };
		await vscode.workspace.getConfiguration().update('mcpWorkbench.tools', value, target);
	}

	function chosen(): unknown {
		return vscode.workspace.getConfiguration().inspect('mcpWorkbench.tools')?.workspaceValue;
	}

	/** Waits for the nth answer, and makes sure that the server was told as often. */
	async function nthAnswer(n: number, server = 'recorder'): Promise<readonly string[] | undefined> {
		const names = await eventually(`answer ${n} to ${server}`, () => recordedRoots(server)[n - 1]);
		assert.equal(notices(server), n - 1);
		return names;
	}

	function notices(server: string): number {
		return records(server).filter(it => it.method === 'notifications/roots/list_changed').length;
	}

	it('tells running servers of folders that come, get another name, and go', async () => {
		assert.deepEqual(await nthAnswer(1), ['first']);
		await addSecond();
		for (const server of servers) {
			assert.deepEqual(await nthAnswer(2, server), ['first', 'second']);
		}
		const [, last] = records().flatMap(it => (it.result?.roots ? [it.result.roots] : []));
		assert.deepEqual(
			last?.map(it => it.uri),
			[workspaceFolder(), second].map(it => pathToFileURL(it).href),
		);
		await changeFolders(() =>
			vscode.workspace.updateWorkspaceFolders(1, 1, { uri: vscode.Uri.file(second), name: 'renamed' }),
		);
		assert.deepEqual(await nthAnswer(3), ['first', 'renamed']);
		await changeFolders(() => vscode.workspace.updateWorkspaceFolders(1, 1));
		assert.deepEqual(await nthAnswer(4), ['first']);
		assert.equal(records().filter(it => it.started !== undefined).length, 1, 'Server "went on all the time"');
	});

	it('tells only the server whose choice has changed, and the choice outlives the server', async () => {
		await addSecond();
		await nthAnswer(2);
		await nthAnswer(2, 'bystander');
		await choose(['second']);
		assert.deepEqual(await nthAnswer(3), ['second']);
		await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server: 'recorder' });
		await eventually('the answer after the start', () => recordedRoots()[3]);
		assert.deepEqual(recordedRoots()[3], ['second']);
		await choose([]);
		assert.deepEqual(await eventually('none', () => recordedRoots()[4]), []);
		await choose(undefined);
		assert.deepEqual(await eventually('all again', () => recordedRoots()[5]), ['first', 'second']);
		assert.deepEqual([notices('bystander'), recordedRoots('bystander').length], [1, 2]);
	});

	it('takes back a folder that somebody deletes, and tells of it again when it is back', async () => {
		await addSecond();
		await nthAnswer(2);
		fs.rmSync(second, { recursive: true });
		assert.deepEqual(await nthAnswer(3), ['first']);
		assert.equal(vscode.workspace.workspaceFolders?.length, 2, 'the editor keeps it');
		fs.mkdirSync(second);
		assert.deepEqual(await nthAnswer(4), ['first', 'second']);
		fs.rmSync(second, { recursive: true });
		assert.deepEqual(await nthAnswer(5), ['first'], 'again');
	});

	it('takes back one that went with the folder around it', async () => {
		const around = path.join(workspaceFolder(), '..', 'around');
		fs.mkdirSync(path.join(around, 'deep'), { recursive: true });
		await changeFolders(() =>
			vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(path.join(around, 'deep')) }),
		);
		assert.deepEqual(await nthAnswer(2), ['first', 'deep']);
		fs.rmSync(around, { recursive: true });
		for (const server of servers) {
			assert.deepEqual(await nthAnswer(3, server), ['first']);
		}
	});

	it('lets a person choose before the server runs, and writes no more than the choice', async () => {
		await addSecond();
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
		forgetRecords();
		const inputs = new QuickInputs();
		try {
			let { ended } = await openAction(inputs, 'recorder', 'Exposed Folders…');
			const { lines, proposed } = await inputs.pick(it => it.label === 'second');
			assert.deepEqual(lines.map(withoutPath), ['first', 'second']);
			assert.deepEqual(proposed, ['first', 'second']);
			await ended;
			assert.deepEqual(chosen(), { recorder: { roots: ['second'] } });
			await start('recorder');
			assert.deepEqual(await nthAnswer(1), ['second']);
			fs.rmSync(second, { recursive: true });
			assert.deepEqual(await nthAnswer(2), []);
			({ ended } = await openAction(inputs, 'recorder', 'Exposed Folders…'));
			const again = await inputs.pick(() => true);
			assert.deepEqual(again.lines.map(withoutPath), ['first', 'second | Not found']);
			assert.deepEqual(again.proposed, ['second']);
			await ended;
			assert.equal(chosen(), undefined);
			assert.deepEqual(await nthAnswer(3), ['first']);

			fs.mkdirSync(second);
			assert.deepEqual(await nthAnswer(4), ['first', 'second']);
			await choose(['first'], vscode.ConfigurationTarget.Global);
			assert.deepEqual(await nthAnswer(5), ['first']);
			({ ended } = await openAction(inputs, 'recorder', 'Exposed Folders…'));
			await inputs.pick(() => true);
			await ended;
			const own = vscode.workspace.getConfiguration().inspect('mcpWorkbench.tools')?.globalValue;
			assert.deepEqual(own, { recorder: { roots: ['first', pathToFileURL(second).href] } });
			assert.equal(chosen(), undefined, 'a workspace cannot expose what the person does not');
			assert.deepEqual(await nthAnswer(6), ['first', 'second']);
		} finally {
			inputs.dispose();
			await choose(undefined, vscode.ConfigurationTarget.Global);
		}
	});
});

function withoutPath(line: string): string {
	return line.replace(/ \| [^|]*$/, '');
}
