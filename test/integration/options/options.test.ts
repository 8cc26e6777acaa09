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

	it('a server has its own time-out', async () => {
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

	it('a configured era is not probed', async () => {
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

	it('opening a resource of a server that does not start shows one message with the reason', async () => {
		const inputs = new QuickInputs();
		try {
			const resource = { server: 'missing', uri: 'test://things/hello' };
			await vscode.commands.executeCommand('mcpWorkbench.resource.open', resource);
			assert.match(await inputs.message(), /^Server "missing" isn't running \(Failed: Command not found/);
		} finally {
			inputs.dispose();
		}
	});

	it('a call reports why its server does not start', async () => {
		await assert.rejects(
			async () => run('mcpWorkbench.tool.run', { server: 'missing', tool: 'say' }),
			/The server isn't running \(Failed: Command not found: no-such-command-anywhere\)\./,
		);
	});

	it('a call starts its server, and has the time-out of its tool', async () => {
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

	it('are listed with the actions for the server', async () => {
		const inputs = new QuickInputs();
		try {
			const done = run('mcpWorkbench.server.options', { server: 'recorder' });
			const { lines } = await inputs.pick(it => it.label === 'Exposed Folders…');
			assert.deepEqual(lines, ['Mute', 'Exposed Folders… | All', 'Timeouts, Protocol Era, and Startup…']);
			await inputs.until(/^Exposed folders/);
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

function firstMethod(): string | undefined {
	return records().find(it => it.method !== undefined)?.method;
}

async function set(options: unknown): Promise<void> {
	await settings().update('serverOptions', options, vscode.ConfigurationTarget.Global);
}

function run(command: string, argument: unknown): Thenable<unknown> {
	return vscode.commands.executeCommand(command, argument);
}
