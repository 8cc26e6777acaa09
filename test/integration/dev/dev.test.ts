import * as assert from 'node:assert/strict';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { activate, eventually, inState, workspaceFolder } from '../support.js';

describe('servers that somebody is writing', () => {
	let api: ExtensionApi;
	const subscriptions: vscode.Disposable[] = [];

	before(async () => {
		api = await activate();
	});

	afterEach(async () => {
		subscriptions.splice(0).forEach(it => it.dispose());
		vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
		for (const { name, state } of api.servers()) {
			if (state !== 'stopped' && state !== 'failed') {
				await run('stop', name);
			}
		}
	});

	async function run(what: 'start' | 'stop' | 'restart', server: string): Promise<void> {
		await vscode.commands.executeCommand(`mcpWorkbench.server.${what}`, { server });
	}

	const stateOf = (name: string): string | undefined => api.servers().find(it => it.name === name)?.state;

	describe('debugged', () => {
		/** Sessions of ours: the one that was asked for, and those that the debugger makes below it. */
		const started: vscode.DebugSession[] = [];
		const ended: vscode.DebugSession[] = [];

		beforeEach(() => {
			started.length = 0;
			ended.length = 0;
			subscriptions.push(
				vscode.debug.onDidStartDebugSession(it => started.push(it)),
				vscode.debug.onDidTerminateDebugSession(it => ended.push(it)),
			);
		});

		const roots = (sessions: readonly vscode.DebugSession[]): string[] =>
			sessions.filter(it => !it.parentSession).map(it => `${it.type} ${it.name}`);

		it('Node: stops at a breakpoint at its very beginning; restart attaches again, stop detaches', async function () {
			this.timeout(60_000);
			const file = vscode.Uri.file(path.join(workspaceFolder(), 'src', 'debugged.mjs'));
			const line = new vscode.SourceBreakpoint(new vscode.Location(file, new vscode.Position(1, 0)));
			vscode.debug.addBreakpoints([line]);
			const running = run('start', 'debugged');
			await eventually('the breakpoint', () => vscode.debug.activeStackItem);
			assert.equal(stateOf('debugged'), 'starting');
			vscode.debug.removeBreakpoints([line]);
			await vscode.commands.executeCommand('workbench.action.debug.continue');
			await running;
			await inState(api, 'debugged', 'running');
			assert.deepEqual(roots(started), ['pwa-node MCP: debugged']);

			await run('restart', 'debugged');
			await inState(api, 'debugged', 'running');
			await eventually('another session', () => (roots(started).length === 2 ? true : undefined));
			await eventually('the end of the first', () => (roots(ended).length === 1 ? true : undefined));

			await run('stop', 'debugged');
			await eventually('the end of both', () => (roots(ended).length === 2 ? true : undefined));
			assert.equal(stateOf('debugged'), 'stopped');
		});

		it('says at its place what cannot be debugged', async () => {
			const file = vscode.Uri.file(path.join(workspaceFolder(), '.vscode', 'mcp.json'));
			const [diagnostic, ...others] = vscode.languages.getDiagnostics(file).filter(it => it.source === 'MCP Workbench');
			assert.deepEqual(
				[diagnostic?.message, others],
				['"npx" cannot be debugged, only "node" can: start the server with it, or remove "debug".', []],
			);
		});

		it('starts without a debugger that the editor does not have', async () => {
			await run('start', 'python');
			await inState(api, 'python', 'failed');
			assert.deepEqual(started, []);
		});
	});
});
