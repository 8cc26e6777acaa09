/** Clear All Data…: only a person clears, what they select is gone at once, and the rest stays. */
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
const labels = [
	'Saved approvals',
	'Tool definitions',
	'Sampling permissions',
	'Server consents',
	'History',
	'Last arguments',
	'Choices of earlier versions',
	'Input values and secrets',
	'Sign-ins',
	'Cached files',
];
const done = 'The selected data was removed. Your settings, files in the workspace, and editor logs remain.';

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

	it('asks whoever runs it, and removes nothing without an answer', async () => {
		await use();
		const asked = vscode.commands.executeCommand(command, { parts: ['signIns'], confirmed: true });
		const { lines, proposed } = await inputs.pick();
		await asked;
		assert.deepEqual(
			lines.map(it => it.split(' | ')[0]),
			[...labels, 'Policy for your own servers'],
		);
		assert.deepEqual(proposed, labels);
		assert.deepEqual(person.messages, ['Remove this data from this machine?']);
		assert.equal(api.servers()[0]?.state, 'running');
		assert.match(await callAsOther(api, 'kept', 'who-am-i', {}), /^You are Ada/);
	});

	it('removes what is selected, and leaves the rest', async () => {
		person.press = 'Clear Data';
		const asked = vscode.commands.executeCommand(command);
		await inputs.pick(labelled('Audit log'));
		await asked;
		assert.deepEqual(person.messages, ['Remove this data from this machine?', done]);
		assert.equal(api.servers()[0]?.state, 'running');
		assert.ok(await hasHistory());
	});

	it('removes everything: the session ends, the person is asked again, and the files of the workspace stay', async () => {
		person.press = 'Clear Data';
		const asked = vscode.commands.executeCommand(command);
		const { lines } = await inputs.pick(it => it.label !== 'Policy for your own servers');
		await asked;
		assert.match(lines.find(it => it.startsWith('Sign-ins')) ?? '', /^Sign-ins \| \d+ \| /);
		assert.deepEqual(person.messages, ['Remove this data from this machine?', done]);
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
