/** The API as another extension uses it: by what `activate` returns, and nothing else. */
import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ApiError, ExtensionApi, ProtocolObject } from '../../src/api.js';
import { QuickInputs } from './quickInputs.js';
import { activate, callTool, eventually, forgetRecords, inState, records, workspaceFolder } from './support.js';

describe('the API for other extensions', () => {
	let api: ExtensionApi;
	before(async () => {
		api = await activate();
	});
	afterEach(async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
		forgetRecords();
	});

	const start = (): Thenable<unknown> =>
		vscode.commands.executeCommand('mcpWorkbench.server.start', { server: 'recorder' });

	it('tells of servers, in plain data', async () => {
		const [snapshot] = api.servers();
		assert.match(snapshot?.id ?? '', /\/\.vscode\/mcp\.json#recorder$/);
		assert.deepEqual(
			{ ...snapshot, id: '' },
			{
				id: '',
				name: 'recorder',
				state: 'stopped',
				description: 'Stopped',
				transport: 'stdio',
				protocolVersion: undefined,
				era: undefined,
				counts: { tools: undefined, resources: undefined, resourceTemplates: undefined, prompts: undefined },
			},
		);
		const states: string[] = [];
		const subscription = api.onDidChangeServers(() => states.push(api.servers()[0]?.state ?? ''));
		await start();
		subscription.dispose();
		assert.deepEqual([...new Set(states)].slice(0, 2), ['starting', 'running']);
		const running = await inState(api, 'recorder', 'running');
		assert.deepEqual([running.era, running.protocolVersion, running.counts.tools], ['legacy', '2025-11-25', 1]);
	});

	it('starts the server, and calls a tool when the person allows it, and says who asks', async () => {
		const inputs = new QuickInputs();
		const original = vscode.window.showInformationMessage;
		(vscode.window as { showInformationMessage: unknown }).showInformationMessage = () => Promise.resolve('Review');
		try {
			const args = { text: 'hello' };
			const answer = callTool(api, api.servers()[0]?.id ?? '', 'say', args);
			args.text = 'something else';
			const { lines } = await inputs.pick(it => it.label === 'Allow Once');
			assert.ok(lines.includes('Caller | Extension "somebody.else" (unverified)'), lines.join('\n'));
			assert.deepEqual((await answer)['content'], [{ type: 'text', text: '{"text":"hello"}' }]);
			const refused = rejects(callTool(api, 'recorder', 'say'), 'denied');
			await inputs.pick(it => it.label === 'Deny');
			await refused;
		} finally {
			(vscode.window as { showInformationMessage: unknown }).showInformationMessage = original;
			inputs.dispose();
		}
	});

	it('is cancelled by a token, before and during a call', async () => {
		const policy = path.join(workspaceFolder(), '.vscode', 'mcp-policy.json');
		fs.writeFileSync(policy, '{ "rules": [{ "decision": "allow" }] }');
		try {
			const source = new vscode.CancellationTokenSource();
			const { token } = source;
			const calling = rejects(callTool(api, 'recorder', 'say', { silent: true }, { token }), 'cancelled');
			await eventually('the call', () => records().find(it => it.method === 'tools/call'));
			source.cancel();
			await calling;
			await rejects(callTool(api, 'recorder', 'say', {}, { token }), 'cancelled');
		} finally {
			fs.rmSync(policy);
		}
	});

	it('says in a code and in words what does not work', async () => {
		assert.equal((await rejects(callTool(api, 'nobody', 'x'), 'notFound')).message, 'Server "nobody" not found.');
		await rejects(callTool(api, 'recorder', 'nothing'), 'notFound');
		const lost = await rejects(callTool(api, 'lost', 'x'), 'notRunning');
		assert.match(lost.message, /^The server isn't running \(Failed: /);
	});

	it('takes nothing that it does not understand', async () => {
		const call = (wrong: object): Promise<ProtocolObject> =>
			api.callTool({ server: 'recorder', tool: 'say', arguments: {}, caller: 'a.b', ...wrong });
		const wrong: readonly (readonly [what: string, call: () => unknown, message: RegExp])[] = [
			['a call', () => api.callTool('say' as never), /"call" must be an object/],
			['a server', () => call({ server: 5 }), /"server" must be a string/],
			['a tool', () => call({ tool: {} }), /"tool" must be a string/],
			['arguments', () => call({ arguments: [] }), /"arguments" must be an object/],
			['what cannot be sent', () => call({ arguments: { a: 1n } }), /"arguments" must be plain data/],
			['a caller', () => call({ caller: undefined }), /"caller" must be a string/],
			['a listener', () => api.onDidChangeServers('x' as never), /"listener" must be a function/],
		];
		for (const [what, run, message] of wrong) {
			await assert.rejects(
				async () => run(),
				(error: unknown) => error instanceof TypeError && message.test(error.message),
				what,
			);
		}
		assert.deepEqual(records(), []);
	});

	it('is not harmed by a listener that throws', async () => {
		const heard: string[] = [];
		const { error } = console;
		console.error = (...args: unknown[]) => heard.push(String(args[0]));
		const broken = api.onDidChangeServers(() => {
			broken.dispose();
			throw new Error('meant by a test');
		});
		const good = api.onDidChangeServers(() => heard.push('good'));
		await start();
		good.dispose();
		console.error = error;
		assert.deepEqual(heard.slice(0, 2), ['A listener of the MCP Workbench API threw:', 'good']);
	});
});

async function rejects(promise: Promise<unknown>, code: ApiError['code']): Promise<ApiError> {
	const error = await promise.then(
		() => assert.fail('it did not fail'),
		(reason: unknown) => reason as ApiError,
	);
	assert.deepEqual([error.name, error.code], ['McpWorkbenchError', code], error.message);
	return error;
}
