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
			assert.match(await inputs.message(), /^Server "missing" isn't running \(Failed: Command not found/);
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

	it('are seen and changed in one list, and written into the settings of the person', async () => {
		const inputs = new QuickInputs();
		try {
			const done = run('mcpWorkbench.server.options', { server: 'recorder' });
			const { lines } = await inputs.pick(it => it.label === 'Protocol era');
			assert.deepEqual(lines, [
				'Request timeout | 60 s',
				'Tool timeouts | Same as the request timeout',
				'Protocol era | Automatic (asks the server)',
				'Start | When first used',
				'',
				'Mute',
				'Exposed Folders… | All',
				'Open in settings.json',
			]);
			await inputs.pick(it => it.label === 'legacy');
			await inputs.pick(it => it.label === 'Request timeout');
			await inputs.type('2.5');
			await inputs.pick(it => it.label === 'Start');
			await inputs.pick(it => it.label === 'atActivation');
			await inputs.look();
			assert.deepEqual(written(), { recorder: { era: 'legacy', requestTimeout: 2.5, start: 'atActivation' } });
			const { lines: changed } = await inputs.pick(it => it.label === 'Request timeout');
			assert.deepEqual(changed.slice(0, 4), [
				'Request timeout | 2.5 s',
				'Tool timeouts | Same as the request timeout',
				'Protocol era | Legacy (up to 2025-11-25)',
				'Start | When the workspace opens',
			]);
			await inputs.type('');
			await inputs.look();
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			await done;
		} finally {
			inputs.dispose();
		}
	});

	it('a time-out of one tool is written beside those of others', async () => {
		await set({ recorder: { toolTimeouts: { say: 9, other: 8 } } });
		const inputs = new QuickInputs();
		try {
			const done = run('mcpWorkbench.server.options', { server: 'recorder' });
			await inputs.pick(it => it.label === 'Tool timeouts');
			await inputs.pick(it => it.label === 'say');
			await inputs.type('5');
			await inputs.look();
			assert.deepEqual(written(), { recorder: { toolTimeouts: { other: 8, say: 5 } } });
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			await done;
		} finally {
			inputs.dispose();
		}
	});
});

function settings(): vscode.WorkspaceConfiguration {
	return vscode.workspace.getConfiguration('mcpWorkbench');
}

function written(): unknown {
	return settings().inspect('serverOptions')?.globalValue;
}

function firstMethod(): string | undefined {
	return records().find(it => it.method !== undefined)?.method;
}

async function set(options: unknown): Promise<void> {
	await settings().update('serverOptions', options, vscode.ConfigurationTarget.Global);
}

function run(command: string, argument: unknown): Thenable<unknown> {
	return vscode.commands.executeCommand(command, argument);
}
