import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { clearInputValues, QuickInputs } from '../quickInputs.js';
import { activate, eventually, forgetRecords, inState, records, workspaceFolder } from '../support.js';

const token = 'pass"word-4711';

describe('inputs', () => {
	let api: ExtensionApi;
	before(async () => {
		api = await activate();
	});

	afterEach(async () => {
		for (const { name } of api.servers()) {
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: name });
		}
		await clearInputValues('asking');
		forgetRecords();
	});

	it('are asked for at the start, and arrive with everything else that a server is given', async () => {
		await startAndAnswer(api, 'asking', token);
		assert.deepEqual(started(), [
			{
				args: ['--who=Ann', `${path.basename(workspaceFolder())}//`],
				env: {
					TEST_TOKEN: token,
					TEST_SIZE: 'large',
					TEST_SETTING: '60',
					TEST_BOTH: 'from env',
					TEST_FILE: 'two\nlines',
				},
			},
		]);
	});

	it('may come from a command, run at each start', async () => {
		const calls: unknown[] = [];
		let answer: unknown = 'trunk';
		const command = vscode.commands.registerCommand('mcpWorkbench.test.branch', (...args: unknown[]) => {
			calls.push(args);
			return answer;
		});
		try {
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'commanding' });
			await inState(api, 'commanding', 'running');
			assert.deepEqual(calls, [[{ of: 'main' }]]);
			assert.deepEqual(started(), [{ args: [], env: { TEST_BRANCH: 'trunk' } }]);
			for (const [value, state] of [
				[undefined, 'waiting'],
				[5, 'failed'],
				['next', 'running'],
			] as const) {
				await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'commanding' });
				answer = value;
				await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'commanding' });
				assert.equal(stateOf(api, 'commanding'), state);
			}
			assert.deepEqual(started().at(-1)?.env, { TEST_BRANCH: 'next' });
		} finally {
			command.dispose();
		}
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'commanding' });
		await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'commanding' });
		assert.equal(stateOf(api, 'commanding'), 'failed', 'there is no such command any more');
	});

	describe("of the person's own settings", () => {
		const settings = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('mcpWorkbench');
		const set = (key: 'servers' | 'inputs', value: unknown): Thenable<void> =>
			settings().update(key, value, vscode.ConfigurationTarget.Global);
		const mine = {
			command: 'node',
			args: ['${env:MCP_WORKBENCH_PROJECT}/test/fixtures/servers/environment.mjs', '${input:name}'],
			env: { RECORD_FILE: '${workspaceFolder}/recorder.jsonl', TEST_TOKEN: '${input:key}' },
		};
		const name = { id: 'name', type: 'promptString', default: 'Bob' };
		const key = { id: 'key', type: 'promptString', password: true, default: 'own-4712' };
		const appears = (): Promise<true> =>
			eventually('the server', () => (stateOf(api, 'mine') === 'stopped' ? true : undefined));

		afterEach(async () => {
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'mine' });
			await clearInputValues('mine');
			await set('servers', undefined);
			await set('inputs', undefined);
			await eventually('that it is gone', () => (stateOf(api, 'mine') === undefined ? true : undefined));
		});

		it('are asked for once, and never taken from the settings of a workspace', async () => {
			const own = path.join(workspaceFolder(), '.vscode', 'settings.json');
			const before = fs.existsSync(own) ? fs.readFileSync(own, 'utf8') : undefined;
			const evil = { id: 'name', type: 'command', command: 'mcpWorkbench.test.branch' };
			fs.writeFileSync(own, JSON.stringify({ 'mcpWorkbench.inputs': [evil], 'editor.tabSize': 7 }));
			try {
				await eventually('the settings of the workspace', () =>
					vscode.workspace.getConfiguration('editor').get('tabSize') === 7 ? true : undefined,
				);
				await set('inputs', [name, key]);
				await set('servers', { mine });
				await appears();
				await startAndAnswer(api, 'mine', 'own-4712');
				await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'mine' });
				await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'mine' });
				await inState(api, 'mine', 'running');
				const expected = { args: ['Bob'], env: { TEST_TOKEN: 'own-4712' } };
				assert.deepEqual(started(), [expected, expected]);
			} finally {
				if (before === undefined) {
					fs.rmSync(own);
				} else {
					fs.writeFileSync(own, before);
				}
			}
		});

		it('count as soon as they are written, without a change of the servers', async () => {
			await set('servers', { mine });
			await appears();
			await vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'mine' });
			assert.equal(stateOf(api, 'mine'), 'failed');
			await set('inputs', [name, key]);
			await eventually('that it asks', () => {
				if (stateOf(api, 'mine') === 'failed') {
					void vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'mine' });
				}
				return stateOf(api, 'mine') === 'waiting' ? true : undefined;
			});
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'mine' });
			await startAndAnswer(api, 'mine', 'own-4712');
			assert.equal(started().at(-1)?.env['TEST_TOKEN'], 'own-4712');
		});
	});

	it('an envFile is read again at each start', async () => {
		const file = path.join(workspaceFolder(), 'server.env');
		const before = fs.readFileSync(file, 'utf8');
		await startAndAnswer(api, 'asking', token);
		try {
			fs.writeFileSync(file, 'TEST_FILE=changed');
			await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server: 'asking' });
			await inState(api, 'asking', 'running');
			assert.equal(started().at(-1)?.env['TEST_FILE'], 'changed');
			fs.writeFileSync(file, 'no variable');
			await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server: 'asking' });
			assert.equal(stateOf(api, 'asking'), 'failed');
		} finally {
			fs.writeFileSync(file, before);
		}
	});
});

/** Starts a server, types the password that it asks for, and accepts the default of each other question. */
async function startAndAnswer(api: ExtensionApi, server: string, password: string): Promise<void> {
	const inputs = new QuickInputs();
	try {
		void vscode.commands.executeCommand('mcpWorkbench.server.start', { server });
		await inputs.type(undefined);
		assert.equal((await inputs.type(password)).value, '', 'a masked box was filled in');
		if (server === 'asking') {
			await inputs.pick();
		}
		await inState(api, server, 'running');
	} finally {
		inputs.dispose();
	}
}

function stateOf(api: ExtensionApi, server: string): string | undefined {
	return api.servers().find(it => it.name === server)?.state;
}

/** With what the servers were started. */
function started(): { readonly args: unknown; readonly env: Readonly<Record<string, string>> }[] {
	return records().flatMap(({ args, env }) => (env ? [{ args, env }] : []));
}
