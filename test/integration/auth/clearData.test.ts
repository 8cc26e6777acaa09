/** Clear All Data…: only a person clears, and files of the workspace stay. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { callAsOther, labelled } from '../askingServers.js';
import { listsAnswered, QuickInputs } from '../quickInputs.js';
import { activate, eventually, inState, workspaceFolder, writeWhole } from '../support.js';
import { browse, Guarded } from './guarded.js';
import { Person } from './person.js';

const command = 'mcpWorkbench.data.clear';
const question = 'Remove the data of MCP Workbench?';
const done = 'The data of MCP Workbench was removed.';

describe('clearing all data', () => {
	let api: ExtensionApi;
	let inputs: QuickInputs;
	let guarded: Guarded;
	let person: Person;
	const policy = (): string => path.join(workspaceFolder(), '.vscode', 'mcp-policy.json');

	before(async () => {
		person = new Person();
		guarded = await Guarded.start();
		api = await activate();
		fs.mkdirSync(path.dirname(policy()), { recursive: true });
		writeWhole(policy(), JSON.stringify({ rules: [{ decision: 'allow' }] }));
		const servers = { kept: { url: guarded.url } };
		writeWhole(path.join(path.dirname(policy()), 'mcp.json'), JSON.stringify({ servers }));
		await eventually('it is configured', () => (api.servers()[0]?.name === 'kept' ? true : undefined));
	});
	after(async () => {
		person.dispose();
		await guarded.stop();
	});
	beforeEach(() => {
		inputs = new QuickInputs();
		person.begin(browse);
	});
	afterEach(() => inputs.dispose());

	/** Signs in and makes a call. */
	async function use(): Promise<void> {
		const started = vscode.commands.executeCommand('mcpWorkbench.account.signIn', { server: 'kept' });
		await inputs.until(/^Sign in to "kept"/);
		await inputs.pick(labelled('Sign In'));
		await started;
		await inState(api, 'kept', 'running');
		assert.match(await callAsOther(api, 'kept', 'who-am-i', {}), /^You are Ada/);
	}

	/** Whether a command that needs an entry of the history has some to choose from. */
	async function hasHistory(): Promise<boolean> {
		const { createQuickPick } = vscode.window;
		let count = 0;
		const choose = (items: readonly unknown[]): Promise<undefined> => {
			count = items.length;
			return Promise.resolve(undefined);
		};
		Object.assign(vscode.window, { createQuickPick: listsAnswered(choose) });
		try {
			await vscode.commands.executeCommand('mcpWorkbench.history.runAgain');
		} finally {
			Object.assign(vscode.window, { createQuickPick });
		}
		return count > 0;
	}

	it('asks for confirmation for every caller, and removes nothing without an answer', async () => {
		await use();
		await vscode.commands.executeCommand(command, { confirmed: true });
		assert.deepEqual(person.messages, [question]);
		assert.equal(api.servers()[0]?.state, 'running');
		assert.match(await callAsOther(api, 'kept', 'who-am-i', {}), /^You are Ada/);
	});

	it('removes everything: the session ends, the person is asked again, and the files of the workspace stay', async () => {
		person.press = 'Clear Data';
		assert.ok(await hasHistory());
		await vscode.commands.executeCommand(command);
		assert.deepEqual(person.messages, [question, done]);
		assert.equal(api.servers()[0]?.state, 'stopped');
		assert.ok(!(await hasHistory()));
		person.press = undefined;
		const started = vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'kept' });
		await inputs.until(/^Sign in to "kept"/);
		await inputs.pick(labelled('Not Now'));
		await started;
		assert.equal((await inState(api, 'kept', 'waiting')).description, 'Needs sign-in');
		assert.ok(fs.existsSync(policy()));
	});
});
