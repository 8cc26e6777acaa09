/** The API as another extension uses it: by what `activate` returns, and nothing else. */
import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ApiError, Connection, ExtensionApi } from '../../src/api.js';
import { QuickInputs } from './quickInputs.js';
import { activate, eventually, forgetRecords, inState, records } from './support.js';

describe('the API for other extensions', () => {
	let api: ExtensionApi;
	let recorder: Connection;
	before(async () => {
		api = await activate();
		recorder = api.connect('recorder', 'somebody.else');
	});
	afterEach(async () => {
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
		forgetRecords();
	});

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
		await recorder.listTools();
		subscription.dispose();
		assert.deepEqual([...new Set(states)].slice(0, 2), ['starting', 'running']);
		const running = await inState(api, 'recorder', 'running');
		assert.deepEqual([running.era, running.protocolVersion, running.counts.tools], ['legacy', '2025-11-25', 1]);
	});

	it('starts a server when something of it is first asked for', async () => {
		assert.deepEqual(await recorder.listTools(), [{ name: 'say', inputSchema: { type: 'object' } }]);
		assert.equal(recorder.server, api.servers()[0]?.id);
		assert.deepEqual(await recorder.listResourceTemplates(), []);
		const resources = await recorder.listResources();
		assert.deepEqual(resources, [{ uri: 'test://things/hello', name: 'hello' }]);
		const contents = await recorder.readResource('test://things/hello');
		assert.deepEqual(contents, [
			{ uri: 'test://things/hello', mimeType: 'application/json', text: '{"hello":"world"}' },
		]);
		// What a caller does to it is nobody else's.
		Object.assign(resources[0] ?? {}, { name: 'mine' });
		assert.equal((await recorder.listResources())[0]?.['name'], 'hello');
	});

	it('calls a tool when the person allows it, and says who asks', async () => {
		const inputs = new QuickInputs();
		const original = vscode.window.showInformationMessage;
		(vscode.window as { showInformationMessage: unknown }).showInformationMessage = () => Promise.resolve('Review');
		try {
			const args = { text: 'hello' };
			const answer = recorder.callTool('say', args);
			args.text = 'something else';
			const { lines } = await inputs.pick(it => it.label === 'Allow Once');
			assert.ok(lines.includes('Caller | Extension "somebody.else" (unverified)'), lines.join('\n'));
			assert.deepEqual((await answer)['content'], [{ type: 'text', text: '{"text":"hello"}' }]);
			const refused = rejects(recorder.callTool('say', {}), 'denied');
			await inputs.pick(it => it.label === 'Deny');
			await refused;
		} finally {
			(vscode.window as { showInformationMessage: unknown }).showInformationMessage = original;
			inputs.dispose();
		}
	});

	it('hears of a resource for as long as it wants to, over restarts of the server', async () => {
		let updates = 0;
		const subscription = recorder.subscribe('test://things/hello', () => updates++);
		let lists = 0;
		const listening = recorder.onDidChangeLists(() => lists++);
		assert.deepEqual(records(), [], 'a subscription starts nothing');
		const told = (): string[] =>
			records().flatMap(it => (it.method?.endsWith('subscribe') === true ? [it.method] : []));
		await recorder.readResource('test://things/hello?touch');
		await eventually('an update', () => (updates > 0 ? true : undefined));
		await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server: 'recorder' });
		await inState(api, 'recorder', 'running');
		const before = updates;
		await recorder.readResource('test://things/hello?touch');
		await eventually('another update', () => (updates > before ? true : undefined));
		assert.ok(lists >= 2, 'each start may have brought other lists');
		subscription.dispose();
		listening.dispose();
		await eventually('the end', () => (told().at(-1) === 'resources/unsubscribe' ? true : undefined));
		assert.equal(told().filter(it => it === 'resources/subscribe').length, 2);
	});

	it('is cancelled by a token, before and during a request', async () => {
		const early = new vscode.CancellationTokenSource();
		early.cancel();
		await rejects(recorder.listTools({ token: early.token }), 'cancelled');
		await recorder.listTools();
		const late = new vscode.CancellationTokenSource();
		const reading = rejects(recorder.readResource('test://silent', { token: late.token }), 'cancelled');
		await eventually('the request', () => records().find(it => it.method === 'resources/read'));
		late.cancel();
		await reading;
	});

	it('says in a code and in words what does not work', async () => {
		assert.throws(() => api.connect('nobody', 'a.b'), { code: 'notFound', message: 'Server "nobody" not found.' });
		const refusal = await rejects(recorder.getPrompt('none', {}), 'refused');
		assert.equal(refusal.rpcCode, -32601);
		const lost = api.connect('lost', 'somebody.else');
		assert.match((await rejects(lost.listTools(), 'notRunning')).message, /^The server isn't running \(Failed: /);
	});

	it('takes nothing that it does not understand', async () => {
		const wrong: readonly (readonly [what: string, call: () => unknown, message: RegExp])[] = [
			['a server', () => api.connect(5 as never, 'a.b'), /"server" must be a string/],
			['a caller', () => api.connect('recorder', undefined as never), /"caller" must be a string/],
			['a listener', () => api.onDidChangeServers('x' as never), /"listener" must be a function/],
			['a tool', () => recorder.callTool({} as never, {}), /"name" must be a string/],
			['arguments', () => recorder.callTool('say', [] as never), /"args" must be an object/],
			['what cannot be sent', () => recorder.callTool('say', { a: 1n }), /"args" must be plain data/],
			['a URI', () => recorder.readResource(vscode.Uri.file('/a') as never), /"uri" must be a string/],
			['texts', () => recorder.getPrompt('a', { b: 5 } as never), /"args" must be an object of strings/],
			['what to complete', () => recorder.complete({} as never, {} as never), /"argument\.name" must be a string/],
		];
		for (const [what, call, message] of wrong) {
			await assert.rejects(
				async () => call(),
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
		await recorder.listTools();
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
