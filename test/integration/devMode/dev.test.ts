import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { ExtensionApi } from '../../../src/api.js';
import { activate, changesAreSeen, eventually, inState, records, workspaceFolder } from '../support.js';

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

	function write(file: string, text: string): void {
		const target = path.join(workspaceFolder(), file);
		fs.mkdirSync(path.dirname(target), { recursive: true });
		fs.writeFileSync(target, text);
	}

	const starts = (): number => records().filter(it => it.started !== undefined).length;
	const stateOf = (name: string): string | undefined => api.servers().find(it => it.name === name)?.state;

	describe('watched', () => {
		it('is restarted once for many changes, by what its globs name and nothing else', async () => {
			write('src/a.js', '1');
			write('src/deep/b.js', '1');
			await changesAreSeen();
			await run('start', 'watched');
			await inState(api, 'watched', 'running');
			assert.equal(starts(), 1);
			write('src/notes.txt', 'x');
			write('src/ignored/output.js', 'x');
			write('other.js', 'x');
			await changesAreSeen();
			write('src/a.js', '2');
			write('src/deep/b.js', '2');
			write('src/deep/new.js', '1');
			await eventually('a restart', () => (starts() === 2 ? true : undefined));
			await inState(api, 'watched', 'running');
			await changesAreSeen();
			assert.equal(starts(), 2);
		});

		it('stays stopped when a person has stopped it', async () => {
			await run('start', 'watched');
			await inState(api, 'watched', 'running');
			await run('stop', 'watched');
			const before = starts();
			write('src/a.js', '3');
			await changesAreSeen();
			assert.deepEqual([stateOf('watched'), starts()], ['stopped', before]);
		});

		it('restarts when the broken file is fixed', async () => {
			await run('start', 'unfinished');
			await inState(api, 'unfinished', 'failed');
			// What is written before the editor watches is never seen.
			await changesAreSeen();
			// The folder comes as a whole, as a checkout or a fast build brings it: nothing is told of what is in it.
			write('.new/server.mjs', `await import(process.env.MCP_WORKBENCH_PROJECT + '/test/fixtures/servers/good.mjs');`);
			fs.renameSync(path.join(workspaceFolder(), '.new'), path.join(workspaceFolder(), 'later'));
			await inState(api, 'unfinished', 'running');
		});
	});

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
				['"npx" can\'t be debugged. Start the server with "node", or remove "debug".', []],
			);
		});

		it('starts without a debugger that the editor does not have', async () => {
			await run('start', 'python');
			await inState(api, 'python', 'failed');
			assert.deepEqual(started, []);
		});
	});
});
