import * as assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { configFile, consentBench, recorder } from './consentBench.js';
import { eventually, inState, records, workspaceFolder } from './support.js';

const inputCommand = 'mcpWorkbench.test.consent';

describe('consent to servers of a workspace', () => {
	const bench = consentBench();
	const { configure, server, set, sheet, start, started, startSeen, stateOf, write } = bench;

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
			const { title, lines } = await sheet();
			assert.equal(title, 'Start "shown"?');
			// Paths are as long as they are: they may take several lines.
			const textOf = (label: string): string => {
				const start = lines.findIndex(it => it.startsWith(`${label} | `));
				const end = lines.findIndex((it, index) => index > start && !it.startsWith('… | '));
				return lines
					.slice(start, end)
					.map(it => it.slice(it.indexOf(' | ') + 3))
					.join('')
					.replaceAll(' ', '');
			};
			assert.match(textOf('Program'), /^node→\/.*\/node$/);
			assert.equal(
				textOf('Arguments'),
				`${recorder}--of=\${input:run}"ab""safe\uFFFDgpj.exe$\u200B(zap)"`.replaceAll(' ', ''),
			);
			assert.deepEqual(
				lines.filter(it => !/^(Program|Arguments|…) /.test(it)),
				[
					'Reason | New server',
					`Working directory | ${workspaceFolder()}`,
					'Environment | RECORD_FILE, A_TOKEN',
					'Environment file | a.env',
					'From environment file | NODE_OPTIONS = --no-warnings',
					`Editor command | ${inputCommand} {"text":"a␣␣b"} for input run`,
					`Shared folders | ${path.basename(workspaceFolder())}`,
					`Configured in | .vscode/mcp.json of folder "${path.basename(workspaceFolder())}"`,
					'',
					'Show in Full',
					'Start | once it was shown in full',
					"Don't Start",
				],
			);
			assert.ok(!lines.some(it => it.includes('sesame')));
			assert.deepEqual([calls, started()], [[], 0]);

			await bench.inputs.pick(it => it.label === "Don't Start");
			await done;
			assert.deepEqual([stateOf('shown'), calls, started()], ['waiting', [], 0]);

			const again = start('shown');
			await startSeen();
			await again;
			await inState(bench.api, 'shown', 'running');
			assert.deepEqual([calls, started()], [['called'], 1]);
			// A file of variables is part of what was seen, as far as it changes what runs.
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'shown' });
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=2\nNODE_OPTIONS=--no-warnings\n');
			await start('shown');
			await inState(bench.api, 'shown', 'running');
			await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'shown' });
			fs.writeFileSync(path.join(workspaceFolder(), 'a.env'), 'X=2\nNODE_OPTIONS=--require ./evil.js\n');
			const changed = start('shown');
			const { lines: now } = await sheet();
			assert.equal(
				now.slice(0, 2).join(' ').replace(' … |', ''),
				'Reason | Changed since approval: variable NODE_OPTIONS of the environment file',
			);
			assert.ok(now.includes('From environment file | NODE_OPTIONS = "--require ./evil.js"'), now.join('\n'));
			await bench.inputs.pick(it => it.label === "Don't Start");
			await changed;
			assert.equal(started(), 2);
		} finally {
			command.dispose();
		}
	});

	it('does not ask again when it is started again', async () => {
		await configure({ servers: { again: server() } }, 'again');
		const done = start('again');
		await bench.inputs.pick(it => it.label === 'Start');
		await done;
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'again' });
		await start('again');
		await inState(bench.api, 'again', 'running');
		await vscode.commands.executeCommand('mcpWorkbench.server.restart', { server: 'again' });
		await inState(bench.api, 'again', 'running');
		assert.equal(started(), 3);
	});

	it('takes Enter alone, and a sheet that disappears, for no yes', async () => {
		await configure({ servers: { kept: server() } }, 'kept');
		const done = start('kept');
		await sheet();
		await delay(50);
		await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
		await delay(50);
		assert.deepEqual([stateOf('kept'), started()], ['waiting', 0]);
		await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
		await done;
		assert.deepEqual([stateOf('kept'), started()], ['waiting', 0]);
	});

	it('shows everything in full, and the place in the file, without an answer', async () => {
		await configure({ servers: { full: server({ args: [recorder, 'x'.repeat(2000)] }) } }, 'full');
		const done = start('full');
		const { lines } = await sheet();
		assert.ok(
			lines.some(it => /^\d+ more lines \| are shown in full only$/.test(it)),
			lines.join('\n'),
		);
		assert.ok(lines.includes('Start | once it was shown in full'), lines.join('\n'));
		const pick = (await bench.inputs.look()) as vscode.QuickPick<vscode.QuickPickItem>;
		const choose = async (label: string): Promise<vscode.TextEditor> => {
			const before = vscode.window.activeTextEditor;
			pick.activeItems = pick.items.filter(it => it.label === label);
			await delay(50);
			await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
			return eventually(label, () =>
				vscode.window.activeTextEditor === before ? undefined : vscode.window.activeTextEditor,
			);
		};
		const text = (await choose('Start')).document.getText();
		const shown = JSON.parse(text) as { args: string[]; env: object };
		const env = { RECORD_FILE: 'Not shown', A_TOKEN: 'Not shown' };
		assert.deepEqual([shown.args[1]?.length, shown.env], [2000, env]);
		assert.ok(!text.includes('sesame'));
		assert.ok((await sheet()).lines.includes('Start'));
		const { document, selection } = await choose('Configured in');
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
		const { lines } = await sheet();
		assert.equal(
			lines.slice(0, 2).join(' ').replace(' … |', ''),
			'Reason | Changed since approval: arguments, environment variable B (new), environment variable A_TOKEN (removed)',
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
				`held has changed in .vscode/mcp.json of folder "${name}", and is not started before you have seen it.`,
			);
			const again = start('held');
			assert.equal((await sheet()).lines[0], 'Reason | Changed since approval: input run');
			await bench.inputs.pick(it => it.label === "Don't Start");
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
		await bench.inputs.pick(it => it.label === "Don't Start");
		await done;
	});

	it('goes through those that wait one by one, and leaves the rest where the person turns away', async () => {
		const names = ['first', 'second', 'third'];
		const config = (command: string, more: object = {}): object => ({
			servers: { ...Object.fromEntries(names.map(it => [it, server({ args: [recorder, '${input:run}'] })])), ...more },
			inputs: [{ id: 'run', type: 'command', command }],
		});
		const command = vscode.commands.registerCommand(inputCommand, () => 'value');
		const window = vscode.window as { showInformationMessage: unknown };
		const original = window.showInformationMessage;
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
					assert.match(message, /^3 servers are new or have changed/);
					resolve();
					return button;
				};
			});
			for (const pid of records().flatMap(it => it.started ?? [])) {
				process.kill(pid, 'SIGKILL');
			}
			await answered;
			assert.equal((await sheet()).title, 'Start "first"?');
			await bench.inputs.pick(it => it.label === "Don't Start");
			assert.equal((await sheet()).title, 'Start "second"?');
			bench.inputs.forget();
			await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
			const again = start('first');
			// Sheets wait for each other: that of the third would come first.
			assert.equal((await sheet()).title, 'Start "first"?');
			await bench.inputs.pick(it => it.label === "Don't Start");
			await again;
			assert.deepEqual(names.map(stateOf), ['waiting', 'waiting', 'waiting']);
		} finally {
			window.showInformationMessage = original;
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
		assert.match(await bench.inputs.message(), /^Forgotten\. Every server of this workspace is shown again/);
		const again = start('forgotten');
		assert.equal((await sheet()).lines[0], 'Reason | New server');
		await vscode.commands.executeCommand('mcpWorkbench.server.stop', { server: 'forgotten' });
		await again;
	});
});
