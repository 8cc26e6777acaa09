import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { QuickInputs } from '../quickInputs.js';
import { activate, eventually, forgetRecords, inState, records } from '../support.js';

describe('options of servers', () => {
	let api: ExtensionApi;
	before(async () => {
		api = await activate();
	});
	afterEach(async () => {
		for (const server of ['recorder', 'silent']) {
			await run('mcpWorkbench.server.stop', { server });
		}
		await set(undefined);
		forgetRecords();
	});

	it('a time-out of its own', async () => {
		await set({ silent: { requestTimeout: 0.4 }, recorder: { requestTimeout: 30 } });
		const original = vscode.window.showErrorMessage;
		const shown: string[] = [];
		const record = (message: string): Promise<undefined> => {
			shown.push(message);
			return Promise.resolve(undefined);
		};
		(vscode.window as { showErrorMessage: unknown }).showErrorMessage = record;
		try {
			await run('mcpWorkbench.server.start', { server: 'silent' });
			await inState(api, 'silent', 'failed');
			assert.match(await eventually('a message', () => shown.shift()), /^silent failed\. No response to/);
		} finally {
			(vscode.window as { showErrorMessage: unknown }).showErrorMessage = original;
		}
	});

	it('the era is not asked for', async () => {
		await set({ recorder: { era: 'legacy' } });
		await run('mcpWorkbench.server.start', { server: 'recorder' });
		assert.equal((await inState(api, 'recorder', 'running')).protocolVersion, '2025-11-25');
		assert.equal(firstMethod(), 'initialize');
		await run('mcpWorkbench.server.stop', { server: 'recorder' });
		forgetRecords();
		await set({ recorder: { era: 'modern' } });
		await run('mcpWorkbench.server.start', { server: 'recorder' });
		assert.equal((await inState(api, 'recorder', 'running')).protocolVersion, '2026-07-28');
		assert.match(firstMethod() ?? '', /\/list$/);
	});

	it('a resource of a server that does not start is told of once, with the reason', async () => {
		const inputs = new QuickInputs();
		try {
			const resource = { server: 'missing', uri: 'test://things/hello' };
			await vscode.commands.executeCommand('mcpWorkbench.resource.open', resource);
			assert.match(await inputs.message(), /^missing failed\. Command not found/);
		} finally {
			inputs.dispose();
		}
	});

	it('a call says why the server it is for does not start', async () => {
		await assert.rejects(
			async () => run('mcpWorkbench.tool.run', { server: 'missing', tool: 'say' }),
			/The server isn't running \(Failed: Command not found: no-such-command-anywhere\)\./,
		);
	});

	it('a call starts the server it is for, and has the time-out of its tool', async () => {
		await set({ recorder: { toolTimeouts: { say: 0.3 } } });
		const inputs = new QuickInputs();
		const original = vscode.window.showInformationMessage;
		(vscode.window as { showInformationMessage: unknown }).showInformationMessage = () => Promise.resolve('Review');
		try {
			const call = { server: 'recorder', tool: 'say', arguments: { text: 'hello' } };
			const answer = run('mcpWorkbench.tool.run', call) as Promise<{ content: unknown }>;
			await inputs.pick(it => it.label === 'Allow Once');
			assert.deepEqual((await answer).content, [{ type: 'text', text: '{"text":"hello"}' }]);
			const silent = run('mcpWorkbench.tool.run', { ...call, arguments: { silent: true } });
			const refused = assert.rejects(async () => silent, /No response to tools\/call within 300 ms/);
			await inputs.pick(it => it.label === 'Allow Once');
			await refused;
		} finally {
			(vscode.window as { showInformationMessage: unknown }).showInformationMessage = original;
			inputs.dispose();
		}
	});

	it('are seen and changed in one list, and written where the server is configured', async () => {
		const inputs = new QuickInputs();
		try {
			const done = run('mcpWorkbench.server.options', { server: 'recorder' });
			const { lines } = await inputs.pick(it => it.label === 'Protocol era');
			assert.deepEqual(lines, [
				'Request timeout | Default for all servers',
				'Tool timeouts | Same as the request timeout',
				'Protocol era | Automatic (asks the server)',
				'Start | When first used',
				'Exposed folders | All',
				'Disabled tools | None',
				'Tools hidden from models | None',
				'',
				'Open in settings.json',
			]);
			await inputs.pick(it => it.label === 'legacy');
			await inputs.pick(it => it.label === 'Request timeout');
			await inputs.type('2.5');
			await inputs.pick(it => it.label === 'Start');
			await inputs.pick(it => it.label === 'atActivation');
			await inputs.look();
			assert.deepEqual(written(), { recorder: { era: 'legacy', requestTimeout: 2.5 } });
			assert.deepEqual(writtenByPerson(), { recorder: { start: 'atActivation' } }, 'a workspace cannot loosen');
			const { lines: changed } = await inputs.pick(it => it.label === 'Request timeout');
			assert.deepEqual(changed.slice(0, 4), [
				'Request timeout | 2.5 s · Set in this workspace',
				'Tool timeouts | Same as the request timeout',
				'Protocol era | Legacy (up to 2025-11-25) · Set in this workspace',
				'Start | When the workspace opens · Set in your settings',
			]);
			await inputs.type('');
			const { lines: reset } = await inputs.pick(it => it.label === 'Disabled tools');
			assert.equal(reset[0], 'Request timeout | Default for all servers');
			await inputs.look();
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			await done;
		} finally {
			inputs.dispose();
			await set(undefined, vscode.ConfigurationTarget.Global);
		}
	});

	it('a choice against the person’s own settings holds', async () => {
		const { Global } = vscode.ConfigurationTarget;
		await set({ recorder: { era: 'legacy', disabledTools: ['say'], toolTimeouts: { say: 9 } } }, Global);
		const inputs = new QuickInputs();
		try {
			const done = run('mcpWorkbench.server.options', { server: 'recorder' });
			await inputs.pick(it => it.label === 'Protocol era');
			await inputs.pick(it => it.label === 'auto');
			await inputs.pick(it => it.label === 'Disabled tools');
			const tools = await inputs.look();
			assert.ok('selectedItems' in tools);
			tools.selectedItems = [];
			await inputs.pick();
			const { lines } = await inputs.pick(it => it.label === 'Start');
			assert.deepEqual(lines.slice(2, 6), [
				'Protocol era | Automatic (asks the server) · Set in this workspace',
				'Start | When first used',
				'Exposed folders | All',
				'Disabled tools | None',
			]);
			await inputs.pick(it => it.label === 'onUse');
			await inputs.look();
			assert.deepEqual(written(), { recorder: { era: 'auto' } });
			assert.deepEqual(writtenByPerson(), { recorder: { era: 'legacy', toolTimeouts: { say: 9 } } });
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			await done;
		} finally {
			inputs.dispose();
			await set(undefined, Global);
		}
	});

	it('a time-out of one tool is written without those that are set elsewhere', async () => {
		const { Global } = vscode.ConfigurationTarget;
		await set({ recorder: { toolTimeouts: { say: 9, other: 8 } } }, Global);
		const inputs = new QuickInputs();
		try {
			const done = run('mcpWorkbench.server.options', { server: 'recorder' });
			await inputs.pick(it => it.label === 'Tool timeouts');
			await inputs.pick(it => it.label === 'say');
			await inputs.type('5');
			const opened = await inputs.look();
			assert.ok('items' in opened);
			assert.match(opened.items[1]?.description ?? '', /^(?=.*say: 5 s)(?=.*other: 8 s)/);
			assert.deepEqual(written(), { recorder: { toolTimeouts: { say: 5 } } });
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			await done;
		} finally {
			inputs.dispose();
			await set(undefined, Global);
		}
	});
});

function written(): unknown {
	return vscode.workspace.getConfiguration('mcpWorkbench').inspect('serverOptions')?.workspaceValue;
}

function writtenByPerson(): unknown {
	return vscode.workspace.getConfiguration('mcpWorkbench').inspect('serverOptions')?.globalValue;
}

function firstMethod(): string | undefined {
	return records().find(it => it.method !== undefined)?.method;
}

async function set(options: unknown, target = vscode.ConfigurationTarget.Workspace): Promise<void> {
	await vscode.workspace.getConfiguration('mcpWorkbench').update('serverOptions', options, target);
}

function run(command: string, argument: unknown): Thenable<unknown> {
	return vscode.commands.executeCommand(command, argument);
}
