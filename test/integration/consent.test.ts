import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import { configFile, consentBench, recorder } from './consentBench.js';
import { eventually, inState, records, workspaceFolder } from './support.js';
import { listsAnswered } from './quickInputs.js';

const inputCommand = 'mcpWorkbench.test.consent';

describe('consent to servers of a workspace', () => {
	const bench = consentBench();
	const { closeOpened, configure, server, set, sheet, start, started, startSeen, stateOf, write } = bench;

	it('shows what will be run, and runs nothing of it before it is allowed', async () => {
		const calls: unknown[] = [];
		const command = vscode.commands.registerCommand(inputCommand, () => calls.push('called') && 'value');
		try {
			const config = {
				servers: {
					shown: server({ args: [recorder, '--of=${input:run}', 'a b', 'safe\u202Egpj.exe $(zap)'], envFile: 'a.env' }),
				},
				inputs: [{ id: 'run', type: 'command', command: inputCommand, args: { text: 'a  b' } }],
			};
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=1\nNODE_OPTIONS=--no-warnings\n');
			await configure(config, 'shown');
			const done = start('shown');
			await inState(bench.api, 'shown', 'waiting');
			const { title, lines, textOf } = await sheet();
			assert.equal(title, 'Allow "shown" to start?');
			assert.match(textOf('Program'), /^node → \/.*\/node$/);
			assert.equal(textOf('Arguments'), `${recorder} --of=\${input:run} "a b" "safe\\u{202e}gpj.exe $\u200B(zap)"`);
			assert.equal(textOf('Editor command'), `${inputCommand} {"text":"a⟨␣×2⟩b"} for input run`);
			assert.deepEqual(
				lines.filter(it => !/^(Program|Arguments|Editor command|…) /.test(it)),
				[
					'About this server',
					"Show in Full | Some details of this server aren't fully shown",
					'Reason | New server',
					`Working directory | ${workspaceFolder()}`,
					'Environment | RECORD_FILE = ${workspaceFolder}/recorder.jsonl',
					'Environment | A_TOKEN',
					'Environment file | a.env',
					'From environment file | NODE_OPTIONS = --no-warnings',
					'From environment file | X',
					`Exposed folders | ${path.basename(workspaceFolder())}`,
					`Configured in | .vscode/mcp.json in folder "${path.basename(workspaceFolder())}"`,
					'Decision',
					'Start | Opens the full view first',
					'Deny',
				],
			);
			assert.ok(!lines.some(it => it.includes('sesame')));
			assert.deepEqual([calls, started()], [[], 0]);

			await bench.inputs.pick(it => it.label === 'Deny');
			await done;
			assert.deepEqual([stateOf('shown'), calls, started()], ['waiting', [], 0]);

			const again = start('shown');
			await startSeen();
			await again;
			await inState(bench.api, 'shown', 'running');
			assert.deepEqual([calls, started()], [['called'], 1]);
			// Every variable of a file is part of what was seen.
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'shown' });
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=2\nNODE_OPTIONS=--no-warnings\n');
			const other = start('shown');
			assert.equal((await sheet()).textOf('Summary'), 'Variable X in the environment file');
			await startSeen();
			await other;
			await inState(bench.api, 'shown', 'running');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'shown' });
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=2\nNODE_OPTIONS=--require ./evil.js\n');
			const changed = start('shown');
			const now = await sheet();
			assert.equal(now.textOf('Summary'), 'Variable NODE_OPTIONS in the environment file');
			assert.equal(now.textOf('From environment file'), 'NODE_OPTIONS = "--require ./evil.js"');
			await bench.inputs.pick(it => it.label === 'Deny');
			await changed;
			assert.equal(started(), 2);
		} finally {
			command.dispose();
		}
	});

	it('takes a sheet that disappears for no yes', async () => {
		await configure({ servers: { kept: server() } }, 'kept');
		const done = start('kept');
		await sheet();
		const input = await bench.inputs.look();
		const hidden = new Promise(resolve => input.onDidHide(() => resolve(undefined)));
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		await hidden;
		bench.inputs.forget();
		assert.deepEqual([stateOf('kept'), started()], ['waiting', 0]);
		// The start waits on: to start it again is to see its sheet again.
		await start('kept');
		await bench.inputs.pick(it => it.label === 'Deny');
		await done;
		assert.deepEqual([stateOf('kept'), started()], ['waiting', 0]);
	});

	it('shows everything in full, and the place in the file, without an answer', async () => {
		await configure({ servers: { full: server({ args: [recorder, 'x'.repeat(2000)] }) } }, 'full');
		const done = start('full');
		const { lines } = await sheet();
		assert.ok(lines.includes("Show in Full | Some details of this server aren't fully shown"), lines.join('\n'));
		assert.ok(lines.includes('Start | Opens the full view first'), lines.join('\n'));
		await bench.inputs.pick(it => it.label === 'Start');
		const text = await closeOpened();
		assert.equal(/x{40}[x\s…]*/.exec(text)?.[0].match(/x/g)?.length, 2000);
		assert.match(text, /^ {4}"A_TOKEN": Not shown$/m);
		assert.ok(text.includes('"RECORD_FILE": "') && !text.includes('sesame') && !text.includes('"kind"'), text);
		assert.ok((await sheet()).lines.includes('Start'));
		await bench.inputs.pick(it => it.label === 'Configured in');
		const { document, selection } = await eventually('the place', () => vscode.window.activeTextEditor);
		assert.equal(document.uri.fsPath, configFile());
		assert.match(document.lineAt(selection.active.line).text, /"full"/);
		assert.equal(stateOf('full'), 'waiting');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'full' });
		await done;
		assert.deepEqual([stateOf('full'), started()], ['stopped', 0]);
	});

	it('asks again for what has changed, and says what', async () => {
		await configure({ servers: { changing: server() } }, 'changing');
		const done = start('changing');
		await bench.inputs.pick(it => it.label === 'Start');
		await done;
		const changed = server({
			args: [recorder, '-x'],
			env: { RECORD_FILE: '${workspaceFolder}/recorder.jsonl', B: '1' },
		});
		write({ servers: { changing: changed } });
		assert.match(await bench.inputs.message(), /^changing was stopped because its configuration has changed\.$/);
		const again = start('changing');
		const { lines, textOf } = await sheet();
		assert.equal(textOf('Summary'), 'Arguments, Environment variable B (new), Environment variable A_TOKEN (removed)');
		assert.deepEqual(
			lines.filter(it => !it.startsWith('…')).slice(0, 5),
			['Changed', lines[1], lines.find(it => it.startsWith('Arguments | ')), 'Environment | B', 'About this server'],
			lines.join('\n'),
		);
		await bench.inputs.pick(it => it.label === 'Start');
		await again;
		await inState(bench.api, 'changing', 'running');
		assert.equal(started(), 2);
	});

	it('holds a server back that has changed when it comes back by itself, and says so once', async () => {
		const config = (command: string, more: object = {}): object => ({
			servers: { held: server({ args: [recorder, '${input:run}'] }), ...more },
			inputs: [{ id: 'run', type: 'command', command }],
		});
		const command = vscode.commands.registerCommand(inputCommand, () => 'value');
		try {
			await configure(config(inputCommand), 'held');
			const done = start('held');
			await startSeen();
			await done;
			write(config('other.command', { read: server() }));
			// The launch is the same, so only the other server tells that it was read.
			await eventually('the change', () => bench.api.servers().find(it => it.name === 'read'));
			const [pid] = records().flatMap(it => it.started ?? []);
			assert.ok(pid !== undefined);
			process.kill(pid, 'SIGKILL');
			await inState(bench.api, 'held', 'waiting');
			const name = path.basename(workspaceFolder());
			assert.equal(
				await bench.inputs.message(),
				`held has changed in .vscode/mcp.json in folder "${name}". Review it before it starts.`,
			);
			const again = start('held');
			assert.equal((await sheet()).textOf('Summary'), 'Input run');
			await bench.inputs.pick(it => it.label === 'Deny');
			await again;
			assert.equal(started(), 1);
		} finally {
			command.dispose();
		}
	});

	it('says what is run besides, and that it is restarted, where somebody is writing it', async () => {
		const dev = { watch: ['src/*.py', '!src/old.py'], debug: { type: 'debugpy', debugpyPath: 'tools/my-debugpy' } };
		await configure({ servers: { written: { command: 'python3', args: ['server.py'], dev } } }, 'written');
		const done = start('written');
		const { lines } = await sheet();
		assert.ok(
			lines.some(it => /^Debugger program \| tools\/my-debugpy → \/.*$/.test(it)),
			lines.join('\n'),
		);
		assert.ok(lines.includes('Watched files | src/*.py, !src/old.py'), lines.join('\n'));
		await bench.inputs.pick(it => it.label === 'Deny');
		await done;
	});

	it('lists those that wait, and goes through them until the person turns away', async () => {
		const names = ['first', 'second', 'third'];
		const config = (command: string, more: object = {}): object => ({
			servers: { ...Object.fromEntries(names.map(it => [it, server({ args: [recorder, '${input:run}'] })])), ...more },
			inputs: [{ id: 'run', type: 'command', command }],
		});
		const command = vscode.commands.registerCommand(inputCommand, () => 'value');
		const window = vscode.window as { showInformationMessage: unknown };
		const original = window.showInformationMessage;
		const { createQuickPick } = vscode.window;
		try {
			write(config(inputCommand));
			await eventually('the three', () => bench.api.servers().find(it => it.name === 'third'));
			for (const name of names) {
				const done = start(name);
				await startSeen();
				await done;
			}
			write(config('other.command', { read: server() }));
			await eventually('the change', () => bench.api.servers().find(it => it.name === 'read'));
			const answered = new Promise<void>(resolve => {
				window.showInformationMessage = async (message: string, button: string) => {
					assert.equal(message, '3 requests are waiting for you.');
					resolve();
					return button;
				};
			});
			for (const pid of records().flatMap(it => it.started ?? [])) {
				process.kill(pid, 'SIGKILL');
			}
			Object.assign(vscode.window, {
				createQuickPick: listsAnswered((items: readonly vscode.QuickPickItem[]) => Promise.resolve(items[0])),
			});
			await answered;
			// They wait in the order in which their processes have ended.
			const titles = new Set<string | undefined>();
			for (const index of names.keys()) {
				titles.add((await sheet()).title);
				if (index < 2) {
					await bench.inputs.pick(it => it.label === 'Deny');
				}
			}
			assert.deepEqual(titles, new Set(names.map(it => `Allow "${it}" to start?`)));
			bench.inputs.forget();
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			assert.deepEqual(names.map(stateOf), ['waiting', 'waiting', 'waiting']);
		} finally {
			window.showInformationMessage = original;
			Object.assign(vscode.window, { createQuickPick });
			command.dispose();
		}
	});

	it('does not ask about a server that the person has just added', async () => {
		await configure({ servers: { old: server() } }, 'old');
		const done = vscode.commands.executeCommand('mcpWorkbench.server.add');
		await bench.inputs.type(`RECORD_FILE="${path.join(workspaceFolder(), 'recorder.jsonl')}" node ${recorder}`);
		await bench.inputs.type(undefined);
		await bench.inputs.pick();
		await done;
		await inState(bench.api, 'recorder', 'running');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'recorder' });
		// The other one in the same file is asked about still.
		const other = start('old');
		await inState(bench.api, 'old', 'waiting');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'old' });
		await other;
	});

	it('never asks about servers of the person', async () => {
		const env = { RECORD_FILE: path.join(workspaceFolder(), 'recorder.jsonl') };
		try {
			await set('servers', { mine: { command: 'node', args: [recorder], env } });
			await inState(bench.api, 'mine', 'stopped');
			await start('mine');
			await inState(bench.api, 'mine', 'running');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'mine' });
		} finally {
			await set('servers', undefined);
		}
	});

	it('forgets on request, and says so', async () => {
		await configure({ servers: { forgotten: server() } }, 'forgotten');
		const done = start('forgotten');
		await bench.inputs.pick(it => it.label === 'Start');
		await done;
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'forgotten' });
		await vscode.commands.executeCommand('mcpWorkbench.consents.forget');
		assert.match(await bench.inputs.message(), /^Server consents reset\. You'll review each server/);
		const again = start('forgotten');
		assert.equal((await sheet()).textOf('Reason'), 'New server');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'forgotten' });
		await again;
	});
});
